// Floats that are nothing but moved, to and from where shorter floats lie, as the bytes that they are.
//
// A union of a double and two single floats may be copied by its double, and two in a vector may be passed round a loop as one. Taken
// for one number, what comes back to it from two sides would be added as a double, which two floats beside each other are
// not. As an integer it says nothing of what it is, and who else touches the bytes is asked.

#include "shim.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace {

// Objects in which floats are read or written, and how many bits the shortest has.
using Shortest = DenseMap<const Value *, unsigned>;

Shortest findShortest(Function &function) {
  Shortest found;
  for (Instruction &inst : instructions(function)) {
    const Value *place = getLoadStorePointerOperand(&inst);
    Type *type = place ? getLoadStoreType(&inst)->getScalarType() : nullptr;
    if (!type || !type->isFloatingPointTy())
      continue;
    unsigned &bits = found[getUnderlyingObject(place)];
    bits = bits ? std::min(bits, type->getScalarSizeInBits()) : type->getScalarSizeInBits();
  }
  return found;
}

// Single and double floats, alone or side by side.
bool isWide(const Value *value) {
  Type *type = value->getType();
  return !isa<ScalableVectorType>(type) && (type->getScalarType()->isFloatTy() || type->getScalarType()->isDoubleTy());
}

// Whether a cast makes bits of shorter floats of what is wide, or the other way round.
bool castsShort(const Instruction &inst) {
  if (!isa<BitCastInst>(inst))
    return false;
  Type *from = inst.getOperand(0)->getType(), *to = inst.getType();
  return from->isFPOrFPVectorTy() && to->isFPOrFPVectorTy() && from->getScalarSizeInBits() != to->getScalarSizeInBits();
}

bool widens(const Instruction &inst) {
  return castsShort(inst) && inst.getOperand(0)->getType()->getScalarSizeInBits() < inst.getType()->getScalarSizeInBits();
}

bool isPlain(const Instruction &access) { return !access.isVolatile() && !access.isAtomic(); }

// Whether a float is made by moving alone.
bool isMoved(const Instruction &inst) {
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return isPlain(*load);
  return isa<PHINode, SelectInst, FreezeInst>(inst) || widens(inst);
}

// Whether a use does no more than move it on.
bool movesOn(const Use &use) {
  if (auto *store = dyn_cast<StoreInst>(use.getUser()))
    return use.getOperandNo() == 0 && isPlain(*store);
  auto *user = cast<Instruction>(use.getUser());
  return isa<PHINode, SelectInst, FreezeInst>(user) || (castsShort(*user) && !widens(*user));
}

class WideMoves {
 public:
  explicit WideMoves(Function &function) : shortest(findShortest(function)) {
    for (Instruction &inst : instructions(function))
      if (isWide(&inst))
        collect(inst);
    for (Instruction *spoiler : spoilers)
      spoiled.insert(webs.getOrInsertLeaderValue(spoiler));
    for (Instruction *meeter : meeters)
      met.insert(webs.getOrInsertLeaderValue(meeter));
  }

  void rewrite() {
    SmallVector<Instruction *> chosen;
    for (Instruction *inst : moved)
      if (Instruction *leader = webs.getOrInsertLeaderValue(inst); met.contains(leader) && !spoiled.contains(leader))
        chosen.push_back(inst);
    for (Instruction *inst : chosen)
      made[inst] = start(*inst);
    for (Instruction *inst : chosen)
      finish(*inst);
    for (Instruction *inst : chosen)
      inst->replaceAllUsesWith(PoisonValue::get(inst->getType()));
    for (Instruction *inst : chosen)
      inst->eraseFromParent();
  }

 private:
  Shortest shortest;
  EquivalenceClasses<Instruction *> webs;
  SmallVector<Instruction *> moved, spoilers, meeters;
  SmallPtrSet<Instruction *, 8> spoiled, met;
  DenseMap<Instruction *, Instruction *> made;

  bool meetsShorter(Type *moved, const Value *place) const {
    return shortest.lookup_or(getUnderlyingObject(place), moved->getScalarSizeInBits()) < moved->getScalarSizeInBits();
  }

  void collect(Instruction &inst) {
    webs.insert(&inst);
    moved.push_back(&inst);
    if (!isMoved(inst))
      spoilers.push_back(&inst);
    auto *load = dyn_cast<LoadInst>(&inst);
    if (widens(inst) || (load && meetsShorter(inst.getType(), load->getPointerOperand())))
      meeters.push_back(&inst);
    for (Value *operand : inst.operands()) {
      if (operand->getType() != inst.getType())
        continue;
      if (auto *from = dyn_cast<Instruction>(operand); from && isMoved(inst))
        webs.unionSets(&inst, from);
      else if (!from)
        spoilers.push_back(&inst);
    }
    for (Use &use : inst.uses()) {
      auto *store = dyn_cast<StoreInst>(use.getUser());
      if (!movesOn(use))
        spoilers.push_back(&inst);
      else if (!store ? isa<BitCastInst>(use.getUser()) : meetsShorter(inst.getType(), store->getPointerOperand()))
        meeters.push_back(&inst);
    }
  }

  // The same as bytes; phis without what comes in.
  Instruction *start(Instruction &inst) {
    IRBuilder<> builder(&inst);
    Type *word = inst.getType()->getWithNewType(builder.getIntNTy(inst.getType()->getScalarSizeInBits()));
    if (isa<BitCastInst>(inst))
      return CastInst::Create(Instruction::BitCast, inst.getOperand(0), word, "", inst.getIterator());
    if (auto *load = dyn_cast<LoadInst>(&inst))
      return builder.CreateAlignedLoad(word, load->getPointerOperand(), load->getAlign());
    if (auto *phi = dyn_cast<PHINode>(&inst))
      return builder.CreatePHI(word, phi->getNumIncomingValues());
    Value *none = PoisonValue::get(word);
    if (auto *select = dyn_cast<SelectInst>(&inst))
      return SelectInst::Create(select->getCondition(), none, none, "", inst.getIterator());
    return new FreezeInst(none, "", inst.getIterator());
  }

  void finish(Instruction &inst) {
    Instruction *word = made[&inst];
    auto bytes = [&](unsigned at) { return made[cast<Instruction>(inst.getOperand(at))]; };
    if (auto *phi = dyn_cast<PHINode>(&inst)) {
      for (unsigned at = 0; at < phi->getNumIncomingValues(); at++)
        cast<PHINode>(word)->addIncoming(bytes(at), phi->getIncomingBlock(at));
    } else if (!isa<LoadInst, BitCastInst>(inst)) {
      for (unsigned at = isa<SelectInst>(inst) ? 1 : 0; at < inst.getNumOperands(); at++)
        word->setOperand(at, bytes(at));
    }
    for (Use &use : make_early_inc_range(inst.uses()))
      if (isa<StoreInst, BitCastInst>(use.getUser())) {
        cast<Instruction>(use.getUser())->setMetadata(LLVMContext::MD_tbaa, nullptr);
        use.set(word);
      }
  }
};

}  // namespace

void bs_shim_move_bytes(LLVMValueRef function) { WideMoves(*unwrap<Function>(function)).rewrite(); }

// Floats that are nothing but moved, to and from where shorter floats lie, as the bytes that they are.
//
// A union of a double and two single floats may be copied by its double, and two in a vector may be passed round a loop as one. Taken
// for one number, what comes back to it from two sides would be added as a double, which two floats beside each other are
// not. As an integer it says nothing of what it is, and who else touches the bytes is asked.

#include "shim.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <numeric>

using namespace llvm;

namespace {

// Where floats are read or written: so many bytes from where an address was found, or any number of steps from there.
struct Place {
  const Value *found;
  int64_t start = 0;
  uint64_t step = 0;
  uint64_t bytes = 0;
  unsigned floatBits = 0;
};

Place placeOf(const Value *address, Type *type, const DataLayout &layout) {
  Place place{address};
  place.bytes = layout.getTypeStoreSize(type).getKnownMinValue();
  place.floatBits = type->getScalarSizeInBits();
  while (auto *steps = dyn_cast<GEPOperator>(place.found)) {
    SmallMapVector<Value *, APInt, 4> times;
    APInt bytes(layout.getIndexTypeSizeInBits(steps->getType()), 0);
    if (!steps->collectOffset(layout, bytes.getBitWidth(), times, bytes))
      break;
    place.start += bytes.getSExtValue();
    for (auto &[index, size] : times)
      place.step = std::gcd(place.step, size.abs().getZExtValue());
    place.found = steps->getPointerOperand();
  }
  return place;
}

// Whether two places, known equally well, have a byte in common. An index into an array in a struct may seem to lead to any member.
bool meet(const Place &one, const Place &other) {
  int64_t apart = other.start - one.start;
  if (one.step != other.step)
    return false;
  if (one.step == 0)
    return apart < int64_t(one.bytes) && -apart < int64_t(other.bytes);
  int64_t step = one.step, ahead = ((apart % step) + step) % step;
  return ahead < int64_t(one.bytes) || step - ahead < int64_t(other.bytes);
}

// By what they lie in, and by how wide the floats are.
using Places = DenseMap<const Value *, std::map<unsigned, SmallVector<Place, 4>>>;

Places findFloats(Function &function) {
  Places found;
  for (Instruction &inst : instructions(function)) {
    const Value *address = getLoadStorePointerOperand(&inst);
    Type *type = address ? getLoadStoreType(&inst) : nullptr;
    if (!type || !type->isFPOrFPVectorTy())
      continue;
    Place place = placeOf(address, type, function.getDataLayout());
    found[place.found][place.floatBits].push_back(place);
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
  explicit WideMoves(Function &function) : floats(findFloats(function)) {
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
  Places floats;
  EquivalenceClasses<Instruction *> webs;
  SmallVector<Instruction *> moved, spoilers, meeters;
  SmallPtrSet<Instruction *, 8> spoiled, met;
  DenseMap<Instruction *, Instruction *> made;

  bool meetsShorter(const Instruction &access) const {
    Place place = placeOf(getLoadStorePointerOperand(&access), getLoadStoreType(&access), access.getDataLayout());
    auto others = floats.find(place.found);
    if (others == floats.end())
      return false;
    auto meets = [&](const Place &other) { return meet(place, other); };
    for (auto &[bits, places] : others->second)
      if (bits < place.floatBits && any_of(places, meets))
        return true;
    return false;
  }

  void collect(Instruction &inst) {
    webs.insert(&inst);
    moved.push_back(&inst);
    if (!isMoved(inst))
      spoilers.push_back(&inst);
    if (widens(inst) || (isa<LoadInst>(inst) && meetsShorter(inst)))
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
      else if (store ? meetsShorter(*store) : isa<BitCastInst>(use.getUser()))
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

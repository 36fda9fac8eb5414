// Integers of eight bytes that are only moved, moved by halves.
//
// A struct of an integer and a float is moved as one integer. Whoever asks what it is gets two answers, and so there are two
// integers of four bytes, the lower one first. Nothing but how bytes are moved is decided here: no value changes.

#include "shim.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

using namespace llvm;

namespace {

constexpr uint64_t halfBytes = 4;

struct Halves {
  Value *lower = nullptr, *upper = nullptr;
};

class Splitting {
 public:
  explicit Splitting(ArrayRef<Instruction *> members) : members(members) {}

  void run() {
    for (Instruction *inst : members)
      if (auto *phi = dyn_cast<PHINode>(inst))
        made[phi] = {emptyLike(*phi), emptyLike(*phi)};
    for (Instruction *inst : members)
      if (auto *phi = dyn_cast<PHINode>(inst))
        fill(*phi);
    for (Instruction *inst : members)
      if (auto *store = dyn_cast<StoreInst>(inst))
        split(*store);
    for (Instruction *inst : members) {
      if (!isa<StoreInst>(inst))
        inst->replaceAllUsesWith(PoisonValue::get(inst->getType()));
      inst->eraseFromParent();
    }
  }

 private:
  ArrayRef<Instruction *> members;
  MapVector<Value *, Halves> made;

  static PHINode *emptyLike(PHINode &phi) {
    IRBuilder<> builder(&phi);
    return builder.CreatePHI(builder.getInt32Ty(), phi.getNumIncomingValues());
  }

  void fill(PHINode &phi) {
    auto *lower = cast<PHINode>(made[&phi].lower), *upper = cast<PHINode>(made[&phi].upper);
    for (unsigned at = 0; at < phi.getNumIncomingValues(); at++) {
      Halves coming = of(phi.getIncomingValue(at));
      lower->addIncoming(coming.lower, phi.getIncomingBlock(at));
      upper->addIncoming(coming.upper, phi.getIncomingBlock(at));
    }
  }

  Halves of(Value *word) {
    if (auto known = made.find(word); known != made.end())
      return known->second;
    Halves halves;
    if (auto *inst = dyn_cast<Instruction>(word)) {
      IRBuilder<> builder(inst);
      halves = make(*inst, builder);
    } else {
      IRBuilder<> builder(word->getContext());
      halves.lower = builder.CreateTrunc(word, builder.getInt32Ty());
      halves.upper = builder.CreateTrunc(builder.CreateLShr(word, 32), builder.getInt32Ty());
    }
    return made[word] = halves;
  }

  Halves make(Instruction &inst, IRBuilder<> &builder) {
    if (auto *load = dyn_cast<LoadInst>(&inst)) {
      auto read = [&](Value *place, Align align) { return builder.CreateAlignedLoad(builder.getInt32Ty(), place, align); };
      Value *place = load->getPointerOperand();
      return {read(place, load->getAlign()), read(behind(place, builder), upperAlign(load->getAlign()))};
    }
    if (auto *select = dyn_cast<SelectInst>(&inst)) {
      Halves yes = of(select->getTrueValue()), no = of(select->getFalseValue());
      Value *asked = select->getCondition();
      return {builder.CreateSelect(asked, yes.lower, no.lower), builder.CreateSelect(asked, yes.upper, no.upper)};
    }
    Halves frozen = of(inst.getOperand(0));
    return {builder.CreateFreeze(frozen.lower), builder.CreateFreeze(frozen.upper)};
  }

  void split(StoreInst &store) {
    Halves halves = of(store.getValueOperand());
    IRBuilder<> builder(&store);
    Value *place = store.getPointerOperand();
    builder.CreateAlignedStore(halves.lower, place, store.getAlign());
    builder.CreateAlignedStore(halves.upper, behind(place, builder), upperAlign(store.getAlign()));
  }

  static Value *behind(Value *place, IRBuilder<> &builder) {
    return builder.CreateInBoundsPtrAdd(place, builder.getInt64(halfBytes));
  }

  static Align upperAlign(Align whole) { return commonAlignment(whole, halfBytes); }
};

bool isMove(const Instruction *inst) {
  if (auto *store = dyn_cast_or_null<StoreInst>(inst))
    return store->isSimple() && store->getValueOperand()->getType()->isIntegerTy(64);
  if (!inst || !inst->getType()->isIntegerTy(64))
    return false;
  auto *load = dyn_cast<LoadInst>(inst);
  return load ? load->isSimple() : isa<PHINode, SelectInst, FreezeInst>(inst);
}

// Constants alone come from outside, and nothing goes there.
bool isClosed(const SmallPtrSetImpl<Instruction *> &members) {
  auto known = [&](const Value *value) { return isa<ConstantInt, UndefValue>(value) || members.contains(dyn_cast<Instruction>(value)); };
  for (const Instruction *inst : members) {
    if (auto *store = dyn_cast<StoreInst>(inst); store && !members.contains(dyn_cast<Instruction>(store->getValueOperand())))
      return false;
    bool joins = isa<PHINode, FreezeInst>(inst);
    if (joins && !all_of(inst->operands(), known))
      return false;
    if (auto *select = dyn_cast<SelectInst>(inst); select && !(known(select->getTrueValue()) && known(select->getFalseValue())))
      return false;
    if (!all_of(inst->users(), [&](const User *user) { return members.contains(dyn_cast<Instruction>(user)); }))
      return false;
  }
  return true;
}

}  // namespace

bool bs_shim_move_by_halves(LLVMValueRef *raw, size_t count) {
  SmallVector<Instruction *> members;
  for (size_t at = 0; at < count; at++)
    members.push_back(dyn_cast<Instruction>(unwrap(raw[at])));
  SmallPtrSet<Instruction *, 16> all(members.begin(), members.end());
  if (members.empty() || !all_of(members, isMove) || !isClosed(all))
    return false;
  Splitting(members).run();
  return true;
}

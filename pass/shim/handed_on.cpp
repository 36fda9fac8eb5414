// Where what an earlier iteration has stored in a cell is handed on instead of being loaded from there, it is loaded again:
// LLVM does the opposite where it can tell a cell from all that is written in between, and then nobody sees a sum any more.
//
// By the mark, one of the two operands is what the cell held, and the one that was stored there is the one.
#include "handed_on.h"

#include "sums.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

void loadAgain(StoreInst &store, Loop &loop, PredicatedScalarEvolution &assumed) {
  auto *addition = dyn_cast<BinaryOperator>(store.getValueOperand());
  const SCEVAddRecExpr *cell = addition ? assumed.getAsAddRec(store.getPointerOperand()) : nullptr;
  if (!cell || cell->getLoop() != &loop || !cell->isAffine())
    return;
  ScalarEvolution &evolution = *assumed.getSE();
  auto isOneBefore = [&](Instruction &inst) {
    if (!isMarked(inst))
      return false;
    const SCEVAddRecExpr *other = assumed.getAsAddRec(getLoadStorePointerOperand(&inst));
    return other && other->getLoop() == &loop && other->isAffine() &&
           evolution.getMinusSCEV(other->getStart(), cell->getStart()) == cell->getStepRecurrence(evolution) &&
           other->getStepRecurrence(evolution) == cell->getStepRecurrence(evolution);
  };
  unsigned candidates = addition->getOpcode() == Instruction::FAdd ? 2 : addition->getOpcode() == Instruction::FSub ? 1 : 0;
  for (unsigned index = 0; index < candidates; index++) {
    auto *handed = dyn_cast<PHINode>(addition->getOperand(index));
    if (!handed || handed->getParent() != loop.getHeader() || !handed->hasOneUse())
      continue;
    Value *before = handed->getIncomingValueForBlock(loop.getLoopLatch());
    auto isStored = [&](User *user) {
      auto *inst = dyn_cast<StoreInst>(user);
      return inst && inst->getValueOperand() == before && loop.contains(inst) && isOneBefore(*inst);
    };
    if (none_of(before->users(), isStored))
      continue;
    IRBuilder<> builder(addition);
    addition->setOperand(index, builder.CreateAlignedLoad(addition->getType(), store.getPointerOperand(), store.getAlign()));
    RecursivelyDeleteDeadPHINode(handed);
    return;
  }
}

LoadInst *findOld(StoreInst &store) {
  auto *addition = dyn_cast<BinaryOperator>(store.getValueOperand());
  if (!addition || !addition->hasOneUse() || !addition->getType()->isFloatingPointTy() || !store.isSimple())
    return nullptr;
  auto isOld = [&](Value *operand) {
    auto *load = dyn_cast<LoadInst>(operand);
    bool same = load && load->hasOneUse() && load->isSimple() && load->getParent() == store.getParent() &&
                load->getPointerOperand() == store.getPointerOperand();
    return same ? load : nullptr;
  };
  LoadInst *load = isOld(addition->getOperand(0));
  if (!load && addition->getOpcode() == Instruction::FAdd)
    load = isOld(addition->getOperand(1));
  bool sum = addition->getOpcode() == Instruction::FAdd || addition->getOpcode() == Instruction::FSub;
  return sum ? load : nullptr;
}

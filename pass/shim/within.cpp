// Whether arrays are apart is tested at run time before a vectorised loop is entered. Where it is entered again and again, LLVM
// tests once, in front of the loop around it, for all memory that all its passes go through. It can do that only where that
// loop goes towards the back of memory: of one that goes towards the front it says that the test fails. Where the step is
// known, the loop inside is not vectorised at all; where it is known only at run time, the vectorised loop is never entered.
//
// The reverse sweep of a nest goes towards the front. There what the loop around hands to the one inside is hidden behind
// a `freeze`, which changes no value; so the test asks for the memory of one pass, where the inner loop is entered.
#include "within.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace {

// Whether a step is a negative number, or a multiple of one of a factor whose sign nobody knows: the reverse sweep's
// steps are those of the forward sweep, taken back.
bool leadsToTheFront(const SCEV *step, ScalarEvolution &evolution) {
  if (evolution.isKnownNonNegative(step))
    return false;
  auto *product = dyn_cast<SCEVMulExpr>(step);
  return evolution.isKnownNegative(step) || (product && evolution.isKnownNegative(product->getOperand(0)));
}

bool goesTowardsTheFront(Value *value, const Loop &around, ScalarEvolution &evolution) {
  if (!evolution.isSCEVable(value->getType()))
    return false;
  return SCEVExprContains(evolution.getSCEV(value), [&](const SCEV *part) {
    auto *moving = dyn_cast<SCEVAddRecExpr>(part);
    return moving && moving->getLoop() == &around && moving->isAffine() &&
           leadsToTheFront(moving->getStepRecurrence(evolution), evolution);
  });
}

// How many numbers lie at most between what one pass of a loop that is worth it reads and what the next does.
constexpr int64_t WidestStep = 4;

// Whether the loop goes through memory number by number, or by a few. What is scattered further is gathered into vectors one by
// one, which LLVM thinks cheaper than it is.
bool isDense(const Loop &loop, ScalarEvolution &evolution) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block) {
      Value *pointer = getLoadStorePointerOperand(&inst);
      if (!pointer || loop.isLoopInvariant(pointer))
        continue;
      auto *address = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(pointer));
      auto *step = address ? dyn_cast<SCEVConstant>(address->getStepRecurrence(evolution)) : nullptr;
      const TypeSize size = inst.getDataLayout().getTypeStoreSize(getLoadStoreType(&inst));
      if (!step || size.isScalable() || step->getAPInt().abs().ugt(WidestStep * size.getFixedValue()))
        return false;
    }
  return true;
}

// Where addresses of the loop are made of numbers that the loop around has computed. How often the loop goes round may
// depend on the same numbers, and stays as it is known.
SmallVector<Use *, 8> findHandedIn(const Loop &loop, const Loop &around, ScalarEvolution &evolution) {
  SmallVector<Use *, 8> handed;
  SmallSetVector<Instruction *, 16> leading;
  auto look = [&](Use &use) {
    auto *value = dyn_cast<Instruction>(use.get());
    if (!value)
      return;
    if (loop.contains(value))
      leading.insert(value);
    else if (around.contains(value) && goesTowardsTheFront(value, around, evolution))
      handed.push_back(&use);
  };
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block)
      for (Use &use : inst.operands())
        if (use.get() == getLoadStorePointerOperand(&inst))
          look(use);
  for (size_t next = 0; next < leading.size(); next++)
    if (!leading[next]->mayReadOrWriteMemory())
      for (Use &use : leading[next]->operands())
        look(use);
  return handed;
}

} // namespace

bool testWithin(Loop &loop, ScalarEvolution &evolution, LoopAccessInfoManager &accesses) {
  Loop *around = loop.getParentLoop();
  BasicBlock *entry = loop.getLoopPreheader();
  if (!around || !entry)
    return false;
  const SmallVector<Use *, 8> handed = findHandedIn(loop, *around, evolution);
  if (handed.empty() || !isDense(loop, evolution))
    return false;
  const LoopAccessInfo &info = accesses.getInfo(loop);
  if (!info.canVectorizeMemory() || info.getNumRuntimePointerChecks() == 0)
    return false;
  IRBuilder<> builder(entry->getTerminator());
  SmallDenseMap<Value *, Value *> hidden;
  for (Use *use : handed) {
    Value *&now = hidden[use->get()];
    if (!now)
      now = builder.CreateFreeze(use->get(), "within");
    use->set(now);
  }
  evolution.forgetLoop(&loop);
  accesses.clear();
  return true;
}

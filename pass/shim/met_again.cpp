// Numbers that a loop loads and has loaded in the pass before.
//
// A stencil reads u[i - 1], u[i] and u[i + 1]: all but one of them were there a pass ago. LLVM hands them on where it knows that nobody has written
// there since, before vectors are made: a shuffle of two vectors in place of a load that crosses lines of the cache. In the sweeps of a derivative it
// knows only behind tests at run time, which come later. So it is done here, for loops that such tests were made for. Of several neighbours every other
// one is loaded, since numbers that come from two passes ago take more shuffles than loads.
#include "met_again.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {

// Of more than these it would take long to see.
constexpr size_t MostLoads = 32;

struct Pair {
  LoadInst *later, *earlier;
};

const SCEVAddRecExpr *walkOf(LoadInst &load, const Loop &loop, ScalarEvolution &evolution) {
  auto *walk = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(load.getPointerOperand()));
  bool fits = walk && walk->getLoop() == &loop && walk->isAffine() && isa<SCEVConstant>(walk->getStepRecurrence(evolution));
  return fits ? walk : nullptr;
}

// Whether one load finds in the next pass what the other has found in this one.
bool comesTo(const SCEVAddRecExpr *earlier, const SCEVAddRecExpr *later, ScalarEvolution &evolution) {
  const SCEV *step = earlier->getStepRecurrence(evolution);
  return later->getStepRecurrence(evolution) == step && evolution.getMinusSCEV(later->getStart(), earlier->getStart()) == step;
}

// Pairs that have no load in common: from the one that is in front backwards.
SmallVector<Pair, 4> findPairs(const Loop &loop, ScalarEvolution &evolution) {
  using Walk = std::pair<LoadInst *, const SCEVAddRecExpr *>;
  SmallVector<Walk, 16> loads;
  if (loop.getNumBlocks() != 1 || !loop.getLoopPreheader())
    return {};
  for (Instruction &inst : *loop.getHeader())
    if (auto *load = dyn_cast<LoadInst>(&inst); load && load->isSimple() && load->getType()->isFloatingPointTy())
      if (const SCEVAddRecExpr *walk = walkOf(*load, loop, evolution))
        if (none_of(loads, [&](const Walk &known) { return known.second == walk; }))
          loads.push_back({load, walk});
  if (loads.size() > MostLoads)
    return {};
  auto behind = [&](const Walk &one) {
    return find_if(loads, [&](const Walk &other) {
      return other.first->getType() == one.first->getType() && comesTo(other.second, one.second, evolution);
    });
  };
  auto isInFront = [&](const Walk &one) { return none_of(loads, [&](const Walk &other) { return behind(other) == &one; }); };
  SmallVector<Pair, 4> pairs;
  for (const Walk &front : loads) {
    if (!isInFront(front))
      continue;
    const Walk *later = &front, *earlier = nullptr;
    for (; later != loads.end() && (earlier = behind(*later)) != loads.end(); later = behind(*earlier))
      pairs.push_back({later->first, earlier->first});
  }
  return pairs;
}

// In no pass does anybody write where the load reads, in whatever pass it does.
bool isLeftAlone(LoadInst &load, const Loop &loop, AAResults &aliases) {
  auto whole = [](Instruction &access) {
    return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&access), access.getAAMetadata());
  };
  for (Instruction &inst : *loop.getHeader()) {
    if (!isGuaranteedToTransferExecutionToSuccessor(&inst))
      return false;
    if (!inst.mayWriteToMemory())
      continue;
    auto *store = dyn_cast<StoreInst>(&inst);
    if (!store || !store->isSimple() || !aliases.isNoAlias(whole(*store), whole(load)))
      return false;
  }
  return true;
}

// Moves what a load needs, and itself, to the start of its block: before `here`, which is the first that stays behind. Returns whether that went.
bool lift(Instruction &inst, Instruction *&here, const LoadInst &load) {
  if (isa<PHINode>(inst) || inst.getParent() != here->getParent() || inst.comesBefore(here))
    return true;
  if (inst.mayHaveSideEffects() || (inst.mayReadFromMemory() && &inst != &load))
    return false;
  for (Value *operand : inst.operands())
    if (auto *needed = dyn_cast<Instruction>(operand); needed && !lift(*needed, here, load))
      return false;
  if (&inst == here)
    here = here->getNextNode();
  else
    inst.moveBefore(here->getIterator());
  return true;
}

} // namespace

bool meetsAgain(Loop &loop, ScalarEvolution &evolution) { return !findPairs(loop, evolution).empty(); }

bool handOnWhatIsMetAgain(Loop &loop, ScalarEvolution &evolution, AAResults &aliases) {
  SmallVector<Pair, 4> pairs = findPairs(loop, evolution);
  BasicBlock *block = loop.getHeader();
  bool changed = false;
  SCEVExpander expander(evolution, "again");
  for (auto [later, earlier] : pairs) {
    Instruction *enters = loop.getLoopPreheader()->getTerminator();
    const SCEV *start = walkOf(*earlier, loop, evolution)->getStart();
    Instruction *here = &*block->getFirstNonPHIOrDbg();
    if (!expander.isSafeToExpandAt(start, enters) || !isLeftAlone(*later, loop, aliases) || !isLeftAlone(*earlier, loop, aliases) ||
        !lift(*later, here, *later))
      continue;
    Value *place = expander.expandCodeFor(start, earlier->getPointerOperandType(), enters->getIterator());
    auto *first = cast<LoadInst>(earlier->clone());
    first->setOperand(LoadInst::getPointerOperandIndex(), place);
    first->insertBefore(enters->getIterator());
    PHINode *phi = PHINode::Create(earlier->getType(), 2, "again", block->begin());
    phi->addIncoming(first, loop.getLoopPreheader());
    phi->addIncoming(later, block);
    earlier->replaceAllUsesWith(phi);
    earlier->eraseFromParent();
    changed = true;
  }
  if (changed)
    evolution.forgetLoop(&loop);
  return changed;
}

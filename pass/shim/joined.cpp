// Passes of an outer loop that add to the same rows run together.
//
// The adjoint of a stencil on a grid adds to the rows in front of and behind the one it reads, and the next pass of the loop over rows adds to two of
// them again: each row is read and written three times. So does `y[j] += a[i][j] * x[i]` in each pass over i. Where the loop inside does the work of
// several passes at once, what they add to one cell is added up in a register first (`sums.cpp`), and is added to memory once.
//
// That changes the order of what two passes of the outer loop do. Nobody said in which order adjoints are added up; everything else must touch no
// cell that another pass touches, unless both only read. This is asked in front of the nest (`nest_rows.cpp`); the nest as it was stays for when
// it is not so.
#include "joined.h"

#include "nest_rows.h"
#include "sums.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace {

// How many passes run at a time.
constexpr unsigned Passes = 2;
// Of the loop inside: more is rather kept in memory than in registers.
constexpr unsigned MostInstructions = 60;
// Of the loop around.
constexpr unsigned FewestPasses = 8;
// Loops that were joined, or are what is left over, stay what they are.
constexpr const char *Mark = "backsweep.joined";

class Nest {
 public:
  Nest(Loop &inner, Loop &outer, const Joining &with)
      : inner(inner), outer(outer), with(with), evolution(with.evolution), rows(inner, outer, with.evolution) {}

  // Returns whether anything was changed.
  bool join() {
    if (!looksPlain())
      return false;
    bool changed = false;
    for (Loop *loop : {&inner, &outer})
      changed |= simplifyLoop(loop, &with.dominators, &with.loops, &evolution, &with.assumptions, nullptr, /*PreserveLCSSA=*/false);
    changed |= formLCSSARecursively(outer, with.dominators, &with.loops, &evolution);
    if (!hasPlainShape() || !rows.collect() || !rows.hasSharedSums())
      return changed;
    Value *apart = rows.askWhetherApart();
    if (!apart)
      return changed;
    runTogether(addVersion(*apart));
    return true;
  }

 private:
  Loop &inner, &outer;
  const Joining &with;
  ScalarEvolution &evolution;
  NestRows rows;
  // Asks in each pass of the outer loop whether the one inside runs.
  BranchInst *guard = nullptr;

  // What is asked before anything is changed.
  bool looksPlain() {
    return inner.getNumBlocks() == 1 && outer.getNumBlocks() <= 5 && !getBooleanLoopAttribute(&outer, Mark) &&
           inner.getHeader()->sizeWithoutDebug() <= MostInstructions && any_of(*inner.getHeader(), isMarked);
  }

  // Each loop is left at its end, and it is known in front of both how often they run. One block in front of the loop inside begins a pass of the
  // outer one, and one behind it ends it; or there is a question between them whether the loop inside runs at all.
  bool hasPlainShape() {
    for (Loop *loop : {&inner, &outer})
      if (!loop->isLoopSimplifyForm() || loop->getExitingBlock() != loop->getLoopLatch() || !loop->getUniqueExitBlock() ||
          !isa<BranchInst>(loop->getLoopLatch()->getTerminator()))
        return false;
    BasicBlock *first = inner.getLoopPreheader(), *last = inner.getExitBlock(), *header = outer.getHeader(), *latch = outer.getLoopLatch();
    if (first != header || last != latch) {
      guard = dyn_cast<BranchInst>(header->getTerminator());
      if (outer.getNumBlocks() != 5 || first->getSinglePredecessor() != header || last->getSingleSuccessor() != latch || !guard ||
          !guard->isConditional() || !outer.isLoopInvariant(guard->getCondition()) || !is_contained(successors(header), latch))
        return false;
    }
    const SCEV *innerTurns = evolution.getBackedgeTakenCount(&inner), *outerTurns = evolution.getBackedgeTakenCount(&outer);
    if (auto *known = dyn_cast<SCEVConstant>(outerTurns); known && known->getAPInt().ult(FewestPasses))
      return false;
    return !isa<SCEVCouldNotCompute>(innerTurns) && !isa<SCEVCouldNotCompute>(outerTurns) &&
           evolution.isLoopInvariant(innerTurns, &outer) && handsOnCountersOnly();
  }

  // What one pass of the outer loop hands to the next is counted, and can be counted before the loop inside runs.
  bool handsOnCountersOnly() {
    for (PHINode &phi : outer.getHeader()->phis()) {
      auto *next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(outer.getLoopLatch()));
      if (!evolution.isSCEVable(phi.getType()) || !isa<SCEVAddRecExpr>(evolution.getSCEV(&phi)) || !next || isa<PHINode>(next) ||
          inner.contains(next) || next->mayReadOrWriteMemory())
        return false;
      for (Value *operand : next->operands())
        if (auto *before = dyn_cast<Instruction>(operand); before && outer.contains(before) && before->getParent() != outer.getHeader())
          return false;
    }
    return true;
  }

  // Where the loop inside runs, as a number that is known in front of the nest.
  Value *askGuard(Value &apart) {
    if (!guard)
      return &apart;
    IRBuilder<> builder(outer.getLoopPreheader()->getTerminator());
    Value *runs = guard->getCondition();
    if (guard->getSuccessor(0) == outer.getLoopLatch())
      runs = builder.CreateNot(runs);
    return builder.CreateAnd(&apart, runs);
  }

  // In a copy that is only run where the loop inside runs.
  void dropGuard(BranchInst &copy) {
    BasicBlock *header = copy.getParent();
    const bool first = guard->getSuccessor(1) == outer.getLoopLatch();
    BasicBlock *runs = copy.getSuccessor(first ? 0 : 1), *end = copy.getSuccessor(first ? 1 : 0);
    end->removePredecessor(header);
    ReplaceInstWithInst(&copy, BranchInst::Create(runs));
    with.dominators.changeImmediateDominator(end, end->getSinglePredecessor());
    DomTreeUpdater updater(with.dominators, DomTreeUpdater::UpdateStrategy::Eager);
    MergeBlockIntoPredecessor(runs, &updater, &with.loops);
    MergeBlockIntoPredecessor(end, &updater, &with.loops);
  }

  // A copy of the nest that runs where the passes are apart.
  Loop &addVersion(Value &apart) {
    Value *condition = askGuard(apart);
    BasicBlock *choice = outer.getLoopPreheader(), *behind = outer.getUniqueExitBlock(), *latch = outer.getLoopLatch();
    BasicBlock *own = SplitBlock(choice, choice->getTerminator()->getIterator(), &with.dominators, &with.loops);
    ValueToValueMapTy map;
    SmallVector<BasicBlock *, 8> blocks;
    Loop *copy = cloneLoopWithPreheader(own, choice, &outer, map, ".joined", &with.loops, &with.dominators, blocks);
    remapInstructionsInBlocks(blocks, map);
    ReplaceInstWithInst(choice->getTerminator(), BranchInst::Create(cast<BasicBlock>(map[own]), own, condition));
    with.dominators.changeImmediateDominator(behind, choice);
    for (PHINode &phi : behind->phis()) {
      Value *left = phi.getIncomingValueForBlock(latch);
      Value *other = map.lookup(left);
      phi.addIncoming(other ? other : left, cast<BasicBlock>(map[latch]));
    }
    if (guard)
      dropGuard(*cast<BranchInst>(map[guard]));
    for (Loop *loop : {&outer, copy})
      addStringMetadataToLoop(loop, Mark, 1);
    evolution.forgetLoop(&outer);
    for (Loop *loop : {&outer, copy})
      simplifyLoop(loop, &with.dominators, &with.loops, &evolution, &with.assumptions, nullptr, true);
    return *copy;
  }

  void runTogether(Loop &copy) {
    OptimizationRemarkEmitter remarks(copy.getHeader()->getParent());
    const unsigned passes = evolution.getSmallConstantTripCount(&copy);
    const unsigned multiple = evolution.getSmallConstantTripMultiple(&copy);
    Loop *rest = nullptr;
    // It has the shape that this asks for, and whether passes depend on each other is known better here.
    UnrollAndJamLoop(&copy, Passes, passes, multiple, /*UnrollRemainder=*/false, &with.loops, &evolution, &with.dominators,
                     &with.assumptions, &with.costs, &remarks, &rest);
    if (rest)
      addStringMetadataToLoop(rest, Mark, 1);
    rows.tell(copy, Passes);
  }
};

} // namespace

bool joinPasses(Loop &inner, const Joining &with) {
  Loop *outer = inner.getParentLoop();
  return outer && Nest(inner, *outer, with).join();
}

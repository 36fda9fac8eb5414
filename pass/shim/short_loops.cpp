// Nests of loops of a few passes that compute with numbers are written out in the copy, outer ones first.
//
// What their passes compute together is then one graph, an array as long as the loop is a few numbers, and the loop around
// them is the one that records. The host writes such loops out anyway, but later, in the derivative: too late for the plan.
//
// Outer ones first, since how often an inner loop runs may follow from the counters of those around it, as in a triangle. Where a nest is too
// long as a whole, the loops in it are looked at one by one.
#include "shim.h"
#include "foreseen.h"
#include "steady.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace {

constexpr unsigned MostPasses = 8;
// Of one nest when it is written out: what is left of it, and what is written before anything folds.
constexpr unsigned MostInstructions = 250;
constexpr unsigned MostSteps = 8000;
// Of all nests of a function that are more than one loop, before anything folds.
constexpr unsigned MostStepsInAll = 32000;
// Marks the loops in a nest, whose copies are written out after it.
constexpr const char *Mark = "backsweep.short";

// Whether a loop ends when one integer meets another and neither is a constant. To ask how often it runs would be in vain, and takes
// long behind many loops: all that was asked in front of them is looked through for what it says of the two.
bool comparesUnknown(const Loop &loop) {
  const BasicBlock *exiting = loop.getExitingBlock();
  const auto *branch = exiting ? dyn_cast<BranchInst>(exiting->getTerminator()) : nullptr;
  const auto *test = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  return test && test->getOperand(0)->getType()->isIntegerTy() && !isa<Constant>(test->getOperand(0)) &&
         !isa<Constant>(test->getOperand(1));
}

class ShortLoops {
 public:
  explicit ShortLoops(Function &function) : known(function), costs(function.getDataLayout()), remarks(&function) {}

  bool run() {
    bool written = false;
    while (Loop *nest = findNest()) {
      writeOutNest(*nest);
      written = true;
    }
    return written;
  }

 private:
  Steady known;
  TargetTransformInfo costs;
  OptimizationRemarkEmitter remarks;
  unsigned steps = 0;
  // Loops are looked at once; those that were written out are gone, with all that was in them.
  SmallPtrSet<BasicBlock *, 16> seen;

  Loop *findNest() {
    for (Loop *loop : known.loops.getLoopsInPreorder())
      if (seen.insert(loop->getHeader()).second && isShort(*loop))
        return loop;
    return nullptr;
  }

  unsigned countPasses(Loop &loop) { return comparesUnknown(loop) ? 0 : known.evolution.getSmallConstantTripCount(&loop); }

  bool isShort(Loop &loop) {
    const unsigned passes = countPasses(loop);
    // The header of a loop that asks before each pass is entered once more.
    if (passes == 0 || passes > MostPasses + 1 || !loop.isLoopSimplifyForm() || !loop.isLCSSAForm(known.dominators))
      return false;
    const std::optional<unsigned> size = sizeOfNumbers(loop);
    if (!size)
      return false;
    // A loop of eight passes with none in it is as long as a vector, and left to who makes vectors.
    if (loop.isInnermost())
      return passes <= MostPasses && *size * passes <= MostInstructions;
    const auto foreseen = foresee(loop, known.loops, known.library, {MostPasses, MostInstructions, MostSteps});
    if (!foreseen || steps + foreseen->steps > MostStepsInAll)
      return false;
    steps += foreseen->steps;
    return true;
  }

  void writeOutNest(Loop &nest) {
    Loop *around = nest.getParentLoop();
    for (Loop *inner : nest.getLoopsInPreorder())
      if (inner != &nest)
        addStringMetadataToLoop(inner, Mark, 1);
    writeOut(nest);
    while (Loop *inner = findMarked(around)) {
      // Once is enough, whatever comes of it.
      addStringMetadataToLoop(inner, Mark, 0);
      writeOut(*inner);
    }
  }

  Loop *findMarked(Loop *around) {
    const auto &loops = around ? around->getSubLoops() : known.loops.getTopLevelLoops();
    auto found = find_if(loops, [](Loop *loop) { return getBooleanLoopAttribute(loop, Mark); });
    return found == loops.end() ? nullptr : *found;
  }

  void writeOut(Loop &loop) {
    simplifyLoop(&loop, &known.dominators, &known.loops, &known.evolution, &known.assumptions, nullptr, true);
    formLCSSARecursively(loop, known.dominators, &known.loops, &known.evolution);
    UnrollLoopOptions options{};
    options.Count = countPasses(loop);
    options.Force = true;
    // A copy of an inner loop that never runs may count from beyond its end, once around all numbers.
    if (options.Count > 0 && options.Count <= MostPasses + 1)
      UnrollLoop(&loop, options, &known.loops, &known.evolution, &known.dominators, &known.assumptions, &costs, &remarks,
                 /*PreserveLCSSA=*/true);
  }
};

} // namespace

bool bs_shim_write_out_short_loops(LLVMValueRef raw) { return ShortLoops(*unwrap<Function>(raw)).run(); }

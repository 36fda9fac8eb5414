// Loops of a few passes that compute with numbers are written out in the copy, inner ones first.
//
// What their passes compute together is then one graph, an array as long as the loop is a few numbers, and the loop around
// them is the one that records. The host writes such loops out anyway, but later, in the derivative: too late for the plan.
#include "shim.h"
#include "steady.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace {

constexpr unsigned MostPasses = 8;
// Of one loop when it is written out, what was written out in it before included.
constexpr unsigned MostInstructions = 250;

} // namespace

bool bs_shim_write_out_short_loops(LLVMValueRef raw) {
  auto &function = *unwrap<Function>(raw);
  Steady known(function);
  const TargetTransformInfo costs(function.getDataLayout());
  OptimizationRemarkEmitter remarks(&function);
  bool written = false;
  auto ordered = known.loops.getLoopsInPreorder();
  for (Loop *loop : reverse(ordered)) {
    if (!loop->isInnermost() || !loop->isLoopSimplifyForm() || !loop->isLCSSAForm(known.dominators))
      continue;
    const unsigned passes = known.evolution.getSmallConstantTripCount(loop);
    const std::optional<unsigned> size = sizeOfNumbers(*loop);
    if (passes == 0 || passes > MostPasses || !size || *size * passes > MostInstructions)
      continue;
    UnrollLoopOptions options{};
    options.Count = passes;
    options.Force = true;
    written |= UnrollLoop(loop, options, &known.loops, &known.evolution, &known.dominators, &known.assumptions, &costs,
                          &remarks, /*PreserveLCSSA=*/true) == LoopUnrollResult::FullyUnrolled;
  }
  return written;
}

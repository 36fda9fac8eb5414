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

bool touchesNumbers(const Instruction &inst) {
  auto isNumber = [](const Value *value) { return value->getType()->isFPOrFPVectorTy(); };
  return isNumber(&inst) || any_of(inst.operands(), isNumber);
}

// How many instructions the loop is; none where it may not be written out.
std::optional<unsigned> sizeOf(const Loop &loop) {
  unsigned size = 0;
  bool numbers = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (call && (call->cannotDuplicate() || call->isConvergent()))
        return std::nullopt;
      size += !isa<DbgInfoIntrinsic>(inst);
      numbers |= touchesNumbers(inst);
    }
  return numbers ? std::optional(size) : std::nullopt;
}

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
    const std::optional<unsigned> size = sizeOf(*loop);
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

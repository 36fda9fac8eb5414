// Lanes that intrinsics of LLVM move, as shuffles of two vectors or as loads and stores of single lanes.

#include "shim.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>

#include <numeric>

using namespace llvm;

namespace {

unsigned lanesOf(const Value *vector) { return cast<FixedVectorType>(vector->getType())->getNumElements(); }

SmallVector<int> consecutive(unsigned first, unsigned count) {
  SmallVector<int> mask(count);
  std::iota(mask.begin(), mask.end(), first);
  return mask;
}

// A vector as one of more lanes, the new ones open.
Value *widened(IRBuilder<> &builder, Value *vector, unsigned lanes) {
  SmallVector<int> mask = consecutive(0, lanesOf(vector));
  mask.resize(lanes, PoisonMaskElem);
  return builder.CreateShuffleVector(vector, mask);
}

// The first lanes of one vector, some of another in the middle, and the rest of the first.
Value *inserted(IRBuilder<> &builder, Value *whole, Value *part, unsigned at) {
  unsigned lanes = lanesOf(whole);
  SmallVector<int> mask = consecutive(0, lanes);
  for (unsigned lane = 0; lane < lanesOf(part) && at + lane < lanes; lane++)
    mask[at + lane] = lanes + lane;
  return builder.CreateShuffleVector(whole, widened(builder, part, lanes), mask);
}

// The first lane of each vector, then the second of each, and so on.
Value *interleaved(IRBuilder<> &builder, IntrinsicInst &call) {
  unsigned factor = call.arg_size(), lanes = lanesOf(call.getArgOperand(0));
  Value *joined = PoisonValue::get(call.getType());
  for (unsigned index = 0; index < factor; index++)
    joined = inserted(builder, joined, call.getArgOperand(index), index * lanes);
  SmallVector<int> mask;
  for (unsigned lane = 0; lane < lanes; lane++)
    for (unsigned index = 0; index < factor; index++)
      mask.push_back(index * lanes + lane);
  return builder.CreateShuffleVector(joined, mask);
}

Value *deinterleaved(IRBuilder<> &builder, IntrinsicInst &call) {
  Value *all = call.getArgOperand(0), *result = PoisonValue::get(call.getType());
  unsigned factor = cast<StructType>(call.getType())->getNumElements();
  for (unsigned index = 0; index < factor; index++) {
    SmallVector<int> mask;
    for (unsigned lane = index; lane < lanesOf(all); lane += factor)
      mask.push_back(lane);
    result = builder.CreateInsertValue(result, builder.CreateShuffleVector(all, mask), index);
  }
  return result;
}

Value *spliced(IRBuilder<> &builder, IntrinsicInst &call, bool fromLeft) {
  auto *offset = dyn_cast<ConstantInt>(call.getArgOperand(2));
  unsigned lanes = lanesOf(call.getArgOperand(0));
  if (!offset || offset->getZExtValue() > lanes)
    return nullptr;
  unsigned first = fromLeft ? offset->getZExtValue() : lanes - offset->getZExtValue();
  return builder.CreateShuffleVector(call.getArgOperand(0), call.getArgOperand(1), consecutive(first, lanes));
}

Value *reversed(IRBuilder<> &builder, Value *vector) {
  SmallVector<int> mask = consecutive(0, lanesOf(vector));
  std::reverse(mask.begin(), mask.end());
  return builder.CreateShuffleVector(vector, mask);
}

bool isFixed(Type *type) {
  if (auto *parts = dyn_cast<StructType>(type))
    return all_of(parts->elements(), isFixed);
  return !isa<ScalableVectorType>(type);
}

// The same by shuffles; null where it is something else.
Value *asShuffles(IRBuilder<> &builder, IntrinsicInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front("llvm.vector.") || !isFixed(call.getType()) ||
      !all_of(call.args(), [](const Use &use) { return isFixed(use->getType()); }))
    return nullptr;
  if (name.starts_with("interleave"))
    return interleaved(builder, call);
  if (name.starts_with("deinterleave"))
    return deinterleaved(builder, call);
  if (name.starts_with("splice.left.") || name.starts_with("splice.right."))
    return spliced(builder, call, name.starts_with("splice.left."));
  if (name.starts_with("reverse."))
    return reversed(builder, call.getArgOperand(0));
  // An index of these two is a constant.
  if (name.starts_with("insert."))
    return inserted(builder, call.getArgOperand(0), call.getArgOperand(1),
                    cast<ConstantInt>(call.getArgOperand(2))->getZExtValue());
  if (name.starts_with("extract."))
    return builder.CreateShuffleVector(
        call.getArgOperand(0),
        consecutive(cast<ConstantInt>(call.getArgOperand(1))->getZExtValue(),
                    cast<FixedVectorType>(call.getType())->getNumElements()));
  return nullptr;
}

// LLVM writes out what moves under a mask, and matrices, but leaves alone what the target has an instruction for. Here it is asked with
// analyses of its own, which know of no target.
void writeOut(Function &function, StringRef pipeline) {
  PassBuilder builder;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  FunctionPassManager passes;
  // A host that lacks a pass leaves the call as it is, which is refused by its name.
  if (Error failure = builder.parsePassPipeline(passes, pipeline))
    return consumeError(std::move(failure));
  passes.run(function, functions);
}

bool callsAny(Function &function, StringRef prefix) {
  return any_of(instructions(function), [&](Instruction &inst) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    return call && call->getCalledFunction()->getName().starts_with(prefix);
  });
}

}  // namespace

void bs_shim_open_moved_lanes(LLVMValueRef raw) {
  auto &function = *unwrap<Function>(raw);
  if (callsAny(function, "llvm.matrix."))
    writeOut(function, "lower-matrix-intrinsics");
  if (callsAny(function, "llvm.masked."))
    writeOut(function, "scalarize-masked-mem-intrin");
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (!call)
      continue;
    IRBuilder<> builder(call);
    if (Value *same = asShuffles(builder, *call)) {
      call->replaceAllUsesWith(same);
      call->eraseFromParent();
    }
  }
}

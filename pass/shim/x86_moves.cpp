// Intrinsic functions of x86 that move lanes under a mask, or gather and scatter them, as those that LLVM has for every processor.

#include "shim.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace {

unsigned lanesOf(const Value *vector) {
  auto *type = dyn_cast<FixedVectorType>(vector->getType());
  return type ? type->getNumElements() : 0;
}

// A lane is asked for by the sign of its part of the mask, or by a bit of its own; null for masks of another kind.
Value *conditionOf(Value *mask, IRBuilder<> &builder) {
  if (lanesOf(mask) == 0)
    return nullptr;
  if (mask->getType()->isIntOrIntVectorTy(1))
    return mask;
  Type *bits = VectorType::getInteger(cast<VectorType>(mask->getType()));
  return builder.CreateICmpSLT(builder.CreateBitCast(mask, bits), Constant::getNullValue(bits));
}

// Where each lane lies: as many steps from the base as the index says. Null where lanes have no index of their own.
Value *placesOf(Value *base, Value *index, Value *scale, unsigned lanes, IRBuilder<> &builder) {
  auto *bytes = dyn_cast<ConstantInt>(scale);
  if (!bytes || lanes == 0 || lanesOf(index) < lanes || !index->getType()->isIntOrIntVectorTy())
    return nullptr;
  if (lanesOf(index) > lanes) {
    SmallVector<int> first;
    for (unsigned lane = 0; lane < lanes; lane++)
      first.push_back(lane);
    index = builder.CreateShuffleVector(index, first);
  }
  auto *wide = FixedVectorType::get(builder.getInt64Ty(), lanes);
  Value *steps = builder.CreateMul(builder.CreateSExt(index, wide), ConstantInt::get(wide, bytes->getZExtValue()));
  return builder.CreateGEP(builder.getInt8Ty(), base, steps);
}

// In memory nothing is promised of where a lane lies.
const Align Anywhere(1);

Value *masked(CallInst &call, bool stores, IRBuilder<> &builder) {
  Value *condition = conditionOf(call.getArgOperand(1), builder);
  if (!condition)
    return nullptr;
  if (stores)
    return builder.CreateMaskedStore(call.getArgOperand(2), call.getArgOperand(0), Anywhere, condition);
  Type *type = call.getType();
  return builder.CreateMaskedLoad(type, call.getArgOperand(0), Anywhere, condition, Constant::getNullValue(type));
}

// `gather(otherwise, base, index, mask, scale)`.
Value *gathered(CallInst &call, IRBuilder<> &builder) {
  Value *condition = conditionOf(call.getArgOperand(3), builder);
  Value *places = placesOf(call.getArgOperand(1), call.getArgOperand(2), call.getArgOperand(4), lanesOf(&call), builder);
  if (!condition || !places || lanesOf(condition) != lanesOf(&call))
    return nullptr;
  return builder.CreateMaskedGather(call.getType(), places, Anywhere, condition, call.getArgOperand(0));
}

// `scatter(base, mask, index, values, scale)`. Where two lanes have one place the last one stays, here as there.
Value *scattered(CallInst &call, IRBuilder<> &builder) {
  Value *values = call.getArgOperand(3), *condition = conditionOf(call.getArgOperand(1), builder);
  Value *places = placesOf(call.getArgOperand(0), call.getArgOperand(2), call.getArgOperand(4), lanesOf(values), builder);
  if (!condition || !places || lanesOf(condition) != lanesOf(values))
    return nullptr;
  return builder.CreateMaskedScatter(values, places, Anywhere, condition);
}

// The same by LLVM's own; null for what is something else.
Value *called(CallInst &call, StringRef name) {
  if (!name.consume_front("llvm.x86.avx"))
    return nullptr;
  name = name.split('.').second;
  name.consume_front("mask.");
  IRBuilder<> builder(&call);
  if (name.starts_with("maskload.") && call.arg_size() == 2)
    return masked(call, false, builder);
  if (name.starts_with("maskstore.") && call.arg_size() == 3)
    return masked(call, true, builder);
  if (name.starts_with("gather") && call.arg_size() == 5)
    return gathered(call, builder);
  if (name.starts_with("scatter") && call.arg_size() == 5)
    return scattered(call, builder);
  return nullptr;
}

}  // namespace

void bs_shim_read_x86_moves(LLVMValueRef raw) {
  for (Instruction &inst : make_early_inc_range(instructions(*unwrap<Function>(raw)))) {
    auto *call = dyn_cast<CallInst>(&inst);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    Value *same = callee ? called(*call, callee->getName()) : nullptr;
    if (!same)
      continue;
    if (!call->getType()->isVoidTy())
      call->replaceAllUsesWith(same);
    call->eraseFromParent();
  }
}

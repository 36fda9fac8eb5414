// Signs of floats that are changed as bits, as in vector code and fast absolute values.

#include "shim.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

// The float whose bits these are, lane by lane; null where they are none.
static Value *floatBehind(Value *bits) {
  Value *behind = nullptr;
  if (!match(bits, m_BitCast(m_Value(behind))) || !behind->getType()->isFPOrFPVectorTy())
    return nullptr;
  auto *from = dyn_cast<VectorType>(behind->getType()), *to = dyn_cast<VectorType>(bits->getType());
  bool laneByLane = from && to ? from->getElementCount() == to->getElementCount() : !from && !to;
  // These formats keep more than a sign in their first bit, or lie in two pieces.
  Type *kind = behind->getType()->getScalarType();
  return laneByLane && !kind->isX86_FP80Ty() && !kind->isPPC_FP128Ty() ? behind : nullptr;
}

// What a mask does to one lane of a vector of floats.
enum class Lane { Same, Zero, Negated, Positive, Negative, Unknown };

static Lane laneOf(unsigned opcode, const APInt &mask) {
  if (opcode == Instruction::And)
    return mask.isAllOnes() ? Lane::Same : mask.isZero() ? Lane::Zero : mask.isMaxSignedValue() ? Lane::Positive : Lane::Unknown;
  if (mask.isZero())
    return Lane::Same;
  if (!mask.isSignMask())
    return Lane::Unknown;
  return opcode == Instruction::Xor ? Lane::Negated : Lane::Negative;
}

static Value *changed(Value *x, Lane lane, IRBuilder<> &builder) {
  auto size = [&] { return builder.CreateUnaryIntrinsic(Intrinsic::fabs, x); };
  switch (lane) {
  case Lane::Same:
    return x;
  case Lane::Zero:
    return Constant::getNullValue(x->getType());
  case Lane::Negated:
    return builder.CreateFNeg(x);
  case Lane::Positive:
    return size();
  case Lane::Negative:
    return builder.CreateFNeg(size());
  case Lane::Unknown:
    return nullptr;
  }
  return nullptr;
}

// A mask of which all but the sign is zero, whatever the sign is when the program runs.
static bool mayHoldSignOnly(Value *mask, const DataLayout &layout) {
  return mask->getType()->isIntegerTy() && computeKnownBits(mask, layout).countMaxActiveBits() > 0 &&
         computeKnownBits(mask, layout).countMinTrailingZeros() >= mask->getType()->getIntegerBitWidth() - 1;
}

// The sign changed or set where a mask says so.
static Value *byCondition(Instruction *operation, IRBuilder<> &builder) {
  bool turns = operation->getOpcode() == Instruction::Xor;
  if (!turns && operation->getOpcode() != Instruction::Or)
    return nullptr;
  for (unsigned at : {0u, 1u}) {
    Value *x = floatBehind(operation->getOperand(at)), *mask = operation->getOperand(1 - at);
    if (!x || !mayHoldSignOnly(mask, operation->getDataLayout()))
      continue;
    Value *isSet = builder.CreateICmpNE(mask, Constant::getNullValue(mask->getType()));
    Value *changed = builder.CreateFNeg(turns ? x : builder.CreateUnaryIntrinsic(Intrinsic::fabs, x));
    return builder.CreateSelect(isSet, changed, x);
  }
  return nullptr;
}

// A mask that does one thing to some lanes and another to others.
static Value *byLanes(Instruction *operation, IRBuilder<> &builder) {
  auto *type = dyn_cast<FixedVectorType>(operation->getType());
  Value *bits = nullptr;
  Constant *masks = nullptr;
  if (!type || !match(operation, m_c_BinOp(m_Value(bits), m_ImmConstant(masks))))
    return nullptr;
  Value *x = floatBehind(bits);
  std::optional<Lane> first, second;
  SmallVector<int, 8> chosen;
  for (unsigned at = 0; x && at < type->getNumElements(); at++) {
    auto *mask = dyn_cast_or_null<ConstantInt>(masks->getAggregateElement(at));
    Lane lane = mask ? laneOf(operation->getOpcode(), mask->getValue()) : Lane::Unknown;
    if (lane == Lane::Unknown || (first && second && lane != *first && lane != *second))
      return nullptr;
    if (!first)
      first = lane;
    else if (lane != *first)
      second = lane;
    chosen.push_back(lane == *first ? at : at + type->getNumElements());
  }
  if (!x || !first)
    return nullptr;
  Value *most = changed(x, *first, builder);
  return second ? builder.CreateShuffleVector(most, changed(x, *second, builder), chosen) : most;
}

// What the operation on bits does to the float; null where it is something else.
static Value *asFloat(Instruction *operation, IRBuilder<> &builder) {
  const APInt *mask = nullptr;
  Value *bits = nullptr;
  if (match(operation, m_c_And(m_Value(bits), m_APInt(mask))) && mask->isMaxSignedValue())
    if (Value *x = floatBehind(bits))
      return builder.CreateUnaryIntrinsic(Intrinsic::fabs, x);
  if (match(operation, m_c_Xor(m_Value(bits), m_APInt(mask))) && mask->isSignMask())
    if (Value *x = floatBehind(bits))
      return builder.CreateFNeg(x);
  if (match(operation, m_c_Or(m_Value(bits), m_APInt(mask))) && mask->isSignMask())
    if (Value *x = floatBehind(bits))
      return builder.CreateFNeg(builder.CreateUnaryIntrinsic(Intrinsic::fabs, x));
  // The size of one and the sign of another; or a product of signs.
  Value *size = nullptr, *sign = nullptr;
  const APInt *other = nullptr;
  auto sized = m_And(m_Value(size), m_APInt(mask)), signed_ = m_And(m_Value(sign), m_APInt(other));
  if (!match(operation, m_c_Or(sized, signed_)))
    return nullptr;
  if (mask->isSignMask()) {
    std::swap(mask, other);
    std::swap(size, sign);
  }
  Value *x = floatBehind(size), *y = floatBehind(sign);
  bool parts = mask->isMaxSignedValue() && other->isSignMask();
  return parts && x && y && x->getType() == y->getType() ? builder.CreateBinaryIntrinsic(Intrinsic::copysign, x, y)
                                                         : nullptr;
}

bool bs_shim_read_signs(LLVMValueRef raw) {
  auto *function = unwrap<Function>(raw);
  bool changed = false;
  // The later of two operations comes first, so that both parts of a `copysign` are seen whole.
  SmallVector<WeakVH, 16> operations;
  for (Instruction &inst : instructions(*function))
    if (isa<BinaryOperator>(inst) && inst.isBitwiseLogicOp())
      operations.push_back(&inst);
  for (const WeakVH &handle : reverse(operations)) {
    // What only served a later operation is gone already.
    auto *operation = dyn_cast_or_null<Instruction>(static_cast<Value *>(handle));
    if (!operation)
      continue;
    IRBuilder<> builder(operation);
    Value *value = asFloat(operation, builder);
    if (!value)
      value = byLanes(operation, builder);
    if (!value)
      value = byCondition(operation, builder);
    if (!value)
      continue;
    operation->replaceAllUsesWith(builder.CreateBitCast(value, operation->getType()));
    RecursivelyDeleteTriviallyDeadInstructions(operation);
    changed = true;
  }
  return changed;
}

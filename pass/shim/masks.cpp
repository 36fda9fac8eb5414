// Floats that are chosen by the bits of a mask, all of a lane or none: what vector code writes for `condition ? x : y`.
//
// A mask comes from a comparison, and goes through registers of floats or of integers as it likes.

#include "shim.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

unsigned lanesOf(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : type->isVectorTy() ? 0 : 1;
}

bool sameLanes(Type *one, Type *other) {
  return lanesOf(one) == lanesOf(other) && lanesOf(one) != 0 && one->getScalarSizeInBits() == other->getScalarSizeInBits();
}

// What stands behind casts that leave each lane as it is.
Value *uncast(Value *value) {
  Value *from = nullptr;
  while (match(value, m_BitCast(m_Value(from))) && sameLanes(from->getType(), value->getType()))
    value = from;
  return value;
}

// The lanes that a mask leaves which is known while compiling; nothing where it is none.
Constant *knownCondition(Constant *mask) {
  SmallVector<Constant *, 8> conditions;
  Type *one = Type::getInt1Ty(mask->getContext());
  for (unsigned lane = 0, count = lanesOf(mask->getType()); lane < count; lane++) {
    Constant *element = mask->getType()->isVectorTy() ? mask->getAggregateElement(lane) : mask;
    auto *integer = dyn_cast_or_null<ConstantInt>(element);
    auto *number = dyn_cast_or_null<ConstantFP>(element);
    if (!integer && !number)
      return nullptr;
    APInt bits = integer ? integer->getValue() : number->getValueAPF().bitcastToAPInt();
    if (!bits.isZero() && !bits.isAllOnes())
      return nullptr;
    conditions.push_back(ConstantInt::get(one, !bits.isZero()));
  }
  if (conditions.empty())
    return nullptr;
  return mask->getType()->isVectorTy() ? ConstantVector::get(conditions) : conditions.front();
}

// The condition that fills a lane of the mask with ones. Nothing where it is no mask that is known.
Value *conditionOf(Value *mask, IRBuilder<> &builder, unsigned depth = 0) {
  constexpr unsigned Deepest = 6;
  Value *x = nullptr, *y = nullptr;
  mask = uncast(mask);
  if (match(mask, m_SExt(m_Value(x))) && x->getType()->isIntOrIntVectorTy(1))
    return x;
  if (auto *constant = dyn_cast<Constant>(mask))
    return knownCondition(constant);
  if (depth == Deepest)
    return nullptr;
  if (match(mask, m_Not(m_Value(x)))) {
    Value *opposite = conditionOf(x, builder, depth + 1);
    return opposite ? builder.CreateNot(opposite) : nullptr;
  }
  bool isAnd = match(mask, m_And(m_Value(x), m_Value(y)));
  if (!isAnd && !match(mask, m_Or(m_Value(x), m_Value(y))))
    return nullptr;
  Value *first = conditionOf(x, builder, depth + 1), *second = first ? conditionOf(y, builder, depth + 1) : nullptr;
  if (!second)
    return nullptr;
  return isAnd ? builder.CreateAnd(first, second) : builder.CreateOr(first, second);
}

// The float whose bits these are; null where nobody says that they are a float's.
Value *floatBehind(Value *bits) {
  Value *from = uncast(bits);
  if (auto *constant = dyn_cast<Constant>(from); constant && from->getType()->isIntOrIntVectorTy())
    return nullptr;
  return from->getType()->isFPOrFPVectorTy() && !from->getType()->getScalarType()->isX86_FP80Ty() ? from : nullptr;
}

bool isZero(Value *value) { return match(value, m_PosZeroFP()); }

// One of two floats, each of which a mask has left or cleared: `(mask & x) | (~mask & y)`.
Value *joined(Value *one, Value *other, IRBuilder<> &builder) {
  Value *first = nullptr, *second = nullptr, *x = nullptr, *y = nullptr, *z = nullptr, *w = nullptr;
  if (!match(one, m_Select(m_Value(first), m_Value(x), m_Value(y))) ||
      !match(other, m_Select(m_Value(second), m_Value(z), m_Value(w))) || x->getType() != z->getType())
    return nullptr;
  auto opposite = [](Value *of, Value *condition) {
    auto *known = dyn_cast<Constant>(condition);
    return match(of, m_Not(m_Specific(condition))) || (known && of == ConstantExpr::getNot(known));
  };
  if (opposite(first, second)) {
    std::swap(first, second);
    std::swap(x, z);
    std::swap(y, w);
  }
  if (opposite(second, first))
    std::swap(z, w);
  else if (first != second)
    return nullptr;
  if (isZero(y) && isZero(z))
    return builder.CreateSelect(first, x, w);
  return isZero(x) && isZero(w) ? builder.CreateSelect(first, z, y) : nullptr;
}

// A constant that a mask has left or cleared. Of constants the bits are all that is written: beside a float they are one's, too.
Value *constantLeft(Value *bits, Type *type, IRBuilder<> &builder) {
  Value *mask = nullptr;
  Constant *constant = nullptr;
  if (!match(bits, m_c_And(m_Value(mask), m_ImmConstant(constant))) || !sameLanes(constant->getType(), type))
    return nullptr;
  Value *condition = conditionOf(mask, builder);
  Value *number = condition ? builder.CreateBitCast(constant, type) : nullptr;
  return number ? builder.CreateSelect(condition, number, Constant::getNullValue(type)) : nullptr;
}

// What the operation on bits does to floats; null where it is something else.
Value *asChoice(Instruction &operation, IRBuilder<> &builder) {
  Value *one = operation.getOperand(0), *other = operation.getOperand(1);
  if (operation.getOpcode() == Instruction::Or) {
    Value *x = floatBehind(one), *y = floatBehind(other);
    if (!x && y)
      x = constantLeft(one, y->getType(), builder);
    if (!y && x)
      y = constantLeft(other, x->getType(), builder);
    return x && y ? joined(x, y, builder) : nullptr;
  }
  if (operation.getOpcode() != Instruction::And)
    return nullptr;
  for (auto [mask, bits] : {std::pair(one, other), std::pair(other, one)}) {
    Value *x = floatBehind(bits);
    if (!x || conditionOf(bits, builder))
      continue;
    if (Value *condition = conditionOf(mask, builder))
      return builder.CreateSelect(condition, x, Constant::getNullValue(x->getType()));
  }
  return nullptr;
}

}  // namespace

bool bs_shim_read_masks(LLVMValueRef raw) {
  bool changed = false;
  SmallVector<WeakVH, 16> operations;
  for (Instruction &inst : instructions(*unwrap<Function>(raw)))
    if ((isa<BinaryOperator>(inst) && inst.isBitwiseLogicOp()) || isa<ICmpInst>(inst))
      operations.push_back(&inst);
  for (const WeakVH &handle : operations) {
    auto *operation = dyn_cast_or_null<Instruction>(static_cast<Value *>(handle));
    if (!operation || !sameLanes(operation->getOperand(0)->getType(), operation->getOperand(0)->getType()))
      continue;
    IRBuilder<> builder(operation);
    Value *mask = nullptr, *value = nullptr;
    // Whether a mask has a sign is what it was made from.
    if (isa<ICmpInst>(operation)) {
      if (match(operation, m_SpecificICmp(ICmpInst::ICMP_SLT, m_Value(mask), m_Zero())))
        value = conditionOf(mask, builder);
      if (!value || value->getType() != operation->getType())
        continue;
    } else {
      value = asChoice(*operation, builder);
      if (!value)
        continue;
      value = builder.CreateBitCast(value, operation->getType());
    }
    operation->replaceAllUsesWith(value);
    RecursivelyDeleteTriviallyDeadInstructions(operation);
    changed = true;
  }
  return changed;
}

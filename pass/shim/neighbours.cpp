// The next number up or down, reached by adding one to the bits of a float, as what it is.
//
// flang writes `nearest` and `ieee_next_after` so, where infinities, NaN and zero are apart already, and so do programs by hand. To who
// adds to an integer it is one, and the derivative would be lost; `nextafter` has a rule. Where adding to the bits leaves the numbers, which
// `nextafter` never does, it is NaN as before.

#include "shim.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {
// Bits of a number to which one is added, or from which it is taken.
struct Neighbour {
  Value *number;
  // Whether one is added: a truth value.
  Value *isUp;
};
} // namespace

// Whether a number is one or less than zero by one, or is chosen from these, as a simplifier writes that, too: whether it is one.
static Value *isOne(IRBuilder<> &builder, Value *step) {
  Value *condition, *narrow;
  if (match(step, m_SExt(m_Value(narrow))) && !narrow->getType()->isIntegerTy(1))
    return isOne(builder, narrow);
  if (match(step, m_One()))
    return builder.getTrue();
  if (match(step, m_AllOnes()))
    return builder.getFalse();
  if (match(step, m_Select(m_Value(condition), m_One(), m_AllOnes())))
    return condition;
  bool isLess = match(step, m_Select(m_Value(condition), m_AllOnes(), m_One())) ||
                match(step, m_c_Or(m_SExt(m_Value(condition)), m_One()));
  return isLess && condition->getType()->isIntegerTy(1) ? builder.CreateNot(condition) : nullptr;
}

static std::optional<Neighbour> neighbour(IRBuilder<> &builder, Value *bits) {
  Value *number, *step, *condition, *ifTrue, *ifFalse;
  auto float_bits = m_BitCast(m_Value(number));
  if (match(bits, m_Add(float_bits, m_Value(step))) || match(bits, m_Add(m_Value(step), float_bits)))
    if (Value *isUp = number->getType()->isFloatingPointTy() ? isOne(builder, step) : nullptr)
      return Neighbour{number, isUp};
  if (match(bits, m_Sub(float_bits, m_One())) && number->getType()->isFloatingPointTy())
    return Neighbour{number, builder.getFalse()};
  if (!match(bits, m_Select(m_Value(condition), m_Value(ifTrue), m_Value(ifFalse))))
    return std::nullopt;
  std::optional<Neighbour> one = neighbour(builder, ifTrue), other = neighbour(builder, ifFalse);
  if (!one || !other || one->number != other->number)
    return std::nullopt;
  return Neighbour{one->number, builder.CreateSelect(condition, one->isUp, other->isUp)};
}

// Away from zero where one is added, whatever the sign, and towards zero where one is taken away.
static Value *nextNumber(IRBuilder<> &builder, const Neighbour &next, Module &module) {
  Type *type = next.number->getType();
  Constant *infinity = ConstantFP::getInfinity(type), *zero = ConstantFP::getZero(type);
  Value *away = builder.CreateBinaryIntrinsic(Intrinsic::copysign, infinity, next.number);
  FunctionCallee callee =
      module.getOrInsertFunction(type->isDoubleTy() ? "nextafter" : "nextafterf", FunctionType::get(type, {type, type}, false));
  CallInst *call = builder.CreateCall(callee, {next.number, builder.CreateSelect(next.isUp, away, zero)});
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  Value *size = builder.CreateUnaryIntrinsic(Intrinsic::fabs, next.number);
  Value *infinite = builder.CreateFCmpOEQ(size, infinity), *nothing = builder.CreateFCmpOEQ(size, zero);
  Value *last = builder.CreateSelect(next.isUp, infinite, nothing);
  return builder.CreateSelect(last, ConstantFP::getNaN(type), call);
}

void bs_shim_name_neighbours(LLVMValueRef raw) {
  Function &function = *unwrap<Function>(raw);
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *cast = dyn_cast<BitCastInst>(&inst);
    if (!cast || !(cast->getType()->isDoubleTy() || cast->getType()->isFloatTy()))
      continue;
    IRBuilder<> builder(cast);
    std::optional<Neighbour> next = neighbour(builder, cast->getOperand(0));
    if (next && next->number->getType() == cast->getType())
      cast->replaceAllUsesWith(nextNumber(builder, *next, *function.getParent()));
  }
}

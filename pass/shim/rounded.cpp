// Rounding by a number so large that what is added to it loses its fraction, and taking it away again, as what it is.
//
// `(x + 0x1.8p52) - 0x1.8p52` is a step function, and its derivative is zero. By the rules of sums it would be one. So the
// difference is written with a rounding that changes nothing: counted in the steps of numbers of that size it is an integer.

#include "shim.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <cmath>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

// What is added to take a fraction away is a power of two, or one and a half of one, far beyond what anybody counts with in that
// type: nobody who means something else has it back by the same constant. The exponent of that power.
static std::optional<int> roundsBy(const APFloat &large) {
  const fltSemantics &kind = large.getSemantics();
  bool isDouble = &kind == &APFloat::IEEEdouble();
  if (!large.isFiniteNonZero() || !(isDouble || &kind == &APFloat::IEEEsingle()))
    return std::nullopt;
  unsigned fraction = APFloat::semanticsPrecision(kind) - 1;
  APInt behind = large.bitcastToAPInt().extractBits(fraction, 0);
  bool simple = behind.isZero() || behind == APInt::getOneBitSet(fraction, fraction - 1);
  int exponent = ilogb(large);
  return simple && exponent >= (isDouble ? 40 : 20) ? std::optional(exponent) : std::nullopt;
}

// The constant that was added last in what a value is.
static std::optional<APFloat> addedTo(Value *sum) {
  const APFloat *added = nullptr;
  bool plain = match(sum, m_c_FAdd(m_Value(), m_APFloat(added))) || match(sum, m_FSub(m_APFloat(added), m_Value())) ||
               match(sum, m_Intrinsic<Intrinsic::fmuladd>(m_Value(), m_Value(), m_APFloat(added))) ||
               match(sum, m_Intrinsic<Intrinsic::fma>(m_Value(), m_Value(), m_APFloat(added)));
  if (plain)
    return *added;
  return match(sum, m_FSub(m_Value(), m_APFloat(added))) ? std::optional(neg(*added)) : std::nullopt;
}

// The exponent of what an instruction takes away that was just added.
static std::optional<int> takesAway(Instruction &inst) {
  Value *sum = nullptr;
  const APFloat *constant = nullptr;
  std::optional<APFloat> taken;
  if (match(&inst, m_FSub(m_Value(sum), m_APFloat(constant))) || match(&inst, m_FSub(m_APFloat(constant), m_Value(sum))))
    taken = *constant;
  else if (match(&inst, m_c_FAdd(m_Value(sum), m_APFloat(constant))))
    taken = neg(*constant);
  std::optional<APFloat> added = taken ? addedTo(sum) : std::nullopt;
  // Who allows sums to be taken in another order has nothing rounded by them.
  bool back = added && added->bitwiseIsEqual(*taken) && !inst.hasAllowReassoc();
  return back ? roundsBy(*added) : std::nullopt;
}

// The same value, as a rounding. It is a multiple of steps that are those of numbers of half that size.
static Value *rounding(IRBuilder<> &builder, Value *value, int exponent) {
  Type *type = value->getType();
  int digits = APFloat::semanticsPrecision(type->getScalarType()->getFltSemantics());
  double steps = std::ldexp(1.0, digits - exponent);
  Value *counted = builder.CreateFMul(value, ConstantFP::get(type, steps));
  return builder.CreateFMul(builder.CreateUnaryIntrinsic(Intrinsic::rint, counted), ConstantFP::get(type, 1 / steps));
}

static void nameDifference(Instruction &inst, int exponent) {
  IRBuilder<> builder(inst.getNextNode());
  builder.SetCurrentDebugLocation(inst.getDebugLoc());
  SmallVector<Use *, 4> uses;
  for (Use &use : inst.uses())
    uses.push_back(&use);
  Value *rounded = rounding(builder, &inst, exponent);
  for (Use *use : uses)
    use->set(rounded);
}

// Whose bits are read where a large number was added: they are those of a whole number, or of half a one, which has no slope either.
// Beside numbers for which that works nothing is promised.
static void nameBits(BitCastInst &cast) {
  Value *sum = cast.getOperand(0);
  Type *type = sum->getType();
  std::optional<APFloat> added = cast.getType()->isIntOrIntVectorTy() ? addedTo(sum) : std::nullopt;
  std::optional<int> exponent = added ? roundsBy(*added) : std::nullopt;
  // Beyond that the integer it is counted by would not hold it.
  constexpr int Largest = 60;
  if (!exponent || *exponent > Largest || *exponent + 1 < int(APFloat::semanticsPrecision(added->getSemantics())))
    return;
  IRBuilder<> builder(&cast);
  Type *integers = type->getWithNewType(builder.getInt64Ty());
  Constant *large = ConstantFP::get(type, *added), *half = ConstantFP::get(type, 0.5), *two = ConstantFP::get(type, 2);
  Value *halves = builder.CreateFMul(builder.CreateFSub(sum, large), two);
  Value *counted = builder.CreateIntrinsic(Intrinsic::fptosi_sat, {integers, type}, {halves});
  cast.setOperand(0, builder.CreateFAdd(builder.CreateFMul(builder.CreateSIToFP(counted, type), half), large));
}

void bs_shim_name_rounding(LLVMValueRef raw) {
  for (Instruction &inst : make_early_inc_range(instructions(*unwrap<Function>(raw)))) {
    if (auto *cast = dyn_cast<BitCastInst>(&inst))
      nameBits(*cast);
    else if (std::optional<int> exponent = inst.getType()->isFPOrFPVectorTy() ? takesAway(inst) : std::nullopt)
      nameDifference(inst, *exponent);
  }
}

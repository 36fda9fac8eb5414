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

// The exponent of what an instruction takes away that was just added.
static std::optional<int> takesAway(Instruction &inst) {
  Value *sum = nullptr;
  const APFloat *taken = nullptr, *added = nullptr;
  bool back = false;
  if (match(&inst, m_FSub(m_Value(sum), m_APFloat(taken))) && match(sum, m_c_FAdd(m_Value(), m_APFloat(added))))
    back = added->bitwiseIsEqual(*taken);
  else if (match(&inst, m_FAdd(m_Value(sum), m_APFloat(taken))) && match(sum, m_c_FAdd(m_Value(), m_APFloat(added))))
    back = added->bitwiseIsEqual(neg(*taken));
  else if (match(&inst, m_FAdd(m_Value(sum), m_APFloat(taken))) && match(sum, m_FSub(m_Value(), m_APFloat(added))))
    back = added->bitwiseIsEqual(*taken);
  // Who allows sums to be taken in another order has nothing rounded by them.
  return back && !inst.hasAllowReassoc() ? roundsBy(*added) : std::nullopt;
}

void bs_shim_name_rounding(LLVMValueRef raw) {
  for (Instruction &inst : make_early_inc_range(instructions(*unwrap<Function>(raw)))) {
    std::optional<int> exponent = inst.getType()->isFPOrFPVectorTy() ? takesAway(inst) : std::nullopt;
    if (!exponent)
      continue;
    // The sum is a number of half that size or more, and what is left are steps of those numbers.
    double steps = std::ldexp(1.0, int(APFloat::semanticsPrecision(inst.getType()->getScalarType()->getFltSemantics())) - *exponent);
    IRBuilder<> builder(inst.getNextNode());
    builder.SetCurrentDebugLocation(inst.getDebugLoc());
    auto number = [&](double value) { return ConstantFP::get(inst.getType(), value); };
    auto *counted = cast<Instruction>(builder.CreateFMul(&inst, number(steps)));
    Value *whole = builder.CreateUnaryIntrinsic(Intrinsic::rint, counted);
    Value *rounded = builder.CreateFMul(whole, number(1 / steps));
    inst.replaceUsesWithIf(rounded, [&](Use &use) { return use.getUser() != counted; });
  }
}

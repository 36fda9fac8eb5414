// Derivatives that stand in a program already, and treat what is exactly zero as if nothing could come of it: right for the
// derivative itself, and wrong for its own, since what is zero may have a tangent. In a copy that is differentiated once
// more, a guarded product is zero only where no number comes out, and no loop is passed by.
//
// What the optimiser has turned round since is recognised by its comparison.
#include "shim.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

static constexpr const char *ZeroMark = "backsweep.zero";

/// Zero if the derivative is zero, and its product is no number.
static void narrow(SelectInst &select) {
  IRBuilder<> builder(&select);
  Value *yes = select.getTrueValue(), *no = select.getFalseValue(), *test = select.getCondition();
  if (match(yes, m_AnyZeroFP()))
    select.setCondition(builder.CreateAnd(test, builder.CreateFCmpUNO(no, no)));
  else if (match(no, m_AnyZeroFP()))
    select.setCondition(builder.CreateOr(test, builder.CreateFCmpORD(yes, yes)));
}

/// Whether a condition holds where all of some numbers are zero; what it was made of stands in its operands, and it may have been
/// turned round.
static bool holdsAtZero(Value *test) {
  Value *inner;
  if (match(test, m_Not(m_Value(inner))))
    return !holdsAtZero(inner);
  if (auto *both = dyn_cast<BinaryOperator>(test))
    return holdsAtZero(both->getOperand(0));
  if (auto *both = dyn_cast<SelectInst>(test))
    return holdsAtZero(both->getCondition());
  auto *compared = dyn_cast<FCmpInst>(test);
  return !compared || compared->getPredicate() == FCmpInst::FCMP_OEQ || compared->getPredicate() == FCmpInst::FCMP_UEQ;
}

void bs_shim_forget_zeros(LLVMValueRef value) {
  auto *function = unwrap<Function>(value);
  for (Instruction &inst : instructions(*function)) {
    if (!inst.hasMetadata(ZeroMark))
      continue;
    if (auto *select = dyn_cast<SelectInst>(&inst))
      narrow(*select);
    if (auto *branch = dyn_cast<BranchInst>(&inst); branch && branch->isConditional())
      branch->setCondition(ConstantInt::getBool(function->getContext(), !holdsAtZero(branch->getCondition())));
    inst.setMetadata(ZeroMark, nullptr);
  }
}

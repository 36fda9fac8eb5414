// Derivatives that stand in a program already, and treat what is exactly zero as if nothing could come of it: right for the
// derivative itself, and wrong for its own, since what is zero may have a tangent. In a copy that is differentiated once
// more, a guarded product is zero only where no number comes out, and no loop is passed by.
//
// What the optimiser has turned round since is recognised by its comparison.
#include "shim.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
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

/// What a condition is made of: what it compares with zero, and whether it holds where that is zero.
struct ZeroTest {
  FCmpInst *compared;
  bool holds;
};

/// The first comparison of a condition, which may have been turned round. Nothing if it is none that we write, or that
/// the optimiser makes of one.
static std::optional<ZeroTest> readTest(Value *test) {
  Value *inner;
  if (match(test, m_Not(m_Value(inner)))) {
    auto read = readTest(inner);
    return read ? std::optional(ZeroTest{read->compared, !read->holds}) : std::nullopt;
  }
  if (auto *both = dyn_cast<BinaryOperator>(test))
    return readTest(both->getOperand(0));
  if (auto *both = dyn_cast<SelectInst>(test))
    return readTest(both->getCondition());
  auto *compared = dyn_cast<FCmpInst>(test);
  if (!compared || !match(compared->getOperand(1), m_AnyZeroFP()))
    return std::nullopt;
  switch (compared->getPredicate()) {
  case FCmpInst::FCMP_OEQ:
  case FCmpInst::FCMP_UEQ:
    return ZeroTest{compared, true};
  case FCmpInst::FCMP_UNE:
  case FCmpInst::FCMP_ONE:
    return ZeroTest{compared, false};
  default:
    return std::nullopt;
  }
}

/// A loop is passed by no longer. Where nobody can tell which way goes round it, the way is asked of a function that is nowhere:
/// the request is refused for that.
static void enter(BranchInst &branch) {
  auto &context = branch.getContext();
  if (auto read = readTest(branch.getCondition())) {
    branch.setCondition(ConstantInt::getBool(context, !read->holds));
    return;
  }
  auto *type = FunctionType::get(Type::getInt1Ty(context), {Type::getInt1Ty(context)}, false);
  auto unread = branch.getModule()->getOrInsertFunction("backsweep.unread_test", type);
  branch.setCondition(IRBuilder<>(&branch).CreateCall(unread, {branch.getCondition()}));
}

void bs_shim_forget_zeros(LLVMValueRef value) {
  auto *function = unwrap<Function>(value);
  for (Instruction &inst : instructions(*function)) {
    if (!inst.hasMetadata(ZeroMark))
      continue;
    if (auto *select = dyn_cast<SelectInst>(&inst))
      narrow(*select);
    if (auto *branch = dyn_cast<BranchInst>(&inst); branch && branch->isConditional())
      enter(*branch);
    inst.setMetadata(ZeroMark, nullptr);
  }
}

// Steps by bytes that are steps by elements.
//
// Who optimised before us may count bytes where the program counted elements: from one multiple of their size on by another, or as
// the distance of two pointers, of which somebody else says how many elements it is. What is known of a step is how far apart
// two accesses may be, so such bytes are written as so many times so many.

#include "shim.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <numeric>

using namespace llvm;
using namespace llvm::PatternMatch;

static bool stepsByBytes(const User *user, const Value *bytes) {
  auto *step = dyn_cast<GetElementPtrInst>(user);
  return step && step->getNumIndices() == 1 && step->getSourceElementType()->isIntegerTy(8) && step->getOperand(1) == bytes &&
         step->getType()->isPointerTy();
}

// A counter of bytes, as a multiple of a counter of elements. It is that number whether it leaves its type or not.
static bool countElements(PHINode &bytes) {
  if (bytes.getNumIncomingValues() != 2 || !bytes.getType()->isIntegerTy(64))
    return false;
  unsigned entry = isa<ConstantInt>(bytes.getIncomingValue(0)) ? 0 : 1;
  auto *start = dyn_cast<ConstantInt>(bytes.getIncomingValue(entry));
  auto *next = dyn_cast<BinaryOperator>(bytes.getIncomingValue(1 - entry));
  const APInt *step = nullptr;
  if (!start || !next || !match(next, m_Add(m_Specific(&bytes), m_APInt(step))))
    return false;
  auto steps = [](Value *counter) { return any_of(counter->users(), [&](User *user) { return stepsByBytes(user, counter); }); };
  bool moderate = start->getValue().isSignedIntN(32) && step->isSignedIntN(32);
  int64_t size = moderate ? std::gcd(start->getSExtValue(), step->getSExtValue()) : 1;
  if (size <= 1 || !(steps(&bytes) || steps(next)))
    return false;
  Type *type = bytes.getType();
  IRBuilder<> builder(&bytes);
  PHINode *count = builder.CreatePHI(type, 2);
  auto timesSize = [&](Value *elements) {
    return builder.CreateMul(elements, ConstantInt::getSigned(type, size), "", false, next->hasNoSignedWrap());
  };
  builder.SetInsertPoint(next);
  Value *more = builder.CreateAdd(count, ConstantInt::getSigned(type, step->getSExtValue() / size), "", next->hasNoUnsignedWrap(),
                                  next->hasNoSignedWrap());
  count->addIncoming(ConstantInt::getSigned(type, start->getSExtValue() / size), bytes.getIncomingBlock(entry));
  count->addIncoming(more, bytes.getIncomingBlock(1 - entry));
  next->replaceAllUsesWith(timesSize(more));
  builder.SetInsertPoint(bytes.getParent()->getFirstInsertionPt());
  bytes.replaceAllUsesWith(timesSize(count));
  next->eraseFromParent();
  bytes.eraseFromParent();
  return true;
}

// Of how many bytes somebody says that a number is a multiple, and how many times that is.
static std::pair<Value *, uint64_t> elementsIn(Value *bytes, const Instruction *where, const DominatorTree &order) {
  for (User *user : bytes->users()) {
    auto *quotient = dyn_cast<BinaryOperator>(user);
    const APInt *by = nullptr;
    if (!quotient || !order.dominates(quotient, where))
      continue;
    if (match(quotient, m_Exact(m_AShr(m_Specific(bytes), m_APInt(by)))) && by->ult(32))
      return {quotient, uint64_t(1) << by->getZExtValue()};
    if (match(quotient, m_Exact(m_SDiv(m_Specific(bytes), m_APInt(by)))) && by->sgt(1) && by->getActiveBits() <= 32)
      return {quotient, by->getZExtValue()};
  }
  return {nullptr, 1};
}

bool bs_shim_step_by_elements(LLVMValueRef value) {
  Function &function = *unwrap<Function>(value);
  SmallVector<PHINode *> counters;
  SmallVector<GetElementPtrInst *> steps;
  for (Instruction &inst : instructions(function)) {
    if (auto *phi = dyn_cast<PHINode>(&inst))
      counters.push_back(phi);
    else if (inst.getNumOperands() == 2 && stepsByBytes(&inst, inst.getOperand(1)) && !isa<Constant>(inst.getOperand(1)))
      steps.push_back(cast<GetElementPtrInst>(&inst));
  }
  bool changed = false;
  for (PHINode *phi : counters)
    changed |= countElements(*phi);
  if (steps.empty())
    return changed;
  DominatorTree order(function);
  for (GetElementPtrInst *step : steps) {
    auto [count, size] = elementsIn(step->getOperand(1), step, order);
    if (!count)
      continue;
    IRBuilder<> builder(step);
    Type *element = ArrayType::get(builder.getInt8Ty(), size);
    Value *same = builder.CreateGEP(element, step->getPointerOperand(), count, "", step->getNoWrapFlags());
    step->replaceAllUsesWith(same);
    step->eraseFromParent();
    changed = true;
  }
  return changed;
}

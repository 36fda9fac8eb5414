// Indices of Fortran's CSHIFT, as flang writes them: of the extent without the shift, and of the shift without the extent, it says that
// neither is negative. One of them is, unless both are the same, and whoever believes it reads outside of the array. The same is said of a
// rest that is negative and becomes positive by what it was divided by.

#include "shim.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

using Pair = std::pair<Value *, Value *>;

// What is counted from there may wrap as well.
static void letWrap(Instruction &start) {
  SmallVector<Instruction *> waiting{&start};
  while (!waiting.empty()) {
    Instruction *inst = waiting.pop_back_val();
    if (isa<OverflowingBinaryOperator>(inst))
      inst->setHasNoUnsignedWrap(false);
    if (inst != &start && !isa<SelectInst>(inst))
      continue;
    for (User *user : inst->users())
      if (user != inst && (isa<SelectInst>(user) || isa<OverflowingBinaryOperator>(user)))
        waiting.push_back(cast<Instruction>(user));
  }
}

static bool makesRestPositive(Instruction &inst) {
  Value *divisor = nullptr;
  return match(&inst, m_NUWAdd(m_SRem(m_Value(), m_Value(divisor)), m_Deferred(divisor))) ||
         match(&inst, m_NUWAdd(m_Value(divisor), m_SRem(m_Value(), m_Deferred(divisor))));
}

// Whoever wraps by itself.
static SmallVector<Instruction *> findWrapping(Function &function) {
  SmallVector<Instruction *> differences, found;
  DenseSet<Pair> pairs;
  for (Instruction &inst : instructions(function)) {
    if (makesRestPositive(inst))
      found.push_back(&inst);
    if (inst.getOpcode() != Instruction::Sub || !inst.hasNoUnsignedWrap())
      continue;
    differences.push_back(&inst);
    pairs.insert({inst.getOperand(0), inst.getOperand(1)});
  }
  for (Instruction *difference : differences)
    if (pairs.contains({difference->getOperand(1), difference->getOperand(0)}))
      found.push_back(difference);
  return found;
}

void bs_shim_mend_shifts(LLVMModuleRef module) {
  for (Function &function : *unwrap(module))
    for (Instruction *inst : findWrapping(function))
      letWrap(*inst);
}

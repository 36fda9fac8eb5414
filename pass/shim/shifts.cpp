// Indices of Fortran's CSHIFT, as flang writes them: of the extent without the shift, and of the shift without the extent, it says that
// neither is negative. One of them is, unless both are the same, and whoever believes it reads outside of the array.

#include "shim.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

using Pair = std::pair<Value *, Value *>;

// What is counted from there and may be negative, too.
static void letWrap(Instruction &difference) {
  SmallVector<Instruction *> waiting{&difference};
  while (!waiting.empty()) {
    Instruction *inst = waiting.pop_back_val();
    if (isa<OverflowingBinaryOperator>(inst))
      inst->setHasNoUnsignedWrap(false);
    if (inst != &difference && !isa<SelectInst>(inst))
      continue;
    for (User *user : inst->users())
      if (user != inst && (isa<SelectInst>(user) || isa<OverflowingBinaryOperator>(user)))
        waiting.push_back(cast<Instruction>(user));
  }
}

static void mend(Function &function) {
  SmallVector<Instruction *> differences;
  DenseSet<Pair> pairs;
  for (Instruction &inst : instructions(function)) {
    if (inst.getOpcode() != Instruction::Sub || !inst.hasNoUnsignedWrap())
      continue;
    differences.push_back(&inst);
    pairs.insert({inst.getOperand(0), inst.getOperand(1)});
  }
  for (Instruction *difference : differences)
    if (pairs.contains({difference->getOperand(1), difference->getOperand(0)}))
      letWrap(*difference);
}

void bs_shim_mend_shifts(LLVMModuleRef module) {
  for (Function &function : *unwrap(module))
    mend(function);
}

// Whether a float of two bytes occurs anywhere in a module.
//
// Two bytes that nobody touches are none where no half and no bfloat is mentioned: not in an instruction, not in a struct that
// somebody steps through or allocates, not in a global, and not in what a function takes or gives.
// Safe error: it does. What is mentioned nowhere, and still moved as a part of a word of integers, is not seen.

#include "shim.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace {

class Mentioned {
 public:
  bool in(const Module &module) {
    for (const GlobalVariable &global : module.globals())
      if (isShort(global.getValueType()))
        return true;
    for (const Function &function : module) {
      if (isShort(function.getFunctionType()))
        return true;
      for (const Instruction &inst : instructions(function))
        if (in(inst))
          return true;
    }
    return false;
  }

 private:
  DenseSet<const Type *> others;

  bool in(const Instruction &inst) {
    if (auto *slot = dyn_cast<AllocaInst>(&inst); slot && isShort(slot->getAllocatedType()))
      return true;
    if (auto *step = dyn_cast<GEPOperator>(&inst); step && isShort(step->getSourceElementType()))
      return true;
    if (auto *call = dyn_cast<CallBase>(&inst); call && isShort(call->getFunctionType()))
      return true;
    return isShort(inst.getType()) || any_of(inst.operands(), [this](const Use &operand) {
             auto *step = dyn_cast<GEPOperator>(operand.get());
             return isShort(operand->getType()) || (step && isShort(step->getSourceElementType()));
           });
  }

  // A type that was looked at holds none, or holds itself.
  bool isShort(const Type *type) {
    if (type->isHalfTy() || type->isBFloatTy())
      return true;
    return others.insert(type).second && any_of(type->subtypes(), [this](const Type *part) { return isShort(part); });
  }
};

}  // namespace

bool bs_shim_has_short_floats(LLVMModuleRef module) { return Mentioned().in(*unwrap(module)); }

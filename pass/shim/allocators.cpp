// What everybody knows of malloc, calloc and free, said at their calls: clang says it from the headers, flang and rustc leave it
// to a pass of the optimiser that runs behind us.
//
// Without it memory that was just made may be changed by the next allocation, and what was stored there a moment ago is not
// known any more: of what type an object is, how many dimensions an array has.

#include "shim.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

void bs_shim_describe_allocators(LLVMValueRef function) {
  for (Instruction &inst : instructions(unwrap<Function>(function))) {
    auto *call = dyn_cast<CallBase>(&inst);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !callee->isDeclaration() || call->isNoBuiltin())
      continue;
    StringRef name = callee->getName();
    auto limit = [&](MemoryEffects effects) { call->setMemoryEffects(call->getMemoryEffects() & effects); };
    if (name == "malloc" || name == "calloc") {
      if (call->getType()->isPointerTy() && call->arg_size() == (name == "malloc" ? 1u : 2u)) {
        limit(MemoryEffects::inaccessibleMemOnly());
        call->addRetAttr(Attribute::NoAlias);
      }
    } else if (name == "free" && call->arg_size() == 1 && call->getArgOperand(0)->getType()->isPointerTy()) {
      limit(MemoryEffects::inaccessibleOrArgMemOnly());
      call->addParamAttr(0, Attribute::getWithCaptureInfo(call->getContext(), CaptureInfo::none()));
    }
  }
}

// Keeping and restoring the stack changes no memory that is looked at before or behind it, and LLVM says nothing of that: what
// a descriptor holds is then not known any more behind the first automatic array. With `aside` the calls say it, without they
// say nothing again, so that what is generated keeps them where they are.
void bs_shim_set_stack_aside(LLVMValueRef function, bool aside) {
  for (Instruction &inst : instructions(unwrap<Function>(function))) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (!call ||
        (call->getIntrinsicID() != Intrinsic::stacksave && call->getIntrinsicID() != Intrinsic::stackrestore))
      continue;
    call->removeFnAttr(Attribute::Memory);
    if (aside)
      call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  }
}

// `dynamic_cast` as a step within the object: what it leads to is a part of what it was given.

#include "shim.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

// The call itself stays, and tells how far the step goes, and whether there is one.
static void open(CallInst &call) {
  IRBuilder<> builder(call.getNextNode());
  Value *from = call.getArgOperand(0);
  Type *number = builder.getInt64Ty();
  // Written as a difference it would be told to lead to the result of the call.
  Value *back = builder.CreateMul(builder.CreatePtrToInt(from, number), ConstantInt::getAllOnesValue(number));
  Value *step = builder.CreateAdd(builder.CreatePtrToInt(&call, number), back);
  Value *fails = builder.CreateIsNull(&call);
  Value *part = builder.CreateGEP(builder.getInt8Ty(), from, step);
  Value *found = builder.CreateSelect(fails, Constant::getNullValue(call.getType()), part);
  call.replaceUsesWithIf(found, [&](Use &use) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    return user && user != found && user != fails && !isa<PtrToIntInst>(user);
  });
}

bool bs_shim_open_casts(LLVMValueRef function) {
  std::vector<CallInst *> calls;
  for (Instruction &inst : instructions(unwrap<Function>(function))) {
    auto *call = dyn_cast<CallInst>(&inst);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && callee->isDeclaration() && callee->getName() == "__dynamic_cast" && call->arg_size() == 4)
      calls.push_back(call);
  }
  for (CallInst *call : calls)
    open(*call);
  return !calls.empty();
}

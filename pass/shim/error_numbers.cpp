// Calls that do nothing but leave the error number of a function of numbers.

#include "shim.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

// The function in a function of its own, which returns nothing. That it writes where its first operand leads is for the
// planner; for LLVM it also writes the error number, so that it stays when nobody looks at that operand.
static Function *leaveOnly(const CallInst &call, Module &module) {
  Function *called = call.getCalledFunction();
  std::string name = ("backsweep.error_number." + called->getName()).str();
  if (Function *made = module.getFunction(name))
    return made;
  LLVMContext &context = module.getContext();
  SmallVector<Type *, 4> given{PointerType::get(context, 0)};
  append_range(given, called->getFunctionType()->params());
  auto *function = Function::Create(FunctionType::get(Type::getVoidTy(context), given, false),
                                    GlobalValue::InternalLinkage, name, module);
  for (Attribute::AttrKind kind : {Attribute::NoInline, Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree, Attribute::NoCallback})
    function->addFnAttr(kind);
  function->addFnAttr("backsweep_inactive");
  function->setMemoryEffects(MemoryEffects::argMemOnly(ModRefInfo::Mod) | MemoryEffects::errnoMemOnly(ModRefInfo::Mod));
  function->addParamAttr(0, Attribute::getWithCaptureInfo(context, CaptureInfo::none()));
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  SmallVector<Value *, 4> operands;
  for (Argument &parameter : drop_begin(function->args()))
    operands.push_back(&parameter);
  builder.CreateCall(called, operands)->setCallingConv(called->getCallingConv());
  builder.CreateRetVoid();
  return function;
}

// What takes an address stores a result there; no such function leaves an error number.
static bool takesNumbers(const CallInst &call) {
  return all_of(call.args(), [](const Use &given) { return given->getType()->isFPOrFPVectorTy() || given->getType()->isIntegerTy(); });
}

void bs_shim_keep_error_number(LLVMValueRef raw, LLVMValueRef place) {
  auto *call = dyn_cast<CallInst>(unwrap(raw));
  if (!call || isa<IntrinsicInst>(call) || !call->getCalledFunction() || call->doesNotAccessMemory() || !takesNumbers(*call))
    return;
  IRBuilder<> builder(call);
  SmallVector<Value *, 4> operands{builder.CreateCall(cast<Function>(unwrap(place)))};
  append_range(operands, call->args());
  builder.CreateCall(leaveOnly(*call, *call->getModule()), operands);
}

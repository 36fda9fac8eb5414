// Calls through pointers become choices among the functions of the module that such a pointer can lead to.
#include "shim.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

// More choices than these are a table of plugins rather than a hierarchy of classes.
static constexpr size_t MostTargets = 64;

static bool isHook(const Value *callee) {
  return callee && (callee->getName().contains("__backsweep_") || callee->getName().contains("__enzyme_"));
}

// Whether a function's address goes anywhere but into calls of it and into our own hooks.
static bool isAddressTaken(const Value *function, unsigned depth = 0) {
  if (depth > 8)
    return true;
  for (const Use &use : function->uses()) {
    const User *user = use.getUser();
    if (auto *call = dyn_cast<CallBase>(user)) {
      if (call->isCallee(&use) || isHook(call->getCalledOperand()))
        continue;
      return true;
    }
    if (auto *global = dyn_cast<GlobalVariable>(user)) {
      if (global->getName() == "llvm.used" || global->getName() == "llvm.compiler.used" ||
          isHook(global))
        continue;
      return true;
    }
    if (isa<Constant>(user) && !isa<GlobalValue>(user)) {
      if (isAddressTaken(user, depth + 1))
        return true;
      continue;
    }
    return true;
  }
  return false;
}

static bool mayCarryDerivative(const FunctionType *type) {
  auto carries = [](Type *part) { return part->isFPOrFPVectorTy() || part->isPointerTy() || part->isAggregateType(); };
  return !type->isVarArg() && (carries(type->getReturnType()) || any_of(type->params(), carries));
}

static SmallVector<Function *, 8> targetsOf(CallBase &call, bool (*isKnown)(void *, LLVMValueRef), void *user) {
  SmallVector<Function *, 8> targets;
  for (Function &function : *call.getModule()) {
    if (function.getFunctionType() != call.getFunctionType() || function.isIntrinsic() || isHook(&function) ||
        function.getName().starts_with("backsweep.") || !isAddressTaken(&function) ||
        !isKnown(user, wrap(&function)))
      continue;
    if (isLegalToPromote(call, &function))
      targets.push_back(&function);
  }
  return targets;
}

// Whether a call destroys the value behind one of Rust's trait objects. A type with nothing to destroy has null in the place of
// such a function, and where all are of that kind no function of the module is meant.
static bool isDropGlue(const CallBase &call) {
  const FunctionType *type = call.getFunctionType();
  bool alike = type->getReturnType()->isVoidTy() && type->getNumParams() == 1 && type->getParamType(0)->isPointerTy();
  return alike && isa<LoadInst>(call.getCalledOperand()) && call.getModule()->getFunction("rust_eh_personality");
}

// What is left when the pointer was none of them: an end with a message, in the place of a call that nobody could
// differentiate.
static void endWithMessage(CallBase &call) {
  Module *module = call.getModule();
  IRBuilder<> builder(&call);
  FunctionCallee end = module->getOrInsertFunction("bs_rt_unknown_function", builder.getVoidTy(), builder.getPtrTy());
  CallInst *message = builder.CreateCall(end, {call.getCalledOperand()});
  message->setDebugLoc(call.getDebugLoc());
  message->setDoesNotReturn();
  changeToUnreachable(&call);
}

bool bs_shim_promote_calls(LLVMValueRef raw, bool (*isKnown)(void *, LLVMValueRef), void *user) {
  auto *function = unwrap<Function>(raw);
  SmallVector<CallBase *, 8> indirect;
  for (BasicBlock &block : *function)
    for (Instruction &inst : block)
      if (auto *call = dyn_cast<CallBase>(&inst))
        if (call->isIndirectCall() && !isa<CallBrInst>(call) && mayCarryDerivative(call->getFunctionType()))
          indirect.push_back(call);
  bool changed = false;
  for (CallBase *call : indirect) {
    SmallVector<Function *, 8> targets = targetsOf(*call, isKnown, user);
    if ((targets.empty() && !isDropGlue(*call)) || targets.size() > MostTargets)
      continue;
    for (Function *target : targets)
      promoteCallWithIfThenElse(*call, target);
    endWithMessage(*call);
    changed = true;
  }
  return changed;
}

bool bs_shim_has_indirect_call(LLVMValueRef raw) {
  for (BasicBlock &block : *unwrap<Function>(raw))
    for (Instruction &inst : block)
      if (auto *call = dyn_cast<CallBase>(&inst))
        if (call->isIndirectCall())
          return true;
  return false;
}

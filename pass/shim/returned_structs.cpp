// Functions that return a pointer beside other things, as functions that leave all of it in memory of their caller's.
//
// What stays a call, since it calls itself, has a derivative of its own, and that returns floats and pointers by themselves: a pointer inside
// a struct would have its shadow nowhere. In memory it has one, as where a calling convention returns a larger struct.

#include "shim.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

static bool holdsPointer(const Type *type) {
  if (auto *inner = dyn_cast<ArrayType>(type))
    return holdsPointer(inner->getElementType());
  auto *members = dyn_cast<StructType>(type);
  return members ? any_of(members->elements(), holdsPointer) : type->isPointerTy();
}

bool bs_shim_returns_address_in_struct(LLVMValueRef raw) {
  auto *function = unwrap<Function>(raw);
  Type *result = function->getReturnType();
  return result->isStructTy() && result->isSized() && !function->isVarArg() && holdsPointer(result);
}

// Where what a call returned is first there.
static Instruction *firstAfter(CallBase &call) {
  auto *invoke = dyn_cast<InvokeInst>(&call);
  if (!invoke)
    return call.getNextNode();
  BasicBlock *normal = invoke->getNormalDest();
  if (!normal->getSinglePredecessor() || isa<PHINode>(normal->front()))
    normal = SplitEdge(invoke->getParent(), normal);
  return &*normal->getFirstInsertionPt();
}

static void callInMemory(CallBase &call, Function &copy) {
  BasicBlock &entry = call.getFunction()->getEntryBlock();
  IRBuilder<> start(&entry, entry.getFirstInsertionPt());
  AllocaInst *room = start.CreateAlloca(call.getType(), nullptr, "returned");
  SmallVector<Value *, 8> given(call.args());
  given.push_back(room);
  IRBuilder<> behind(firstAfter(call));
  behind.SetCurrentDebugLocation(call.getDebugLoc());
  LoadInst *result = behind.CreateLoad(call.getType(), room);
  IRBuilder<> builder(&call);
  CallBase *passed = nullptr;
  if (auto *invoke = dyn_cast<InvokeInst>(&call))
    passed = builder.CreateInvoke(&copy, invoke->getNormalDest(), invoke->getUnwindDest(), given);
  else
    passed = builder.CreateCall(&copy, given);
  SmallVector<AttributeSet, 8> ofArguments;
  for (unsigned at = 0; at < call.arg_size(); ++at)
    ofArguments.push_back(call.getAttributes().getParamAttrs(at));
  passed->setAttributes(AttributeList::get(call.getContext(), {}, {}, ofArguments));
  passed->setCallingConv(call.getCallingConv());
  passed->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void bs_shim_call_in_memory(LLVMValueRef call, LLVMValueRef copy) { callInMemory(*unwrap<CallBase>(call), *unwrap<Function>(copy)); }

LLVMValueRef bs_shim_return_in_memory(LLVMValueRef raw, const char *name) {
  auto *original = unwrap<Function>(raw);
  SmallVector<Type *, 8> parameters(original->getFunctionType()->params());
  parameters.push_back(PointerType::get(original->getContext(), 0));
  auto *type = FunctionType::get(Type::getVoidTy(original->getContext()), parameters, false);
  auto *copy = Function::Create(type, GlobalValue::InternalLinkage, name, original->getParent());
  ValueToValueMapTy map;
  for (Argument &parameter : original->args()) {
    copy->getArg(parameter.getArgNo())->setName(parameter.getName());
    map[&parameter] = copy->getArg(parameter.getArgNo());
  }
  SmallVector<ReturnInst *, 4> returns;
  CloneFunctionInto(copy, original, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  Argument *room = copy->getArg(copy->arg_size() - 1);
  room->addAttr(Attribute::NoAlias);
  room->setName("returned");
  for (ReturnInst *leaves : returns) {
    IRBuilder<> builder(leaves);
    builder.CreateStore(leaves->getReturnValue(), room);
    builder.CreateRetVoid();
    leaves->eraseFromParent();
  }
  // It writes what it returned, and so nothing that was said of its result or of its memory holds any more.
  copy->setAttributes(copy->getAttributes().removeAttributesAtIndex(copy->getContext(), AttributeList::ReturnIndex));
  copy->removeFnAttr(Attribute::Memory);
  copy->removeFnAttr(Attribute::Speculatable);
  for (Argument &parameter : copy->args())
    parameter.removeAttr(Attribute::Returned);
  SmallVector<CallBase *, 4> own;
  for (Instruction &inst : instructions(*copy))
    if (auto *call = dyn_cast<CallBase>(&inst); call && call->getCalledFunction() == original && !isa<CallBrInst>(call))
      own.push_back(call);
  for (CallBase *call : own)
    callInMemory(*call, *copy);
  return wrap(copy);
}

// Functions that stand between the user's own derivatives and the derivatives that call them.
#include "shim.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

// The attributes of a function's result and of its parameters from `first` on: they say how both are passed.
static AttributeList passing(const Function *function, unsigned first) {
  AttributeList list = function->getAttributes();
  SmallVector<AttributeSet, 8> params;
  for (unsigned index = first; index < function->arg_size(); ++index)
    params.push_back(list.getParamAttrs(index));
  AttributeSet result = first == 0 ? list.getRetAttrs() : AttributeSet();
  return AttributeList::get(function->getContext(), AttributeSet(), result, params);
}

void bs_shim_follow_callee(LLVMValueRef call) {
  auto *site = unwrap<CallBase>(call);
  Function *callee = site->getCalledFunction();
  if (!callee || callee->isIntrinsic() || callee->arg_size() != site->arg_size())
    return;
  site->setCallingConv(callee->getCallingConv());
  site->setAttributes(passing(callee, 0));
}

void bs_shim_mark_inactive(LLVMValueRef call) {
  auto *site = unwrap<CallBase>(call);
  site->addFnAttr(Attribute::get(site->getContext(), "backsweep_inactive"));
  site->addFnAttr(Attribute::NoInline);
}

LLVMTypeRef bs_shim_result_in_memory(LLVMValueRef function) {
  auto *target = unwrap<Function>(function);
  return target->arg_size() > 0 && target->hasParamAttribute(0, Attribute::StructRet)
             ? wrap(target->getParamStructRetType(0))
             : nullptr;
}

static Function *makeLike(Function *original, FunctionType *type, const char *name) {
  Function *made = Function::Create(type, GlobalValue::InternalLinkage, name, original->getParent());
  for (StringRef kind : {"target-cpu", "target-features", "tune-cpu", "frame-pointer"})
    if (original->hasFnAttribute(kind))
      made->addFnAttr(original->getFnAttribute(kind));
  return made;
}

LLVMTypeRef bs_shim_passed_in_memory(LLVMValueRef function, unsigned index) {
  return wrap(unwrap<Function>(function)->getParamByValType(index));
}

static AllocaInst *makeSlot(IRBuilder<> &builder, Type *first, Type *second) {
  const DataLayout &layout = builder.GetInsertBlock()->getModule()->getDataLayout();
  Type *larger = layout.getTypeAllocSize(first) >= layout.getTypeAllocSize(second) ? first : second;
  AllocaInst *slot = builder.CreateAlloca(larger);
  slot->setAlignment(std::max(layout.getPrefTypeAlign(first), layout.getPrefTypeAlign(second)));
  return slot;
}

static CallInst *callAsDeclared(IRBuilder<> &builder, Function *callee, ArrayRef<Value *> arguments) {
  CallInst *call = builder.CreateCall(callee, arguments);
  call->setCallingConv(callee->getCallingConv());
  call->setAttributes(passing(callee, 0));
  return call;
}

LLVMValueRef bs_shim_adapt_function(LLVMValueRef function, LLVMTypeRef result, const char *name) {
  auto *target = unwrap<Function>(function);
  Type *wanted = unwrap(result), *memory = unwrap(bs_shim_result_in_memory(function));
  unsigned hidden = memory ? 1 : 0;
  SmallVector<Type *, 8> params;
  for (Argument &param : drop_begin(target->args(), hidden))
    params.push_back(param.hasByValAttr() ? param.getParamByValType() : param.getType());
  Function *adapter = makeLike(target, FunctionType::get(wanted, params, false), name);
  adapter->addFnAttr(Attribute::AlwaysInline);
  IRBuilder<> builder(BasicBlock::Create(adapter->getContext(), "entry", adapter));
  Type *returned = memory ? memory : target->getReturnType();
  AllocaInst *slot = returned->isVoidTy() ? nullptr : makeSlot(builder, returned, wanted);
  SmallVector<Value *, 8> arguments;
  if (memory)
    arguments.push_back(slot);
  for (auto [param, given] : zip(drop_begin(target->args(), hidden), adapter->args())) {
    if (const char *called = bs_shim_parameter_name(function, param.getArgNo()))
      given.setName(called);
    if (!param.hasByValAttr()) {
      AttrBuilder how(adapter->getContext(), target->getAttributes().getParamAttrs(param.getArgNo()));
      given.addAttrs(how);
      arguments.push_back(&given);
      continue;
    }
    arguments.push_back(makeSlot(builder, given.getType(), given.getType()));
    builder.CreateStore(&given, arguments.back());
  }
  CallInst *call = callAsDeclared(builder, target, arguments);
  if (slot && !memory)
    builder.CreateStore(call, slot);
  if (slot)
    builder.CreateRet(builder.CreateLoad(wanted, slot));
  else
    builder.CreateRetVoid();
  return wrap(adapter);
}

// A debug scope belongs to one function, so that a wrapper needs one like the other's.
static DISubprogram *makeScope(const DISubprogram *like) {
  return DISubprogram::getDistinct(like->getContext(), like->getScope(), like->getName(), like->getLinkageName(),
                                   like->getFile(), like->getLine(), like->getType(), like->getScopeLine(), nullptr, 0, 0,
                                   like->getFlags(), like->getSPFlags(), like->getUnit());
}

// The scope that a wrapper's is like. What is only declared, as a function of a library is, has none that code may stand in.
static const DISubprogram *findScope(const Function *target) {
  const DISubprogram *scope = target->getSubprogram();
  return scope && scope->isDefinition() ? scope : nullptr;
}

LLVMValueRef bs_shim_wrap_function(LLVMValueRef function, const char *name) {
  auto *target = unwrap<Function>(function);
  Function *wrapper = makeLike(target, target->getFunctionType(), name);
  IRBuilder<> builder(BasicBlock::Create(wrapper->getContext(), "entry", wrapper));
  if (const DISubprogram *scope = findScope(target)) {
    wrapper->setSubprogram(makeScope(scope));
    builder.SetCurrentDebugLocation(
        DILocation::get(wrapper->getContext(), scope->getLine(), 0, wrapper->getSubprogram()));
  }
  SmallVector<Value *, 8> arguments;
  for (Argument &argument : wrapper->args()) {
    AttrBuilder how(wrapper->getContext(), target->getAttributes().getParamAttrs(argument.getArgNo()));
    // The call makes the copies of structs.
    argument.addAttrs(how.removeAttribute(Attribute::ByVal));
    if (const char *called = bs_shim_parameter_name(function, argument.getArgNo()))
      argument.setName(called);
    arguments.push_back(&argument);
  }
  CallInst *call = callAsDeclared(builder, target, arguments);
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  return wrap(wrapper);
}

bool bs_shim_returns_in_memory(LLVMValueRef function) { return unwrap<Function>(function)->hasParamAttribute(0, Attribute::StructRet); }

LLVMValueRef bs_shim_return_by_value(LLVMValueRef function, const char *name) {
  auto *target = unwrap<Function>(function);
  Type *result = target->getParamStructRetType(0);
  SmallVector<Type *, 8> params;
  for (Argument &param : drop_begin(target->args()))
    params.push_back(param.getType());
  Function *wrapper = makeLike(target, FunctionType::get(result, params, false), name);
  IRBuilder<> builder(BasicBlock::Create(wrapper->getContext(), "entry", wrapper));
  if (const DISubprogram *scope = findScope(target)) {
    wrapper->setSubprogram(makeScope(scope));
    builder.SetCurrentDebugLocation(
        DILocation::get(wrapper->getContext(), scope->getLine(), 0, wrapper->getSubprogram()));
  }
  AllocaInst *slot = makeSlot(builder, result, result);
  SmallVector<Value *, 8> arguments{slot};
  for (auto [param, given] : zip(drop_begin(target->args()), wrapper->args())) {
    AttrBuilder how(wrapper->getContext(), target->getAttributes().getParamAttrs(param.getArgNo()));
    given.addAttrs(how);
    if (const char *called = bs_shim_parameter_name(function, param.getArgNo()))
      given.setName(called);
    arguments.push_back(&given);
  }
  callAsDeclared(builder, target, arguments);
  builder.CreateRet(builder.CreateLoad(result, slot));
  return wrap(wrapper);
}

// The number of parameters in the source, hidden ones apart; none where that is not told.
static std::optional<unsigned> declaredParams(const Function *function) {
  DISubprogram *program = function->getSubprogram();
  DISubroutineType *type = program ? program->getType() : nullptr;
  unsigned count = type && type->getTypeArray() ? type->getTypeArray().size() : 0;
  // The first is the result. Where only lines are told, there are no more.
  return count > 1 ? std::optional(count - 1) : std::nullopt;
}

bool bs_shim_takes_apart(LLVMValueRef raw) {
  auto *function = unwrap<Function>(raw);
  unsigned hidden = function->hasStructRetAttr() ? 1 : 0;
  if (auto declared = declaredParams(function))
    return *declared + hidden < function->arg_size();
  // Clang puts the parts of a struct together again, in one slot.
  DenseMap<const Value *, const Value *> owners;
  for (const Instruction &inst : instructions(*function)) {
    auto *store = dyn_cast<StoreInst>(&inst);
    if (!store || !isa<Argument>(store->getValueOperand()))
      continue;
    const Value *slot = store->getPointerOperand()->stripInBoundsConstantOffsets();
    const Value *&owner = owners[slot];
    if (isa<AllocaInst>(slot) && owner && owner != store->getValueOperand())
      return true;
    owner = store->getValueOperand();
  }
  return false;
}

bool bs_shim_is_before_full_link(LLVMModuleRef module) {
  auto *flag = mdconst::extract_or_null<ConstantInt>(unwrap(module)->getModuleFlag("ThinLTO"));
  return flag && flag->isZero();
}

void bs_shim_mark_noinline(LLVMValueRef function) {
  auto *target = unwrap<Function>(function);
  target->removeFnAttr(Attribute::AlwaysInline);
  target->addFnAttr(Attribute::NoInline);
}

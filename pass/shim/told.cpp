// What Enzyme's users tell in metadata and in attributes of calls, in the words that the rest of us reads.

#include "shim.h"
#include "severed.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <llvm/Support/raw_ostream.h>

#include <string>

using namespace llvm;

namespace {

constexpr StringRef Inactive = "enzyme_inactive";

// The function that a function names as its derivative of a kind; null where there is none.
Function *derivativeOf(const Function &function, StringRef kind) {
  const MDNode *node = function.getMetadata(kind);
  auto *named = node && node->getNumOperands() == 1 ? dyn_cast_or_null<ValueAsMetadata>(node->getOperand(0)) : nullptr;
  return named ? dyn_cast<Function>(named->getValue()->stripPointerCasts()) : nullptr;
}

// A list as the user could have written it.
void addList(Module &module, StringRef word, ArrayRef<Constant *> functions) {
  auto *type = ArrayType::get(functions.front()->getType(), functions.size());
  new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::InternalLinkage, ConstantArray::get(type, functions),
                     word + "." + functions.front()->getName());
}

}  // namespace

// A function for one type of numbers; null where it is there already.
static Function *helper(Module &module, StringRef word, Type *number, FunctionType *type, Function *&found) {
  std::string name = ("backsweep." + word + ".").str();
  raw_string_ostream(name) << *number;
  found = cast<Function>(module.getOrInsertFunction(name, type).getCallee());
  if (!found->isDeclaration())
    return nullptr;
  found->setLinkage(GlobalValue::InternalLinkage);
  found->setDoesNotThrow();
  found->setWillReturn();
  return found;
}

static CallInst *callHelper(IRBuilder<> &builder, Function *helper, ArrayRef<Value *> operands) {
  CallInst *call = builder.CreateCall(helper, operands);
  bs_shim_mark_inactive(wrap(call));
  return call;
}

Value *severed(IRBuilder<> &builder, Module &module, Value *number) {
  Type *type = number->getType();
  Function *same = nullptr;
  if (Function *made = helper(module, "severed", type, FunctionType::get(type, {type}, false), same)) {
    made->setDoesNotAccessMemory();
    IRBuilder<> body(BasicBlock::Create(module.getContext(), "", made));
    body.CreateRet(made->getArg(0));
  }
  return callHelper(builder, same, {number});
}

Value *looked(IRBuilder<> &builder, Module &module, Value *pointer, Type *type) {
  Function *look = nullptr;
  if (Function *made = helper(module, "looked", type, FunctionType::get(type, {pointer->getType()}, false), look)) {
    made->setOnlyReadsMemory();
    made->setOnlyAccessesArgMemory();
    IRBuilder<> body(BasicBlock::Create(module.getContext(), "", made));
    body.CreateRet(body.CreateLoad(type, made->getArg(0)));
  }
  return callHelper(builder, look, {pointer});
}

void put(IRBuilder<> &builder, Module &module, Value *pointer, Value *number) {
  Function *put = nullptr;
  auto *type = FunctionType::get(builder.getVoidTy(), {pointer->getType(), number->getType()}, false);
  if (Function *made = helper(module, "put", number->getType(), type, put)) {
    made->setOnlyAccessesArgMemory();
    IRBuilder<> body(BasicBlock::Create(module.getContext(), "", made));
    body.CreateStore(made->getArg(1), made->getArg(0));
    body.CreateRetVoid();
  }
  callHelper(builder, put, {pointer, number});
}

void bs_shim_list_rules(LLVMModuleRef raw) {
  Module &module = *unwrap(raw);
  constexpr StringRef Augmented = "enzyme_augment", Reverse = "enzyme_gradient", Tangent = "enzyme_derivative";
  for (Function &function : module) {
    Function *augmented = derivativeOf(function, Augmented), *reverse = derivativeOf(function, Reverse);
    // Half of a rule is refused as a list of two.
    if (augmented && reverse)
      addList(module, "__enzyme_register_gradient", {&function, augmented, reverse});
    else if (augmented || reverse)
      addList(module, "__enzyme_register_gradient", {&function, augmented ? augmented : reverse});
    if (Function *tangent = derivativeOf(function, Tangent))
      addList(module, "__enzyme_register_derivative", {&function, tangent});
    // A second look finds the lists, and must not make them again.
    for (StringRef kind : {Augmented, Reverse, Tangent})
      function.eraseMetadata(module.getMDKindID(kind));
  }
}

void bs_shim_sever_told(LLVMValueRef raw) {
  auto &function = *unwrap<Function>(raw);
  unsigned kind = function.getContext().getMDKindID(Inactive);
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallBase>(&inst);
    bool told = inst.getMetadata(kind) || (call && call->getAttributes().hasFnAttr(Inactive));
    if (!told)
      continue;
    // Told once: the number that a call is made for goes through it again.
    inst.setMetadata(kind, nullptr);
    if (call) {
      bs_shim_mark_inactive(wrap(call));
    } else if (inst.getType()->isFPOrFPVectorTy() && !isa<PHINode>(inst)) {
      IRBuilder<> builder(inst.getNextNode());
      builder.SetCurrentDebugLocation(inst.getDebugLoc());
      Value *same = severed(builder, *function.getParent(), &inst);
      inst.replaceUsesWithIf(same, [&](Use &use) { return use.getUser() != same; });
    }
  }
}

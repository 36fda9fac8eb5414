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

// A function with one argument, and whether it was there before.
static std::pair<Function *, bool> helper(Module &module, StringRef word, Type *result, Type *argument) {
  std::string name = ("backsweep." + word + ".").str();
  raw_string_ostream(name) << *result;
  auto *function = cast<Function>(module.getOrInsertFunction(name, FunctionType::get(result, {argument}, false)).getCallee());
  bool made = !function->isDeclaration();
  function->setLinkage(made ? function->getLinkage() : GlobalValue::InternalLinkage);
  function->setDoesNotThrow();
  function->setWillReturn();
  return {function, made};
}

Value *severed(IRBuilder<> &builder, Module &module, Value *number) {
  auto [same, made] = helper(module, "severed", number->getType(), number->getType());
  if (!made) {
    same->setDoesNotAccessMemory();
    IRBuilder<> body(BasicBlock::Create(module.getContext(), "", same));
    body.CreateRet(same->getArg(0));
  }
  return builder.CreateCall(same, {number});
}

Value *looked(IRBuilder<> &builder, Module &module, Value *pointer, Type *type) {
  auto [look, made] = helper(module, "looked", type, pointer->getType());
  if (!made) {
    look->setOnlyReadsMemory();
    look->setOnlyAccessesArgMemory();
    IRBuilder<> body(BasicBlock::Create(module.getContext(), "", look));
    body.CreateRet(body.CreateLoad(type, look->getArg(0)));
  }
  return builder.CreateCall(look, {pointer});
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
      bs_shim_mark_inactive(wrap(same));
      inst.replaceUsesWithIf(same, [&](Use &use) { return use.getUser() != same; });
    }
  }
}

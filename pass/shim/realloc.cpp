// `realloc` as what it does: allocate, copy, free. Where it can be told how much there was.

#include "shim.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace {

bool calls(const Value *value, StringRef name, unsigned arguments) {
  auto *call = dyn_cast<CallInst>(value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() && callee->getName() == name && call->arg_size() == arguments;
}

// The allocator of Rust bears the mark of the compiler's version, and is told sizes: `__rust_realloc(old, size, align, next)`.
constexpr StringRef RustRealloc = "14___rust_realloc";

bool callsRust(const Value *value) {
  auto *call = dyn_cast<CallInst>(value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() && callee->getName().contains("_7___rustc") && callee->getName().ends_with(RustRealloc) &&
         call->arg_size() == 4;
}

// How many bytes there are behind the pointers of a function, as values of their own.
class Sizes {
 public:
  // Null where it cannot be told.
  Value *of(Value *pointer) {
    if (auto known = sizes.find(pointer); known != sizes.end())
      return known->second;
    Value *size = nullptr;
    if (isa<ConstantPointerNull>(pointer))
      size = ConstantInt::get(Type::getInt64Ty(pointer->getContext()), 0);
    else if (calls(pointer, "malloc", 1))
      size = cast<CallInst>(pointer)->getArgOperand(0);
    else if (calls(pointer, "realloc", 2))
      size = cast<CallInst>(pointer)->getArgOperand(1);
    else if (calls(pointer, "calloc", 2))
      size = product(cast<CallInst>(pointer));
    else if (auto *phi = dyn_cast<PHINode>(pointer))
      return ofPhi(phi);
    return sizes[pointer] = size;
  }

 private:
  DenseMap<Value *, Value *> sizes;

  static Value *product(CallInst *call) {
    IRBuilder<> builder(call);
    return builder.CreateMul(call->getArgOperand(0), call->getArgOperand(1));
  }

  Value *ofPhi(PHINode *phi) {
    IRBuilder<> builder(phi);
    PHINode *size = builder.CreatePHI(builder.getInt64Ty(), phi->getNumIncomingValues());
    sizes[phi] = size;
    for (unsigned at = 0; at < phi->getNumIncomingValues(); at++) {
      Value *incoming = of(phi->getIncomingValue(at));
      if (!incoming) {
        // Phis that were made from this one ask for it: they are as unknown.
        size->replaceAllUsesWith(PoisonValue::get(size->getType()));
        size->eraseFromParent();
        sizes[phi] = nullptr;
        failed = true;
        return nullptr;
      }
      size->addIncoming(incoming, phi->getIncomingBlock(at));
    }
    return size;
  }

 public:
  // Whether some size was given up after others may have been made from it.
  bool failed = false;
};

// `made` is the new memory, and `release` frees the old.
void replace(CallInst *call, Value *made, Value *old, Value *size, function_ref<void(IRBuilder<> &)> release) {
  IRBuilder<> builder(call);
  // Where there is no more memory the old one stays.
  Instruction *then = SplitBlockAndInsertIfThen(builder.CreateIsNotNull(made), call, false);
  builder.SetInsertPoint(then);
  builder.SetCurrentDebugLocation(call->getDebugLoc());
  Value *kept = builder.CreateSelect(builder.CreateICmpULT(old, size), old, size);
  builder.CreateMemCpy(made, MaybeAlign(), call->getArgOperand(0), MaybeAlign(), kept);
  release(builder);
  call->replaceAllUsesWith(made);
  call->eraseFromParent();
}

void open(CallInst *call, Value *old) {
  Module *module = call->getModule();
  Value *pointer = call->getArgOperand(0), *size = call->getArgOperand(1);
  Type *address = call->getType();
  Value *made = IRBuilder<>(call).CreateCall(module->getOrInsertFunction("malloc", address, size->getType()), {size});
  replace(call, made, old, size, [&](IRBuilder<> &builder) {
    builder.CreateCall(module->getOrInsertFunction("free", builder.getVoidTy(), address), {pointer});
  });
}

void openRust(CallInst *call) {
  Module *module = call->getModule();
  Value *pointer = call->getArgOperand(0), *old = call->getArgOperand(1), *align = call->getArgOperand(2), *size = call->getArgOperand(3);
  Type *address = call->getType(), *number = size->getType();
  std::string mark = call->getCalledFunction()->getName().drop_back(RustRealloc.size()).str();
  FunctionCallee make = module->getOrInsertFunction(mark + "12___rust_alloc", address, number, number);
  FunctionCallee release = module->getOrInsertFunction(mark + "14___rust_dealloc", Type::getVoidTy(module->getContext()), address, number, number);
  Value *made = IRBuilder<>(call).CreateCall(make, {size, align});
  replace(call, made, old, size, [&](IRBuilder<> &builder) { builder.CreateCall(release, {pointer, old, align}); });
}

}  // namespace

bool bs_shim_open_reallocs(LLVMValueRef raw) {
  auto *function = unwrap<Function>(raw);
  SmallVector<CallInst *, 4> reallocs, rust;
  for (Instruction &inst : instructions(*function))
    if (calls(&inst, "realloc", 2))
      reallocs.push_back(cast<CallInst>(&inst));
    else if (callsRust(&inst))
      rust.push_back(cast<CallInst>(&inst));
  for (CallInst *call : rust)
    openRust(call);
  if (reallocs.empty())
    return !rust.empty();
  Sizes sizes;
  SmallVector<std::pair<CallInst *, Value *>, 4> known;
  for (CallInst *call : reallocs) {
    Value *old = sizes.of(call->getArgOperand(0));
    // A size made from one that was given up is none: then all stay calls, and are refused where it matters.
    if (!old || sizes.failed)
      return true;
    known.push_back({call, old});
  }
  for (auto [call, old] : known)
    open(call, old);
  return true;
}

// `realloc` as what it does: allocate, copy, free. How much there was is told from where the memory comes from; where it is
// found in memory, the runtime is asked, and told of each block that is made and freed.

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

// What `malloc` gives may hold any number, and so starts where one may.
constexpr uint64_t AnyNumber = 8;

// `made` is the new memory, which starts like the old at multiples of `align`; `release` frees the old.
void replace(CallInst *call, Value *made, Value *old, Value *size, MaybeAlign align, function_ref<void(IRBuilder<> &)> release) {
  IRBuilder<> builder(call);
  // Where there is no more memory the old one stays.
  Instruction *then = SplitBlockAndInsertIfThen(builder.CreateIsNotNull(made), call, false);
  builder.SetInsertPoint(then);
  builder.SetCurrentDebugLocation(call->getDebugLoc());
  Value *kept = builder.CreateSelect(builder.CreateICmpULT(old, size), old, size);
  builder.CreateMemCpy(made, align, call->getArgOperand(0), align, kept);
  release(builder);
  call->replaceAllUsesWith(made);
  call->eraseFromParent();
}

void open(CallInst *call, Value *old) {
  Module *module = call->getModule();
  Value *pointer = call->getArgOperand(0), *size = call->getArgOperand(1);
  Type *address = call->getType();
  Value *made = IRBuilder<>(call).CreateCall(module->getOrInsertFunction("malloc", address, size->getType()), {size});
  // From nothing nothing is copied, and a copy of no bytes would be asked what they are.
  if (isa<ConstantPointerNull>(pointer)) {
    call->replaceAllUsesWith(made);
    call->eraseFromParent();
    return;
  }
  replace(call, made, old, size, Align(AnyNumber), [&](IRBuilder<> &builder) {
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
  auto *known = dyn_cast<ConstantInt>(align);
  MaybeAlign start = known ? MaybeAlign(known->getZExtValue()) : MaybeAlign();
  replace(call, made, old, size, start, [&](IRBuilder<> &builder) { builder.CreateCall(release, {pointer, old, align}); });
}

// What the runtime keeps of blocks: as LLVM sees it, something of its own.
FunctionCallee ofRuntime(Module &module, StringRef name, Type *result, ArrayRef<Type *> params) {
  LLVMContext &context = module.getContext();
  FunctionCallee callee = module.getOrInsertFunction(name, FunctionType::get(result, params, false));
  if (auto *function = dyn_cast<Function>(callee.getCallee())) {
    function->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    function->setDoesNotThrow();
    function->addFnAttr(Attribute::WillReturn);
    if (!params.empty())
      function->addParamAttr(0, Attribute::getWithCaptureInfo(context, CaptureInfo::none()));
  }
  return callee;
}

Value *askForSize(CallInst *call) {
  IRBuilder<> builder(call);
  Value *pointer = call->getArgOperand(0);
  Module &module = *call->getModule();
  // Derivatives ask this one where the block turns out to have no shadow.
  ofRuntime(module, "bs_rt_block_room", builder.getInt64Ty(), {pointer->getType()});
  return builder.CreateCall(ofRuntime(module, "bs_rt_block_size", builder.getInt64Ty(), {pointer->getType()}), {pointer});
}

// Who is called by the user tells where it begins: sizes from before may be those of others, which came to lie there since.
void tellOfBlocks(Function &function, bool isOutermost) {
  Module &module = *function.getParent();
  if (isOutermost) {
    IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    builder.CreateCall(ofRuntime(module, "bs_rt_blocks_begin", builder.getVoidTy(), {}), {});
  }
  SmallVector<CallInst *, 8> made, gone;
  for (Instruction &inst : instructions(function))
    if (calls(&inst, "malloc", 1) || calls(&inst, "calloc", 2) || calls(&inst, "aligned_alloc", 2))
      made.push_back(cast<CallInst>(&inst));
    else if (calls(&inst, "free", 1))
      gone.push_back(cast<CallInst>(&inst));
  for (CallInst *call : made) {
    IRBuilder<> builder(call->getNextNode());
    builder.SetCurrentDebugLocation(call->getDebugLoc());
    Value *first = call->getArgOperand(0), *last = call->getArgOperand(call->arg_size() - 1);
    Value *size = calls(call, "calloc", 2) ? builder.CreateMul(first, last) : last;
    FunctionCallee tell = ofRuntime(module, "bs_rt_block_made", builder.getVoidTy(), {call->getType(), size->getType()});
    builder.CreateCall(tell, {call, size});
  }
  for (CallInst *call : gone) {
    IRBuilder<> builder(call);
    Value *pointer = call->getArgOperand(0);
    builder.CreateCall(ofRuntime(module, "bs_rt_block_gone", builder.getVoidTy(), {pointer->getType()}), {pointer});
  }
}

bool callsOthers(const Function &function) {
  for (const Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&inst))
      if (const Function *callee = call->getCalledFunction(); !callee || !callee->isDeclaration())
        return true;
  return false;
}

// A block that is made in one function may be asked to grow in another: then all are told of.
bool mayGrowElsewhere(const Function &function) {
  const Module &module = *function.getParent();
  bool grows = false;
  for (StringRef name : {"realloc", "reallocarray"})
    if (const Function *callee = module.getFunction(name))
      grows |= !callee->use_empty();
  return grows && callsOthers(function);
}

}  // namespace

bool bs_shim_open_reallocs(LLVMValueRef raw, bool isOutermost) {
  auto *function = unwrap<Function>(raw);
  SmallVector<CallInst *, 4> reallocs, rust;
  for (Instruction &inst : instructions(*function))
    if (calls(&inst, "realloc", 2))
      reallocs.push_back(cast<CallInst>(&inst));
    else if (callsRust(&inst))
      rust.push_back(cast<CallInst>(&inst));
  for (CallInst *call : rust)
    openRust(call);
  Sizes sizes;
  SmallVector<std::pair<CallInst *, Value *>, 4> known;
  for (CallInst *call : reallocs)
    known.push_back({call, sizes.of(call->getArgOperand(0))});
  // A size made from one that was given up is none.
  bool isTold = !sizes.failed && all_of(known, [](const auto &each) { return each.second != nullptr; });
  for (auto &[call, old] : known) {
    if (!isTold)
      old = askForSize(call);
    open(call, old);
  }
  bool tells = !isTold || mayGrowElsewhere(*function);
  if (tells)
    tellOfBlocks(*function, isOutermost);
  return tells || !reallocs.empty() || !rust.empty();
}

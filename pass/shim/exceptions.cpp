// Exceptions as ordinary control flow, and back: an invoke is a call and a branch on whether the call threw.
#include "shim.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

static constexpr StringRef Guarded = "backsweep-guarded", Threw = "backsweep.threw", Caught = "backsweep.caught",
                           Resume = "backsweep.resume", Unwinding = "backsweep.unwinding.";

static CallInst *asCallOf(Instruction &inst, StringRef name) {
  auto *call = dyn_cast<CallInst>(&inst);
  Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == name ? call : nullptr;
}

template <typename Inst> static SmallVector<Inst *> allOf(Function &function) {
  SmallVector<Inst *> found;
  for (Instruction &inst : instructions(function))
    if (auto *wanted = dyn_cast<Inst>(&inst))
      found.push_back(wanted);
  return found;
}

static SmallVector<CallInst *> callsOf(Function &function, StringRef name) {
  SmallVector<CallInst *> found;
  for (Instruction &inst : instructions(function))
    if (CallInst *call = asCallOf(inst, name))
      found.push_back(call);
  return found;
}

// What a landing pad gives on the platforms whose tables are those of the Itanium ABI: the exception and a selector.
static StructType *caughtType(LLVMContext &context) {
  return StructType::get(PointerType::get(context, 0), Type::getInt32Ty(context));
}

// A marker changes a state that no pointer leads to, so that it stays where it is, and is not taken for another.
static CallInst *callMarker(IRBuilder<> &builder, Module &module, StringRef name, Type *type, bool variadic,
                            ArrayRef<Value *> operands) {
  SmallVector<Type *> types;
  for (Value *operand : variadic ? operands.take_front(1) : operands)
    types.push_back(operand->getType());
  FunctionCallee marker = module.getOrInsertFunction(name, FunctionType::get(type, types, variadic));
  auto *function = cast<Function>(marker.getCallee());
  function->setDoesNotThrow();
  function->addFnAttr(Attribute::NoDuplicate);
  function->setOnlyAccessesInaccessibleMemory();
  if (name != Resume)
    function->addFnAttr(Attribute::WillReturn);
  return builder.CreateCall(marker, operands);
}

static void openInvoke(InvokeInst *invoke) {
  LandingPadInst *pad = invoke->getLandingPadInst();
  BasicBlock *normal = invoke->getNormalDest(), *unwind = invoke->getUnwindDest();
  CallInst *call = createCallMatchingInvoke(invoke);
  call->insertBefore(invoke->getIterator());
  call->takeName(invoke);
  call->addFnAttr(Attribute::get(call->getContext(), Guarded));
  invoke->replaceAllUsesWith(call);
  IRBuilder<> builder(invoke);
  SmallVector<Value *> clauses = {builder.getInt1(pad->isCleanup())};
  for (unsigned at = 0; at < pad->getNumClauses(); ++at)
    clauses.push_back(pad->getClause(at));
  Value *threw = callMarker(builder, *invoke->getModule(), Threw, builder.getInt1Ty(), true, clauses);
  builder.CreateCondBr(threw, unwind, normal);
  invoke->eraseFromParent();
}

// Rust aborts where memory runs out. What would clean up behind that hands slots to others, which then stay in memory.
static bool runsOutOfMemory(InvokeInst *invoke) {
  Function *callee = invoke->getCalledFunction();
  StringRef name = callee && callee->isDeclaration() ? callee->getName() : "";
  return (name.starts_with("_R") || name.starts_with("_ZN")) && name.contains("5alloc5alloc18handle_alloc_error");
}

bool bs_shim_open_invokes(LLVMValueRef raw, void (*each)(void *, LLVMValueRef), void *user) {
  auto &function = *unwrap<Function>(raw);
  bool opened = false;
  for (InvokeInst *invoke : allOf<InvokeInst>(function))
    if (invoke->doesNotThrow() || runsOutOfMemory(invoke)) {
      changeToCall(invoke);
      opened = true;
    }
  // A slot may be used by nobody else now.
  if (opened)
    removeUnreachableBlocks(function);
  auto pads = allOf<LandingPadInst>(function);
  auto resumes = allOf<ResumeInst>(function);
  auto invokes = allOf<InvokeInst>(function);
  StructType *type = caughtType(function.getContext());
  auto other = [&](LandingPadInst *pad) { return pad->getType() != type; };
  auto elsewhere = [&](InvokeInst *invoke) { return !invoke->getUnwindDest()->isLandingPad(); };
  if (any_of(pads, other) || any_of(invokes, elsewhere))
    return false;
  for (InvokeInst *invoke : invokes) {
    // Behind a call that never returns nothing would be left of the branch.
    invoke->removeFnAttr(Attribute::NoReturn);
    Function *callee = invoke->getCalledFunction();
    if (callee && callee->doesNotReturn()) {
      callee->removeFnAttr(Attribute::NoReturn);
      each(user, wrap(callee));
    }
    openInvoke(invoke);
  }
  for (LandingPadInst *pad : pads) {
    IRBuilder<> builder(pad);
    pad->replaceAllUsesWith(callMarker(builder, *function.getParent(), Caught, type, false, {}));
    pad->eraseFromParent();
  }
  for (ResumeInst *resume : resumes) {
    IRBuilder<> builder(resume);
    callMarker(builder, *function.getParent(), Resume, builder.getVoidTy(), false, {resume->getValue()});
    builder.CreateUnreachable();
    resume->eraseFromParent();
  }
  return true;
}

void bs_shim_set_noreturn(LLVMValueRef function) { unwrap<Function>(function)->setDoesNotReturn(); }

// The call that a question is about stands before it in its block.
static CallInst *guardedBefore(CallInst *threw) {
  for (auto at = threw->getReverseIterator(); ++at != threw->getParent()->rend();) {
    if (asCallOf(*at, Threw))
      return nullptr;
    auto *call = dyn_cast<CallInst>(&*at);
    if (call && call->hasFnAttr(Guarded))
      return call->doesNotThrow() ? nullptr : call;
  }
  return nullptr;
}

// Both ways meet again behind the call, and the answer says which was taken: whatever stands between the call and its
// question need not be told apart.
static void closeInvoke(CallInst *threw, AllocaInst *caught, bool cleanUp) {
  Type *flag = threw->getType();
  CallInst *call = guardedBefore(threw);
  if (!call) {
    threw->replaceAllUsesWith(ConstantInt::getFalse(flag));
    threw->eraseFromParent();
    return;
  }
  Function *function = call->getFunction();
  call->removeFnAttr(Guarded);
  BasicBlock *landing = BasicBlock::Create(call->getContext(), "landing", function);
  IRBuilder<> builder(landing);
  builder.SetCurrentDebugLocation(call->getDebugLoc());
  unsigned clauses = threw->arg_size() - 1;
  LandingPadInst *pad = builder.CreateLandingPad(caught->getAllocatedType(), clauses);
  pad->setCleanup(cleanUp || !cast<ConstantInt>(threw->getArgOperand(0))->isZero());
  for (unsigned at = 1; at <= clauses; ++at)
    pad->addClause(cast<Constant>(threw->getArgOperand(at)));
  builder.CreateStore(pad, caught);
  BasicBlock *before = call->getParent();
  BasicBlock *behind = changeToInvokeAndSplitBasicBlock(call, landing);
  builder.CreateBr(behind);
  auto *invoke = cast<InvokeInst>(before->getTerminator());
  builder.SetInsertPoint(behind, behind->begin());
  PHINode *answer = builder.CreatePHI(flag, 2);
  answer->addIncoming(ConstantInt::getFalse(flag), before);
  answer->addIncoming(ConstantInt::getTrue(flag), landing);
  if (!invoke->getType()->isVoidTy()) {
    PHINode *result = builder.CreatePHI(invoke->getType(), 2);
    invoke->replaceAllUsesWith(result);
    result->addIncoming(invoke, before);
    result->addIncoming(Constant::getNullValue(invoke->getType()), landing);
  }
  threw->replaceAllUsesWith(answer);
  threw->eraseFromParent();
}

static bool isMarker(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->getName().starts_with(Unwinding);
}

// Whether an exception may come out of a call, so that the frame's own cleanup has to run.
static bool mayUnwind(Instruction &inst) {
  auto *call = dyn_cast<CallInst>(&inst);
  return call && !isMarker(*call) && !call->doesNotThrow() && !call->isMustTailCall() && !call->isInlineAsm() && !isa<IntrinsicInst>(call);
}

// From the marker on, whatever leaves by an exception does first what the marker says.
static void cleanUpFrom(CallInst *marker) {
  Function &function = *marker->getFunction();
  Module &module = *function.getParent();
  DominatorTree dominators(function);
  SmallVector<CallInst *> calls;
  for (Instruction &inst : instructions(function))
    if (&inst != marker && mayUnwind(inst) && dominators.dominates(marker, &inst))
      calls.push_back(cast<CallInst>(&inst));
  SmallVector<Value *> operands(marker->args());
  StringRef name = marker->getCalledFunction()->getName().drop_front(Unwinding.size());
  FunctionCallee cleanup = module.getOrInsertFunction(name, marker->getFunctionType());
  auto callCleanup = [&](IRBuilder<> &builder) {
    builder.SetCurrentDebugLocation(marker->getDebugLoc());
    builder.CreateCall(cleanup, operands)->setDoesNotThrow();
  };
  for (ResumeInst *resume : allOf<ResumeInst>(function)) {
    IRBuilder<> builder(resume);
    callCleanup(builder);
  }
  if (!calls.empty()) {
    BasicBlock *unwound = BasicBlock::Create(function.getContext(), "unwound", &function);
    IRBuilder<> builder(unwound);
    LandingPadInst *pad = builder.CreateLandingPad(caughtType(function.getContext()), 0);
    pad->setCleanup(true);
    callCleanup(builder);
    builder.CreateResume(pad);
    for (CallInst *call : calls)
      changeToInvokeAndSplitBasicBlock(call, unwound);
  }
  marker->eraseFromParent();
}

void bs_shim_close_invokes(LLVMValueRef raw, LLVMValueRef primal) {
  auto &function = *unwrap<Function>(raw);
  SmallVector<CallInst *> markers;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&inst); call && isMarker(*call))
      markers.push_back(call);
  auto questions = callsOf(function, Threw);
  if (!questions.empty()) {
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    AllocaInst *caught = builder.CreateAlloca(caughtType(function.getContext()));
    for (CallInst *call : callsOf(function, Caught)) {
      builder.SetInsertPoint(call);
      call->replaceAllUsesWith(builder.CreateLoad(caught->getAllocatedType(), caught));
      call->eraseFromParent();
    }
    for (CallInst *question : questions)
      closeInvoke(question, caught, !markers.empty());
  }
  for (CallInst *call : callsOf(function, Resume)) {
    IRBuilder<> builder(call);
    builder.CreateResume(call->getArgOperand(0));
    call->getParent()->getTerminator()->eraseFromParent();
    call->eraseFromParent();
  }
  // What is said last is done first, and on fewer ways out.
  for (CallInst *marker : reverse(markers))
    cleanUpFrom(marker);
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&inst))
      call->removeFnAttr(Guarded);
  if (allOf<LandingPadInst>(function).empty())
    return;
  auto *source = unwrap<Function>(primal);
  // What only cleans up is the same in all languages.
  FunctionCallee usual = source->hasPersonalityFn()
                             ? FunctionCallee()
                             : function.getParent()->getOrInsertFunction(
                                   "__gcc_personality_v0", FunctionType::get(Type::getInt32Ty(function.getContext()), true));
  function.setPersonalityFn(source->hasPersonalityFn() ? source->getPersonalityFn() : cast<Constant>(usual.getCallee()));
}

void bs_shim_mark_guarded(LLVMValueRef raw) {
  auto *call = unwrap<CallBase>(raw);
  call->addFnAttr(Attribute::get(call->getContext(), Guarded));
}

void bs_shim_mark_call(LLVMValueRef raw, const char *mark) {
  auto *call = unwrap<CallBase>(raw);
  call->addFnAttr(Attribute::get(call->getContext(), mark));
}

void bs_shim_drop_markers(LLVMModuleRef raw) {
  Module &module = *unwrap(raw);
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty() &&
        (function.getName() == Threw || function.getName() == Caught || function.getName() == Resume ||
         function.getName().starts_with(Unwinding)))
      function.eraseFromParent();
}

LLVMValueRef bs_shim_call_to_invoke(LLVMValueRef raw, LLVMValueRef like) {
  auto *call = unwrap<CallInst>(raw);
  auto *guide = unwrap<InvokeInst>(like);
  BasicBlock *unwind = guide->getUnwindDest(), *before = call->getParent();
  changeToInvokeAndSplitBasicBlock(call, unwind);
  // The new edge carries the same values as that of the guide, which was defined before either.
  for (PHINode &phi : unwind->phis())
    phi.addIncoming(phi.getIncomingValueForBlock(guide->getParent()), before);
  return wrap(before->getTerminator());
}

LLVMValueRef bs_shim_copy_call(LLVMValueRef raw) {
  auto *call = unwrap<CallBase>(raw);
  auto *invoke = dyn_cast<InvokeInst>(call);
  return wrap(invoke ? createCallMatchingInvoke(invoke) : call->clone());
}

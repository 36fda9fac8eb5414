// Edits that LLVM's C interface has no word for.
#include "shim.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

static ModuleAnalysisManager &analysesOf(BsContext *context) {
  return *reinterpret_cast<ModuleAnalysisManager *>(context);
}

LLVMValueRef bs_shim_clone_function(LLVMValueRef function, const char *name) {
  auto *original = unwrap<Function>(function);
  ValueToValueMapTy map;
  Function *copy = CloneFunction(original, map);
  copy->setName(name);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setVisibility(GlobalValue::DefaultVisibility);
  copy->setDSOLocal(true);
  copy->setComdat(nullptr);
  // The host's wishes about inlining and optimising the original say nothing about our copy of it.
  for (auto kind : {Attribute::OptimizeNone, Attribute::NoInline, Attribute::AlwaysInline, Attribute::MinSize,
                    Attribute::OptimizeForSize, Attribute::Naked})
    copy->removeFnAttr(kind);
  return wrap(copy);
}

static StringRef nameOfType(const MDNode *type) {
  auto *name = type->getNumOperands() > 0 ? dyn_cast_or_null<MDString>(type->getOperand(0)) : nullptr;
  return name ? name->getString() : "";
}

// flang gives each dummy argument a type of its own for alias analysis, since those of one call are apart. What one call
// writes through its second argument another may read through its first, though, and side by side in one function both name
// the same types: the read would be moved in front of the write.
static void forgetArguments(Instruction &inst) {
  MDNode *tag = inst.getMetadata(LLVMContext::MD_tbaa);
  auto *type = tag && tag->getNumOperands() > 1 ? dyn_cast_or_null<MDNode>(tag->getOperand(1)) : nullptr;
  if (!type || !nameOfType(type).starts_with("dummy arg data"))
    return;
  while (type && nameOfType(type) != "any data access")
    type = type->getNumOperands() > 1 ? dyn_cast_or_null<MDNode>(type->getOperand(1)) : nullptr;
  MDBuilder builder(inst.getContext());
  inst.setMetadata(LLVMContext::MD_tbaa, type ? builder.createTBAAStructTagNode(type, type, 0) : nullptr);
}

bool bs_shim_inline_call(LLVMValueRef call, bool seen, void (*each)(void *, LLVMValueRef), void *user) {
  auto *site = unwrap<CallBase>(call);
  // The edit itself does not look whether the body may stand elsewhere: `va_start` and `setjmp` speak of their own frame.
  Function *callee = site->getCalledFunction();
  if (!callee || !isInlineViable(*callee).isSuccess())
    return false;
  // Scopes made from `noalias` parameters hold for one execution of the inlined body only; a reverse sweep moves
  // accesses out of it, so the attribute must not become metadata here.
  InlineFunctionInfo info;
  // The body comes to stand between what is before the call and what is behind it. LLVM's own list of the calls in it is made
  // before some of them become invokes, because the inlined call was one, and then misses these.
  BasicBlock *home = site->getParent(), *next = home->getNextNode();
  Instruction *before = site->getPrevNode();
  WeakVH behind(site->getNextNode());
  if (!InlineFunction(*site, info, /*MergeAttributes=*/false, nullptr, /*InsertLifetime=*/true).isSuccess())
    return false;
  for (BasicBlock *block = home; block != next && !seen; block = block->getNextNode())
    for (Instruction &inst : *block)
      forgetArguments(inst);
  BasicBlock *block = home;
  BasicBlock::iterator at = before ? std::next(before->getIterator()) : home->begin();
  while (true) {
    for (; at != block->end(); ++at) {
      if (&*at == behind)
        return true;
      forgetArguments(*at);
      if (auto *inner = dyn_cast<CallBase>(&*at); inner && !isa<IntrinsicInst>(inner))
        each(user, wrap(inner));
    }
    block = block->getNextNode();
    if (block == next)
      return true;
    at = block->begin();
  }
}

void bs_shim_adopt_attributes(LLVMValueRef from, LLVMValueRef to) {
  auto *source = unwrap<Function>(from), *target = unwrap<Function>(to);
  // Of the primal's promises only those about the machine hold for its derivative.
  for (StringRef name : {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "no-trapping-math",
                         "stack-protector-buffer-size", "min-legal-vector-width", "probe-stack"})
    if (source->hasFnAttribute(name))
      target->addFnAttr(source->getFnAttribute(name));
  for (auto kind : {Attribute::UWTable, Attribute::SanitizeAddress, Attribute::SanitizeMemory,
                    Attribute::SanitizeThread, Attribute::StrictFP})
    if (source->hasFnAttribute(kind))
      target->addFnAttr(source->getFnAttribute(kind));
}

bool bs_shim_adopt_scope(LLVMValueRef from, LLVMValueRef to) {
  auto *source = unwrap<Function>(from), *target = unwrap<Function>(to);
  if (DISubprogram *scope = source->getSubprogram()) {
    source->setSubprogram(nullptr);
    target->setSubprogram(scope);
    return true;
  }
  return false;
}

void bs_shim_strip_places(LLVMValueRef function) {
  stripDebugInfo(*unwrap<Function>(function));
}

LLVMValueRef bs_shim_entry_alloca(LLVMBasicBlockRef entry, LLVMTypeRef first, LLVMTypeRef second) {
  BasicBlock *block = unwrap(entry);
  const DataLayout &layout = block->getModule()->getDataLayout();
  Type *a = unwrap(first), *b = unwrap(second);
  Type *larger = layout.getTypeAllocSize(a) >= layout.getTypeAllocSize(b) ? a : b;
  auto *slot = new AllocaInst(larger, layout.getAllocaAddrSpace(), nullptr,
                              std::max(layout.getPrefTypeAlign(a), layout.getPrefTypeAlign(b)), "",
                              block->getFirstInsertionPt());
  return wrap(slot);
}

LLVMValueRef bs_shim_float_from_bits(LLVMTypeRef type, uint64_t low, uint64_t high) {
  Type *kind = unwrap(type);
  const fltSemantics &format = kind->getFltSemantics();
  APInt bits(APFloat::getSizeInBits(format), {low, high});
  return wrap(ConstantFP::get(kind->getContext(), APFloat(format, bits)));
}

LLVMValueRef bs_shim_invoke_to_call(LLVMValueRef invoke) { return wrap(changeToCall(unwrap<InvokeInst>(invoke))); }

void bs_shim_split_arms(LLVMValueRef condition, LLVMValueRef at, LLVMValueRef *yes_end, LLVMValueRef *no_end) {
  Instruction *yes = nullptr, *no = nullptr;
  SplitBlockAndInsertIfThenElse(unwrap(condition), unwrap<Instruction>(at)->getIterator(), &yes, &no);
  *yes_end = wrap(yes);
  *no_end = wrap(no);
}

LLVMTypeRef bs_shim_sret_type(LLVMValueRef call) {
  auto *site = unwrap<CallBase>(call);
  return site->arg_size() > 0 && site->paramHasAttr(0, Attribute::StructRet) ? wrap(site->getParamStructRetType(0))
                                                                             : nullptr;
}

bool bs_shim_run_passes(BsContext *context, LLVMValueRef function, const char *pipeline, const char **error) {
  auto *target = unwrap<Function>(function);
  auto &functions =
      analysesOf(context).getResult<FunctionAnalysisManagerModuleProxy>(*target->getParent()).getManager();
  // A builder of its own does not call our callbacks again.
  PassBuilder builder;
  FunctionPassManager passes;
  if (Error failure = builder.parsePassPipeline(passes, pipeline)) {
    static thread_local std::string message;
    message = toString(std::move(failure));
    *error = message.c_str();
    return false;
  }
  // We edit functions between pipelines, so nothing remembered of this one from before may be used.
  functions.invalidate(*target, PreservedAnalyses::none());
  passes.run(*target, functions);
  functions.invalidate(*target, PreservedAnalyses::none());
  return true;
}

void bs_shim_delete_function(BsContext *context, LLVMValueRef function) {
  auto *target = unwrap<Function>(function);
  auto &functions =
      analysesOf(context).getResult<FunctionAnalysisManagerModuleProxy>(*target->getParent()).getManager();
  // The next function may get the same address; it must not inherit this one's analyses.
  functions.clear(*target, target->getName());
  target->eraseFromParent();
}

void bs_shim_forget_analyses(BsContext *context, LLVMModuleRef module) {
  analysesOf(context).invalidate(*unwrap(module), PreservedAnalyses::none());
}

void bs_shim_strip_scopes(LLVMValueRef instruction) {
  auto *inst = unwrap<Instruction>(instruction);
  inst->setMetadata(LLVMContext::MD_alias_scope, nullptr);
  inst->setMetadata(LLVMContext::MD_noalias, nullptr);
}

void bs_shim_mark_nomerge(LLVMValueRef call) { unwrap<CallBase>(call)->addFnAttr(Attribute::NoMerge); }

void bs_shim_append_used(LLVMModuleRef module, LLVMValueRef global) {
  appendToCompilerUsed(*unwrap(module), {cast<GlobalValue>(unwrap(global))});
}

bool bs_shim_is_described(LLVMValueRef value) { return unwrap(value)->isUsedByMetadata(); }

// Integers and addresses that do not change in a loop are computed before it, so that its bounds are known where it is
// entered. Floats stay where they are: behind a branch not taken they may be singular.
void bs_shim_hoist_integers(LLVMValueRef raw) {
  auto *function = unwrap<Function>(raw);
  DominatorTree dominators(*function);
  LoopInfo loops(dominators);
  // Named, because `reverse` keeps no container alive.
  auto ordered = loops.getLoopsInPreorder();
  for (Loop *loop : reverse(ordered))
    for (BasicBlock *block : loop->blocks())
      for (Instruction &inst : make_early_inc_range(*block)) {
        bool moves = false;
        if (inst.getType()->isIntOrPtrTy() && !isa<PHINode>(inst) && !isa<CallBase>(inst))
          loop->makeLoopInvariant(&inst, moves);
      }
}

void bs_shim_strip_lifetimes(LLVMValueRef raw) {
  for (Instruction &inst : make_early_inc_range(instructions(*unwrap<Function>(raw))))
    if (inst.isLifetimeStartOrEnd())
      inst.eraseFromParent();
}

void bs_shim_drop_groups(LLVMValueRef raw) {
  for (Instruction &inst : make_early_inc_range(instructions(*unwrap<Function>(raw)))) {
    inst.setMetadata(LLVMContext::MD_invariant_group, nullptr);
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (!call || !call->isLaunderOrStripInvariantGroup())
      continue;
    call->replaceAllUsesWith(call->getArgOperand(0));
    call->eraseFromParent();
  }
}

void bs_shim_allow_unrolling(LLVMValueRef raw) {
  for (BasicBlock &block : *unwrap<Function>(raw)) {
    Instruction *end = block.getTerminator();
    if (MDNode *loop = end->getMetadata(LLVMContext::MD_loop))
      end->setMetadata(LLVMContext::MD_loop, makePostTransformationMetadata(block.getContext(), loop, {"llvm.loop.unroll."}, {}));
  }
}

size_t bs_shim_count_slot_numbers(LLVMValueRef raw) {
  auto isSlotNumber = [](Instruction &inst) {
    auto *number = dyn_cast<PtrToIntInst>(&inst);
    return number && isa<AllocaInst>(getUnderlyingObject(number->getPointerOperand()));
  };
  return count_if(instructions(*unwrap<Function>(raw)), isSlotNumber);
}

bool bs_shim_fold_alignments(LLVMValueRef raw) {
  auto *function = unwrap<Function>(raw);
  SimplifyQuery query(function->getParent()->getDataLayout());
  bool changed = false;
  for (Instruction &inst : make_early_inc_range(instructions(*function))) {
    Value *address = nullptr;
    if (!match(&inst, m_And(m_PtrToInt(m_Value(address)), m_ConstantInt())))
      continue;
    KnownBits known = computeKnownBits(&inst, query.getWithInstruction(&inst));
    if (!known.isConstant())
      continue;
    inst.replaceAllUsesWith(ConstantInt::get(inst.getType(), known.getConstant()));
    inst.eraseFromParent();
    changed = true;
  }
  return changed;
}

bool bs_shim_link_bodies(LLVMModuleRef module, const char *bitcode, size_t size) {
  Module *target = unwrap(module);
  MemoryBufferRef buffer(StringRef(bitcode, size), "backsweep bodies");
  Expected<std::unique_ptr<Module>> bodies = getLazyBitcodeModule(buffer, target->getContext());
  if (!bodies) {
    consumeError(bodies.takeError());
    return false;
  }
  // The bodies are laid out as on the machine the plugin was built for.
  if ((*bodies)->getDataLayout() != target->getDataLayout())
    return false;
  (*bodies)->setTargetTriple(target->getTargetTriple());
  return !Linker::linkModules(*target, std::move(*bodies), Linker::LinkOnlyNeeded);
}

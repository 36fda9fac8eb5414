// Edits that LLVM's C interface has no word for.
#include "shim.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

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

bool bs_shim_inline_call(LLVMValueRef call) {
  auto *site = unwrap<CallBase>(call);
  // Scopes made from `noalias` parameters hold for one execution of the inlined body only; a reverse sweep moves
  // accesses out of it, so the attribute must not become metadata here.
  InlineFunctionInfo info;
  return InlineFunction(*site, info, /*MergeAttributes=*/false, nullptr, /*InsertLifetime=*/true).isSuccess();
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
  functions.invalidate(*target, passes.run(*target, functions));
  functions.clear(*target, target->getName());
  return true;
}

void bs_shim_forget_analyses(BsContext *context, LLVMModuleRef module) {
  analysesOf(context).invalidate(*unwrap(module), PreservedAnalyses::none());
}

void bs_shim_strip_scopes(LLVMValueRef instruction) {
  auto *inst = unwrap<Instruction>(instruction);
  inst->setMetadata(LLVMContext::MD_alias_scope, nullptr);
  inst->setMetadata(LLVMContext::MD_noalias, nullptr);
}

void bs_shim_set_phi_block(LLVMValueRef phi, unsigned index, LLVMBasicBlockRef block) {
  unwrap<PHINode>(phi)->setIncomingBlock(index, unwrap(block));
}

void bs_shim_mark_nomerge(LLVMValueRef call) { unwrap<CallBase>(call)->addFnAttr(Attribute::NoMerge); }

LLVMBasicBlockRef bs_shim_split_before(LLVMValueRef instruction, const char *name) {
  auto *inst = unwrap<Instruction>(instruction);
  return wrap(SplitBlock(inst->getParent(), inst->getIterator(), static_cast<DominatorTree *>(nullptr), nullptr,
                         nullptr, name));
}

void bs_shim_append_used(LLVMModuleRef module, LLVMValueRef global) {
  appendToCompilerUsed(*unwrap(module), {cast<GlobalValue>(unwrap(global))});
}

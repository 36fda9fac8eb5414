// Errors, remarks and printed text, through the channels every host shows.
#include "shim.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

// `DiagnosticInfoUnsupported` is the one class that clang, flang, rustc, lld and opt all print with its place and
// all turn into a failure; `emitError` is silent in rustc.
void bs_shim_error(LLVMValueRef function, LLVMValueRef instruction, const char *message) {
  auto *in = unwrap<Function>(function);
  DiagnosticLocation where;
  if (instruction) {
    if (const DebugLoc &loc = unwrap<Instruction>(instruction)->getDebugLoc())
      where = DiagnosticLocation(loc);
  }
  if (!where.isValid() && in->getSubprogram())
    where = DiagnosticLocation(in->getSubprogram());
  in->getContext().diagnose(DiagnosticInfoUnsupported(*in, Twine(message), where, DS_Error));
}

void bs_shim_error_at_global(LLVMValueRef global, LLVMValueRef function, const char *message) {
  auto *in = unwrap<Function>(function);
  SmallVector<DIGlobalVariableExpression *, 1> described;
  unwrap<GlobalVariable>(global)->getDebugInfo(described);
  DiagnosticLocation where;
  if (!described.empty()) {
    // A diagnostic's place is an instruction's or a function's, so a function is made up that stands at the global's.
    DIGlobalVariable *variable = described.front()->getVariable();
    where = DiagnosticLocation(DISubprogram::getDistinct(
        in->getContext(), variable->getFile(), variable->getName(), "", variable->getFile(), variable->getLine(), nullptr,
        variable->getLine(), nullptr, 0, 0, DINode::FlagZero, DISubprogram::SPFlagZero, nullptr));
  }
  in->getContext().diagnose(DiagnosticInfoUnsupported(*in, Twine(message), where, DS_Error));
}

bool bs_shim_wants_remarks(LLVMValueRef function) {
  LLVMContext &context = unwrap<Function>(function)->getContext();
  const DiagnosticHandler *handler = context.getDiagHandlerPtr();
  return context.getLLVMRemarkStreamer() || (handler && handler->isAnyRemarkEnabled("backsweep"));
}

void bs_shim_remark(uint32_t kind, const char *name, LLVMValueRef function, LLVMValueRef instruction,
                    const char *message) {
  auto *in = unwrap<Function>(function);
  DiagnosticLocation where;
  if (instruction) {
    if (const DebugLoc &loc = unwrap<Instruction>(instruction)->getDebugLoc())
      where = DiagnosticLocation(loc);
  }
  if (!where.isValid() && in->getSubprogram())
    where = DiagnosticLocation(in->getSubprogram());
  OptimizationRemarkEmitter emitter(in);
  // The instruction is in a copy that is about to go; remarks belong to the function that the user wrote.
  const BasicBlock *region = &in->getEntryBlock();
  auto emit = [&](auto remark) { emitter.emit(remark << StringRef(message)); };
  switch (kind) {
  case BsRemarkPassed: return emit(OptimizationRemark("backsweep", name, where, region));
  case BsRemarkMissed: return emit(OptimizationRemarkMissed("backsweep", name, where, region));
  default: return emit(OptimizationRemarkAnalysis("backsweep", name, where, region));
  }
}

void bs_shim_print(const char *text, size_t length) { errs() << StringRef(text, length); }

char *bs_shim_source_name(const char *symbol) {
  ItaniumPartialDemangler name;
  if (name.partialDemangle(symbol) || !name.isFunction())
    return nullptr;
  size_t length = 0;
  return name.getFunctionName(nullptr, &length);
}

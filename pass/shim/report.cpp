// Errors, remarks and printed text, through the channels every host shows.
#include "shim.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
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

void bs_shim_print(const char *text, size_t length) { errs() << StringRef(text, length); }

// What one instruction of a processor computes with the lanes of its registers (packed.cpp).
#pragma once

namespace llvm {
class CallInst;
class InlineAsm;
class Value;
}  // namespace llvm

// The result of a single instruction that was written in assembly, as code before the call; null where it is none that is known.
llvm::Value *computed(llvm::CallInst &call, const llvm::InlineAsm &assembly);

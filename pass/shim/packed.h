// What one instruction of a processor computes with the lanes of its registers (packed.cpp).
#pragma once

namespace llvm {
class CallInst;
class InlineAsm;
class IRBuilderBase;
class Value;
}  // namespace llvm

// The result of a single instruction that was written in assembly, as code before the call; null where it is none that is known.
llvm::Value *computed(llvm::CallInst &call, const llvm::InlineAsm &assembly);

// The least or greatest of two, lane by lane. Ties and what is no number give the second.
llvm::Value *chosen(bool least, llvm::Value *first, llvm::Value *second, llvm::IRBuilderBase &builder);

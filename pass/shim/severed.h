// A number without its derivative.
#ifndef BACKSWEEP_SEVERED_H
#define BACKSWEEP_SEVERED_H

#include "llvm/IR/IRBuilder.h"

// Names one number, and calls a function that carries no derivative for it.
llvm::Value *severed(llvm::IRBuilder<> &builder, llvm::Module &module, llvm::Value *number);

// A number in memory that holds none with a derivative, read by such a function.
llvm::Value *looked(llvm::IRBuilder<> &builder, llvm::Module &module, llvm::Value *pointer, llvm::Type *type);

// Puts a number into such memory without its derivative.
void put(llvm::IRBuilder<> &builder, llvm::Module &module, llvm::Value *pointer, llvm::Value *number);

#endif

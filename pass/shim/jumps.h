// Control flow that ties a function to its place; jumps.cpp.

#pragma once

#include <llvm/IR/Function.h>

// Whether a function jumps to where an address or assembly says.
bool hasJumps(const llvm::Function &function);
// Such jumps become switches in a copy of a function that has the same blocks as the original.
void openJumps(llvm::Function &original, llvm::Function &copy);

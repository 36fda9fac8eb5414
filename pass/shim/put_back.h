// Rows that a loop of a derivative only copies: see `put_back.cpp`.
#pragma once
#include "turned.h"

namespace llvm {
class DominatorTree;
class Loop;
class ScalarEvolution;
} // namespace llvm

// Marks the stores of a loop that copy a row, and may do it before anything else of the loop runs.
void markCopies(const LoopFacts &facts, const llvm::DominatorTree &dominators);

// Copies such rows in front of each version that has memory told apart, the second of which may be missing; the plain loop stays as
// it was.
void moveCopies(llvm::Loop &loop, llvm::Loop *other, llvm::Loop &plain, llvm::ScalarEvolution &evolution);

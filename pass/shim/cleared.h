// Rows that a loop of a derivative leaves zero: see `cleared.cpp`.
#pragma once
#include "turned.h"

namespace llvm {
class DominatorTree;
class StoreInst;
} // namespace llvm

// The one store of zeros of such a loop: to where it has just loaded from, and touched by nothing else there.
llvm::StoreInst *findZeros(const LoopFacts &facts, const llvm::DominatorTree &dominators);

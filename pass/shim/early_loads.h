// Numbers that a pass of a loop hands on to the next one: see `early_loads.cpp`.
#pragma once

namespace llvm {
class AAResults;
class DominatorTree;
class Loop;
} // namespace llvm

// Finds what a pass hands on in front of what the pass stores, where LLVM makes vectors of the loop only then; whether there was any.
bool loadEarly(llvm::Loop &loop, llvm::AAResults &aliases, llvm::DominatorTree &dominators);

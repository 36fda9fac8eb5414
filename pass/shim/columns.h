// Loops that lay several numbers in each of their records: see `columns.cpp`.
#pragma once

namespace llvm {
class AAResults;
class AssumptionCache;
class DominatorTree;
class Loop;
class LoopAccessInfoManager;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

// Makes a version of an innermost loop in which what lies in other places of its records is told to be apart. Returns whether it did.
bool partColumns(llvm::Loop &loop, llvm::LoopInfo &loops, llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution,
                 llvm::AssumptionCache &assumptions, llvm::LoopAccessInfoManager &accesses, llvm::AAResults &aliases);

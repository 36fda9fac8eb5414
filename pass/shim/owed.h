// Zeros that a loop of a derivative owes to memory instead of writing them: see `owed.cpp`.
#pragma once

namespace llvm {
class AssumptionCache;
class DominatorTree;
class LoadInst;
class Loop;
class LoopInfo;
class ScalarEvolution;
class StoreInst;
} // namespace llvm

// A loop whose sums are carried, with the loop as it was, for when memory is not apart.
struct Owing {
  llvm::Loop &loop, &plain;
  llvm::StoreInst &zero;
  // The addition to the cell that is complete: what is loaded, and the store.
  llvm::LoadInst &old;
  llvm::StoreInst &sum;
  llvm::LoopInfo &loops;
  llvm::DominatorTree &dominators;
  llvm::ScalarEvolution &evolution;
  llvm::AssumptionCache &assumptions;
};

// Gives such a loop a version that writes its sums over zeros without loading them, and owes the zeros that it leaves: that version, or none.
llvm::Loop *oweZeros(const Owing &owing);

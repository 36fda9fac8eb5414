// Passes of an outer loop that add to the same rows run together: see `joined.cpp`.
#pragma once

namespace llvm {
class AssumptionCache;
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

struct Joining {
  llvm::LoopInfo &loops;
  llvm::DominatorTree &dominators;
  llvm::ScalarEvolution &evolution;
  llvm::AssumptionCache &assumptions;
  const llvm::TargetTransformInfo &costs;
};

// Makes a version of the loop around an innermost one whose passes run several at a time, for when they may. Returns whether it did.
bool joinPasses(llvm::Loop &inner, const Joining &with);

// The pass over finished modules that `first_lanes.cpp` describes.
#pragma once
#include "llvm/IR/PassManager.h"

// The name of the metadata that modules with derivatives of ours carry.
inline constexpr const char *DerivativesMark = "backsweep.derivatives";

struct TakeFirstLanes : llvm::PassInfoMixin<TakeFirstLanes> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  // The fault that this avoids is there without optimisation as well.
  static bool isRequired() { return true; }
};

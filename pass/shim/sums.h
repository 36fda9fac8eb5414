// The pass over finished derivatives that `sums.cpp` describes.
#pragma once
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

// The derivation marks the stores that end an addition to a shadow.
inline constexpr const char *SumMark = "backsweep.sum";

inline bool isMarked(const llvm::Instruction &inst) { return llvm::isa<llvm::StoreInst>(inst) && inst.hasMetadata(SumMark); }

struct CarrySums : llvm::PassInfoMixin<CarrySums> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

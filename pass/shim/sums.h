// The pass over finished derivatives that `sums.cpp` describes.
#pragma once
#include "llvm/IR/PassManager.h"

struct CarrySums : llvm::PassInfoMixin<CarrySums> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

// Sums whose cells an optimiser keeps in registers from one iteration to the next: see `handed_on.cpp`.
#pragma once

namespace llvm {
class Loop;
class PredicatedScalarEvolution;
class StoreInst;
} // namespace llvm

// Loads again what a marked sum adds to, where an earlier iteration hands it on.
void loadAgain(llvm::StoreInst &store, llvm::Loop &loop, llvm::PredicatedScalarEvolution &assumed);

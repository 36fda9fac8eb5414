// What a sum adds to, and sums whose cells an optimiser keeps in registers from one iteration to the next: see `handed_on.cpp`.
#pragma once

namespace llvm {
class LoadInst;
class Loop;
class PredicatedScalarEvolution;
class StoreInst;
} // namespace llvm

// Loads again what a marked sum adds to, where an earlier iteration hands it on.
void loadAgain(llvm::StoreInst &store, llvm::Loop &loop, llvm::PredicatedScalarEvolution &assumed);

// What the value that is stored was added to: loaded from the same place in the same block, and looked at by nobody else.
llvm::LoadInst *findOld(llvm::StoreInst &store);

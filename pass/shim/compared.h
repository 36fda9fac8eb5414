// Accesses of a loop that are compared at run time because nothing else tells them apart: see `compared.cpp`.
#pragma once
#include "turned.h"

#include "llvm/Analysis/LoopAccessAnalysis.h"

// The pointers whose cells are compared at run time.
PointerPairs findTested(const llvm::RuntimePointerChecking &checking);

class Comparison {
 public:
  Comparison(llvm::Loop &loop, llvm::ScalarEvolution &evolution, llvm::PredicatedScalarEvolution &assumed,
             const llvm::LoopAccessInfo &info);

  // Whether a sum and something else can be compared; then they will be.
  bool add(llvm::Instruction &sum, llvm::Instruction &other);
  // The same of accesses that are each in a row, by its number.
  bool addRows(std::pair<llvm::Instruction *, unsigned> one, std::pair<llvm::Instruction *, unsigned> other);
  bool isAsked() const { return !pairs.empty(); }
  // What is to be tested in front of the loop; of the pointers in `tested` the test says that they are apart.
  llvm::SmallVector<llvm::RuntimePointerCheck, 4> close(PointerPairs &tested);

 private:
  llvm::Loop &loop;
  llvm::PredicatedScalarEvolution &assumed;
  std::optional<llvm::ScalarEvolution::LoopGuards> guards;
  llvm::RuntimePointerChecking checking;
  llvm::SmallDenseMap<const llvm::Value *, unsigned> places;
  llvm::SmallVector<std::pair<unsigned, unsigned>, 8> pairs;

  std::optional<unsigned> place(llvm::Instruction &inst, unsigned side);
  llvm::RuntimeCheckingPtrGroup *groupOf(unsigned place);
};

// Rows of sums that a loop adds to at once, told apart at run time: see `sum_rows.cpp`.
#pragma once
#include "compared.h"

#include "llvm/ADT/SmallPtrSet.h"

class SumRows {
 public:
  // The rows among the loads and stores of sums in a loop. Neighbours are compared, where they are not apart for certain.
  SumRows(llvm::Loop &loop, llvm::PredicatedScalarEvolution &assumed, const llvm::LoopAccessInfo &info, llvm::AAResults &aliases,
          const llvm::SmallPtrSetImpl<llvm::Instruction *> &sums);

  // What is to be tested in front of the loop; nothing where that would take too long.
  llvm::SmallVector<llvm::RuntimePointerCheck, 4> close(PointerPairs &tested);
  // Tells whoever comes later what was tested.
  void tell() const;

 private:
  // Loads and stores a constant distance apart.
  using Row = llvm::SmallVector<llvm::Instruction *, 8>;

  llvm::Loop &loop;
  Comparison comparison;
  llvm::SmallVector<Row, 8> rows;
  llvm::SmallVector<std::pair<unsigned, unsigned>, 8> apart;

  bool compare(unsigned one, unsigned other);
};

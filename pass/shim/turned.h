// Loops of derivatives whose iterations may as well run the other way round: see `turned.cpp`.
#pragma once
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class AAResults;
class Instruction;
class Loop;
class LoopAccessInfo;
class PredicatedScalarEvolution;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

using PointerPairs = llvm::SmallDenseSet<std::pair<const llvm::Value *, const llvm::Value *>>;

// What somebody found out about a loop of plain shape: one block is both latch and exit, and its passes can be counted.
struct LoopFacts {
  llvm::Loop &loop;
  llvm::ScalarEvolution &evolution;
  llvm::PredicatedScalarEvolution &assumed;
  llvm::AAResults &aliases;
  const llvm::LoopAccessInfo &info;
  // The loads and stores of sums, which touch nothing that anything else in the loop touches.
  const llvm::SmallPtrSetImpl<llvm::Instruction *> &sums;
  // The pointers that are compared at run time.
  const PointerPairs &tested;
  // Whether all dependences that are not tested are listed in `info`.
  bool listed;
};

// Whether the loop goes through memory towards the front, and may go through it towards the back.
bool mayTurn(const LoopFacts &facts);

// Runs the iterations of such a loop in the opposite order; `passes` is how often it goes round.
void turnLoop(llvm::Loop &loop, llvm::ScalarEvolution &evolution, const llvm::SCEV *passes);

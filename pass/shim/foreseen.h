// How large a nest of short loops is once it is written out, foreseen before anything is changed.
#pragma once
#include "llvm/Analysis/LoopInfo.h"

#include <optional>

namespace llvm {
class TargetLibraryInfo;
}

struct ForeseenLimits {
  // Of each loop of the nest, each time it is entered.
  unsigned passes;
  // What is left of the nest.
  unsigned size;
  // What is written before anything of it folds.
  unsigned steps;
};

struct Foreseen {
  unsigned size, steps;
};

// What is left of a nest whose loops are all written out; nothing where a number that is not known there tells how often one of them runs,
// or where a limit is passed. It guides the choice of loops and proves nothing.
std::optional<Foreseen> foresee(const llvm::Loop &nest, const llvm::LoopInfo &loops, const llvm::TargetLibraryInfo &library,
                                const ForeseenLimits &limits);

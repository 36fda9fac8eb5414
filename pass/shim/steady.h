// What a loop leaves as it is: asked before something it computes is computed elsewhere.
#pragma once
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

// How often a loop goes round is asked of the conditions of all loops in front of it, one after the other, which for all loops of a function
// takes the square of their number. So of more loops than these the ones behind are not improved where that takes such questions.
constexpr size_t mostLoops = 1000;

// How many instructions a loop is that computes with numbers; none where it does not, or may not be copied.
std::optional<unsigned> sizeOfNumbers(const llvm::Loop &loop);

struct Steady {
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::AssumptionCache assumptions;
  llvm::TargetLibraryInfoImpl libraries;
  llvm::TargetLibraryInfo library;
  llvm::ScalarEvolution evolution;

  explicit Steady(llvm::Function &function);
  // Whether a call is exp, log, pow or the like: numbers in, a number out, nothing else but `errno`.
  bool isFunctionOfNumbers(const llvm::CallInst &call) const;
  // Whether a load finds the same in each pass of a loop, and behind it: nobody in the loop writes to what its address leads to, at any
  // place of it.
  bool staysTheSame(llvm::LoadInst &load, llvm::Loop &around);

private:
  llvm::BasicAAResult basic;
  // Answers about objects alone: those that hold for one moment only, as scopes do, are not asked for.
  llvm::AAResults aliases;
};

// A loop in two: see `parted.cpp`.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

// A loop that is left from its header alone, and in which a counter goes up by one.
struct CountedLoop {
  llvm::Loop *loop = nullptr;
  llvm::PHINode *counter = nullptr;
  const llvm::SCEVAddRecExpr *at = nullptr;
  int64_t start = 0;
  // In the last pass the counter is at `end + last`. Whether these are numbers with a sign.
  const llvm::SCEV *end = nullptr;
  int64_t last = 0;
  bool isSigned = false;
  // The question whether to go on, and which of its operands is the bound.
  llvm::ICmpInst *question = nullptr;
  unsigned boundIndex = 0;
  // Whether the question is not about the counter, but whether so many passes are left, as in Fortran.
  bool asksWhatIsLeft = false;
};

// Nothing for other loops, and for those that do not start at zero or a little later.
std::optional<CountedLoop> readCounted(llvm::Loop &loop, llvm::ScalarEvolution &evolution);

// Has the last passes run in a loop of their own behind the rest; the first `front` have left the loop already. Where there
// are no more than these, the loop behind runs them all. If `hasRoom`, it runs them as well where twice the end would be too large a number.
void partLast(const CountedLoop &counted, int64_t front, int64_t back, bool hasRoom);

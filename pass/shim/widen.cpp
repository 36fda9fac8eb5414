// Counters of loops that are used as indices become as wide as addresses.
//
// C counts with 32 bits and indexes with 64. That the one never wraps is known where the loop is; of arithmetic that is
// done again on the way back it is soon forgotten, and then no loop can be vectorised.
#include "shim.h"
#include "steady.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/SimplifyIndVar.h"

using namespace llvm;

namespace {

// How the width of an address comes about from a counter, through arithmetic in its loop; nothing where it does not.
std::optional<WideIVInfo> readExtension(PHINode &counter, const Loop &loop, Type *wide) {
  SmallPtrSet<const Instruction *, 16> seen;
  SmallVector<Instruction *, 16> waiting{&counter};
  while (!waiting.empty()) {
    Instruction *at = waiting.pop_back_val();
    if (!loop.contains(at) || !seen.insert(at).second)
      continue;
    for (User *user : at->users()) {
      auto *inst = dyn_cast<Instruction>(user);
      if (inst && loop.contains(inst) && inst->getType() == wide && (isa<SExtInst>(inst) || isa<ZExtInst>(inst)))
        return WideIVInfo{&counter, wide, isa<SExtInst>(inst)};
      if (isa_and_nonnull<BinaryOperator>(inst))
        waiting.push_back(inst);
    }
  }
  return std::nullopt;
}

} // namespace

void bs_shim_widen_counters(LLVMValueRef raw) {
  auto *function = unwrap<Function>(raw);
  const DataLayout &layout = function->getDataLayout();
  Type *wide = layout.getIndexType(function->getContext(), 0);
  DominatorTree dominators(*function);
  LoopInfo loops(dominators);
  AssumptionCache assumptions(*function);
  TargetLibraryInfoImpl libraries(function->getParent()->getTargetTriple());
  TargetLibraryInfo library(libraries, function);
  ScalarEvolution evolution(*function, library, assumptions, dominators, loops);
  SCEVExpander expander(evolution, "wide");
  // The wide counter starts where the narrow one does.
  expander.disableCanonicalMode();
  SmallVector<WeakTrackingVH, 16> dead;
  // Inner loops first, and of neighbours the one that runs first: how often a loop runs is asked of all loops in front of it, and
  // where those are not known yet each of them asks those in front of itself.
  auto ordered = loops.getLoopsInReverseSiblingPreorder();
  ArrayRef<Loop *> first = ArrayRef<Loop *>(ordered).take_back(mostLoops);
  for (Loop *loop : reverse(first)) {
    if (!loop->isLoopSimplifyForm())
      continue;
    SmallVector<PHINode *, 4> counters;
    for (PHINode &phi : loop->getHeader()->phis())
      if (phi.getType()->isIntegerTy() && phi.getType()->getPrimitiveSizeInBits() < wide->getPrimitiveSizeInBits())
        counters.push_back(&phi);
    for (PHINode *counter : counters) {
      std::optional<WideIVInfo> info = readExtension(*counter, *loop, wide);
      unsigned removed = 0, widened = 0;
      if (info)
        createWideIV(*info, &loops, &evolution, expander, &dominators, dead, removed, widened, false, true);
    }
  }
  expander.clear();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

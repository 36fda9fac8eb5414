// Sums of adjoints that LLVM has put into registers itself.
//
// Where a loop adds to one cell that is known to be apart from all others, the cell becomes a register before the
// vectoriser comes, and the store that told of a sum stands behind the loop. The additions tell it, too: nobody said in
// which order adjoints are added up. A sum that the primal adds to as well keeps its order.
#include "promoted.h"
#include "shim.h"

#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

#include "sums.h"

using namespace llvm;

namespace {

constexpr const char *AdditionMark = "backsweep.addition";

} // namespace

void bs_shim_mark_sum(LLVMValueRef store) {
  auto *inst = unwrap<Instruction>(store);
  auto *mark = MDNode::get(inst->getContext(), {});
  inst->setMetadata(SumMark, mark);
  if (auto *addition = dyn_cast<BinaryOperator>(inst->getOperand(0)))
    addition->setMetadata(AdditionMark, mark);
}

bool isAddition(const Instruction &inst) { return inst.hasMetadata(AdditionMark); }

bool freePromoted(Loop &loop) {
  // What has several ways in, or back, is no reduction, and nobody may ask of it.
  if (!loop.getLoopPreheader() || !loop.getLoopLatch())
    return false;
  bool changed = false;
  for (PHINode &phi : loop.getHeader()->phis()) {
    RecurrenceDescriptor found;
    if (!phi.getType()->isFloatingPointTy() || !RecurrenceDescriptor::isReductionPHI(&phi, &loop, found))
      continue;
    SmallVector<Instruction *, 4> additions = found.getReductionOpChain(&phi, &loop);
    if (additions.empty() || !all_of(additions, [](Instruction *addition) { return isAddition(*addition); }))
      continue;
    for (Instruction *addition : additions)
      addition->setHasAllowReassoc(true);
    changed = true;
  }
  return changed;
}

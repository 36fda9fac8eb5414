// A loop of a derivative that takes the adjoints of a row leaves zeros there: the store that does it, if there is one, and if
// nothing else in the loop touches that row.
#include "cleared.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

// Whether nothing but the load in front of it touches what a store of zeros clears.
bool isAlone(const LoopFacts &facts, StoreInst &zero) {
  bool taken = false;
  Value *cleared = zero.getPointerOperand();
  for (BasicBlock *block : facts.loop.blocks())
    for (Instruction &inst : *block) {
      // The sums are apart from everything else.
      if (&inst == &zero || !inst.mayReadOrWriteMemory() || facts.sums.contains(&inst))
        continue;
      Value *other = getLoadStorePointerOperand(&inst);
      if (!other)
        return false;
      auto *load = dyn_cast<LoadInst>(&inst);
      bool takes = load && load->isSimple() && other == cleared && load->getParent() == zero.getParent() &&
                   load->comesBefore(&zero) && load->getType() == zero.getValueOperand()->getType();
      taken |= takes;
      bool apart = takes || facts.tested.contains({other, cleared}) ||
                   facts.aliases.isNoAlias(MemoryLocation::getBeforeOrAfter(other),
                                           MemoryLocation::getBeforeOrAfter(cleared));
      if (!apart)
        return false;
    }
  return taken;
}

} // namespace

StoreInst *findZeros(const LoopFacts &facts, const DominatorTree &dominators) {
  StoreInst *zero = nullptr;
  for (BasicBlock *block : facts.loop.blocks())
    for (Instruction &inst : *block) {
      auto *store = dyn_cast<StoreInst>(&inst);
      auto *number = store ? dyn_cast<ConstantFP>(store->getValueOperand()) : nullptr;
      if (!number || !number->getValue().isPosZero())
        continue;
      if (zero || !store->isSimple() || !dominators.dominates(block, facts.loop.getLoopLatch()))
        return nullptr;
      zero = store;
    }
  return zero && isAlone(facts, *zero) ? zero : nullptr;
}

// What is stored in one of several slots, chosen by where control came from, is stored where it came from.
//
// Optimisers merge the ends of branches that store to slots of their own: one store behind a phi of slots. Nobody can turn
// such slots into values any more, so what else was ever stored in them seems to be kept: the address of an array, say, beside
// the number of an error. Stores in front of the merge say the same, and the slots are gone.

#include "shim.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

static bool isChosenSlot(const PHINode &phi) {
  return phi.getType()->isPointerTy() && all_of(phi.incoming_values(), [](const Use &slot) { return isa<AllocaInst>(slot); });
}

// Whether what the store needs, and what it comes behind, are as they are at the end of each way into the block.
static bool comesFirst(const StoreInst &store) {
  const BasicBlock *block = store.getParent();
  for (const Instruction &inst : *block) {
    if (&inst == &store)
      break;
    if (inst.mayReadOrWriteMemory() || inst.mayHaveSideEffects())
      return false;
  }
  auto *value = dyn_cast<Instruction>(store.getValueOperand());
  return store.isSimple() && (!value || value->getParent() != block || isa<PHINode>(value));
}

static bool isEnteredByBranches(const BasicBlock &block) {
  return all_of(predecessors(&block), [](const BasicBlock *from) { return isa<BranchInst, SwitchInst>(from->getTerminator()); });
}

static StoreInst *findStore(BasicBlock &block) {
  for (PHINode &phi : block.phis()) {
    if (!isChosenSlot(phi))
      continue;
    for (User *user : phi.users()) {
      auto *store = dyn_cast<StoreInst>(user);
      if (store && store->getParent() == &block && store->getPointerOperand() == &phi && comesFirst(*store))
        return store;
    }
  }
  return nullptr;
}

static void storeBefore(StoreInst *store) {
  BasicBlock *block = store->getParent();
  SmallVector<BasicBlock *, 4> ways(predecessors(block));
  sort(ways);
  ways.erase(llvm::unique(ways), ways.end());
  for (BasicBlock *way : ways) {
    // A switch may come by several of its cases, which then go through one block.
    BasicBlock *end = way->getSingleSuccessor() ? way : SplitBlockPredecessors(block, {way}, ".stored");
    auto *moved = cast<StoreInst>(store->clone());
    for (Use &operand : moved->operands())
      operand.set(operand->DoPHITranslation(block, end));
    moved->insertBefore(end->getTerminator()->getIterator());
  }
  store->eraseFromParent();
}

bool bs_shim_store_early(LLVMValueRef raw) {
  bool changed = false;
  for (BasicBlock &block : make_early_inc_range(*unwrap<Function>(raw))) {
    if (!isEnteredByBranches(block))
      continue;
    while (StoreInst *store = findStore(block)) {
      storeBefore(store);
      changed = true;
    }
  }
  return changed;
}

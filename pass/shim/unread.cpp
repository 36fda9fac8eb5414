// Slots that are filled and never read.
//
// A record is often copied whole of which one member is used. Once slots are taken apart by what is read of them, nobody reads what is
// left of the copy, and what it moves, texts beside their padding as well, need not be told.

#include "shim.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

// All that fills a slot, and what leads there. Nothing where anything else uses it.
static SmallVector<Instruction *, 16> fillersOf(AllocaInst &slot) {
  SmallVector<Instruction *, 16> found{&slot};
  for (size_t at = 0; at < found.size(); ++at) {
    for (Use &use : found[at]->uses()) {
      auto *user = cast<Instruction>(use.getUser());
      auto *store = dyn_cast<StoreInst>(user);
      auto *filled = dyn_cast<MemIntrinsic>(user);
      bool stores = store && !store->isVolatile() && use.getOperandNo() == StoreInst::getPointerOperandIndex();
      bool fills = filled && !filled->isVolatile() && use.getOperandNo() == 0;
      if (!stores && !fills && !isa<GetElementPtrInst>(user) && !user->isLifetimeStartOrEnd())
        return {};
      if (!is_contained(found, user))
        found.push_back(user);
    }
  }
  return found;
}

bool bs_shim_drop_unread(LLVMValueRef raw) {
  SmallVector<AllocaInst *, 16> slots;
  for (Instruction &inst : instructions(*unwrap<Function>(raw)))
    if (auto *slot = dyn_cast<AllocaInst>(&inst))
      slots.push_back(slot);
  bool dropped = false;
  for (AllocaInst *slot : slots) {
    SmallVector<Instruction *, 16> fillers = fillersOf(*slot);
    dropped |= !fillers.empty();
    // What uses another comes behind it.
    for (Instruction *filler : reverse(fillers))
      filler->eraseFromParent();
  }
  return dropped;
}

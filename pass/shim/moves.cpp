// Integers that are loaded and stored, and nothing else, as copies of bytes; addresses and floats that are stored as integers, as what they are.
//
// Optimisers move eight bytes as an integer whatever they are, and nobody who looks at such an integer knows. A copy promises no
// more than that it moves bytes, so it can be judged by the memory it goes from and to. Nothing but how bytes are moved is decided
// here: no value changes.

#include "shim.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

// The stores of what was loaded, if nothing else is done with it.
static SmallVector<StoreInst *> storesOf(LoadInst *load) {
  SmallVector<StoreInst *> stores;
  for (User *user : load->users()) {
    auto *store = dyn_cast<StoreInst>(user);
    if (!store || store->getPointerOperand() == load || !store->isSimple())
      return {};
    stores.push_back(store);
  }
  return stores;
}

static bool isWhole(LoadInst *load) {
  Type *type = load->getType();
  const DataLayout &layout = load->getDataLayout();
  return load->isSimple() && !isa<ScalableVectorType>(type) &&
         layout.getTypeSizeInBits(type) == layout.getTypeStoreSizeInBits(type);
}

static bool isMovedAsInteger(LoadInst *load) { return load->getType()->isIntOrIntVectorTy() && isWhole(load); }

// Doubles and pointers that lie at one place at different times, as in a variant, are moved as either by who knows which it is. What
// comes from arguments is what the user says it is.
static bool isMovedAsItself(LoadInst *load) {
  bool word = load->getType()->isDoubleTy() || load->getType()->isPointerTy();
  return word && isWhole(load) && !isa<Argument>(getUnderlyingObject(load->getPointerOperand()));
}

// Whether the memory that was read may be written to before the store comes, which stands behind the load.
static bool isWrittenBetween(LoadInst *load, StoreInst *store) {
  if (load->getParent() != store->getParent())
    return true;
  for (Instruction *next = load->getNextNode(); next && next != store; next = next->getNextNode())
    if (next->mayWriteToMemory())
      return true;
  return false;
}

static void copyBytes(Instruction *before, Value *to, Align toAlign, Value *from, Align fromAlign, uint64_t bytes) {
  IRBuilder<> builder(before);
  builder.CreateMemMove(to, toAlign, from, fromAlign, bytes);
}

// What is stored more than once, or later, waits in a slot.
static void copyThroughSlot(LoadInst *load, ArrayRef<StoreInst *> stores, uint64_t bytes) {
  IRBuilder<> entry(&*load->getFunction()->getEntryBlock().getFirstInsertionPt());
  auto *slot = entry.CreateAlloca(ArrayType::get(entry.getInt8Ty(), bytes));
  slot->setAlignment(Align(16));
  copyBytes(load, slot, Align(16), load->getPointerOperand(), load->getAlign(), bytes);
  for (StoreInst *store : stores)
    copyBytes(store, store->getPointerOperand(), store->getAlign(), slot, Align(16), bytes);
}

// A pointer or a float that is stored as an integer is stored as itself.
static bool storeAsThemselves(Function &function) {
  bool changed = false;
  for (Instruction &inst : instructions(function)) {
    auto *store = dyn_cast<StoreInst>(&inst);
    auto *cast = store && store->isSimple() ? dyn_cast<CastInst>(store->getValueOperand()) : nullptr;
    if (!cast || !(isa<PtrToIntInst>(cast) || (isa<BitCastInst>(cast) && cast->getSrcTy()->isFPOrFPVectorTy())))
      continue;
    const DataLayout &layout = function.getDataLayout();
    if (layout.getTypeSizeInBits(cast->getSrcTy()) != layout.getTypeSizeInBits(cast->getDestTy()))
      continue;
    store->setOperand(0, cast->getOperand(0));
    store->setMetadata(LLVMContext::MD_tbaa, nullptr);
    changed = true;
  }
  return changed;
}

bool bs_shim_move_as_bytes(LLVMValueRef functionRef, bool integers, bool everything) {
  auto *function = unwrap<Function>(functionRef);
  bool stored = storeAsThemselves(*function);
  if (!integers)
    return stored;
  SmallVector<LoadInst *> loads;
  for (Instruction &inst : instructions(*function))
    if (auto *load = dyn_cast<LoadInst>(&inst); load && !storesOf(load).empty())
      if (isMovedAsInteger(load) || (everything && isMovedAsItself(load)))
        loads.push_back(load);
  for (LoadInst *load : loads) {
    SmallVector<StoreInst *> stores = storesOf(load);
    uint64_t bytes = load->getDataLayout().getTypeStoreSize(load->getType());
    if (stores.size() == 1 && !isWrittenBetween(load, stores[0]))
      copyBytes(stores[0], stores[0]->getPointerOperand(), stores[0]->getAlign(), load->getPointerOperand(), load->getAlign(), bytes);
    else
      copyThroughSlot(load, stores, bytes);
    for (StoreInst *store : stores)
      store->eraseFromParent();
    load->eraseFromParent();
  }
  return stored || !loads.empty();
}

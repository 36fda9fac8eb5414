// Addresses that were carried or kept as integers, as the pointers they are.

#include "shim.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace {

// Whether all that is done with an integer is what one does with an address. Whoever takes its bits for those of a float, or for parts
// of something, may know better what it is.
bool isUsedAsAddress(const Value &integer, SmallPtrSetImpl<const Value *> &seen) {
  if (!seen.insert(&integer).second)
    return true;
  return all_of(integer.users(), [&](const User *user) {
    if (isa<PHINode, SelectInst>(user))
      return isUsedAsAddress(*user, seen);
    auto *count = dyn_cast<BinaryOperator>(user);
    return isa<IntToPtrInst, ICmpInst, StoreInst>(user) || (count && count->getOpcode() == Instruction::Sub);
  });
}

bool isLoadedAddress(const Value *integer) {
  auto *load = dyn_cast<LoadInst>(integer);
  SmallPtrSet<const Value *, 8> seen;
  return load && load->isSimple() && load->getType()->isIntegerTy(load->getDataLayout().getPointerSizeInBits()) &&
         isUsedAsAddress(*load, seen);
}

// Reads the pointer, of which the integer is the address.
Value *readPointer(LoadInst *load, PointerType *type) {
  IRBuilder<> builder(load);
  LoadInst *pointer = builder.CreateAlignedLoad(type, load->getPointerOperand(), load->getAlign());
  load->replaceAllUsesWith(builder.CreatePtrToInt(pointer, load->getType()));
  load->eraseFromParent();
  return pointer;
}

// An integer that is only joined, and of which every source is the address of something, or a constant.
class Carried {
 public:
  explicit Carried(PointerType *address) : address(address) {}

  // The pointer, made beside the integers; null where one of these is no address.
  Value *of(Value *integer) {
    MapVector<Value *, Value *> met;
    return collect(integer, met) ? pointer(integer, met) : nullptr;
  }

 private:
  PointerType *address;

  // Null for what is no source by itself.
  Value *source(Value *integer) const {
    if (auto *cast = dyn_cast<PtrToIntOperator>(integer))
      return cast->getPointerOperand()->getType() == address ? cast->getPointerOperand() : nullptr;
    if (isa<PoisonValue>(integer))
      return PoisonValue::get(address);
    if (isa<UndefValue>(integer))
      return UndefValue::get(address);
    if (auto *number = dyn_cast<ConstantInt>(integer))
      return ConstantExpr::getIntToPtr(number, address);
    return nullptr;
  }

  bool collect(Value *integer, MapVector<Value *, Value *> &met) const {
    if (source(integer) || isLoadedAddress(integer) || met.contains(integer))
      return true;
    bool joins = isa<PHINode, SelectInst>(integer);
    if (!joins)
      return false;
    met.insert({integer, nullptr});
    auto *inst = cast<Instruction>(integer);
    for (unsigned at = isa<SelectInst>(inst) ? 1 : 0; at < inst->getNumOperands(); at++)
      if (!collect(inst->getOperand(at), met))
        return false;
    return true;
  }

  Value *pointer(Value *integer, MapVector<Value *, Value *> &met) const {
    if (Value *known = source(integer))
      return known;
    if (auto *load = dyn_cast<LoadInst>(integer))
      return readPointer(load, address);
    Value *&made = met[integer];
    if (made)
      return made;
    IRBuilder<> builder(cast<Instruction>(integer));
    if (auto *select = dyn_cast<SelectInst>(integer)) {
      Value *yes = pointer(select->getTrueValue(), met), *no = pointer(select->getFalseValue(), met);
      return met[integer] = builder.CreateSelect(select->getCondition(), yes, no);
    }
    auto *phi = cast<PHINode>(integer);
    PHINode *joined = builder.CreatePHI(address, phi->getNumIncomingValues());
    made = joined;
    for (unsigned at = 0; at < phi->getNumIncomingValues(); at++)
      joined->addIncoming(pointer(phi->getIncomingValue(at), met), phi->getIncomingBlock(at));
    return joined;
  }
};

bool takesWholeAddress(const IntToPtrInst &cast) {
  const DataLayout &layout = cast.getDataLayout();
  return cast.getType()->isPointerTy() && layout.getPointerTypeSizeInBits(cast.getType()) == cast.getSrcTy()->getIntegerBitWidth();
}

// Whether an integer is as wide as an address, and joined from at least one address where it stands.
bool joinsAddresses(const Value *integer, const DataLayout &layout, SmallPtrSetImpl<const Value *> &seen) {
  if (!integer->getType()->isIntegerTy(layout.getPointerSizeInBits()) || !seen.insert(integer).second)
    return false;
  if (isa<PtrToIntOperator>(integer))
    return true;
  if (auto *select = dyn_cast<SelectInst>(integer))
    return joinsAddresses(select->getTrueValue(), layout, seen) || joinsAddresses(select->getFalseValue(), layout, seen);
  auto *phi = dyn_cast<PHINode>(integer);
  return phi && any_of(phi->incoming_values(), [&](const Use &use) { return joinsAddresses(use, layout, seen); });
}

bool keepsAddress(const StoreInst &store) {
  SmallPtrSet<const Value *, 8> seen;
  return store.isSimple() && joinsAddresses(store.getValueOperand(), store.getDataLayout(), seen);
}

}  // namespace

bool bs_shim_has_numbered_addresses(LLVMValueRef raw) {
  for (const Instruction &inst : instructions(*unwrap<Function>(raw)))
    if (isa<IntToPtrInst>(inst) || (isa<StoreInst>(inst) && keepsAddress(cast<StoreInst>(inst))))
      return true;
  return false;
}

void bs_shim_follow_addresses(LLVMValueRef raw) {
  SmallVector<IntToPtrInst *, 8> casts;
  for (Instruction &inst : instructions(*unwrap<Function>(raw)))
    if (auto *cast = dyn_cast<IntToPtrInst>(&inst); cast && takesWholeAddress(*cast))
      casts.push_back(cast);
  for (IntToPtrInst *cast : casts)
    if (Value *pointer = Carried(llvm::cast<PointerType>(cast->getType())).of(cast->getOperand(0))) {
      cast->replaceAllUsesWith(pointer);
      cast->eraseFromParent();
    }
  // An optimiser joins addresses that are also subtracted as integers, and so it keeps them.
  for (Instruction &inst : instructions(*unwrap<Function>(raw))) {
    auto *store = dyn_cast<StoreInst>(&inst);
    if (!store || !keepsAddress(*store))
      continue;
    if (Value *pointer = Carried(PointerType::get(store->getContext(), 0)).of(store->getValueOperand()))
      store->setOperand(0, pointer);
  }
}

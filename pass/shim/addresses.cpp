// Addresses that were carried as integers, as the pointers they are.

#include "shim.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace {

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
    if (source(integer) || met.contains(integer))
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

}  // namespace

bool bs_shim_has_numbered_addresses(LLVMValueRef raw) {
  for (const Instruction &inst : instructions(*unwrap<Function>(raw)))
    if (isa<IntToPtrInst>(inst))
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
}

// Numbers in descriptors of Fortran arrays, as flang says where it was asked to optimise: how long an array is in each dimension
// and how far its elements lie apart.
//
// What flang reads from a descriptor or writes to one it names a descriptor's member, apart from all data. By the name alone it
// may be the address of the array, which is no number; that may be moved as an integer, and nobody computes with it then.

#include "shim.h"
#include "record.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;
using namespace backsweep;

static StringRef nameOf(const MDNode *type) {
  auto *name = type && type->getNumOperands() > 0 ? dyn_cast_or_null<MDString>(type->getOperand(0)) : nullptr;
  return name ? name->getString() : StringRef();
}

static const MDNode *parentOf(const MDNode *type) {
  return type && type->getNumOperands() > 1 ? dyn_cast_or_null<MDNode>(type->getOperand(1)) : nullptr;
}

// A type that a program defines has another root, whatever it is called.
bool backsweep::isOfDescriptor(const Instruction &access) {
  const MDNode *tag = access.getMetadata(LLVMContext::MD_tbaa);
  const MDNode *type = parentOf(tag);
  if (nameOf(type) != "descriptor member")
    return false;
  const MDNode *root = type;
  while (const MDNode *parent = parentOf(root))
    root = parent;
  return nameOf(root).starts_with("Flang function root");
}

// Whether somebody does with an integer what nobody does with an address that is moved as one: to compare it for equality, or
// with null, and to hand it on tell nothing.
static bool isComputedWith(const Instruction &loaded) {
  SmallPtrSet<const Value *, 8> seen;
  SmallVector<const Value *, 8> waiting{&loaded};
  while (!waiting.empty()) {
    const Value *value = waiting.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (const Use &use : value->uses()) {
      const User *user = use.getUser();
      if (isa<PHINode, FreezeInst>(user) || (isa<SelectInst>(user) && use.getOperandNo() > 0))
        waiting.push_back(user);
      else if (auto *compared = dyn_cast<ICmpInst>(user); compared && compared->isSigned())
        return true;
      else if (auto *step = dyn_cast<GetElementPtrInst>(user); step && use.getOperandNo() > 0)
        return true;
      else if (isa<MinMaxIntrinsic>(user) || isa<TruncInst>(user))
        return true;
      else if (auto *made = dyn_cast<BinaryOperator>(user);
               made && is_contained({Instruction::Mul, Instruction::Shl, Instruction::SDiv, Instruction::LShr}, made->getOpcode()))
        return true;
    }
  }
  return false;
}

// What is written there: a number that stands in the program, or one that is computed and is no address.
static bool isNumber(const Value *written) {
  if (isa<ConstantInt>(written))
    return true;
  auto *made = dyn_cast<BinaryOperator>(written);
  bool ofAddress = made && any_of(made->operands(), [](const Value *x) { return isa<PtrToIntOperator>(x); });
  return (made && !ofAddress) || isa<MinMaxIntrinsic, SExtInst, ZExtInst, TruncInst>(written);
}

bool backsweep::isNumberOfDescriptor(const Instruction &access) {
  auto *type = dyn_cast<IntegerType>(getLoadStoreType(&access));
  if (!type || !isOfDescriptor(access))
    return false;
  // Rank, type and the like: no address fits there.
  if (type->getBitWidth() < 64)
    return true;
  auto *store = dyn_cast<StoreInst>(&access);
  return store ? isNumber(store->getValueOperand()) : isComputedWith(access);
}

// Reads or writes one lane after the other, each said to be what the whole was.
static void partLanes(Instruction &access) {
  auto *type = cast<FixedVectorType>(getLoadStoreType(&access));
  const DataLayout &layout = access.getModule()->getDataLayout();
  uint64_t bytes = layout.getTypeStoreSize(type->getElementType());
  MDNode *tag = access.getMetadata(LLVMContext::MD_tbaa);
  auto *store = dyn_cast<StoreInst>(&access);
  Align align = getLoadStoreAlignment(&access);
  IRBuilder<> builder(&access);
  Value *whole = PoisonValue::get(type);
  for (unsigned lane = 0; lane < type->getNumElements(); lane++) {
    Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), getLoadStorePointerOperand(&access), lane * bytes);
    Align at = commonAlignment(align, lane * bytes);
    Instruction *part;
    if (store) {
      part = builder.CreateAlignedStore(builder.CreateExtractElement(store->getValueOperand(), lane), place, at);
    } else {
      part = builder.CreateAlignedLoad(type->getElementType(), place, at);
      whole = builder.CreateInsertElement(whole, part, lane);
    }
    part->setMetadata(LLVMContext::MD_tbaa, tag);
  }
  if (!store)
    access.replaceAllUsesWith(whole);
  access.eraseFromParent();
}

// How long and how far apart are two numbers that lie side by side, and optimisers move them as one vector. The descriptor then
// stays in memory where its members would be values, and what is joined of two numbers is nobody's number.
void bs_shim_part_dimensions(LLVMValueRef function) {
  SmallVector<Instruction *> found;
  for (Instruction &inst : instructions(*unwrap<Function>(function))) {
    auto *type = getLoadStorePointerOperand(&inst) ? dyn_cast<FixedVectorType>(getLoadStoreType(&inst)) : nullptr;
    bool whole = type && (type->getElementType()->isIntegerTy(64) || type->getElementType()->isIntegerTy(32));
    if (whole && !inst.isVolatile() && !inst.isAtomic() && isOfDescriptor(inst))
      found.push_back(&inst);
  }
  for (Instruction *inst : found)
    partLanes(*inst);
}

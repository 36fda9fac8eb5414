// Numbers in descriptors of Fortran arrays, as flang says where it was asked to optimise: how long an array is in each dimension
// and how far its elements lie apart.
//
// What flang reads from a descriptor or writes to one it names a descriptor's member, apart from all data. By the name alone it
// may be the address of the array, which is no number; that may be moved as an integer, and nobody computes with it then.

#include "shim.h"
#include "record.h"

#include <llvm/ADT/SetVector.h>
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
static bool isOfFlang(const Instruction &access) {
  const MDNode *root = access.getMetadata(LLVMContext::MD_tbaa);
  while (const MDNode *parent = parentOf(root))
    root = parent;
  return nameOf(root).starts_with("Flang function root");
}

bool backsweep::isOfDescriptor(const Instruction &access) {
  return nameOf(parentOf(access.getMetadata(LLVMContext::MD_tbaa))) == "descriptor member" && isOfFlang(access);
}

// Fortran has no unions of numbers and pointers: who steps to a float stays in an array of them.
bool backsweep::isDataOfFortran(const Instruction &access) { return isOfFlang(access) && !isOfDescriptor(access); }

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

// So many addresses with the same beginning are looked at.
static constexpr unsigned MostAddresses = 512;

// Whether an address in a descriptor is read or written, so far behind a pointer.
static bool hasAddressAt(const Value *base, int64_t offset, const DataLayout &layout) {
  SmallVector<std::pair<const Value *, int64_t>, 16> waiting{{base, 0}};
  for (unsigned seen = 0; !waiting.empty() && seen < MostAddresses; seen++) {
    auto [place, at] = waiting.pop_back_val();
    for (const User *user : place->users()) {
      auto *step = dyn_cast<GEPOperator>(user);
      APInt bytes(64, 0);
      if (step && step->getPointerOperand() == place && step->accumulateConstantOffset(layout, bytes) &&
          waiting.size() < MostAddresses)
        waiting.push_back({step, at + bytes.getSExtValue()});
      auto *access = at == offset ? dyn_cast<Instruction>(user) : nullptr;
      if (access && getLoadStorePointerOperand(access) == place && getLoadStoreType(access)->isPointerTy() && isOfDescriptor(*access))
        return true;
    }
  }
  return false;
}

// Whether what stands there follows an address in a descriptor: behind that of the data comes the length of an element, behind that of the
// description of a type the lengths of its parameters. No address follows another.
static bool followsAddress(const Instruction &access) {
  const DataLayout &layout = access.getModule()->getDataLayout();
  APInt offset(64, 0);
  const Value *base = getLoadStorePointerOperand(&access)->stripAndAccumulateConstantOffsets(layout, offset, true);
  return hasAddressAt(base, offset.getSExtValue() - layout.getPointerSize(), layout);
}

bool backsweep::isNumberOfDescriptor(const Instruction &access) {
  auto *type = dyn_cast<IntegerType>(getLoadStoreType(&access));
  if (!type || !isOfDescriptor(access))
    return false;
  // Rank, type and the like: no address fits there.
  if (type->getBitWidth() < 64)
    return true;
  auto *store = dyn_cast<StoreInst>(&access);
  return (store ? isNumber(store->getValueOperand()) : isComputedWith(access)) || followsAddress(access);
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

// What goes round a loop as one vector, where a pointer goes along a list, goes round lane by lane.
static void partLoopCarried(PHINode &whole) {
  auto *type = cast<FixedVectorType>(whole.getType());
  unsigned ways = whole.getNumIncomingValues();
  IRBuilder<> behind(whole.getParent(), whole.getParent()->getFirstInsertionPt());
  behind.SetCurrentDebugLocation(whole.getDebugLoc());
  Value *joined = PoisonValue::get(type);
  for (unsigned lane = 0; lane < type->getNumElements(); lane++) {
    PHINode *part = IRBuilder<>(&whole).CreatePHI(type->getElementType(), ways);
    for (unsigned way = 0; way < ways; way++) {
      BasicBlock *from = whole.getIncomingBlock(way);
      // One block may come here by several cases of a switch, all with the same value.
      int met = part->getBasicBlockIndex(from);
      Value *taken = met >= 0 ? part->getIncomingValue(met)
                              : IRBuilder<>(from->getTerminator()).CreateExtractElement(whole.getIncomingValue(way), lane);
      part->addIncoming(taken, from);
    }
    joined = behind.CreateInsertElement(joined, part, lane);
  }
  whole.replaceAllUsesWith(joined);
  whole.eraseFromParent();
}

// All phis through which a value comes, or to which it goes on.
static void addLoopCarried(Value *start, SetVector<PHINode *> &found) {
  SmallVector<Value *> waiting{start};
  while (!waiting.empty()) {
    Value *value = waiting.pop_back_val();
    auto *phi = dyn_cast<PHINode>(value);
    if (phi && !found.insert(phi))
      continue;
    if (phi)
      waiting.append(phi->value_op_begin(), phi->value_op_end());
    for (User *user : value->users())
      if (isa<PHINode>(user) && !isa<Constant>(value))
        waiting.push_back(user);
  }
}

// How long and how far apart are two numbers that lie side by side, and optimisers move them as one vector; rank, type and the like
// are four. The descriptor then stays in memory where its members would be values, and what is joined of several numbers is nobody's
// number.
void bs_shim_part_dimensions(LLVMValueRef function) {
  SmallVector<Instruction *> found;
  SetVector<PHINode *> carried;
  for (Instruction &inst : instructions(*unwrap<Function>(function))) {
    auto *type = getLoadStorePointerOperand(&inst) ? dyn_cast<FixedVectorType>(getLoadStoreType(&inst)) : nullptr;
    bool whole = type && type->getElementType()->isIntegerTy() &&
                 is_contained({8u, 32u, 64u}, type->getElementType()->getIntegerBitWidth());
    if (!whole || inst.isVolatile() || inst.isAtomic() || !isOfDescriptor(inst))
      continue;
    found.push_back(&inst);
    auto *store = dyn_cast<StoreInst>(&inst);
    addLoopCarried(store ? store->getValueOperand() : &inst, carried);
  }
  for (PHINode *phi : carried)
    partLoopCarried(*phi);
  for (Instruction *inst : found)
    partLanes(*inst);
}

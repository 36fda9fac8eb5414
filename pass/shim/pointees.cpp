// What types of the front end's a pointer is used with.
//
// A pointer has no type of its own, but who made it and who steps on from it says what it leads to: a slot, a global, an
// element of an array, a member of a struct. What comes together in a phi leads to one type in the program as well, so all
// of them are asked; so does what comes together in a slot, as in that of an iterator. Bytes say nothing. What is copied through
// pointers that are not aligned as a type has to be, as those to `void` are not, may hold anything, whoever else steps on from
// them. Who steps on from one where nothing is copied, as in the other arm of a branch, may do so because it is of another type
// there.
//
// A pointer that is a member of a struct leads to the same type wherever the program reads that member, so of an array behind it
// those are asked, too, who step through what other objects of the struct hold. One who steps from integer to integer there
// contradicts all others.

#include "record.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;
using namespace backsweep;

namespace {

// Values that are asked for one pointer.
constexpr size_t MostAsked = 64;

// From one element of an array to another.
bool steps(const GEPOperator &address) {
  return address.getNumIndices() == 1 && !address.getSourceElementType()->isIntegerTy(8);
}

class Pointees {
 public:
  // Types of which the pointer leads to one, or to a part of an array of them.
  SmallSetVector<Type *, 4> types;
  // Those that lie side by side there.
  SmallPtrSet<Type *, 4> elements;
  // Whether somebody steps from integer to integer there.
  bool counts = false;
  // Whether that is known from other objects' members.
  bool ofMembers = false;

  Pointees(Value *pointer, const Instruction &copy, MemberSteps *others = nullptr) : copy(copy), others(others) {
    meet(pointer);
    for (size_t at = 0; at < met.size() && at < MostAsked; at++)
      ask(met[at]);
  }

 private:
  const Instruction &copy;
  // What members of other objects tell, where they are asked, too.
  MemberSteps *others;
  SmallSetVector<Value *, 8> met;

  void meet(Value *value) { met.insert(value); }

  void add(Type *type, bool element) {
    while (auto *array = dyn_cast_or_null<ArrayType>(type))
      type = array->getElementType(), element = true;
    auto *structure = dyn_cast_or_null<StructType>(type);
    // Types without a name are made up to pass a struct in registers, and integers may be the bits of anything.
    if (!type || !type->isSized() || (structure && structure->isLiteral()))
      return;
    if (type->isIntegerTy()) {
      counts |= !type->isIntegerTy(8);
      return;
    }
    types.insert(type);
    if (element)
      elements.insert(type);
  }

  void ask(Value *value) {
    askMaker(value);
    for (User *user : value->users()) {
      auto *address = dyn_cast<GEPOperator>(user);
      if (address && address->getPointerOperand() == value && isTogether(*user)) {
        add(address->getSourceElementType(), address->getNumIndices() == 1);
        if (steps(*address))
          meet(address);
      }
      if (isa<PHINode>(user) || isa<SelectInst>(user))
        meet(user);
    }
  }

  void askMaker(Value *value) {
    if (auto *slot = dyn_cast<AllocaInst>(value))
      add(slot->getAllocatedType(), false);
    else if (auto *global = dyn_cast<GlobalVariable>(value))
      add(global->getValueType(), false);
    else if (auto *argument = dyn_cast<Argument>(value))
      add(argument->hasByValAttr() ? argument->getParamByValType() : argument->getParamStructRetType(), false);
    else if (auto *phi = dyn_cast<PHINode>(value))
      for (Value *incoming : phi->incoming_values())
        meet(incoming);
    else if (auto *select = dyn_cast<SelectInst>(value))
      meet(select->getTrueValue()), meet(select->getFalseValue());
    else if (auto *load = dyn_cast<LoadInst>(value)) {
      meetStored(dyn_cast<AllocaInst>(load->getPointerOperand()->stripPointerCasts()));
      if (others)
        for (Type *element : others->of(*load)) {
          ofMembers = true;
          add(element, true);
        }
    }
    else if (auto *address = dyn_cast<GEPOperator>(value)) {
      add(address->getResultElementType(), address->getNumIndices() == 1);
      if (steps(*address))
        meet(address->getPointerOperand());
    }
  }

  // The pointers that are put at the beginning of a slot.
  void meetStored(Value *slot) {
    SmallVector<Value *, 4> names;
    if (slot)
      names.push_back(slot);
    while (!names.empty()) {
      Value *name = names.pop_back_val();
      for (User *user : name->users()) {
        auto *address = dyn_cast<GEPOperator>(user);
        if (address && address->hasAllZeroIndices())
          names.push_back(address);
        auto *store = dyn_cast<StoreInst>(user);
        if (store && store->getPointerOperand() == name && store->getValueOperand()->getType()->isPointerTy())
          meet(store->getValueOperand());
      }
    }
  }

  // Whether a use and the copy may be part of one run.
  bool isTogether(const User &user) const {
    auto *use = dyn_cast<Instruction>(&user);
    return !use || isPotentiallyReachable(use, &copy) || isPotentiallyReachable(&copy, use);
  }
};

}  // namespace

// A step to a struct is one to its first member, too.
std::optional<MemberSteps::Key> MemberSteps::memberBehind(const Value *pointer) {
  Type *type = nullptr;
  Key member{nullptr, 0};
  if (auto *slot = dyn_cast<AllocaInst>(pointer))
    type = slot->getAllocatedType();
  if (auto *address = dyn_cast<GEPOperator>(pointer)) {
    type = address->getSourceElementType();
    for (Value *index : drop_begin(address->indices())) {
      auto *outer = dyn_cast<StructType>(type);
      member = {outer, outer ? cast<ConstantInt>(index)->getZExtValue() : 0};
      type = GetElementPtrInst::getTypeAtIndex(type, index);
    }
  }
  for (auto *outer = dyn_cast_or_null<StructType>(type); outer && outer->getNumElements() > 0; outer = dyn_cast<StructType>(type)) {
    member = {outer, 0};
    type = outer->getElementType(0);
  }
  bool declared = type && type->isPointerTy() && member.first && isOfFrontEnd(member.first);
  return declared ? std::optional(member) : std::nullopt;
}

void MemberSteps::read() {
  isRead = true;
  for (const Function &function : module)
    for (const Instruction &inst : instructions(function)) {
      auto *address = dyn_cast<GEPOperator>(&inst);
      auto *load = address && steps(*address) ? dyn_cast<LoadInst>(address->getPointerOperand()) : nullptr;
      if (auto member = load && load->getType()->isPointerTy() ? memberBehind(load->getPointerOperand()) : std::nullopt)
        elements[*member].insert(address->getSourceElementType());
    }
}

ArrayRef<Type *> MemberSteps::of(const LoadInst &load) {
  auto member = memberBehind(load.getPointerOperand());
  if (!member)
    return {};
  if (!isRead)
    read();
  auto found = elements.find(*member);
  return found == elements.end() ? ArrayRef<Type *>() : found->second.getArrayRef();
}

Stretch::Stretch(const MemIntrinsic &whole, uint64_t bytes)
    : copy(whole), bytes(bytes), align(whole.getDestAlign().valueOrOne()) {
  if (auto *moved = dyn_cast<MemTransferInst>(&whole))
    align = std::min(align, moved->getSourceAlign().valueOrOne());
}

// What types lay out in so many bytes, where they agree: one of them, or several side by side.
static std::optional<Record> layOut(ArrayRef<Type *> types, const Stretch &stretch, LLVMContext &context,
                                    const DataLayout &layout) {
  uint64_t bytes = stretch.bytes;
  Record agreed(context, layout);
  for (Type *type : types) {
    uint64_t size = layout.getTypeAllocSize(type).getFixedValue();
    Record laid(context, layout);
    bool known = size > 0 && (size >= bytes || bytes % size == 0) && layout.getABITypeAlign(type) <= stretch.align;
    for (uint64_t at = 0; known && at < bytes && laid.members.size() <= MostMembers; at += size)
      known = laid.takeType(type, at);
    if (!known || !laid.endAt(bytes) || (!agreed.members.empty() && agreed.members != laid.members))
      return std::nullopt;
    agreed = laid;
  }
  return agreed;
}

// What lies from a member of a struct on, where it is no struct itself: members that are copied together.
static std::optional<Record> layOutFrom(const GEPOperator &address, const Stretch &stretch, const DataLayout &layout) {
  Record laid(address.getContext(), layout);
  auto *outer = dyn_cast<StructType>(address.getSourceElementType());
  auto *first = dyn_cast<ConstantInt>(address.getOperand(1));
  APInt offset(layout.getIndexTypeSizeInBits(address.getType()), 0);
  if (!outer || !isOfFrontEnd(outer) || !first || !first->isZero() || !address.accumulateConstantOffset(layout, offset) ||
      layout.getTypeAllocSize(outer).getFixedValue() < offset.getZExtValue() + stretch.bytes)
    return laid;
  bool known = laid.takeType(outer, 0) && laid.startAt(offset.getZExtValue()) && laid.endAt(stretch.bytes);
  bool aligned = all_of(laid.members, [&](const Member &member) {
    return !member.type || layout.getABITypeAlign(member.type) <= stretch.align;
  });
  return known && aligned ? std::optional(laid) : std::nullopt;
}

std::optional<Record> backsweep::recordBehind(Value *pointer, const Stretch &stretch, const DataLayout &layout) {
  Pointees pointees(pointer, stretch.copy);
  auto isLarge = [&](Type *type) { return layout.getTypeAllocSize(type).getFixedValue() >= stretch.bytes; };
  // Of a struct as large as what is moved others are parts. What is smaller tells of the whole only where it is stepped
  // through: it may be the base of a class, or the first of several members.
  SmallVector<Type *, 4> types;
  bool large = any_of(pointees.types, isLarge);
  copy_if(pointees.types, std::back_inserter(types),
          [&](Type *type) { return isLarge(type) || (!large && pointees.elements.contains(type)); });
  if (auto *address = dyn_cast<GEPOperator>(pointer); address && types.empty() && address->getNumIndices() > 1)
    return layOutFrom(*address, stretch, layout);
  if (pointees.counts && types.empty())
    return std::nullopt;
  return layOut(types, stretch, pointer->getContext(), layout);
}

bool backsweep::countsBehind(Value *pointer, const Instruction &fill, MemberSteps &others) {
  Pointees pointees(pointer, fill, &others);
  return pointees.counts && pointees.types.empty();
}

std::optional<Record> backsweep::elementsBehind(Value *pointer, const Stretch &stretch, const DataLayout &layout,
                                                MemberSteps &others) {
  Pointees pointees(pointer, stretch.copy, &others);
  // A struct around an array is no element of it.
  SmallVector<Type *, 4> types;
  copy_if(pointees.types, std::back_inserter(types), [&](Type *type) {
    uint64_t size = layout.getTypeAllocSize(type).getFixedValue();
    return size > 0 && stretch.bytes % size == 0 && pointees.elements.contains(type);
  });
  if (pointees.counts && (types.empty() || pointees.ofMembers))
    return std::nullopt;
  return layOut(types, stretch, pointer->getContext(), layout);
}

// Copies of structs as copies of their members, as far as the front end says what these are.
//
// It says so in two ways: `!tbaa.struct` on the copy, and the type of the slot or element that is copied. Both tell padding,
// which nobody may read; what remains are loads and stores of scalars, of which analyses can tell more than of bytes. A member
// that is an integer is marked as one. Unions and arrays of characters may hold anything: they stay copies of bytes.

#include "classes.h"
#include "fields.h"
#include "shim.h"
#include "record.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;
using namespace backsweep;

namespace {

// More floats of one kind, side by side, are copied as they are.
constexpr size_t MostFloats = 8;

// What we call the type of a member that is declared to be an integer, where the front end names none.
constexpr char IntegerMember[] = "backsweep integer";

// And that of whatever the program touches as an integer, of which it is one.
constexpr char TouchedInteger[] = "backsweep touched integer";

// The mark of an access of a member that is declared to be a float or a pointer.
constexpr char OtherMember[] = "backsweep.member";

// The mark of one that is declared to be a pointer, and was stepped to in its struct or copied as a part of it, and of a float in
// an array that was stepped to like this.
constexpr char SteppedTo[] = "backsweep.stepped";

// Whether a function touches memory as floats of another kind, or one that it calls.
bool takesOtherFloats(const Function &function, const Type *element, SmallPtrSetImpl<const Function *> &seen) {
  return seen.insert(&function).second && any_of(instructions(function), [&](const Instruction &inst) {
    if (auto *call = dyn_cast<CallBase>(&inst))
      return call->getCalledFunction() && takesOtherFloats(*call->getCalledFunction(), element, seen);
    const Type *touched = getLoadStorePointerOperand(&inst) ? getLoadStoreType(&inst)->getScalarType() : nullptr;
    return touched && touched->isFloatingPointTy() && touched != element;
  });
}

// Whether the memory behind a pointer is handed to such a function, or one may be behind a pointer to a function. What steps
// through the memory here says little then.
bool isHandedToOther(const Value *pointer, const Type *element) {
  const Value *memory = getUnderlyingObject(pointer);
  SmallPtrSet<const Function *, 8> seen;
  return any_of(memory->users(), [&](const User *user) {
    auto *call = dyn_cast<CallBase>(user);
    if (!call || !is_contained(call->args(), memory))
      return false;
    if (const Function *callee = call->getCalledFunction())
      return takesOtherFloats(*callee, element, seen);
    return call->isIndirectCall() && any_of(*call->getModule(), [&](const Function &function) {
      return function.hasAddressTaken() && takesOtherFloats(function, element, seen);
    });
  });
}

class Opener {
 public:
  Opener(MemTransferInst &copy, bool takesBits)
      : copy(copy), takesBits(takesBits), layout(copy.getDataLayout()), bytes(cast<ConstantInt>(copy.getLength())->getZExtValue()) {}

  bool open() {
    std::vector<Member> members = find();
    bool moves = isa<MemMoveInst>(copy);
    // A part that is copied by itself might change what another one reads.
    if (members.empty() || (moves && any_of(members, [](const Member &member) { return !member.type; })))
      return false;
    IRBuilder<> builder(&copy);
    copyMembers(builder, members, copy.getRawDest(), copy.getDestAlign().valueOrOne(), copy.getRawSource(),
                copy.getSourceAlign().valueOrOne());
    copy.eraseFromParent();
    return true;
  }

 private:
  MemTransferInst &copy;
  bool takesBits;
  const DataLayout &layout;
  uint64_t bytes;

  // Nothing where it is not told, and where the whole is as good.
  std::vector<Member> find() {
    Record listed(copy.getContext(), layout);
    MDNode *list = copy.getMetadata(LLVMContext::MD_tbaa_struct);
    bool isTold = list && listed.takeList(list) && listed.endAt(bytes);
    if (isTold && isTyped(listed))
      return worth(listed);
    // Clang's lists call complex numbers bytes. Their types do not.
    std::optional<Record> laid = findBehind();
    if (laid && !laid->members.empty() && (!isTold || isTyped(*laid)))
      return isDisputed(*laid) ? std::vector<Member>() : worth(*laid);
    return isTold ? worth(listed) : std::vector<Member>();
  }

  // What the types of both ends say; nothing where they differ. Bytes that may hold anything hold what the other end says, as the
  // storage in a node of a list or a map does.
  std::optional<Record> findBehind() {
    Record told(copy.getContext(), layout);
    for (Value *pointer : {copy.getRawDest(), copy.getRawSource()}) {
      std::optional<Record> laid = recordBehind(pointer, {copy, bytes}, layout);
      if (!laid)
        return std::nullopt;
      if (laid->members.empty() || (isTyped(told) && isAnything(*laid)))
        continue;
      if (!told.members.empty() && !(isTyped(*laid) && isAnything(told)) && told.members != laid->members)
        return std::nullopt;
      told = *laid;
    }
    return told;
  }

  // An array stays one copy where functions that are handed it may tell another kind of floats.
  bool isDisputed(const Record &laid) const {
    const Type *element = laid.members.front().type;
    if (laid.members.size() < 2 || !element || !element->isFloatingPointTy() || !laid.isPlain(bytes))
      return false;
    return isHandedToOther(copy.getRawDest(), element) || isHandedToOther(copy.getRawSource(), element);
  }

  static bool isTyped(const Record &record) {
    return !record.members.empty() && all_of(record.members, [](const Member &member) { return member.isTyped(); });
  }

  static bool isAnything(const Record &record) {
    return !record.members.empty() && none_of(record.members, [](const Member &member) { return member.isTyped(); });
  }

  std::vector<Member> worth(const Record &told) const {
    bool whole = told.isPlain(bytes) && (told.members.size() > MostFloats || !told.members.front().type);
    bool believed = !takesBits || !told.holdsPointers();
    return whole || !believed ? std::vector<Member>() : told.members;
  }
};

}  // namespace

// What a struct begins with, or itself where that is not told.
static const Type *firstMember(const StructType *type) {
  const Type *behind = type;
  for (auto *first = type; first && isOfFrontEnd(first) && first->isSized() && first->getNumElements() > 0;) {
    behind = first->getElementType(0);
    first = dyn_cast<StructType>(behind);
  }
  return behind;
}

// A member behind a pointer that steps into a struct, or to one and so to its first member.
static bool isMember(const Value *pointer, const Type *type) {
  auto *address = dyn_cast<GEPOperator>(pointer);
  auto *outer = address ? dyn_cast<StructType>(address->getSourceElementType()) : nullptr;
  if (!address)
    return false;
  Type *behind = address->getResultElementType();
  if (auto *first = dyn_cast<StructType>(behind))
    return firstMember(first) == type;
  return outer && isOfFrontEnd(outer) && address->getNumIndices() == 2 && behind == type;
}

static bool isInside(const MDNode *tag) { return tag->getNumOperands() > 2 && tag->getOperand(0) != tag->getOperand(1); }

void bs_shim_mark_integer(LLVMValueRef access) {
  auto *inst = unwrap<Instruction>(access);
  inst->setMetadata("backsweep.integer", MDNode::get(inst->getContext(), {}));
}

void bs_shim_mark_member(LLVMValueRef access) {
  auto *inst = unwrap<Instruction>(access);
  inst->setMetadata(OtherMember, MDNode::get(inst->getContext(), {}));
}

void bs_shim_mark_stepped(LLVMValueRef access) {
  auto *inst = unwrap<Instruction>(access);
  inst->setMetadata(SteppedTo, MDNode::get(inst->getContext(), {}));
}

static bool isOneOfSeveral(const Value *pointer) {
  auto *address = dyn_cast<GEPOperator>(pointer);
  auto *outer = address ? dyn_cast<StructType>(address->getSourceElementType()) : nullptr;
  return outer && outer->getNumElements() > 1;
}

bool bs_shim_is_other_member(LLVMValueRef access) {
  auto *inst = unwrap<Instruction>(access);
  const Value *pointer = getLoadStorePointerOperand(inst);
  const Type *type = pointer ? getLoadStoreType(inst) : nullptr;
  if (!type || !(type->isFloatingPointTy() || type->isPointerTy()) || inst->getMetadata("backsweep.misread"))
    return false;
  MDNode *tag = inst->getMetadata(LLVMContext::MD_tbaa);
  // Fortran has no unions, whatever its tags tell of places.
  bool named = tag && scalarName(tag) != "omnipotent char";
  // What has no type at all was made of a copy of bytes, which says nothing of what the bytes are.
  return !tag || named || inst->getMetadata(OtherMember) || isMember(pointer, type);
}

// An element of an array that is a member of a struct, by the types of the steps that lead there.
static bool isInMemberArray(const Value *pointer) {
  auto *element = dyn_cast<GEPOperator>(pointer);
  auto *member = element ? dyn_cast<GEPOperator>(element->getPointerOperand()) : nullptr;
  auto *outer = member ? dyn_cast<StructType>(member->getSourceElementType()) : nullptr;
  return outer && isOfFrontEnd(outer) && member->getNumIndices() == 2 && isa<ArrayType>(element->getSourceElementType()) &&
         element->getSourceElementType() == member->getResultElementType();
}

bool bs_shim_is_stepped_to(LLVMValueRef access) {
  auto *inst = unwrap<Instruction>(access);
  const Value *pointer = getLoadStorePointerOperand(inst);
  const Type *type = pointer ? getLoadStoreType(inst) : nullptr;
  if (!type || inst->getMetadata("backsweep.misread"))
    return false;
  if (inst->getMetadata(SteppedTo))
    return true;
  if (type->isFloatingPointTy())
    return isInMemberArray(pointer) || (isa<GEPOperator>(pointer) && isDataOfFortran(*inst));
  if (!type->isPointerTy())
    return false;
  MDNode *tag = inst->getMetadata(LLVMContext::MD_tbaa);
  bool told = tag && !tellsPlaceOnly(tag) &&
              (scalarName(tag) == SteppedTo || (isInside(tag) && scalarName(tag) != "omnipotent char"));
  return told || isMember(pointer, type);
}

bool bs_shim_is_integer_member(LLVMValueRef access) {
  auto *inst = unwrap<Instruction>(access);
  const Value *pointer = getLoadStorePointerOperand(inst);
  const Type *type = pointer ? getLoadStoreType(inst) : nullptr;
  // The address of an allocation in front of a place in it (headers.cpp).
  if (type && type->isPointerTy())
    return inst->getMetadata("backsweep.front");
  if (!type || !type->isIntegerTy())
    return false;
  if (inst->getMetadata("backsweep.integer") || isNumberOfDescriptor(*inst))
    return true;
  MDNode *tag = inst->getMetadata(LLVMContext::MD_tbaa);
  if (tag && !tellsPlaceOnly(tag) && scalarName(tag) != TouchedInteger) {
    if (scalarName(tag) == IntegerMember)
      return true;
    bool inside = isInside(tag);
    // A letter among other members is one, though letters may be parts of anything; so is an enumeration of one file.
    if (scalarName(tag) == "omnipotent char" && isOneOfSeveral(pointer))
      return isMember(pointer, type);
    if (bitsOfTag(tag, type->getIntegerBitWidth() / 8) != type->getIntegerBitWidth())
      return false;
    if (inside)
      return true;
  }
  return isMember(pointer, type);
}

// Where two accesses become one, LLVM keeps of what both say only what it knows, as a type. Accesses that say nothing of types
// may meet any other, whatever type these name.
static void nameType(Instruction &access, bool isMember) {
  if (access.hasMetadata(LLVMContext::MD_tbaa))
    return;
  MDBuilder builder(access.getContext());
  MDNode *type = builder.createTBAAScalarTypeNode(TouchedInteger, builder.createTBAARoot("backsweep"));
  if (isMember)
    type = builder.createTBAAScalarTypeNode(IntegerMember, type);
  access.setMetadata(LLVMContext::MD_tbaa, builder.createTBAAStructTagNode(type, type, 0));
}

static bool isAccess(const Instruction &inst) { return isa<LoadInst>(inst) || isa<StoreInst>(inst); }

// The same of pointers, which share no root with integers: either may be copied as the other.
static void namePointer(Instruction &access) {
  if (access.hasMetadata(LLVMContext::MD_tbaa) || !getLoadStoreType(&access)->isPointerTy())
    return;
  MDBuilder builder(access.getContext());
  MDNode *type = builder.createTBAAScalarTypeNode(SteppedTo, builder.createTBAARoot("backsweep pointers"));
  access.setMetadata(LLVMContext::MD_tbaa, builder.createTBAAStructTagNode(type, type, 0));
}

void bs_shim_mark_members(LLVMValueRef function, bool asWritten) {
  for (Instruction &inst : instructions(unwrap<Function>(function))) {
    if (auto *call = dyn_cast<CallBase>(&inst))
      describeCall(*call, asWritten);
    if (!isAccess(inst))
      continue;
    // Copies become accesses of members later, and addresses lose the types they were made with.
    nameField(inst);
    if (bs_shim_is_other_member(wrap(&inst)))
      inst.setMetadata(OtherMember, MDNode::get(inst.getContext(), {}));
    if (bs_shim_is_stepped_to(wrap(&inst))) {
      inst.setMetadata(SteppedTo, MDNode::get(inst.getContext(), {}));
      namePointer(inst);
    }
    bool member = bs_shim_is_integer_member(wrap(&inst));
    if (member)
      inst.setMetadata("backsweep.integer", MDNode::get(inst.getContext(), {}));
    // What optimisers have left without a type may be a copy of bytes.
    if (member || asWritten)
      nameType(inst, member);
  }
}

bool bs_shim_is_untyped(LLVMValueRef access) {
  auto *inst = unwrap<Instruction>(access);
  if (!isAccess(*inst) || !getLoadStoreType(inst)->isIntOrIntVectorTy())
    return false;
  MDNode *tag = inst->getMetadata(LLVMContext::MD_tbaa);
  return !inst->getMetadata("backsweep.integer") && (!tag || scalarName(tag) == "omnipotent char");
}

void bs_shim_share_marks(LLVMValueRef function) {
  DenseSet<std::pair<const Value *, const Type *>> members;
  auto place = [](Instruction &inst) { return std::pair(getLoadStorePointerOperand(&inst), getLoadStoreType(&inst)); };
  for (Instruction &inst : instructions(unwrap<Function>(function))) {
    if (isAccess(inst) && bs_shim_is_integer_member(wrap(&inst)))
      members.insert(place(inst));
    // Who steps from a pointer into a struct says what is behind that pointer itself, too.
    auto *step = dyn_cast<GetElementPtrInst>(&inst);
    if (auto *whole = step ? dyn_cast<StructType>(step->getSourceElementType()) : nullptr)
      members.insert({step->getPointerOperand(), firstMember(whole)});
  }
  for (Instruction &inst : instructions(unwrap<Function>(function)))
    if (isAccess(inst) && members.contains(place(inst)))
      inst.setMetadata("backsweep.integer", MDNode::get(inst.getContext(), {}));
}

bool bs_shim_open_copies(LLVMValueRef function, bool takesBits) {
  std::vector<MemTransferInst *> copies;
  for (Instruction &inst : instructions(unwrap<Function>(function))) {
    auto *copy = dyn_cast<MemTransferInst>(&inst);
    auto *length = copy ? dyn_cast<ConstantInt>(copy->getLength()) : nullptr;
    if (length && !copy->isVolatile() && length->getZExtValue() <= MostBytes)
      copies.push_back(copy);
  }
  bool opened = false;
  for (MemTransferInst *copy : copies)
    opened |= Opener(*copy, takesBits).open();
  // A member that was copied and the same member where it is read become one access, which keeps no mark of ours.
  for (Instruction &inst : instructions(unwrap<Function>(function))) {
    if (isAccess(inst) && inst.getMetadata("backsweep.integer"))
      nameType(inst, true);
    if (isAccess(inst) && inst.getMetadata(SteppedTo))
      namePointer(inst);
  }
  return opened;
}

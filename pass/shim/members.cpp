// Copies of structs as copies of their members, as far as the front end says what these are.
//
// It says so in two ways: `!tbaa.struct` on the copy, and the type of the slot or element that is copied. Both tell padding,
// which nobody may read; what remains are loads and stores of scalars, of which analyses can tell more than of bytes. A member
// that is an integer is marked as one. Unions and arrays of characters may hold anything: they stay copies of bytes.

#include "shim.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace {

// Larger structs are copied as they are, and so are longer arrays in them.
constexpr uint64_t MostBytes = 1024;
constexpr size_t MostMembers = 64;
constexpr uint64_t MostElements = 8;

// What we call the type of a member that is declared to be an integer, where the front end names none.
constexpr char IntegerMember[] = "backsweep integer";

// The bytes of the smallest float that characters may hide.
constexpr uint64_t Word = 4;

struct Member {
  uint64_t offset;
  uint64_t bytes;
  // Null where it is not told what the bytes are.
  Type *type;

  bool operator==(const Member &other) const {
    return offset == other.offset && bytes == other.bytes && type == other.type;
  }
};

// What a tag for type-based alias analysis calls the scalar that is touched.
StringRef nameOf(const MDNode *tag) {
  auto *type = tag->getNumOperands() > 1 ? dyn_cast<MDNode>(tag->getOperand(1)) : nullptr;
  auto *name = type && type->getNumOperands() > 0 ? dyn_cast<MDString>(type->getOperand(0)) : nullptr;
  return name ? name->getString() : "";
}

// The bits of an integer type by its name; 0 for what is none, or may alias anything. Of scalars only enumerations have
// mangled names; they are as wide as what is touched.
unsigned bitsOf(StringRef name, uint64_t bytes) {
  if (name.starts_with("_ZTS"))
    return bytes <= 8 && isPowerOf2_64(bytes) ? bytes * 8 : 0;
  return StringSwitch<unsigned>(name)
      .Cases({"bool", "_Bool"}, 8)
      .Case("short", 16)
      .Case("int", 32)
      .Cases({"long", "long long"}, 64)
      .Default(0);
}

bool isOfFrontEnd(const StructType *structure) {
  return !structure->isLiteral() &&
         (structure->getName().starts_with("struct.") || structure->getName().starts_with("class."));
}

class Members {
 public:
  std::vector<Member> members;

  Members(LLVMContext &context, const DataLayout &layout) : context(&context), layout(&layout) {}

  // What a copy's own metadata lists.
  bool takeList(const MDNode *list) {
    if (list->getNumOperands() == 0 || list->getNumOperands() % 3 != 0)
      return false;
    for (unsigned at = 0; at < list->getNumOperands(); at += 3) {
      auto *offset = mdconst::dyn_extract<ConstantInt>(list->getOperand(at));
      auto *bytes = mdconst::dyn_extract<ConstantInt>(list->getOperand(at + 1));
      auto *tag = dyn_cast<MDNode>(list->getOperand(at + 2));
      if (!offset || !bytes || !tag || !takeRun(offset->getZExtValue(), bytes->getZExtValue(), scalarOf(tag, bytes->getZExtValue())))
        return false;
    }
    return true;
  }

  // What a type of the front end's lays out.
  bool takeType(Type *type, uint64_t offset) {
    if (auto *structure = dyn_cast<StructType>(type))
      return takeStruct(structure, offset);
    if (auto *array = dyn_cast<ArrayType>(type)) {
      Type *element = array->getElementType();
      if (element->isIntegerTy(8) && array->getNumElements() >= Word)
        return takeRun(offset, array->getNumElements(), nullptr);
      if (!element->isAggregateType())
        return takeRun(offset, layout->getTypeAllocSize(array), element);
      for (uint64_t at = 0; at < array->getNumElements() && members.size() <= MostMembers; at++)
        if (!takeType(element, offset + at * layout->getTypeAllocSize(element)))
          return false;
      return true;
    }
    return takeRun(offset, layout->getTypeStoreSize(type), type);
  }

  // Cuts what lies behind the end of the copy. False where that goes through a member, or members are not in order.
  bool endAt(uint64_t end) {
    while (!members.empty() && members.back().offset >= end)
      members.pop_back();
    uint64_t last = 0;
    for (const Member &member : members) {
      if (member.offset < last)
        return false;
      last = member.offset + member.bytes;
    }
    return last <= end && !members.empty() && members.size() <= MostMembers;
  }

  // Whether the copy is one of bytes, or of floats, all the same.
  bool isPlain(uint64_t bytes) const {
    uint64_t covered = 0;
    for (const Member &member : members) {
      if (member.type != members.front().type || (member.type && !member.type->isFloatingPointTy()))
        return false;
      covered += member.bytes;
    }
    return covered == bytes;
  }

 private:
  LLVMContext *context;
  const DataLayout *layout;

  // The scalar of a tag for type-based alias analysis: null where it may alias anything.
  Type *scalarOf(const MDNode *tag, uint64_t bytes) {
    StringRef text = nameOf(tag);
    if (text == "double")
      return Type::getDoubleTy(*context);
    if (text == "float")
      return Type::getFloatTy(*context);
    if (text == "any pointer" || text == "vtable pointer" || text.starts_with("p1 ") || text.starts_with("p2 "))
      return PointerType::get(*context, 0);
    unsigned bits = bitsOf(text, bytes);
    return bits == 0 ? nullptr : IntegerType::get(*context, bits);
  }

  bool takeStruct(StructType *structure, uint64_t offset) {
    if (structure->isOpaque() || !structure->isSized())
      return false;
    if (!structure->isLiteral() && structure->getName().starts_with("union."))
      return takeRun(offset, layout->getTypeAllocSize(structure), nullptr);
    // What has no name in a type with a name is a pair that a front end made: a complex number, a pointer to a member.
    if (!structure->isLiteral() && !isOfFrontEnd(structure))
      return false;
    const StructLayout *fields = layout->getStructLayout(structure);
    for (unsigned at = 0; at < structure->getNumElements() && members.size() <= MostMembers; at++)
      if (!isTail(structure, at) && !takeType(structure->getElementType(at), offset + fields->getElementOffset(at)))
        return false;
    return true;
  }

  // Padding at the end is written out where a class may be a base, and is not part of the base.
  bool isTail(StructType *structure, unsigned at) const {
    auto *array = dyn_cast<ArrayType>(structure->getElementType(at));
    if (structure->isLiteral() || at + 1 != structure->getNumElements() || !array ||
        !array->getElementType()->isIntegerTy(8))
      return false;
    auto *base = StructType::getTypeByName(*context, (structure->getName() + ".base").str());
    return base && base->elements() == structure->elements().drop_back();
  }

  // Scalars of one type, side by side.
  bool takeRun(uint64_t offset, uint64_t bytes, Type *type) {
    bool known = type && (type->isIntegerTy() || type->isPointerTy() || type->isDoubleTy() || type->isFloatTy());
    if (!type && bytes < Word)
      type = Type::getInt8Ty(*context), known = true;
    uint64_t step = known ? layout->getTypeStoreSize(type).getFixedValue() : bytes;
    if (step == 0 || bytes % step != 0 || (known && type->isPointerTy() && step != 8))
      return bytes == 0;
    if (!known || (!type->isPointerTy() && bytes / step > MostElements)) {
      members.push_back({offset, bytes, nullptr});
      return true;
    }
    for (uint64_t at = 0; at < bytes && members.size() <= MostMembers; at += step)
      members.push_back({offset + at, step, type});
    return true;
  }
};

// The type of the front end's that lies behind a pointer.
Type *typeBehind(Value *pointer) {
  Type *type = nullptr;
  if (auto *slot = dyn_cast<AllocaInst>(pointer))
    type = slot->getAllocatedType();
  else if (auto *address = dyn_cast<GEPOperator>(pointer))
    type = address->getResultElementType();
  else if (auto *global = dyn_cast<GlobalVariable>(pointer))
    type = global->getValueType();
  else if (auto *argument = dyn_cast<Argument>(pointer))
    type = argument->hasByValAttr() ? argument->getParamByValType() : argument->getParamStructRetType();
  while (isa_and_nonnull<ArrayType>(type))
    type = type->getArrayElementType();
  auto *structure = dyn_cast_or_null<StructType>(type);
  // Types without a name are made up to pass a struct in registers.
  return structure && !structure->isLiteral() && structure->isSized() ? structure : nullptr;
}

class Opener {
 public:
  explicit Opener(MemTransferInst &copy)
      : copy(copy), layout(copy.getDataLayout()), bytes(cast<ConstantInt>(copy.getLength())->getZExtValue()) {}

  bool open() {
    std::vector<Member> members = find();
    bool moves = isa<MemMoveInst>(copy);
    // A part that is copied by itself might change what another one reads.
    if (members.empty() || (moves && any_of(members, [](const Member &member) { return !member.type; })))
      return false;
    write(members);
    copy.eraseFromParent();
    return true;
  }

 private:
  MemTransferInst &copy;
  const DataLayout &layout;
  uint64_t bytes;

  // Nothing where it is not told, and where the whole is as good.
  std::vector<Member> find() {
    Members told(copy.getContext(), layout);
    if (MDNode *list = copy.getMetadata(LLVMContext::MD_tbaa_struct); list && told.takeList(list) && told.endAt(bytes))
      return told.isPlain(bytes) ? std::vector<Member>() : told.members;
    told.members.clear();
    for (Value *pointer : {copy.getRawDest(), copy.getRawSource()}) {
      Type *type = typeBehind(pointer);
      uint64_t size = type ? layout.getTypeAllocSize(type).getFixedValue() : 0;
      if (size == 0)
        continue;
      Members laid(copy.getContext(), layout);
      bool known = size >= bytes || bytes % size == 0;
      for (uint64_t at = 0; known && at < bytes && laid.members.size() <= MostMembers; at += size)
        known = laid.takeType(type, at);
      if (!known || !laid.endAt(bytes))
        return {};
      if (!told.members.empty() && told.members != laid.members)
        return {};
      told = laid;
    }
    return told.isPlain(bytes) ? std::vector<Member>() : told.members;
  }

  void write(const std::vector<Member> &members) {
    IRBuilder<> builder(&copy);
    std::vector<Value *> values;
    auto part = [&](Value *start, uint64_t offset) {
      return offset == 0 ? start : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), start, offset);
    };
    auto alignment = [&](MaybeAlign start, uint64_t offset) { return commonAlignment(start.valueOrOne(), offset); };
    for (const Member &member : members) {
      if (!member.type) {
        values.push_back(nullptr);
        continue;
      }
      Value *from = part(copy.getRawSource(), member.offset);
      auto *value = builder.CreateAlignedLoad(member.type, from, alignment(copy.getSourceAlign(), member.offset));
      values.push_back(mark(value, member));
    }
    for (auto [member, value] : zip(members, values)) {
      Value *to = part(copy.getRawDest(), member.offset);
      Align align = alignment(copy.getDestAlign(), member.offset);
      if (value)
        mark(builder.CreateAlignedStore(value, to, align), member);
      else
        builder.CreateMemCpy(to, align, part(copy.getRawSource(), member.offset),
                             alignment(copy.getSourceAlign(), member.offset), member.bytes);
    }
  }

  Instruction *mark(Instruction *access, const Member &member) {
    if (member.type->isIntegerTy())
      access->setMetadata("backsweep.integer", MDNode::get(copy.getContext(), {}));
    return access;
  }
};

}  // namespace

// A member behind a pointer that steps into a struct, or to one and so to its first member.
static bool isMember(const Value *pointer, const Type *type) {
  auto *address = dyn_cast<GEPOperator>(pointer);
  auto *outer = address ? dyn_cast<StructType>(address->getSourceElementType()) : nullptr;
  if (!address)
    return false;
  Type *behind = address->getResultElementType();
  if (auto *first = dyn_cast<StructType>(behind)) {
    while (first && isOfFrontEnd(first) && first->isSized() && first->getNumElements() > 0) {
      behind = first->getElementType(0);
      first = dyn_cast<StructType>(behind);
    }
    return behind == type;
  }
  return outer && isOfFrontEnd(outer) && address->getNumIndices() == 2 && behind == type;
}

bool bs_shim_is_integer_member(LLVMValueRef access) {
  auto *inst = unwrap<Instruction>(access);
  const Value *pointer = getLoadStorePointerOperand(inst);
  const Type *type = pointer ? getLoadStoreType(inst) : nullptr;
  if (!type || !type->isIntegerTy())
    return false;
  if (inst->getMetadata("backsweep.integer"))
    return true;
  if (MDNode *tag = inst->getMetadata(LLVMContext::MD_tbaa)) {
    if (nameOf(tag) == IntegerMember)
      return true;
    bool inside = tag->getNumOperands() > 2 && tag->getOperand(0) != tag->getOperand(1);
    if (bitsOf(nameOf(tag), type->getIntegerBitWidth() / 8) != type->getIntegerBitWidth())
      return false;
    if (inside)
      return true;
  }
  return isMember(pointer, type);
}

// Where two accesses become one, LLVM keeps of what both say only what it knows, as a type. Accesses that say nothing of types
// may meet any other, whatever type these name.
static void mark(Instruction &access) {
  access.setMetadata("backsweep.integer", MDNode::get(access.getContext(), {}));
  if (access.hasMetadata(LLVMContext::MD_tbaa))
    return;
  MDBuilder builder(access.getContext());
  MDNode *type = builder.createTBAAScalarTypeNode(IntegerMember, builder.createTBAARoot("backsweep"));
  access.setMetadata(LLVMContext::MD_tbaa, builder.createTBAAStructTagNode(type, type, 0));
}

static bool isAccess(const Instruction &inst) { return isa<LoadInst>(inst) || isa<StoreInst>(inst); }

void bs_shim_mark_members(LLVMValueRef function) {
  for (Instruction &inst : instructions(unwrap<Function>(function)))
    if (isAccess(inst) && bs_shim_is_integer_member(wrap(&inst)))
      mark(inst);
}

void bs_shim_share_marks(LLVMValueRef function) {
  DenseSet<std::pair<const Value *, const Type *>> members;
  auto place = [](Instruction &inst) { return std::pair(getLoadStorePointerOperand(&inst), getLoadStoreType(&inst)); };
  for (Instruction &inst : instructions(unwrap<Function>(function)))
    if (isAccess(inst) && bs_shim_is_integer_member(wrap(&inst)))
      members.insert(place(inst));
  for (Instruction &inst : instructions(unwrap<Function>(function)))
    if (isAccess(inst) && members.contains(place(inst)))
      inst.setMetadata("backsweep.integer", MDNode::get(inst.getContext(), {}));
}

bool bs_shim_open_copies(LLVMValueRef function) {
  std::vector<MemTransferInst *> copies;
  for (Instruction &inst : instructions(unwrap<Function>(function))) {
    auto *copy = dyn_cast<MemTransferInst>(&inst);
    auto *length = copy ? dyn_cast<ConstantInt>(copy->getLength()) : nullptr;
    if (length && !copy->isVolatile() && length->getZExtValue() <= MostBytes)
      copies.push_back(copy);
  }
  bool opened = false;
  for (MemTransferInst *copy : copies)
    opened |= Opener(*copy).open();
  return opened;
}

// Where the scalars of a struct lie: members by their offsets, as `!tbaa.struct` or a type of the front end's tells them.
//
// Padding is no member. Unions and arrays of characters may hold anything: of their bytes it is not told what they are.

#include "record.h"

#include <llvm/ADT/Sequence.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

using namespace llvm;
using namespace backsweep;

// Longer arrays in structs are copied as they are.
static constexpr uint64_t MostElements = 8;

// The bytes of the smallest float that characters may hide.
static constexpr uint64_t Word = 4;

// Numbers that are tried for a type of one name among others.
static constexpr int MostNamesakes = 512;

StringRef backsweep::scalarName(const MDNode *tag) {
  auto *type = tag->getNumOperands() > 1 ? dyn_cast<MDNode>(tag->getOperand(1)) : nullptr;
  auto *name = type && type->getNumOperands() > 0 ? dyn_cast<MDString>(type->getOperand(0)) : nullptr;
  return name ? name->getString() : "";
}

// Flang's tags tell where something is, not what.
bool backsweep::tellsPlaceOnly(const MDNode *tag) {
  auto *type = tag->getNumOperands() > 1 ? dyn_cast<MDNode>(tag->getOperand(1)) : nullptr;
  while (type && type->getNumOperands() > 1)
    type = dyn_cast<MDNode>(type->getOperand(1));
  auto *root = type && type->getNumOperands() == 1 ? dyn_cast<MDString>(type->getOperand(0)) : nullptr;
  return root && root->getString().starts_with("Flang function root");
}

// The bits of an integer type by its name; 0 for what is none, or may alias anything. Of scalars only enumerations have
// mangled names; they are as wide as what is touched.
unsigned backsweep::bitsOfTag(const MDNode *tag, uint64_t bytes) {
  StringRef name = scalarName(tag);
  if (name.starts_with("_ZTS"))
    return bytes <= 8 && isPowerOf2_64(bytes) ? bytes * 8 : 0;
  return StringSwitch<unsigned>(name)
      .Cases({"bool", "_Bool"}, 8)
      .Case("short", 16)
      .Case("int", 32)
      .Cases({"long", "long long"}, 64)
      .Default(0);
}

// Of clang by these words, of flang by those: a derived type of a module or of a procedure, but for flang's own, whose
// integers hold addresses.
bool backsweep::isOfFrontEnd(const StructType *structure) {
  if (structure->isLiteral())
    return false;
  StringRef name = structure->getName();
  bool ofFortran = (name.starts_with("_QM") || name.starts_with("_QF")) && !name.starts_with("_QM__fortran_");
  return name.starts_with("struct.") || name.starts_with("class.") || ofFortran;
}

bool Record::takeList(const MDNode *list) {
  if (list->getNumOperands() == 0 || list->getNumOperands() % 3 != 0)
    return false;
  for (unsigned at = 0; at < list->getNumOperands(); at += 3) {
    auto *offset = mdconst::dyn_extract<ConstantInt>(list->getOperand(at));
    auto *bytes = mdconst::dyn_extract<ConstantInt>(list->getOperand(at + 1));
    auto *tag = dyn_cast<MDNode>(list->getOperand(at + 2));
    if (!offset || !bytes || !tag ||
        !takeRun(offset->getZExtValue(), bytes->getZExtValue(), scalarOf(tag, bytes->getZExtValue())))
      return false;
  }
  return true;
}

bool Record::takeType(Type *type, uint64_t offset) {
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

bool Record::startAt(uint64_t start) {
  erase_if(members, [&](const Member &member) { return member.offset + member.bytes <= start; });
  // Of bytes that may be anything every part is so.
  if (!members.empty() && !members.front().type && members.front().offset < start) {
    members.front().bytes -= start - members.front().offset;
    members.front().offset = start;
  }
  if (any_of(members, [&](const Member &member) { return member.offset < start; }))
    return false;
  for (Member &member : members)
    member.offset -= start;
  return true;
}

bool Record::endAt(uint64_t end) {
  while (!members.empty() && members.back().offset >= end)
    members.pop_back();
  if (!members.empty() && !members.back().type)
    members.back().bytes = std::min(members.back().bytes, end - members.back().offset);
  uint64_t last = 0;
  for (const Member &member : members) {
    if (member.offset < last)
      return false;
    last = member.offset + member.bytes;
  }
  return last <= end && !members.empty() && members.size() <= MostMembers;
}

bool Record::isPlain(uint64_t bytes) const {
  uint64_t covered = 0;
  for (const Member &member : members) {
    if (member.type != members.front().type || (member.type && !member.type->isFloatingPointTy()))
      return false;
    covered += member.bytes;
  }
  return covered == bytes;
}

bool Record::holdsPointers() const {
  return any_of(members, [](const Member &member) { return member.type && member.type->isPointerTy(); });
}

// The scalar of a tag for type-based alias analysis: null where it may alias anything.
Type *Record::scalarOf(const MDNode *tag, uint64_t bytes) {
  StringRef text = scalarName(tag);
  if (text == "double")
    return Type::getDoubleTy(*context);
  if (text == "float")
    return Type::getFloatTy(*context);
  if (text == "_Float16" || text == "__fp16")
    return Type::getHalfTy(*context);
  if (text == "__bf16")
    return Type::getBFloatTy(*context);
  if (text == "any pointer" || text == "vtable pointer" || text.starts_with("p1 ") || text.starts_with("p2 "))
    return PointerType::get(*context, 0);
  unsigned bits = bitsOfTag(tag, bytes);
  return bits == 0 ? nullptr : IntegerType::get(*context, bits);
}

bool Record::takeStruct(StructType *structure, uint64_t offset) {
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
bool Record::isTail(StructType *structure, unsigned at) const {
  auto *array = dyn_cast<ArrayType>(structure->getElementType(at));
  if (structure->isLiteral() || at + 1 != structure->getNumElements() || !array ||
      !array->getElementType()->isIntegerTy(8))
    return false;
  auto isBase = [&](const Twine &name) {
    auto *base = StructType::getTypeByName(*context, name.str());
    return base && base->elements() == structure->elements().drop_back();
  };
  if (isBase(structure->getName() + ".base"))
    return true;
  // Types of one name are told apart by numbers, each part of a class by another. What is laid out by hand like this is packed, and
  // what the program lays out so itself is mostly not.
  auto [stem, number] = structure->getName().rsplit('.');
  if (!structure->isPacked() || number.empty() || !all_of(number, isDigit))
    return false;
  return isBase(stem + ".base") ||
         any_of(seq(0, MostNamesakes), [&](int other) { return isBase(stem + ".base." + Twine(other)); });
}

// Scalars of one type, side by side.
bool Record::takeRun(uint64_t offset, uint64_t bytes, Type *type) {
  bool known = type && (type->isIntegerTy() || type->isPointerTy() || type->isDoubleTy() || type->isFloatTy() || type->is16bitFPTy());
  // Two bytes may be a half, in a union.
  if (!type && bytes < Word && bytes % 2 != 0)
    type = Type::getInt8Ty(*context), known = true;
  uint64_t step = known ? layout->getTypeStoreSize(type).getFixedValue() : bytes;
  if (step == 0 || bytes % step != 0 || (known && type->isPointerTy() && step != 8))
    return bytes == 0;
  if (!known || (!type->isPointerTy() && bytes / step > MostElements)) {
    members.push_back({offset, bytes, nullptr, known && type->isFloatingPointTy() ? type : nullptr});
    return true;
  }
  for (uint64_t at = 0; at < bytes && members.size() <= MostMembers; at += step)
    members.push_back({offset + at, step, type});
  return true;
}

namespace {

Value *part(IRBuilder<> &builder, Value *start, uint64_t offset) {
  return offset == 0 ? start : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), start, offset);
}

Instruction *mark(Instruction *access, const Member &member) {
  if (member.type && member.type->isIntegerTy())
    access->setMetadata("backsweep.integer", MDNode::get(access->getContext(), {}));
  if (member.type && member.type->isPointerTy())
    access->setMetadata("backsweep.stepped", MDNode::get(access->getContext(), {}));
  return access;
}

}  // namespace

// The word of a union is moved as an integer, of which may be told what it is. A slot of such words is one of values.
static Type *movedAs(LLVMContext &context, const Member &member) {
  bool word = member.bytes == 8 && member.offset % 8 == 0;
  return member.type || !word ? member.type : Type::getInt64Ty(context);
}

void backsweep::copyMembers(IRBuilder<> &builder, const std::vector<Member> &members, Value *to, Align toAlign,
                            Value *from, Align fromAlign) {
  std::vector<Value *> values;
  for (const Member &member : members) {
    Type *type = movedAs(builder.getContext(), member);
    if (!type) {
      values.push_back(nullptr);
      continue;
    }
    Value *at = part(builder, from, member.offset);
    values.push_back(mark(builder.CreateAlignedLoad(type, at, commonAlignment(fromAlign, member.offset)), member));
  }
  for (auto [member, value] : zip(members, values)) {
    Value *at = part(builder, to, member.offset);
    Align align = commonAlignment(toAlign, member.offset);
    if (value)
      mark(builder.CreateAlignedStore(value, at, align), member);
    else {
      CallInst *copy = builder.CreateMemCpy(at, align, part(builder, from, member.offset),
                                            commonAlignment(fromAlign, member.offset), member.bytes);
      // What else lies in the struct is of no matter to an array that is a member.
      if (member.element) {
        markFloats(*cast<MemIntrinsic>(copy), member.element);
        copy->addFnAttr(Attribute::get(copy->getContext(), "backsweep.member"));
      }
    }
  }
}

void backsweep::markFloats(MemIntrinsic &copy, Type *element) {
  copy.addFnAttr(Attribute::get(copy.getContext(), element->isDoubleTy() ? "backsweep.doubles" : "backsweep.singles"));
}

void backsweep::clearMembers(IRBuilder<> &builder, const std::vector<Member> &members, Value *to, Align align) {
  for (const Member &member : members) {
    Value *at = part(builder, to, member.offset);
    if (member.type)
      mark(builder.CreateAlignedStore(Constant::getNullValue(member.type), at, commonAlignment(align, member.offset)),
           member);
    else
      builder.CreateMemSet(at, builder.getInt8(0), member.bytes, commonAlignment(align, member.offset));
  }
}

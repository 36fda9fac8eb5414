// Where the scalars of a struct lie, as far as the front end says so.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>

#include <optional>

namespace backsweep {

// Larger structs are copied as they are.
constexpr uint64_t MostBytes = 1024;
constexpr size_t MostMembers = 64;

struct Member {
  uint64_t offset;
  uint64_t bytes;
  // Null where it is not told what the bytes are, and of a long array.
  llvm::Type *type;
  // Of a long array of floats what its elements are.
  llvm::Type *element = nullptr;

  bool isTyped() const { return type || element; }

  bool operator==(const Member &other) const {
    return offset == other.offset && bytes == other.bytes && type == other.type && element == other.element;
  }
};

// Members in order, without padding.
class Record {
 public:
  std::vector<Member> members;

  Record(llvm::LLVMContext &context, const llvm::DataLayout &layout) : context(&context), layout(&layout) {}

  // What a copy's own metadata lists.
  bool takeList(const llvm::MDNode *list);
  // What a type of the front end's lays out.
  bool takeType(llvm::Type *type, uint64_t offset);
  // Cuts what lies before that, and counts offsets from there. False where that goes through a member.
  bool startAt(uint64_t start);
  // Cuts what lies behind the end. False where that goes through a member, or members are not in order.
  bool endAt(uint64_t end);
  // Whether all bytes are of floats of one kind, or it is not told of any what they are.
  bool isPlain(uint64_t bytes) const;
  // Where a program plays with bits anywhere, a pointer by its type may hold a float.
  bool holdsPointers() const;

 private:
  llvm::LLVMContext *context;
  const llvm::DataLayout *layout;

  llvm::Type *scalarOf(const llvm::MDNode *tag, uint64_t bytes);
  bool takeStruct(llvm::StructType *structure, uint64_t offset);
  bool isTail(llvm::StructType *structure, unsigned at) const;
  bool takeRun(uint64_t offset, uint64_t bytes, llvm::Type *type);
};

// Bytes that are copied at once. All pointers to them are aligned so.
struct Stretch {
  const llvm::MemIntrinsic &copy;
  uint64_t bytes;
  llvm::Align align;

  Stretch(const llvm::MemIntrinsic &whole, uint64_t bytes);
};

// What bytes behind a pointer hold, by the types that it is used with: no members where these tell nothing, and
// nothing at all where they contradict each other.
std::optional<Record> recordBehind(llvm::Value *pointer, const Stretch &stretch, const llvm::DataLayout &layout);

// By what elements a module steps through the pointers that it reads from members of structs. The module is read when it is first
// asked, and once: whoever opens copies steps by no other elements.
class MemberSteps {
 public:
  explicit MemberSteps(const llvm::Module &module) : module(module) {}
  // Those of the member that a load reads; none where it reads no pointer from a declared one.
  llvm::ArrayRef<llvm::Type *> of(const llvm::LoadInst &load);

 private:
  // A member that is declared to be a pointer: the innermost struct, and which of its members.
  using Key = std::pair<llvm::StructType *, uint64_t>;

  const llvm::Module &module;
  llvm::DenseMap<Key, llvm::SmallSetVector<llvm::Type *, 2>> elements;
  bool isRead = false;

  static std::optional<Key> memberBehind(const llvm::Value *pointer);
  void read();
};

// The same of bytes anywhere in an array of structs whose size divides their number.
std::optional<Record> elementsBehind(llvm::Value *pointer, const Stretch &stretch, const llvm::DataLayout &layout, MemberSteps &others);

// Whether whoever steps through what lies behind a pointer does so from integer to integer.
bool countsBehind(llvm::Value *pointer, const llvm::Instruction &fill, MemberSteps &others);

// The constant that a length is a multiple of; 0 where there is none.
uint64_t factorOf(llvm::Value *length);

// Reads all members, then writes them, each by its type; the rest are copies of bytes.
void copyMembers(llvm::IRBuilder<> &builder, const std::vector<Member> &members, llvm::Value *to, llvm::Align toAlign,
                 llvm::Value *from, llvm::Align fromAlign);
// Writes zero into all members.
void clearMembers(llvm::IRBuilder<> &builder, const std::vector<Member> &members, llvm::Value *to, llvm::Align align);

// Says of a copy that it moves floats of one kind.
void markFloats(llvm::MemIntrinsic &copy, llvm::Type *element);

// What a tag for type-based alias analysis calls the scalar that is touched.
llvm::StringRef scalarName(const llvm::MDNode *tag);
// Whether a tag says nothing of what is touched.
bool tellsPlaceOnly(const llvm::MDNode *tag);
// The bits of an integer by the name that a tag for type-based alias analysis calls it; 0 for what is none.
unsigned bitsOfTag(const llvm::MDNode *tag, uint64_t bytes);
// Whether flang says of an access that it reads or writes a descriptor of a Fortran array.
bool isOfDescriptor(const llvm::Instruction &access);
// Whether what is read or written is a number of the program, as flang says.
bool isDataOfFortran(const llvm::Instruction &access);
// Whether an integer that is read or written is one in a descriptor of a Fortran array, and no address.
bool isNumberOfDescriptor(const llvm::Instruction &access);
// Whether a struct is one that the program declares.
bool isOfFrontEnd(const llvm::StructType *structure);

// Whether a module lays structs of integers over floats (laid_over.cpp).
bool laysIntegersOverFloats(const llvm::Module &module);

}  // namespace backsweep

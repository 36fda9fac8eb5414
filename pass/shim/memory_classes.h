#pragma once

// Memory in classes: what pointers may lead to together, told apart as coarsely as is safe and cheap, and what each may hold.

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>

#include <optional>
#include <vector>

namespace backsweep {

using Class = unsigned;

// What is known of a class of memory, or of integers that are moved together.
struct Content {
  Class parent;
  // What pointers lead to that lie there, if any do.
  std::optional<Class> behind;
  // The same by how far from the start a struct's pointers are, where it is taken apart by its eight bytes.
  llvm::SmallDenseMap<uint64_t, Class, 1> behindAt;
  // The integers that lie there, as one class with all that they are moved to and from.
  std::optional<Class> numbers;
  // The one integer that is touched there.
  llvm::Type *touched = nullptr;
  // Something else is touched there; somebody out of sight may touch it.
  bool other = false, open = false;
  // A float is touched there; a float or a pointer may lie there, even if integers only are touched.
  bool floats = false, suspect = false;
  llvm::SmallPtrSet<llvm::StructType *, 2> structs;
};

// An integer that may be more than a letter, or several of them.
bool isWide(const llvm::Type *type);

// Whether there is a pointer in it, and whether there is a float or a pointer.
bool holdsPointer(const llvm::Type *type);
bool holdsOthers(const llvm::Type *type);

class MemoryClasses {
 protected:
  explicit MemoryClasses(const llvm::DataLayout &layout) : layout(layout) {}

  std::vector<Content> contents;

  Class make();
  Class find(Class one);
  Content &at(Class one) { return contents[find(one)]; }

  // What lies behind two classes that become one becomes one, too.
  void join(Class one, Class other);

  // What lies behind a class, or the integers in it.
  Class part(Class whole, std::optional<Class> Content::*which);

  // What a pointer leads to that is so far behind the start of a struct.
  Class behindAt(Class whole, uint64_t offset);

  // Somebody touches memory as such a type, or steps through it by such elements.
  void touch(Class memory, llvm::Type *type);

  // A member of a struct is one place in all objects of that struct.
  Class ofMember(llvm::StructType *structure, unsigned at);

  // Tells each class what follows from the others, when all is read.
  void settle();

 private:
  const llvm::DataLayout &layout;
  unsigned joins = 0;
  llvm::DenseMap<std::pair<llvm::StructType *, unsigned>, Class> members;

  static void touch(Content &content, llvm::Type *integer);
  void linkMembers();
  void linkMembers(llvm::StructType *structure, Class behind);
  void linkMember(llvm::StructType *structure, uint64_t offset, Class behind);
  bool spoil(llvm::StructType *structure);
};

}  // namespace backsweep

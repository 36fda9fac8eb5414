// Memory in classes (Steensgaard's analysis): joined by a walk that never goes back, so that all of a module takes little more than
// reading it once. Members of structs are told apart.

#include "memory_classes.h"

using namespace llvm;
using namespace backsweep;

bool backsweep::isWide(const Type *type) {
  const Type *scalar = type->getScalarType();
  return scalar->isIntegerTy() && scalar->getScalarSizeInBits() >= 16;
}

// Whether there is a float or a pointer in it.
bool backsweep::holdsOthers(const Type *type) {
  return type->isFPOrFPVectorTy() || type->isPtrOrPtrVectorTy() ||
         (type->isAggregateType() && any_of(type->subtypes(), [](const Type *part) { return holdsOthers(part); }));
}

bool backsweep::holdsPointer(const Type *type) {
  return type->isPtrOrPtrVectorTy() ||
         (type->isAggregateType() && any_of(type->subtypes(), [](const Type *part) { return holdsPointer(part); }));
}

Class MemoryClasses::make() {
  Class made = contents.size();
  contents.emplace_back();
  contents.back().parent = made;
  return made;
}

Class MemoryClasses::find(Class one) {
  while (contents[one].parent != one)
    one = contents[one].parent = contents[contents[one].parent].parent;
  return one;
}

// What lies behind two classes that become one becomes one, too.
void MemoryClasses::join(Class one, Class other) {
  SmallVector<std::pair<Class, Class>, 4> waiting{{one, other}};
  while (!waiting.empty()) {
    auto [left, right] = waiting.pop_back_val();
    Class to = find(left), from = find(right);
    if (to == from)
      continue;
    Content &into = contents[to], &gone = contents[from];
    gone.parent = to, joins++;
    if (gone.touched)
      touch(into, gone.touched);
    into.other |= gone.other, into.open |= gone.open;
    into.floats |= gone.floats, into.suspect |= gone.suspect;
    into.structs.insert(gone.structs.begin(), gone.structs.end());
    for (auto [offset, behind] : gone.behindAt) {
      auto [entry, isNew] = into.behindAt.try_emplace(offset, behind);
      if (!isNew)
        waiting.push_back({entry->second, behind});
    }
    for (auto part : {&Content::behind, &Content::numbers}) {
      if (into.*part && gone.*part)
        waiting.push_back({*(into.*part), *(gone.*part)});
      else if (gone.*part)
        into.*part = gone.*part;
    }
  }
}

Class MemoryClasses::part(Class whole, std::optional<Class> Content::*which) {
  whole = find(whole);
  if (!(contents[whole].*which)) {
    Class made = make();
    contents[whole].*which = made;
  }
  return *(contents[whole].*which);
}

void MemoryClasses::touch(Content &content, Type *integer) {
  content.other |= content.touched && content.touched != integer;
  content.touched = integer;
}

// Somebody touches memory as such a type, or steps through it by such elements.
void MemoryClasses::touch(Class memory, Type *type) {
  while (auto *array = dyn_cast<ArrayType>(type))
    type = array->getElementType();
  Content &content = contents[find(memory)];
  Type *scalar = type->getScalarType();
  if (isWide(scalar))
    return touch(content, scalar);
  content.other = true;
  content.floats |= scalar->isFloatingPointTy();
  content.suspect |= holdsOthers(type);
  // One without a name is made up, and tells nothing from anything.
  if (auto *structure = dyn_cast<StructType>(type); structure && !structure->isLiteral())
    content.structs.insert(structure);
}

Class MemoryClasses::ofMember(StructType *structure, unsigned at) {
  auto [entry, isNew] = members.try_emplace({structure, at}, 0);
  return isNew ? members[{structure, at}] = make() : entry->second;
}

Class MemoryClasses::behindAt(Class whole, uint64_t offset) {
  whole = find(whole);
  auto known = contents[whole].behindAt.find(offset);
  if (known != contents[whole].behindAt.end())
    return known->second;
  Class made = make();
  contents[whole].behindAt[offset] = made;
  return made;
}

// What is found where a struct lies, and not by a step to one of its members, may be what any of them leads to; or what the one leads
// to that begins there.
void MemoryClasses::linkMembers() {
  for (Class one = 0; one < contents.size(); one++) {
    if (contents[one].parent != one)
      continue;
    SmallVector<StructType *, 2> structs(contents[one].structs.begin(), contents[one].structs.end());
    SmallVector<std::pair<uint64_t, Class>, 2> loose(contents[one].behindAt.begin(), contents[one].behindAt.end());
    std::optional<Class> behind = contents[one].behind;
    for (auto [offset, there] : loose)
      if (behind)
        join(*behind, there);
    for (StructType *structure : structs) {
      if (behind)
        linkMembers(structure, *behind);
      for (auto [offset, there] : loose)
        linkMember(structure, offset, there);
    }
  }
}

void MemoryClasses::linkMember(StructType *structure, uint64_t offset, Class behind) {
  const StructLayout *fields = layout.getStructLayout(structure);
  if (structure->getNumElements() == 0 || offset >= fields->getSizeInBytes())
    return;
  unsigned at = fields->getElementContainingOffset(offset);
  uint64_t rest = offset - fields->getElementOffset(at);
  Type *type = structure->getElementType(at);
  while (auto *array = dyn_cast<ArrayType>(type)) {
    type = array->getElementType();
    rest %= layout.getTypeAllocSize(type).getFixedValue();
  }
  if (auto *inner = dyn_cast<StructType>(type))
    linkMember(inner, rest, behind);
  else
    join(part(ofMember(structure, at), &Content::behind), behind);
}

void MemoryClasses::linkMembers(StructType *structure, Class behind) {
  for (unsigned at = 0; at < structure->getNumElements(); at++) {
    Type *type = structure->getElementType(at);
    while (auto *array = dyn_cast<ArrayType>(type))
      type = array->getElementType();
    if (type->isPointerTy())
      join(part(ofMember(structure, at), &Content::behind), behind);
    else if (auto *inner = dyn_cast<StructType>(type))
      linkMembers(inner, behind);
  }
}

// Who has a pointer to memory has all pointers in there. Floats that are touched where a struct lies may be any of its members.
void MemoryClasses::settle() {
  for (unsigned before = joins - 1; before != joins;) {
    before = joins;
    linkMembers();
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (Class one = 0; one < contents.size(); one++) {
      Content &content = contents[one];
      if (content.parent != one)
        continue;
      if (content.open && content.behind && !contents[find(*content.behind)].open)
        changed = contents[find(*content.behind)].open = true;
      if (content.floats)
        for (StructType *structure : content.structs)
          changed |= spoil(structure);
    }
  }
  for (Class one = 0; one < contents.size(); one++)
    if (contents[one].parent == one && contents[one].numbers && (contents[one].suspect || contents[one].open))
      contents[find(*contents[one].numbers)].suspect = true;
}

bool MemoryClasses::spoil(StructType *structure) {
  bool changed = false;
  for (unsigned at = 0; at < structure->getNumElements(); at++) {
    auto member = members.find({structure, at});
    if (member != members.end() && !contents[find(member->second)].suspect)
      changed = contents[find(member->second)].suspect = contents[find(member->second)].other = true;
  }
  return changed;
}

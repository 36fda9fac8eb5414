// Objects that a function reads as two structs, though declarations are believed only where each member is touched as what it is.
//
// Two members that begin at the same byte behind one pointer, of which one is declared to be an integer and the other a float or a
// pointer: whoever writes the one and then reads the other, or reads both, goes through a pointer to another type, which the
// languages forbid and programs do. One access has to lie on every way to the other; those in two arms of a branch belong to
// objects of two types, between which the branch chose. Such a function's floats and pointers are no declared members.
// Safe error: misread.

#include "shim.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

struct Access {
  Instruction *inst;
  int64_t from, to;
  bool integer;
};

// Of the accesses of one object those are compared that touch the same byte: a large function has many of other members.
bool isMisread(ArrayRef<Access> accesses, const DominatorTree &tree) {
  DenseMap<int64_t, SmallVector<const Access *, 2>> others;
  for (const Access &access : accesses)
    for (int64_t at = access.from; at < access.to && !access.integer; ++at)
      others[at].push_back(&access);
  auto reads = [&](const Access &first, const Access &second) {
    return isa<LoadInst>(second.inst) && tree.dominates(first.inst, second.inst);
  };
  for (const Access &integer : accesses)
    for (int64_t at = integer.from; at < integer.to && integer.integer; ++at)
      if (auto found = others.find(at); found != others.end())
        for (const Access *other : found->second)
          if (reads(integer, *other) || reads(*other, integer))
            return true;
  return false;
}

// A step through an array, or through bytes, belongs to the pointer; a step to a member does not.
const Value *objectBehind(const Value *pointer, int64_t &offset, const DataLayout &layout) {
  APInt bytes(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const Value *object = pointer->stripAndAccumulateConstantOffsets(layout, bytes, true);
  offset = bytes.getSExtValue();
  return object;
}

}  // namespace

void bs_shim_find_misread_members(LLVMValueRef value) {
  Function &function = *unwrap<Function>(value);
  const DataLayout &layout = function.getParent()->getDataLayout();
  MapVector<const Value *, SmallVector<Access, 4>> objects;
  SmallVector<Instruction *, 16> others;
  for (Instruction &inst : instructions(function)) {
    if (!isa<LoadInst>(inst) && !isa<StoreInst>(inst))
      continue;
    bool integer = bs_shim_is_integer_member(wrap(&inst)), other = bs_shim_is_other_member(wrap(&inst));
    if (!integer && !other)
      continue;
    int64_t from = 0;
    const Value *object = objectBehind(getLoadStorePointerOperand(&inst), from, layout);
    int64_t bytes = layout.getTypeStoreSize(getLoadStoreType(&inst)).getFixedValue();
    objects[object].push_back({&inst, from, from + bytes, integer});
    if (other)
      others.push_back(&inst);
  }
  DominatorTree tree(function);
  if (none_of(objects, [&](const auto &known) { return isMisread(known.second, tree); }))
    return;
  for (Instruction *inst : others)
    inst->setMetadata("backsweep.misread", MDNode::get(function.getContext(), {}));
}

// Copies of arrays of floats, as many as are known only when the program runs, are marked as such, and so are fills of arrays of integers.
//
// Whoever steps through the source or the target by elements says what the elements are, as for rows of structs (rows.cpp). Where
// memory is found through pointers in memory analyses cannot see all who touch it, and a copy of bytes says nothing by itself.
// Safe error: no mark.

#include "shim.h"
#include "record.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;
using namespace backsweep;

namespace {

// What both ends are stepped through by; null where they are not, by nothing or by two.
Type *elementOf(MemTransferInst &copy, uint64_t bytes, MemberSteps &others) {
  const DataLayout &layout = copy.getDataLayout();
  Type *element = nullptr;
  for (Value *pointer : {copy.getRawDest(), copy.getRawSource()}) {
    std::optional<Record> found = elementsBehind(pointer, {copy, bytes}, layout, others);
    if (!found || (!found->members.empty() && !found->isPlain(bytes)))
      return nullptr;
    Type *type = found->members.empty() ? nullptr : found->members.front().type;
    if (type && element && type != element)
      return nullptr;
    element = type ? type : element;
  }
  return element;
}

bool isWhole(const MemTransferInst &copy, uint64_t bytes) {
  auto *length = dyn_cast<ConstantInt>(copy.getLength());
  return !length || length->getZExtValue() % bytes == 0;
}

}  // namespace

void bs_shim_mark_copies(LLVMValueRef function) {
  MemberSteps others(*unwrap<Function>(function)->getParent());
  auto elements = [&](MemTransferInst &copy, uint64_t bytes) { return elementOf(copy, bytes, others); };
  for (Instruction &inst : instructions(unwrap<Function>(function))) {
    auto *fill = dyn_cast<MemSetInst>(&inst);
    if (fill && !fill->isVolatile() && countsBehind(fill->getRawDest(), *fill, others))
      fill->addFnAttr(Attribute::get(inst.getContext(), "backsweep.integers"));
    auto *copy = dyn_cast<MemTransferInst>(&inst);
    if (!copy || copy->isVolatile())
      continue;
    // Structs of floats of one kind, as many as the length is a multiple of.
    uint64_t factor = std::min(factorOf(copy->getLength()), MostBytes + 1);
    Type *all = factor > 8 && factor <= MostBytes ? elements(*copy, factor) : nullptr;
    Type *eight = isWhole(*copy, 8) ? elements(*copy, 8) : nullptr, *four = isWhole(*copy, 4) ? elements(*copy, 4) : nullptr;
    if ((eight && eight->isDoubleTy()) || (all && all->isDoubleTy()))
      markFloats(*copy, Type::getDoubleTy(inst.getContext()));
    else if ((four && four->isFloatTy()) || (all && all->isFloatTy()))
      markFloats(*copy, Type::getFloatTy(inst.getContext()));
  }
}

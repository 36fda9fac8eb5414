// A struct that is returned in memory and cleared at once, as a null pointer in a class of its own is, is cleared member by member.
//
// Who clears bytes does not say that pointers were there; the type of the result does. In functions that call themselves nobody else
// would tell: their callers' slots are out of sight.

#include "shim.h"
#include "record.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;
using namespace backsweep;

// The members of the result that a fill covers; nothing where it is another's memory, or goes through a member.
static std::optional<Record> clearedMembers(const MemSetInst &fill) {
  const DataLayout &layout = fill.getDataLayout();
  auto *value = dyn_cast<ConstantInt>(fill.getValue());
  auto *length = dyn_cast<ConstantInt>(fill.getLength());
  if (fill.isVolatile() || !value || !value->isZero() || !length || length->getZExtValue() > MostBytes)
    return std::nullopt;
  APInt offset(layout.getIndexTypeSizeInBits(fill.getRawDest()->getType()), 0);
  auto *result = dyn_cast<Argument>(fill.getRawDest()->stripAndAccumulateConstantOffsets(layout, offset, false));
  Type *type = result ? result->getParamStructRetType() : nullptr;
  if (!type || offset.isNegative())
    return std::nullopt;
  Record record(fill.getContext(), layout);
  if (!record.takeType(type, 0) || !record.startAt(offset.getZExtValue()) || !record.endAt(length->getZExtValue()))
    return std::nullopt;
  bool typed = all_of(record.members, [](const Member &member) { return member.isTyped(); });
  return typed && record.holdsPointers() ? std::optional(record) : std::nullopt;
}

bool bs_shim_open_cleared_results(LLVMValueRef function) {
  bool opened = false;
  for (Instruction &inst : make_early_inc_range(instructions(unwrap<Function>(function)))) {
    auto *fill = dyn_cast<MemSetInst>(&inst);
    std::optional<Record> record = fill ? clearedMembers(*fill) : std::nullopt;
    if (!record)
      continue;
    IRBuilder<> builder(fill);
    clearMembers(builder, record->members, fill->getRawDest(), fill->getDestAlign().valueOrOne());
    fill->eraseFromParent();
    opened = true;
  }
  return opened;
}

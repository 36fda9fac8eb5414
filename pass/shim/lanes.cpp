// Lanes of floats that are moved about as integers, as vector code does where only integers had the instruction.

#include "shim.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

// What was taken for something else in one step or several.
static Value *behindCasts(Value *value) {
  while (match(value, m_BitCast(m_Value(value))))
    ;
  return value;
}

// The vector of floats of which this one is the bits.
static Value *floatsBehind(Value *bits) {
  Value *behind = behindCasts(bits);
  return isa<FixedVectorType>(behind->getType()) && behind->getType()->isFPOrFPVectorTy() ? behind : nullptr;
}

// The lanes of floats that a mask over their parts chooses; nothing where a float would be torn apart.
static bool wholeLanes(ArrayRef<int> mask, int parts, SmallVectorImpl<int> &lanes) {
  if (mask.size() % parts != 0)
    return false;
  for (size_t start = 0; start < mask.size(); start += parts) {
    ArrayRef<int> lane = mask.slice(start, parts);
    bool open = all_of(lane, [](int part) { return part == PoisonMaskElem; });
    bool whole = lane[0] >= 0 && lane[0] % parts == 0;
    for (int part = 1; whole && part < parts; part++)
      whole = lane[part] == lane[0] + part;
    if (!open && !whole)
      return false;
    lanes.push_back(open ? PoisonMaskElem : lane[0] / parts);
  }
  return true;
}

// The same shuffle of the floats; null where it is none of floats alone.
static Value *shuffled(ShuffleVectorInst &shuffle) {
  Value *first = floatsBehind(shuffle.getOperand(0));
  bool single = isa<UndefValue>(shuffle.getOperand(1));
  if (!first)
    return nullptr;
  Value *second = single ? PoisonValue::get(first->getType()) : floatsBehind(shuffle.getOperand(1));
  if (!second || second->getType() != first->getType())
    return nullptr;
  unsigned floatBits = first->getType()->getScalarSizeInBits(), partBits = shuffle.getType()->getScalarSizeInBits();
  SmallVector<int> lanes;
  if (partBits == 0 || floatBits % partBits != 0 || !wholeLanes(shuffle.getShuffleMask(), floatBits / partBits, lanes))
    return nullptr;
  IRBuilder<> builder(&shuffle);
  return builder.CreateBitCast(builder.CreateShuffleVector(first, second, lanes), shuffle.getType());
}

// A float that is taken for integers and then for a float again is the float.
static void shorten(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    if (!isa<BitCastInst>(inst))
      continue;
    Value *behind = behindCasts(&inst);
    if (behind->getType() == inst.getType())
      inst.replaceAllUsesWith(behind);
    else
      inst.setOperand(0, behind);
    if (inst.use_empty())
      inst.eraseFromParent();
  }
}

void bs_shim_read_lanes(LLVMValueRef raw) {
  auto *function = unwrap<Function>(raw);
  for (Instruction &inst : make_early_inc_range(instructions(*function))) {
    auto *shuffle = dyn_cast<ShuffleVectorInst>(&inst);
    if (!shuffle || !shuffle->getType()->isIntOrIntVectorTy())
      continue;
    if (Value *moved = shuffled(*shuffle)) {
      shuffle->replaceAllUsesWith(moved);
      shuffle->eraseFromParent();
    }
  }
  shorten(*function);
}

// Addresses that are rounded to an alignment as numbers, as steps within the object they came from.
//
// `(double *)(((uintptr_t)p + 15) & ~15)` has no pointer that leads to it. A number that one address went into, and
// otherwise only constants of at most a page and masks that take low bits away, lies next to that address; nobody gets
// from one object into another by so small a step.

#include "shim.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

static constexpr uint64_t MostBytes = 4096;
static constexpr unsigned MostSteps = 8;

static bool isNear(const APInt &step) { return step.abs().ule(MostBytes); }

// `-16` takes the last four bits away, and leaves the rest of the address.
static bool roundsDown(const APInt &mask) { return mask.isNegatedPowerOf2() && isNear(mask); }

// A number from nought to below a page, as `-address & 15` and `address % 16` are.
static bool isRest(const Value *number) {
  const APInt *limit = nullptr;
  if (match(number, m_And(m_Value(), m_APInt(limit))))
    return !limit->isNegative() && isNear(*limit);
  return match(number, m_URem(m_Value(), m_APInt(limit))) && !limit->isNegative() && isNear(*limit);
}

// The pointer that a number lies next to; null where there is none, or it cannot be told.
static Value *pointerNear(Value *number, unsigned steps = MostSteps) {
  Value *pointer = nullptr, *rest = nullptr, *other = nullptr;
  const APInt *constant = nullptr;
  if (match(number, m_PtrToInt(m_Value(pointer))))
    return pointer;
  if (steps == 0)
    return nullptr;
  if (match(number, m_Add(m_Value(rest), m_APInt(constant))) || match(number, m_Sub(m_Value(rest), m_APInt(constant))))
    return isNear(*constant) ? pointerNear(rest, steps - 1) : nullptr;
  if (match(number, m_And(m_Value(rest), m_APInt(constant))))
    return roundsDown(*constant) ? pointerNear(rest, steps - 1) : nullptr;
  if (match(number, m_Sub(m_Value(rest), m_Value(other))))
    return isRest(other) ? pointerNear(rest, steps - 1) : nullptr;
  if (match(number, m_Add(m_Value(rest), m_Value(other)))) {
    if (isRest(other))
      return pointerNear(rest, steps - 1);
    return isRest(rest) ? pointerNear(other, steps - 1) : nullptr;
  }
  return nullptr;
}

// The step from a pointer to a number next to it.
static Value *stepFrom(Value *pointer, Value *number, IRBuilder<> &builder) {
  Value *start = builder.CreatePtrToInt(pointer, number->getType());
  return builder.CreateGEP(builder.getInt8Ty(), pointer, builder.CreateSub(number, start));
}

static Value *opened(Instruction &inst, const DataLayout &layout) {
  IRBuilder<> builder(&inst);
  Value *number = nullptr, *pointer = nullptr;
  const APInt *mask = nullptr;
  if (match(&inst, m_IntToPtr(m_Value(number)))) {
    pointer = pointerNear(number);
    return pointer && pointer->getType() == inst.getType() ? stepFrom(pointer, number, builder) : nullptr;
  }
  if (!match(&inst, m_Intrinsic<Intrinsic::ptrmask>(m_Value(pointer), m_APInt(mask))) || !roundsDown(*mask))
    return nullptr;
  Value *start = builder.CreatePtrToInt(pointer, layout.getIntPtrType(pointer->getType()));
  return stepFrom(pointer, builder.CreateAnd(start, *mask), builder);
}

void bs_shim_open_alignments(LLVMValueRef raw) {
  auto *function = unwrap<Function>(raw);
  const DataLayout &layout = function->getParent()->getDataLayout();
  for (Instruction &inst : make_early_inc_range(instructions(*function))) {
    if (inst.getType()->isVectorTy())
      continue;
    if (Value *pointer = opened(inst, layout)) {
      inst.replaceAllUsesWith(pointer);
      inst.eraseFromParent();
    }
  }
}

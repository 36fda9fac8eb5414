// What is read and written through null and nothing else is never reached.
//
// A container that is known to be empty walks from null to null, and only a comparison that nobody folds keeps the walk. What it
// would find has no name: it stands behind a pointer that leads to no memory.

#include "shim.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

// Beside null, as an optimiser writes the last element of an array that is known to be empty, nothing lies either.
static bool isBesideNull(const Value *pointer) {
  constexpr int64_t Page = 4096;
  auto *address = dyn_cast<ConstantExpr>(pointer);
  auto *number = address && address->getOpcode() == Instruction::IntToPtr ? dyn_cast<ConstantInt>(address->getOperand(0)) : nullptr;
  return number && number->getValue().getSignificantBits() <= 64 && std::abs(number->getSExtValue()) < Page;
}

// The pointers that a pointer is made of, where it is made of pointers only. A step from null within an object goes nowhere.
static bool isMadeOf(const Value *pointer, SmallVectorImpl<const Value *> &parts) {
  if (auto *phi = dyn_cast<PHINode>(pointer)) {
    append_range(parts, phi->incoming_values());
    return true;
  }
  if (auto *step = dyn_cast<GEPOperator>(pointer)) {
    parts.push_back(step->getPointerOperand());
    return step->isInBounds();
  }
  if (auto *choice = dyn_cast<SelectInst>(pointer)) {
    parts.append({choice->getTrueValue(), choice->getFalseValue()});
    return true;
  }
  return isa<ConstantPointerNull>(pointer) || isBesideNull(pointer);
}

static bool leadsNowhere(const Value *pointer) {
  // Pointers that go more ways than these are taken for pointers to something.
  constexpr size_t MostParts = 64;
  SmallDenseSet<const Value *, 8> seen;
  SmallVector<const Value *, 8> waiting{pointer};
  while (!waiting.empty()) {
    const Value *next = waiting.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (seen.size() > MostParts || !isMadeOf(next, waiting))
      return false;
  }
  return true;
}

bool bs_shim_drop_nowhere(LLVMValueRef raw) {
  auto *function = unwrap<Function>(raw);
  if (NullPointerIsDefined(function))
    return false;
  SmallVector<Instruction *, 8> lost;
  for (BasicBlock &block : *function)
    for (Instruction &inst : block) {
      const Value *pointer = getLoadStorePointerOperand(&inst);
      if (!pointer || inst.isVolatile() || pointer->getType()->getPointerAddressSpace() != 0 || !leadsNowhere(pointer))
        continue;
      // What follows in this block goes with it.
      lost.push_back(&inst);
      break;
    }
  for (Instruction *inst : lost)
    changeToUnreachable(inst);
  return !lost.empty();
}

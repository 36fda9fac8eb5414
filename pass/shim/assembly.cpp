// Inline assembly of which more can be told than that somebody wrote it.

#include "packed.h"
#include "shim.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

// Nothing but a comment, which optimisers are to stumble over: what comes out is what went in.
static bool isEmpty(const InlineAsm &assembly) {
  for (StringRef line : split(assembly.getAsmString(), '\n'))
    if (line = line.trim(); !line.empty() && line.front() != '#')
      return false;
  return true;
}

// The operand that lies where the first result comes out.
static Value *tied(const CallInst &call, const InlineAsm::ConstraintInfoVector &constraints) {
  unsigned at = 0;
  for (const InlineAsm::ConstraintInfo &constraint : constraints) {
    if (constraint.Type == InlineAsm::isInput && constraint.Codes == InlineAsm::ConstraintCodeVector{"0"})
      return call.getArgOperand(at);
    at += constraint.Type == InlineAsm::isInput || constraint.isIndirect;
  }
  return nullptr;
}

// The operand that an empty one gives back; null where its only result is not one of its operands.
static Value *passedThrough(const CallInst &call, const InlineAsm &assembly) {
  Value *given = tied(call, assembly.ParseConstraints());
  return given && given->getType() == call.getType() ? given : nullptr;
}

// Whether what an empty one writes to is what it reads, so that it stays as it is.
static bool staysInPlace(const CallInst &call, const InlineAsm::ConstraintInfoVector &constraints) {
  SmallVector<const Value *, 4> written, read;
  unsigned at = 0;
  for (const InlineAsm::ConstraintInfo &constraint : constraints) {
    bool isInput = constraint.Type == InlineAsm::isInput;
    if (constraint.isIndirect)
      (isInput ? read : written).push_back(call.getArgOperand(at));
    at += isInput || constraint.isIndirect;
  }
  return all_of(written, [&](const Value *place) { return is_contained(read, place); });
}

// An empty one without a result: nothing, or a store, where it hands its operand on through memory. Whether it is no more than that.
static bool handsOn(CallInst &call, const InlineAsm &assembly) {
  InlineAsm::ConstraintInfoVector constraints = assembly.ParseConstraints();
  if (!call.getType()->isVoidTy() || staysInPlace(call, constraints))
    return call.getType()->isVoidTy();
  // What comes out is the first operand of the text, and the first argument is where it goes.
  auto writes = [](const InlineAsm::ConstraintInfo &constraint) { return constraint.Type == InlineAsm::isOutput; };
  Value *given = count_if(constraints, writes) == 1 && constraints.front().isIndirect ? tied(call, constraints) : nullptr;
  if (!given || given->getType() != call.getParamElementType(0))
    return false;
  IRBuilder<> builder(&call);
  builder.CreateStore(given, call.getArgOperand(0));
  return true;
}

static bool givesFloat(const Type *type) {
  return type->isFPOrFPVectorTy() || any_of(type->subtypes(), [](const Type *part) { return givesFloat(part); });
}

// Whoever gets at memory in assembly says so: by a clobber, or by operands that are in memory or lead there. Where a float
// comes from that is made of no float is not taken on trust.
static bool leavesMemory(const CallInst &call, const InlineAsm &assembly) {
  if (givesFloat(call.getType()))
    return false;
  for (const InlineAsm::ConstraintInfo &constraint : assembly.ParseConstraints()) {
    bool clobbers = constraint.Type == InlineAsm::isClobber && is_contained(constraint.Codes, "{memory}");
    if (clobbers || constraint.isIndirect)
      return false;
  }
  return none_of(call.args(), [](const Use &operand) { return operand->getType()->isPtrOrPtrVectorTy(); });
}

void bs_shim_open_assembly(LLVMValueRef raw) {
  for (Instruction &inst : make_early_inc_range(instructions(*unwrap<Function>(raw)))) {
    auto *call = dyn_cast<CallInst>(&inst);
    auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
    if (!assembly)
      continue;
    Value *value = isEmpty(*assembly) ? passedThrough(*call, *assembly) : computed(*call, *assembly);
    if (value)
      call->replaceAllUsesWith(value);
    if (value || (isEmpty(*assembly) && handsOn(*call, *assembly)))
      call->eraseFromParent();
    else if (leavesMemory(*call, *assembly))
      call->setMemoryEffects(call->getMemoryEffects() & MemoryEffects::inaccessibleMemOnly());
  }
}

// Where a derivative is differentiated: a record that it nowhere lays is never taken back.
//
// What the optimiser finds out about the forward sweep, as that an address is not null, takes away the way on which a record was laid.
// The way back goes where an integer on the tape says, of which it knows nothing, so there the record is still taken. A
// gradient has both sides of its records in one function, and they keep their marks wherever they are moved to.
//
// Were it wrong, the program would end there.

#include "shim.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

// The record that a call lays or takes back, if one derivative does both: what one half lays for the other has another mark.
static StringRef recordOf(const CallBase &call) {
  for (Attribute attribute : call.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute() && attribute.getKindAsString().starts_with("backsweep-record.backsweep.gradient."))
      return attribute.getKindAsString();
  return StringRef();
}

static SmallVector<const CallBase *, 16> callsOf(Module &module, StringRef name) {
  SmallVector<const CallBase *, 16> calls;
  if (Function *callee = module.getFunction(name))
    for (const User *user : callee->users())
      if (auto *call = dyn_cast<CallBase>(user))
        calls.push_back(call);
  return calls;
}

// Once records are laid without that call, or by a copy of what lays them, nobody can tell any more which are.
static bool laysOtherwise(Module &module) {
  auto isCopy = [](const Function &function) {
    StringRef name = function.getName();
    return name.starts_with("backsweep.push") && name != "backsweep.push" && name != "backsweep.push.slow";
  };
  auto isInlined = [](const CallBase *call) { return call->getFunction()->getName() != "backsweep.push"; };
  return any_of(module, isCopy) || any_of(callsOf(module, "backsweep.push.slow"), isInlined);
}

// A function and all that it calls, and what those call: who else lays such a record does so for another call of the derivative.
static SmallPtrSet<const Function *, 16> reachedFrom(const Function &function) {
  SmallPtrSet<const Function *, 16> reached{&function};
  SmallVector<const Function *, 16> waiting{&function};
  while (!waiting.empty())
    for (const Instruction &inst : instructions(*waiting.pop_back_val())) {
      auto *call = dyn_cast<CallBase>(&inst);
      const Function *callee = call ? dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts()) : nullptr;
      if (callee && reached.insert(callee).second)
        waiting.push_back(callee);
    }
  return reached;
}

bool bs_shim_end_at_unlaid(LLVMValueRef raw) {
  auto *function = unwrap<Function>(raw);
  Module &module = *function->getParent();
  // Most functions are no derivatives, and take nothing back.
  if (callsOf(module, "backsweep.pop").empty())
    return false;
  SmallVector<CallInst *, 8> unlaid;
  StringSet<> laid;
  SmallPtrSet<const Function *, 16> reached = reachedFrom(*function);
  for (const CallBase *call : callsOf(module, "backsweep.push"))
    if (reached.contains(call->getFunction()))
      laid.insert(recordOf(*call));
  for (Instruction &inst : instructions(*function)) {
    auto *call = dyn_cast<CallInst>(&inst);
    if (!call || !call->getCalledFunction() || call->getCalledFunction()->getName() != "backsweep.pop")
      continue;
    StringRef record = recordOf(*call);
    // What follows the first in a block goes with it.
    bool isFirst = unlaid.empty() || unlaid.back()->getParent() != call->getParent();
    if (isFirst && !record.empty() && !laid.contains(record))
      unlaid.push_back(call);
  }
  if (unlaid.empty() || laysOtherwise(module))
    return false;
  for (CallInst *call : unlaid) {
    IRBuilder<> builder(call);
    builder.CreateIntrinsic(Intrinsic::trap, {});
    changeToUnreachable(call);
  }
  return true;
}

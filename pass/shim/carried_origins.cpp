// From which of its throws a function's handler has its exception: see `carried.cpp`.
#include "carried.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace carried {

CallBase *handlerOf(Instruction &rethrow) {
  constexpr int Deepest = 8;
  std::set<std::pair<Instruction *, int>> seen;
  std::vector<std::pair<Instruction *, int>> waiting;
  CallBase *found = nullptr;
  // Goes to what comes before; where nothing does, the function was entered with the handler open.
  auto goBack = [&](Instruction *inst, int depth) {
    if (Instruction *before = inst->getPrevNode()) {
      waiting.push_back({before, depth});
      return true;
    }
    for (BasicBlock *block : predecessors(inst->getParent()))
      waiting.push_back({block->getTerminator(), depth});
    return !pred_empty(inst->getParent());
  };
  if (!goBack(&rethrow, 0))
    return nullptr;
  while (!waiting.empty()) {
    auto [inst, depth] = waiting.back();
    waiting.pop_back();
    if (!seen.insert({inst, depth}).second)
      continue;
    auto *call = dyn_cast<CallBase>(inst);
    if (call && isCallOf(*call, "__cxa_begin_catch") && depth == 0) {
      if (found && found != call)
        return nullptr;
      found = call;
      continue;
    }
    if (call)
      depth += isCallOf(*call, "__cxa_end_catch") - isCallOf(*call, "__cxa_begin_catch");
    if (depth > Deepest || !goBack(inst, depth))
      return nullptr;
  }
  return found;
}

std::pair<int, Value *> Origins::broughtBy(BasicBlock *from) {
  auto *invoke = dyn_cast<InvokeInst>(from->getTerminator());
  if (!invoke)
    return {Untold, nullptr};
  for (size_t at = 0; at < sites.size(); ++at)
    if (sites[at].thrown == invoke)
      return {int(at) + 1, nullptr};
  if (!isCallOf(*invoke, "__cxa_rethrow"))
    return {Foreign, nullptr};
  CallBase *handler = handlerOf(*invoke);
  return {Untold, handler ? handler->getArgOperand(0) : nullptr};
}

// The value that an exception, or the pair it stands in, is taken from unchanged.
static Value *sourceOf(Value *exception) {
  if (auto *taken = dyn_cast<ExtractValueInst>(exception))
    return taken->getNumIndices() == 1 && taken->getIndices()[0] == 0 ? taken->getAggregateOperand() : nullptr;
  auto *put = dyn_cast<InsertValueInst>(exception);
  if (!put || put->getNumIndices() != 1)
    return nullptr;
  return put->getIndices()[0] == 0 ? put->getInsertedValueOperand() : put->getAggregateOperand();
}

void Origins::collect(Value *exception, std::set<Value *> &seen, std::set<int> &found) {
  if (!seen.insert(exception).second)
    return;
  if (Value *source = sourceOf(exception))
    return collect(source, seen, found);
  if (auto *pad = dyn_cast<LandingPadInst>(exception)) {
    for (BasicBlock *from : predecessors(pad->getParent())) {
      auto [number, again] = broughtBy(from);
      if (again)
        collect(again, seen, found);
      else
        found.insert(number);
    }
  } else if (auto *phi = dyn_cast<PHINode>(exception)) {
    for (Value *incoming : phi->incoming_values())
      collect(incoming, seen, found);
  } else {
    found.insert(isa<UndefValue>(exception) ? Foreign : Untold);
  }
}

std::set<int> Origins::leavesOf(Value *exception) {
  std::set<Value *> seen;
  std::set<int> found;
  collect(exception, seen, found);
  return found;
}

Value *Origins::indexOf(Value *exception) {
  if (Value *index = known[exception])
    return index;
  if (Value *source = sourceOf(exception))
    return known[exception] = indexOf(source);
  Type *type = Type::getInt32Ty(function.getContext());
  auto number = [&](int value) { return ConstantInt::get(type, value); };
  if (auto *pad = dyn_cast<LandingPadInst>(exception)) {
    auto *index = PHINode::Create(type, 2, "origin", pad->getParent()->begin());
    known[exception] = index;
    for (BasicBlock *from : predecessors(pad->getParent())) {
      auto [value, again] = broughtBy(from);
      index->addIncoming(again ? indexOf(again) : number(value), from);
    }
    return index;
  }
  if (auto *phi = dyn_cast<PHINode>(exception)) {
    auto *index = PHINode::Create(type, phi->getNumIncomingValues(), "origin", phi->getIterator());
    known[exception] = index;
    for (unsigned at = 0; at < phi->getNumIncomingValues(); ++at)
      index->addIncoming(indexOf(phi->getIncomingValue(at)), phi->getIncomingBlock(at));
    return index;
  }
  return known[exception] = number(Foreign);
}

}  // namespace carried

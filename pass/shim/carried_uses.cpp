// Who touches an exception, and which calls have to do with it: see `carried.cpp`.
#include "carried.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace carried {

bool isCallOf(const CallBase &call, StringRef name) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->getName() == name;
}

// Members of the library's exceptions keep to themselves: they hold a message. Some have bodies in headers.
static bool isOfLibraryException(const Function &callee) {
  for (StringRef start : {"_ZNSt13runtime_error", "_ZNSt11logic_error", "_ZNSt12out_of_range", "_ZNSt16invalid_argument",
                          "_ZNSt12domain_error", "_ZNSt12length_error", "_ZNSt11range_error", "_ZNSt14overflow_error",
                          "_ZNSt15underflow_error", "_ZNSt9exception", "_ZNKSt9exception", "_ZNKSt13runtime_error",
                          "_ZNKSt11logic_error", "_ZNSt8bad_cast", "_ZNSt10bad_typeid", "_ZNSt9bad_alloc",
                          "_ZNSt20bad_array_new_length", "_ZNSt17bad_function_call", "_ZNSt13bad_exception",
                          "_ZNSt12bad_weak_ptr"})
    if (callee.getName().starts_with(start))
      return true;
  return false;
}

// A sanitizer asks of an address whether it is null and whether it is aligned, and would tell it.
static bool isQuestion(PtrToIntInst &number) {
  return all_of(number.users(), [](User *user) {
    auto *call = dyn_cast<CallBase>(user);
    const Function *told = call ? call->getCalledFunction() : nullptr;
    auto *masked = dyn_cast<BinaryOperator>(user);
    return (told && told->getName().starts_with("__ubsan_handle_")) || isa<ICmpInst>(user) ||
           (masked && masked->getOpcode() == Instruction::And &&
            all_of(masked->users(), [](User *last) { return isa<ICmpInst>(last); }));
  });
}

static bool gatherUse(User *user, Value *pointer, int64_t offset, CallBase &object, Uses &uses,
                      std::vector<std::pair<Value *, int64_t>> &waiting) {
  auto add = [&](Instruction *inst, Type *type, bool simple) {
    uses.accesses.push_back(Access{inst, offset, type});
    return simple && !type->isVectorTy() && !type->isAggregateType();
  };
  if (auto *load = dyn_cast<LoadInst>(user))
    return add(load, load->getType(), load->isSimple());
  if (auto *store = dyn_cast<StoreInst>(user))
    return store->getPointerOperand() == pointer && store->getValueOperand() != pointer &&
           add(store, store->getValueOperand()->getType(), store->isSimple());
  if (auto *step = dyn_cast<GetElementPtrInst>(user)) {
    const DataLayout &layout = object.getModule()->getDataLayout();
    APInt by(layout.getIndexSizeInBits(0), 0);
    if (!step->accumulateConstantOffset(layout, by))
      return false;
    waiting.push_back({step, offset + by.getSExtValue()});
    return true;
  }
  if (isa<ICmpInst>(user))
    return true;
  if (auto *number = dyn_cast<PtrToIntInst>(user))
    return isQuestion(*number);
  auto *call = dyn_cast<CallBase>(user);
  if (!call)
    return false;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(call))
    return intrinsic->isLifetimeStartOrEnd() || intrinsic->isAssumeLikeIntrinsic() ||
           intrinsic->getIntrinsicID() == Intrinsic::objectsize;
  const Function *callee = call->getCalledFunction();
  bool ends = isCallOf(*call, "__cxa_throw") || isCallOf(*call, "__cxa_free_exception") || isCallOf(*call, What);
  return callee && (ends || isOfLibraryException(*callee));
}

bool gatherUses(CallBase &object, Uses &uses) {
  std::vector<std::pair<Value *, int64_t>> waiting = {{&object, 0}};
  while (!waiting.empty()) {
    auto [pointer, offset] = waiting.back();
    waiting.pop_back();
    for (User *user : pointer->users())
      if (!gatherUse(user, pointer, offset, object, uses, waiting))
        return false;
  }
  return true;
}

static int64_t sizeOf(const Access &access) {
  return access.inst->getModule()->getDataLayout().getTypeStoreSize(access.type).getFixedValue();
}

bool Site::findFields() {
  for (const Access &access : uses.accesses)
    if (isa<StoreInst>(access.inst) && access.type->isFloatingPointTy())
      fields.try_emplace(access.offset, Field{access.type});
  return agreesWith(uses);
}

bool Site::agreesWith(const Uses &others) const {
  for (const Access &access : others.accesses)
    for (const auto &[offset, field] : fields) {
      int64_t size = thrown->getModule()->getDataLayout().getTypeStoreSize(field.type).getFixedValue();
      bool apart = access.offset + sizeOf(access) <= offset || offset + size <= access.offset;
      if (!apart && (access.offset != offset || access.type != field.type))
        return false;
    }
  return true;
}

AllocaInst *Site::slotAt(int64_t offset) const {
  auto field = fields.find(offset);
  return followed && field != fields.end() ? field->second.slot : nullptr;
}

CallBase *madeFor(CallBase &thrown) {
  auto *made = dyn_cast<CallBase>(thrown.getArgOperand(0));
  if (!made || !isCallOf(*made, "__cxa_allocate_exception"))
    return nullptr;
  auto throws = [](User *user) {
    auto *call = dyn_cast<CallBase>(user);
    return call && isCallOf(*call, "__cxa_throw");
  };
  return count_if(made->users(), throws) == 1 ? made : nullptr;
}

bool mayHandOn(CallBase &call, Function &function) {
  const Function *callee = call.getCalledFunction();
  // What a function throws that calls itself may be caught by another call of it, where its variables are others. The copy has
  // another name than what it is a copy of.
  if (!callee)
    return isa<InvokeInst>(call) && call.getFunctionType() == function.getFunctionType();
  return function.getName().ends_with(callee->getName()) && call.getFunctionType() == function.getFunctionType();
}

// Whoever keeps an exception may throw it again from anywhere, and then it looks like somebody else's.
bool mayKeepExceptions(const Module &module) {
  return any_of(module, [](const Function &function) {
    bool keeps = any_of(std::initializer_list<StringRef>{"current_exception", "current_primary_exception", "rethrow_exception",
                                                         "rethrow_primary_exception", "rethrow_nested", "throw_with_nested"},
                        [&](StringRef part) { return function.getName().contains(part); });
    return keeps && !function.use_empty();
  });
}

static bool mayThrowAgain(CallBase &call, std::set<Function *> &seen) {
  if (call.doesNotThrow() || isa<IntrinsicInst>(call))
    return false;
  Function *callee = call.getCalledFunction();
  if (!callee)
    return true;
  if (callee->doesNotThrow() || callee->getName().starts_with("bs_rt_") || callee->getName() == What || !seen.insert(callee).second)
    return false;
  if (callee->isDeclaration())
    return none_of(std::initializer_list<StringRef>{"__cxa_", "__ubsan_handle_", "_Zn", "_Zd", "_ZNSt", "_ZNKSt", "_ZSt"},
                   [&](StringRef start) { return callee->getName().starts_with(start); });
  return any_of(instructions(*callee), [&](Instruction &inst) {
    auto *inner = dyn_cast<CallBase>(&inst);
    if (inner && isCallOf(*inner, "__cxa_rethrow"))
      return !handlerOf(inst);
    return inner && mayThrowAgain(*inner, seen);
  });
}

bool mayThrowAgain(CallBase &call) {
  std::set<Function *> seen;
  return mayThrowAgain(call, seen);
}

static bool isQuiet(const Function &function, std::set<const Function *> &seen) {
  if (!seen.insert(&function).second || function.isIntrinsic() || isOfLibraryException(function))
    return true;
  if (function.isDeclaration())
    return function.getName().starts_with("_Zd") || function.getName() == "__clang_call_terminate";
  for (const Instruction &inst : instructions(function)) {
    if (inst.getType()->isFPOrFPVectorTy())
      return false;
    auto *call = dyn_cast<CallBase>(&inst);
    if (call && (!call->getCalledFunction() || !isQuiet(*call->getCalledFunction(), seen)))
      return false;
  }
  return true;
}

bool isQuietDestructor(Value *destructor) {
  if (isa<ConstantPointerNull>(destructor))
    return true;
  auto *function = dyn_cast<Function>(destructor->stripPointerCastsAndAliases());
  std::set<const Function *> seen;
  return function && isQuiet(*function, seen);
}

std::set<Instruction *> heldBy(CallBase &caught) {
  /// Handlers in handlers deeper than this are taken to last to the end.
  constexpr int Deepest = 8;
  std::set<Instruction *> held;
  std::set<std::pair<Instruction *, int>> seen;
  std::vector<std::pair<Instruction *, int>> waiting;
  auto goOn = [&](Instruction *from, int depth) {
    if (Instruction *next = from->getNextNode())
      waiting.push_back({next, depth});
    else
      for (BasicBlock *block : successors(from->getParent()))
        waiting.push_back({&block->front(), depth});
  };
  // One that is looked at while it is copied is not held yet.
  bool onlyCopied = isCallOf(caught, "__cxa_get_exception_ptr");
  goOn(&caught, 1);
  while (!waiting.empty()) {
    auto [inst, depth] = waiting.back();
    waiting.pop_back();
    if (!seen.insert({inst, depth}).second)
      continue;
    held.insert(inst);
    if (auto *call = dyn_cast<CallBase>(inst)) {
      if (onlyCopied && isCallOf(*call, "__cxa_begin_catch"))
        continue;
      depth += isCallOf(*call, "__cxa_begin_catch") && depth < Deepest;
      depth -= isCallOf(*call, "__cxa_end_catch");
    }
    if (depth > 0)
      goOn(inst, depth);
  }
  return held;
}

}  // namespace carried

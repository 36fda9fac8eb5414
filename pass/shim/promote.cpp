// Calls through pointers become choices among the functions of the module that such a pointer can lead to.
#include "called_tables.h"
#include "classes.h"
#include "fields.h"
#include "shim.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

using namespace llvm;

// More choices than these are a table of plugins rather than a hierarchy of classes.
static constexpr size_t MostTargets = 64;

static bool isHook(const Value *callee) {
  return callee && (callee->getName().contains("__backsweep_") || callee->getName().contains("__enzyme_"));
}

// Whether a function is only called here, or is the one that a hook asks for. What a hook hands on to that one may be called.
static bool isCalledOrAskedFor(const CallBase &call, const Use &use) {
  unsigned asked = call.hasStructRetAttr() ? 1 : 0;
  return call.isCallee(&use) || (isHook(call.getCalledOperand()) && use.getOperandNo() == asked);
}

// Whether a call only asks for a function to be called when the program or a thread ends. Nobody gets its address back.
static bool asksForTheEnd(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() &&
         is_contained({"__cxa_atexit", "__cxa_thread_atexit", "atexit", "at_quick_exit"}, callee->getName());
}

// A comparison hands the address to nobody; where calls have become choices before, they are full of them.
static bool putsNowhere(const Use &use) {
  auto *call = dyn_cast<CallBase>(use.getUser());
  return isa<ICmpInst>(use.getUser()) || (call && (isCalledOrAskedFor(*call, use) || asksForTheEnd(*call)));
}

// Whether a function's address goes anywhere but into calls of it, to its other names, to what is called as the program starts and
// ends, and into our own hooks.
static bool isAddressTaken(const Value *function, unsigned depth = 0) {
  if (depth > 8)
    return true;
  for (const Use &use : function->uses()) {
    const User *user = use.getUser();
    if (auto *call = dyn_cast<CallBase>(user)) {
      if (isCalledOrAskedFor(*call, use) || asksForTheEnd(*call))
        continue;
      return true;
    }
    if (auto *global = dyn_cast<GlobalVariable>(user)) {
      if (global->getName() == "llvm.used" || global->getName() == "llvm.compiler.used" ||
          global->getName() == "llvm.global_ctors" || global->getName() == "llvm.global_dtors" || isHook(global))
        continue;
      return true;
    }
    // Another name of a function is one that may be called by it, as this one may.
    if (isa<Constant>(user) && (isa<GlobalAlias>(user) || !isa<GlobalValue>(user))) {
      if (isAddressTaken(user, depth + 1))
        return true;
      continue;
    }
    return true;
  }
  return false;
}

static bool mayCarryDerivative(const FunctionType *type) {
  auto carries = [](Type *part) { return part->isFPOrFPVectorTy() || part->isPointerTy() || part->isAggregateType(); };
  return carries(type->getReturnType()) || any_of(type->params(), carries);
}

// Whether a function, or one that it calls by name, names a variable of the program: what it computes may be left there.
static bool namesVariable(const Function &function, SmallPtrSetImpl<const Function *> &seen) {
  return seen.insert(&function).second && any_of(instructions(function), [&](const Instruction &inst) {
    return any_of(inst.operand_values(), [&](const Value *used) {
      used = isa<ConstantExpr>(used) ? getUnderlyingObject(used) : used;
      auto *global = dyn_cast<GlobalVariable>(used);
      auto *callee = dyn_cast<Function>(used);
      return (global && !global->isConstant()) || (callee && namesVariable(*callee, seen));
    });
  });
}

// Whether a call that hands over no float and no address, and is given none, may still matter.
static bool mayLeaveFloats(ArrayRef<Function *> targets) {
  return any_of(targets, [](const Function *target) {
    SmallPtrSet<const Function *, 8> seen;
    return namesVariable(*target, seen);
  });
}

// Where in a table of virtual functions objects point to: behind what tells their type. Nothing without such a place.
static std::optional<unsigned> addressPoint(const ConstantAggregate &table) {
  for (unsigned at = 0; at < table.getNumOperands(); ++at)
    if (table.getOperand(at)->getName().starts_with("_ZTI"))
      return at + 1;
  return std::nullopt;
}

static bool isOnlyInVirtualTables(const Constant *part, unsigned depth = 0) {
  return depth < 4 && all_of(part->users(), [&](const User *user) {
    if (auto *global = dyn_cast<GlobalVariable>(user))
      return global->isConstant() && (global->getName().starts_with("_ZTV") || global->getName().starts_with("_ZTC"));
    return isa<ConstantAggregate>(user) && isOnlyInVirtualTables(cast<Constant>(user), depth + 1);
  });
}

// Flang's tables of type-bound procedures: an entry is an address, as an integer, and a name. A type's own entries come behind
// those of the type it extends. Adds how far behind the beginning of a table the entries stand that have this part; whether
// it is in nothing else.
static bool findBoundPlaces(const Constant *part, const DataLayout &layout, SmallVectorImpl<int64_t> &places,
                            unsigned depth = 0) {
  return depth < 4 && all_of(part->uses(), [&](const Use &use) {
    auto *table = dyn_cast<ConstantArray>(use.getUser());
    if (!table) {
      auto *whole = dyn_cast<Constant>(use.getUser());
      bool first = isa<ConstantExpr>(use.getUser()) || use.getOperandNo() == 0;
      return whole && !isa<GlobalValue>(whole) && first && findBoundPlaces(whole, layout, places, depth + 1);
    }
    places.push_back(int64_t(use.getOperandNo()) * int64_t(layout.getTypeAllocSize(part->getType())));
    return all_of(table->users(), [](const User *user) {
      auto *global = dyn_cast<GlobalVariable>(user);
      return global && global->isConstant() && global->getName().starts_with("_Q") && global->getName().contains("EXvX");
    });
  });
}

// Adds how far behind the place that objects point to a virtual function stands, in each table that has it by this name or another.
// False where its address may be somewhere else as well.
static bool addVirtualPlaces(const GlobalValue &function, const DataLayout &layout, SmallVectorImpl<int64_t> &places) {
  for (const Use &use : function.uses()) {
    const User *user = use.getUser();
    if (putsNowhere(use))
      continue;
    if (auto *name = dyn_cast<GlobalAlias>(user)) {
      if (!addVirtualPlaces(*name, layout, places))
        return false;
      continue;
    }
    if (auto *address = dyn_cast<ConstantExpr>(user); address && address->getOpcode() == Instruction::PtrToInt) {
      if (!findBoundPlaces(address, layout, places))
        return false;
      continue;
    }
    auto *table = dyn_cast<ConstantArray>(user);
    std::optional<unsigned> point = table ? addressPoint(*table) : std::nullopt;
    if (!point || !isOnlyInVirtualTables(table))
      return false;
    places.push_back((int64_t(use.getOperandNo()) - int64_t(*point)) * int64_t(layout.getPointerSize()));
  }
  return true;
}

// Those places. Nothing where its address may be somewhere else as well.
static std::optional<SmallVector<int64_t, 4>> virtualPlaces(const Function &function, const DataLayout &layout) {
  SmallVector<int64_t, 4> places;
  if (!addVirtualPlaces(function, layout, places))
    return std::nullopt;
  return places;
}

// Where a pointer that is called was read; flang keeps those in tables as integers.
static const LoadInst *loadOf(const CallBase &call) {
  const Value *read = call.getCalledOperand();
  if (auto *address = dyn_cast<IntToPtrInst>(read))
    read = address->getOperand(0);
  return dyn_cast<LoadInst>(read);
}

// How far behind the pointer in an object a virtual call finds its function, and where that pointer was read. Nothing where a call
// is of another kind.
struct VirtualPlace {
  int64_t at;
  const LoadInst *table;
};

static std::optional<VirtualPlace> virtualPlace(const CallBase &call, const DataLayout &layout) {
  const LoadInst *load = loadOf(call);
  if (!load)
    return std::nullopt;
  APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
  auto *table = dyn_cast<LoadInst>(load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true));
  if (!table)
    return std::nullopt;
  return VirtualPlace{offset.getSExtValue(), table};
}

// A place a known number of bytes behind something.
struct Spot {
  const Value *base;
  int64_t offset;
};

static Spot spotOf(const Value *pointer, const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  return {base, offset.getSExtValue()};
}

static const GlobalVariable *virtualTable(const Value *base) {
  auto *global = dyn_cast<GlobalVariable>(base);
  bool isTable = global && global->isConstant() && global->hasDefinitiveInitializer();
  return isTable && global->getName().starts_with("_ZTV") ? global : nullptr;
}

// Whether a call may give an object its table: a function that is handed it may be a constructor that was not inlined, or make
// another object in its place. A virtual function does neither to the object that it is called of. So may what copies another object there.
static bool mayConstruct(const CallBase &call, Spot here, const DataLayout &layout) {
  const Value *object = here.base;
  if (auto *copy = dyn_cast<MemTransferInst>(&call)) {
    Spot to = spotOf(copy->getRawDest(), layout);
    return getUnderlyingObject(to.base) == object && (to.base != object || to.offset <= here.offset);
  }
  const Function *callee = call.getCalledFunction();
  if (callee && callee->isDeclaration())
    return false;
  std::optional<SmallVector<int64_t, 4>> places;
  if (callee)
    places = virtualPlaces(*callee, layout);
  bool isVirtual = callee ? places && !places->empty() : virtualPlace(call, layout).has_value();
  unsigned receiver = call.hasStructRetAttr() ? 1 : 0;
  return any_of(call.args(), [&](const Use &given) {
    return getUnderlyingObject(given) == object && !(isVirtual && call.getArgOperandNo(&given) == receiver);
  });
}

// Adds the virtual functions that objects made here may have at a place: those in the tables that they are given. False where that is not
// known of one.
static bool addConstructed(Spot here, int64_t at, const Function &function, SmallPtrSetImpl<const Constant *> &targets) {
  const DataLayout &layout = function.getDataLayout();
  bool found = false;
  for (const Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&inst);
    if (call && mayConstruct(*call, here, layout))
      return false;
    auto *store = dyn_cast<StoreInst>(&inst);
    if (!store || getUnderlyingObject(store->getPointerOperand()) != here.base ||
        !store->getValueOperand()->getType()->isPointerTy())
      continue;
    Spot there = spotOf(store->getPointerOperand(), layout);
    if (there.base == here.base && there.offset != here.offset)
      continue;
    Spot point = spotOf(store->getValueOperand(), layout);
    const GlobalVariable *table = virtualTable(point.base);
    if (!table || there.base != here.base)
      return false;
    APInt offset(64, point.offset + at, true);
    auto *whole = const_cast<Constant *>(table->getInitializer());
    if (const Constant *target = ConstantFoldLoadFromConst(whole, store->getValueOperand()->getType(), offset, layout)) {
      targets.insert(cast<Constant>(target->stripPointerCastsAndAliases()));
      found = true;
    }
  }
  return found;
}

// What a virtual call may lead to where each object that it may be of was made in this function. An object that a constructor makes of it that
// is not seen would end the call with a message. Nothing where that is not known.
static std::optional<SmallPtrSet<const Constant *, 4>> constructedTargets(const VirtualPlace &place,
                                                                          const DataLayout &layout) {
  constexpr unsigned MostObjects = 16;
  SmallPtrSet<const Constant *, 4> targets;
  SmallSetVector<std::pair<const Value *, int64_t>, 4> waiting;
  waiting.insert({place.table->getPointerOperand(), 0});
  for (unsigned at = 0; at < waiting.size(); at++) {
    auto [pointer, offset] = waiting[at];
    Spot here = spotOf(pointer, layout);
    here.offset += offset;
    if (at == MostObjects)
      return std::nullopt;
    // Nobody calls a function of no object.
    if (isa<ConstantPointerNull>(here.base))
      continue;
    if (auto *phi = dyn_cast<PHINode>(here.base)) {
      for (const Value *way : phi->incoming_values())
        waiting.insert({way, here.offset});
    } else if (auto *select = dyn_cast<SelectInst>(here.base)) {
      waiting.insert({select->getTrueValue(), here.offset});
      waiting.insert({select->getFalseValue(), here.offset});
    } else if (!isIdentifiedFunctionLocal(here.base) || isa<Argument>(here.base) ||
               !addConstructed(here, place.at, *place.table->getFunction(), targets)) {
      return std::nullopt;
    }
  }
  if (targets.empty())
    return std::nullopt;
  return targets;
}

// Whether the pointer that is called is kept in an object in sight, as pointers to procedures are, and in no table.
static bool isKeptInObject(const CallBase &call) {
  const LoadInst *load = loadOf(call);
  return load && isa<AllocaInst, Argument>(getUnderlyingObject(load->getPointerOperand()));
}

// A virtual function whose address is in tables of virtual functions only is not found at another place of a table, nor in a member of a
// struct, and one that is bound to a type of Fortran's in no object either. Were it called there nevertheless, the call would end with a message.
static bool isElsewhere(const Function &function, const CallBase &call, std::optional<VirtualPlace> place) {
  const LoadInst *load = loadOf(call);
  bool isField = load && isInField(*load);
  bool isKept = !place && isKeptInObject(call);
  if (!place && !isKept && !isField)
    return false;
  std::optional<SmallVector<int64_t, 4>> places = virtualPlaces(function, call.getModule()->getDataLayout());
  if (isField)
    return places && !places->empty();
  if (isKept)
    return places && any_of(function.users(), [](const User *user) { return isa<ConstantExpr>(user); });
  return places && !is_contained(*places, place->at);
}

// Whether a procedure of Fortran's is bound to a type at that place, and its address is nowhere else.
static bool isBoundAt(const Function &function, std::optional<VirtualPlace> place) {
  if (!place || none_of(function.users(), [](const User *user) { return isa<ConstantExpr>(user); }))
    return false;
  std::optional<SmallVector<int64_t, 4>> places = virtualPlaces(function, function.getParent()->getDataLayout());
  return places && is_contained(*places, place->at);
}

// Whether a function stands in other tables than that which is called from.
static bool isOfAnotherTable(const Function &function, const LoadInst *load) {
  const GlobalVariable *table = load ? tableOf(*load) : nullptr;
  return table ? !standsIn(*table, function) : isOnlyInTables(function, putsNowhere);
}

static SmallVector<Function *, 8> targetsOf(CallBase &call, bool (*isKnown)(void *, LLVMValueRef), void *user) {
  SmallVector<Function *, 8> targets;
  const DataLayout &layout = call.getModule()->getDataLayout();
  std::optional<VirtualPlace> place = virtualPlace(call, layout);
  for (Function &function : *call.getModule()) {
    if (function.getFunctionType() != call.getFunctionType() || function.isIntrinsic() || isHook(&function) ||
        function.getName().starts_with("backsweep.") || !isAddressTaken(&function) ||
        !isKnown(user, wrap(&function)) || isElsewhere(function, call, place) || takesOthers(function, call))
      continue;
    const LoadInst *load = loadOf(call);
    if (isLegalToPromote(call, &function) && !(load && isInAnotherField(function, *load, putsNowhere)) &&
        !isOfAnotherTable(function, load))
      targets.push_back(&function);
  }
  keepOfClass(call, targets);
  // Other classes may have functions of that kind at the same place.
  if (auto constructed = place ? constructedTargets(*place, layout) : std::nullopt)
    erase_if(targets, [&](const Function *target) { return !constructed->contains(target); });
  // What flang reads from a table of bound procedures is none of those that pointers lead to.
  auto isBoundThere = [&](const Function *target) { return isBoundAt(*target, place); };
  if (isa<IntToPtrInst>(call.getCalledOperand()) && any_of(targets, isBoundThere))
    erase_if(targets, [&](const Function *target) { return !isBoundThere(target); });
  return targets;
}

// Whether a call destroys the value behind one of Rust's trait objects. A type with nothing to destroy has null in the place of
// such a function, and where all are of that kind no function of the module is meant.
static bool isDropGlue(const CallBase &call) {
  const FunctionType *type = call.getFunctionType();
  bool alike = type->getReturnType()->isVoidTy() && type->getNumParams() == 1 && type->getParamType(0)->isPointerTy();
  return alike && isa<LoadInst>(call.getCalledOperand()) && call.getModule()->getFunction("rust_eh_personality");
}

// Whether a call destroys the value of a panic that Rust's `catch_unwind` has caught: the table it is read from came with the panic. Mostly that
// is a text that the library has made, and the function the library's own. No active value goes along with a panic, so this is a call
// of something unknown with memory that nobody here follows, and the plan judges it as such.
static bool destroysPanic(const CallBase &call) {
  if (!isDropGlue(call))
    return false;
  auto comesWithPanic = [](const Value *table) {
    auto *part = dyn_cast<ExtractValueInst>(table);
    auto *taken = part && part->getIndices() == ArrayRef<unsigned>{1} ? dyn_cast<CallBase>(part->getAggregateOperand()) : nullptr;
    const Function *callee = taken ? taken->getCalledFunction() : nullptr;
    return callee && callee->isDeclaration() && callee->getName().contains("3std9panicking12catch_unwind7cleanup");
  };
  SmallSetVector<const Value *, 4> tables;
  tables.insert(cast<LoadInst>(call.getCalledOperand())->getPointerOperand());
  // In a union with a number it may have been kept as one.
  for (unsigned at = 0; at < tables.size(); at++) {
    auto *made = dyn_cast<Instruction>(tables[at]);
    if (made && isa<PHINode, CastInst>(made))
      tables.insert(made->value_op_begin(), made->value_op_end());
  }
  return any_of(tables, comesWithPanic);
}

// What is left when the pointer was none of them: an end with a message, in the place of a call that nobody could
// differentiate.
static void endWithMessage(CallBase &call) {
  Module *module = call.getModule();
  IRBuilder<> builder(&call);
  FunctionCallee end = module->getOrInsertFunction("bs_rt_unknown_function", builder.getVoidTy(), builder.getPtrTy());
  CallInst *message = builder.CreateCall(end, {call.getCalledOperand()});
  message->setDebugLoc(call.getDebugLoc());
  message->setDoesNotReturn();
  changeToUnreachable(&call);
}

bool bs_shim_promote_calls(LLVMValueRef raw, bool (*isKnown)(void *, LLVMValueRef), void *user) {
  auto *function = unwrap<Function>(raw);
  SmallVector<CallBase *, 8> indirect;
  for (BasicBlock &block : *function)
    for (Instruction &inst : block)
      if (auto *call = dyn_cast<CallBase>(&inst))
        if (call->isIndirectCall() && !isa<CallBrInst>(call) && !call->getFunctionType()->isVarArg())
          indirect.push_back(call);
  bool changed = false;
  for (CallBase *call : indirect) {
    if (destroysPanic(*call))
      continue;
    SmallVector<Function *, 8> targets = targetsOf(*call, isKnown, user);
    if ((targets.empty() && !isDropGlue(*call)) || targets.size() > MostTargets)
      continue;
    if (!mayCarryDerivative(call->getFunctionType()) && !mayLeaveFloats(targets))
      continue;
    for (Function *target : targets)
      promoteCallWithIfThenElse(*call, target);
    endWithMessage(*call);
    changed = true;
  }
  return changed;
}

void bs_shim_targets_of(LLVMValueRef raw, bool (*isKnown)(void *, LLVMValueRef), void *user,
                        void (*each)(void *, LLVMValueRef), void *eachUser) {
  auto *call = cast<CallBase>(unwrap(raw));
  if (!call->isIndirectCall() || isa<CallBrInst>(call))
    return;
  for (Function *target : targetsOf(*call, isKnown, user))
    each(eachUser, wrap(target));
}

bool bs_shim_has_indirect_call(LLVMValueRef raw) {
  for (BasicBlock &block : *unwrap<Function>(raw))
    for (Instruction &inst : block)
      if (auto *call = dyn_cast<CallBase>(&inst))
        if (call->isIndirectCall())
          return true;
  return false;
}

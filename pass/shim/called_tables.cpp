// Tables of functions that are only called from, as those of a state machine or of the kernels that a program chooses among.
//
// Who calls from such a table calls a function that stands there, and a function that stands nowhere else is called from there only.
#include "called_tables.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

bool isHandedOn(const Value &pointer) {
  SmallSetVector<const Value *, 8> known;
  known.insert(&pointer);
  for (unsigned at = 0; at < known.size(); ++at) {
    for (const Use &use : known[at]->uses()) {
      auto *call = dyn_cast<CallBase>(use.getUser());
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      bool asks = isa<ICmpInst>(use.getUser()) || (callee && callee->getName() == "bs_rt_unknown_function");
      if (isa<PHINode, SelectInst>(use.getUser()))
        known.insert(use.getUser());
      else if (!asks && !(call && call->isCallee(&use)))
        return true;
    }
  }
  return false;
}

// Whether all that is done with an address is to load from there, or from places behind it; each load is asked about.
static bool isOnlyLoaded(const Value &address, function_ref<bool(const LoadInst &)> asked) {
  return all_of(address.users(), [&](const User *user) {
    if (auto *load = dyn_cast<LoadInst>(user))
      return asked(*load);
    return isa<GEPOperator>(user) && isOnlyLoaded(*user, asked);
  });
}

static bool isFixed(const GlobalVariable &table, function_ref<bool(const LoadInst &)> asked) {
  bool isKnown = table.hasDefinitiveInitializer() && (table.isConstant() || table.hasLocalLinkage());
  return isKnown && isOnlyLoaded(table, asked);
}

const GlobalVariable *tableOf(const LoadInst &load) {
  auto *table = dyn_cast<GlobalVariable>(getUnderlyingObject(load.getPointerOperand()));
  bool holds = table && table->hasDefinitiveInitializer() &&
               (table->isConstant() || isFixed(*table, [](const LoadInst &) { return true; }));
  return holds ? table : nullptr;
}

static bool isPartOf(const Constant &whole, const Function &function) {
  return any_of(whole.operands(), [&](const Use &part) {
    if (part->stripPointerCastsAndAliases() == &function)
      return true;
    return isa<ConstantAggregate>(part) && isPartOf(*cast<Constant>(part), function);
  });
}

bool standsIn(const GlobalVariable &table, const Function &function) {
  const Constant *whole = table.getInitializer();
  return whole->stripPointerCastsAndAliases() == &function || isPartOf(*whole, function);
}

static bool isCalledFrom(const GlobalVariable &table) {
  return isFixed(table, [](const LoadInst &load) { return load.getType()->isPointerTy() && !isHandedOn(load); });
}

// Whether who names a function, or a part of a table, is a table that is only called from, or a part of such tables.
static bool isOfTables(const User *user) {
  if (auto *table = dyn_cast<GlobalVariable>(user))
    return isCalledFrom(*table);
  return isa<ConstantAggregate>(user) && all_of(user->users(), isOfTables);
}

bool isOnlyInTables(const Function &function, function_ref<bool(const Use &)> putsNowhere) {
  // Another file may hand over the address of what it can name.
  bool isInOne = false;
  if (!function.hasLocalLinkage())
    return false;
  for (const Use &use : function.uses()) {
    if (putsNowhere(use))
      continue;
    if (!isOfTables(use.getUser()))
      return false;
    isInOne = true;
  }
  return isInOne;
}

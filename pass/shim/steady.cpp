// What a loop leaves as it is.
#include "steady.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

static bool touchesNumbers(const Instruction &inst) {
  auto isNumber = [](const Value *value) { return value->getType()->isFPOrFPVectorTy(); };
  return isNumber(&inst) || any_of(inst.operands(), isNumber);
}

std::optional<unsigned> sizeOfNumbers(const Loop &loop) {
  unsigned size = 0;
  bool numbers = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (call && (call->cannotDuplicate() || call->isConvergent()))
        return std::nullopt;
      size += !isa<DbgInfoIntrinsic>(inst);
      numbers |= touchesNumbers(inst);
    }
  return numbers ? std::optional(size) : std::nullopt;
}

Steady::Steady(Function &function)
    : dominators(function), loops(dominators), assumptions(function), libraries(function.getParent()->getTargetTriple()),
      library(libraries, &function), evolution(function, library, assumptions, dominators, loops),
      basic(function.getDataLayout(), function, library, assumptions, &dominators), aliases(library) {
  aliases.addAAResult(basic);
}

bool Steady::isFunctionOfNumbers(const CallInst &call) const {
  if (call.isStrictFP() || call.hasOperandBundles() || !call.getType()->isFloatingPointTy())
    return false;
  auto isNumber = [](const Use &use) { return use->getType()->isFloatingPointTy() || use->getType()->isIntegerTy(); };
  if (!all_of(call.args(), isNumber))
    return false;
  switch (call.getIntrinsicID()) {
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tan:
  case Intrinsic::asin:
  case Intrinsic::acos:
  case Intrinsic::atan:
  case Intrinsic::atan2:
  case Intrinsic::sinh:
  case Intrinsic::cosh:
  case Intrinsic::tanh:
    return true;
  default:
    break;
  }
  const Function *callee = call.getCalledFunction();
  LibFunc known;
  if (!callee || !callee->isDeclaration() || !library.getLibFunc(*callee, known))
    return false;
  static const StringSet<> names = {"exp",  "exp2", "exp10", "expm1", "log",  "log2",  "log10", "log1p", "pow",   "sin",  "cos",   "tan",
                                    "asin", "acos", "atan",  "atan2", "sinh", "cosh",  "tanh",  "asinh", "acosh", "atanh", "erf",   "hypot",
                                    "cbrt", "tgamma"};
  StringRef name = callee->getName();
  return names.contains(name) || ((name.ends_with("f") || name.ends_with("l")) && names.contains(name.drop_back()));
}

bool Steady::staysTheSame(LoadInst &load, Loop &around) {
  Value *base = getUnderlyingObject(load.getPointerOperand());
  if (!load.isSimple() || !around.isLoopInvariant(base))
    return false;
  MemoryLocation object = MemoryLocation::getBeforeOrAfter(base);
  for (BasicBlock *block : around.blocks())
    for (Instruction &inst : *block) {
      auto *call = dyn_cast<CallInst>(&inst);
      if (!inst.mayWriteToMemory() || (call && isFunctionOfNumbers(*call)))
        continue;
      if (auto *store = dyn_cast<StoreInst>(&inst)) {
        Value *to = getUnderlyingObject(store->getPointerOperand());
        if (!store->isSimple() || !aliases.isNoAlias(object, MemoryLocation::getBeforeOrAfter(to)))
          return false;
      } else if (isModSet(aliases.getModRefInfo(&inst, object))) {
        return false;
      }
    }
  return true;
}

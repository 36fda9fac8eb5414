// Of which types an exception may be that a handler holds: see `carried.cpp`.
#include "shim.h"
#include "carried.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace carried {

// What a class derives from where that is one class, at the beginning of the object; null where there is none, or where
// nobody here says.
static GlobalVariable *baseOf(GlobalVariable &type) {
  auto *members = type.hasInitializer() ? dyn_cast<ConstantStruct>(type.getInitializer()) : nullptr;
  if (!members || members->getNumOperands() != 3)
    return nullptr;
  auto *kind = dyn_cast<GlobalVariable>(members->getOperand(0)->stripInBoundsOffsets());
  bool single = kind && kind->getName() == "_ZTVN10__cxxabiv120__si_class_type_infoE";
  return single ? dyn_cast<GlobalVariable>(members->getOperand(2)) : nullptr;
}

// Whether nothing is known here of what a class derives from, if from anything.
static bool isOpen(GlobalVariable &type) {
  auto *members = type.hasInitializer() ? dyn_cast<ConstantStruct>(type.getInitializer()) : nullptr;
  return !members || members->getNumOperands() > 3;
}

static bool isOfLibrary(GlobalVariable &type) {
  return !type.hasInitializer() && type.getName().starts_with("_ZTISt") && !type.getName().drop_front(6).contains('I');
}

// Numbers are of their own type alone.
static bool isNumber(GlobalVariable &type) { return type.getName().size() == 5 && StringRef("dfijlmsteb").contains(type.getName()[4]); }

bool isException(Value *type) {
  auto *info = dyn_cast<GlobalVariable>(type);
  while (info && baseOf(*info))
    info = baseOf(*info);
  return info && isOfLibrary(*info);
}

bool mayBeCaughtAs(Value *thrown, Value *caught) {
  auto *type = dyn_cast<GlobalVariable>(thrown), *wanted = dyn_cast<GlobalVariable>(caught);
  if (!type || !wanted || type == wanted)
    return true;
  if (isNumber(*type) || isNumber(*wanted))
    return false;
  while (GlobalVariable *base = baseOf(*type)) {
    if (base == wanted)
      return true;
    type = base;
  }
  // The library's classes derive from its own.
  return isOfLibrary(*type) ? !wanted->hasInitializer() : isOpen(*type);
}

bool beginsWhereCaught(Value *thrown, Value *caught) {
  auto *type = dyn_cast<GlobalVariable>(thrown);
  if (!type || type == caught)
    return type;
  while (GlobalVariable *base = baseOf(*type))
    type = base;
  return isOfLibrary(*type) || isNumber(*type) || !isOpen(*type);
}

Value *caughtType(CallBase &caught, DominatorTree &dominators) {
  auto *exception = dyn_cast<ExtractValueInst>(caught.getArgOperand(0));
  DomTreeNode *node = dominators.getNode(caught.getParent());
  for (node = node ? node->getIDom() : nullptr; node; node = node->getIDom()) {
    BasicBlock *block = node->getBlock();
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    auto *test = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (!test || test->getPredicate() != ICmpInst::ICMP_EQ)
      continue;
    for (unsigned at : {0u, 1u}) {
      auto *asked = dyn_cast<IntrinsicInst>(test->getOperand(at));
      if (!asked || asked->getIntrinsicID() != Intrinsic::eh_typeid_for)
        continue;
      // Whatever the number of the handler is compared with, it has to be that of the same exception.
      auto *number = dyn_cast<ExtractValueInst>(test->getOperand(1 - at));
      bool same = exception && number && number->getAggregateOperand() == exception->getAggregateOperand();
      bool taken = dominators.dominates(BasicBlockEdge(block, branch->getSuccessor(0)), caught.getParent());
      if (same && taken)
        return asked->getArgOperand(0);
    }
  }
  return nullptr;
}

// The function that calls the third member of the table of an exception, which is `what()`.
static Function *messageOf(Module &module) {
  Type *pointer = PointerType::get(module.getContext(), 0);
  auto *type = FunctionType::get(pointer, {pointer}, false);
  auto *function = cast<Function>(module.getOrInsertFunction(What, type).getCallee());
  if (!function->isDeclaration())
    return function;
  function->setLinkage(GlobalValue::InternalLinkage);
  function->setDoesNotThrow();
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", function));
  Value *table = builder.CreateLoad(pointer, function->getArg(0));
  Value *member = builder.CreateLoad(pointer, builder.CreateConstGEP1_32(pointer, table, 2));
  builder.CreateRet(builder.CreateCall(type, member, {function->getArg(0)}));
  return function;
}

static bool isMessage(CallInst &call, Value *object) {
  auto *member = dyn_cast<LoadInst>(call.getCalledOperand());
  bool fits = call.arg_size() == 1 && call.getArgOperand(0) == object && call.getType()->isPointerTy();
  if (!member || !fits)
    return false;
  const DataLayout &layout = call.getModule()->getDataLayout();
  APInt offset(layout.getIndexSizeInBits(0), 0);
  Value *table = member->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  auto *found = dyn_cast<LoadInst>(table);
  return offset == 2 * layout.getPointerSize() && found && found->getPointerOperand() == object;
}

void nameMessages(Function &function) {
  DominatorTree dominators(function);
  std::vector<CallInst *> messages;
  for (Instruction &inst : instructions(function)) {
    auto *caught = dyn_cast<CallInst>(&inst);
    if (!caught || !isCallOf(*caught, "__cxa_begin_catch"))
      continue;
    Value *type = caughtType(*caught, dominators);
    for (User *user : caught->users())
      if (auto *call = dyn_cast<CallInst>(user); call && type && isException(type) && isMessage(*call, caught))
        messages.push_back(call);
  }
  for (CallInst *call : messages) {
    IRBuilder<> builder(call);
    CallInst *named = builder.CreateCall(messageOf(*function.getParent()), {call->getArgOperand(0)});
    bs_shim_mark_inactive(wrap(named));
    call->replaceAllUsesWith(named);
    call->eraseFromParent();
  }
}

}  // namespace carried

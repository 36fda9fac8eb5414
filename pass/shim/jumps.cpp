// Jumps to places that are known by their addresses, and jumps that assembly makes, as switches.
//
// A function with such jumps can stand nowhere but where it is, so both are opened in a copy. What comes to stand in their
// place is ordinary control flow, which is turned around as any other.

#include "shim.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "jumps.h"

using namespace llvm;

// Tables of labels lead to the blocks of the original, and so does every label in the copy from now on: an address is only
// compared. The copies of the blocks that a label may lead to, by the labels.
static SmallVector<std::pair<BlockAddress *, BasicBlock *>, 8> labelledBlocks(Function &original, Function &copy) {
  SmallVector<std::pair<BlockAddress *, BasicBlock *>, 8> labelled;
  for (auto &&[block, twin] : zip(original, copy)) {
    if (!block.hasAddressTaken())
      continue;
    BlockAddress *label = BlockAddress::get(&original, &block);
    if (BlockAddress *own = BlockAddress::lookup(&twin)) {
      own->replaceAllUsesWith(label);
      own->destroyConstant();
    }
    labelled.push_back({label, &twin});
  }
  return labelled;
}

// A computed goto asks of label after label whether it is the one. Where it is none of them, the program jumps nowhere.
static void openGoto(IndirectBrInst &jump, ArrayRef<std::pair<BlockAddress *, BasicBlock *>> labelled) {
  BasicBlock *home = jump.getParent(), *asking = home;
  Function *function = home->getParent();
  LLVMContext &context = home->getContext();
  SmallPtrSet<BasicBlock *, 8> reached;
  for (BasicBlock *target : successors(home))
    reached.insert(target);
  auto *nowhere = BasicBlock::Create(context, "nowhere", function);
  new UnreachableInst(context, nowhere);
  Value *address = jump.getAddress();
  DebugLoc location = jump.getDebugLoc();
  SmallVector<std::pair<BasicBlock *, BasicBlock *>, 8> edges;
  SmallVector<std::pair<BlockAddress *, BasicBlock *>, 8> targets;
  copy_if(labelled, std::back_inserter(targets), [&](auto &label) { return reached.count(label.second); });
  for (auto [label, target] : targets) {
    bool isLast = label == targets.back().first;
    BasicBlock *next = isLast ? nowhere : BasicBlock::Create(context, "label", function, nowhere);
    IRBuilder<> builder(asking);
    if (asking == home)
      builder.SetInsertPoint(&jump);
    builder.SetCurrentDebugLocation(location);
    builder.CreateCondBr(builder.CreateICmpEQ(address, label), target, next);
    edges.push_back({asking, target});
    asking = next;
  }
  // A phi of a target has one value for the jump, whichever of the questions leads there; an edge that the jump names
  // twice is one now.
  for (BasicBlock *target : reached)
    for (PHINode &phi : target->phis()) {
      Value *value = phi.getIncomingValueForBlock(home);
      phi.removeIncomingValueIf([&](unsigned at) { return phi.getIncomingBlock(at) == home; }, false);
      for (auto [from, to] : edges)
        if (to == target)
          phi.addIncoming(value, from);
    }
  if (targets.empty())
    IRBuilder<>(&jump).CreateBr(nowhere);
  jump.eraseFromParent();
}

// Whether all that such assembly is told and tells is numbers, and it gets at no memory.
static bool tellsNumbers(const CallBrInst &jump) {
  auto isNumber = [](const Type *type) { return type->isIntegerTy(); };
  auto *assembly = dyn_cast<InlineAsm>(jump.getCalledOperand());
  if (!assembly || !all_of(jump.args(), [&](const Use &given) { return isNumber(given->getType()); }))
    return false;
  for (const InlineAsm::ConstraintInfo &constraint : assembly->ParseConstraints())
    if (constraint.isIndirect || is_contained(constraint.Codes, "{memory}"))
      return false;
  return jump.getType()->isVoidTy() || isNumber(jump.getType());
}

// The assembly in a function of its own, which returns where it would jump and what it gave.
static Function *askWhere(const CallBrInst &jump) {
  LLVMContext &context = jump.getContext();
  auto *place = Type::getInt32Ty(context);
  bool gives = !jump.getType()->isVoidTy();
  Type *result = gives ? static_cast<Type *>(StructType::get(place, jump.getType())) : place;
  SmallVector<Type *, 4> given;
  for (const Use &operand : jump.args())
    given.push_back(operand->getType());
  auto *module = const_cast<Module *>(jump.getModule());
  auto *function = Function::Create(FunctionType::get(result, given, false), GlobalValue::InternalLinkage,
                                    "backsweep.assembly", module);
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::NoUnwind);
  function->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  auto *entry = BasicBlock::Create(context, "", function);
  SmallVector<BasicBlock *, 4> ways;
  for (unsigned way = 0; way < jump.getNumSuccessors(); ++way)
    ways.push_back(BasicBlock::Create(context, "", function));
  SmallVector<Value *, 4> operands;
  for (Argument &parameter : function->args())
    operands.push_back(&parameter);
  IRBuilder<> builder(entry);
  CallBrInst *asked = builder.CreateCallBr(jump.getFunctionType(), jump.getCalledOperand(), ways.front(),
                                           ArrayRef(ways).drop_front(), operands);
  asked->setAttributes(jump.getAttributes());
  for (auto [way, block] : enumerate(ways)) {
    builder.SetInsertPoint(block);
    Value *told = builder.getInt32(way);
    if (gives)
      told = builder.CreateInsertValue(builder.CreateInsertValue(PoisonValue::get(result), told, 0), asked, 1);
    builder.CreateRet(told);
  }
  return function;
}

static void openJump(CallBrInst &jump) {
  if (!tellsNumbers(jump))
    return;
  IRBuilder<> builder(&jump);
  SmallVector<Value *, 4> operands(jump.args());
  Value *told = builder.CreateCall(askWhere(jump), operands), *way = told;
  if (!jump.getType()->isVoidTy()) {
    way = builder.CreateExtractValue(told, 0);
    jump.replaceAllUsesWith(builder.CreateExtractValue(told, 1));
  }
  // The ways are told apart by their places: two of them may lead to one block, which is entered once for each then, too.
  auto *choice = builder.CreateSwitch(way, jump.getDefaultDest(), jump.getNumIndirectDests());
  for (unsigned at = 0; at < jump.getNumIndirectDests(); ++at)
    choice->addCase(builder.getInt32(at + 1), jump.getIndirectDest(at));
  jump.eraseFromParent();
}

void openJumps(Function &original, Function &copy) {
  auto labelled = labelledBlocks(original, copy);
  for (BasicBlock &block : make_early_inc_range(copy)) {
    if (auto *jump = dyn_cast<IndirectBrInst>(block.getTerminator()))
      openGoto(*jump, labelled);
    else if (auto *jump = dyn_cast<CallBrInst>(block.getTerminator()))
      openJump(*jump);
  }
}

bool hasJumps(const Function &function) {
  return any_of(function, [](const BasicBlock &block) {
    return isa<IndirectBrInst, CallBrInst>(block.getTerminator());
  });
}

// What depends on the way by which control came is selected, where nothing but a few integers and sums of floats stand on the ways.
//
// `i == 0 ? n - 1 : i - 1` is a branch in code that was not optimised yet, and on the way back one would have to know where control
// came from. Selected, it is computed again from what it is computed from, in front of the loop where that does not change.
// So are numbers that may be active, if each partial on the way is a constant: then what was not selected adds exactly nothing, and what stands
// in front of the branch and behind it is one graph to local Jacobians. Anything else that stands behind a branch may be singular, and stays there.
// In code that was optimised before, the host has selected what is cheap, and a branch that is left may tell whether what was loaded is a float at all
// (`std::optional`, tags of a union).
// Integers that may be the bits of a float are left alone, too, of which nothing says that they are counted with.
#include "shim.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {

// On one way.
constexpr unsigned MostInstructions = 4;

// Two ways from a branch to where they meet; a way without a block goes there at once.
struct Ways {
  BranchInst *branch;
  BasicBlock *ifTrue;
  BasicBlock *ifFalse;
};

// A block that control comes to from one branch, and leaves for one place.
bool isWay(BasicBlock &block, const BasicBlock &from) {
  auto *leaves = dyn_cast<BranchInst>(block.getTerminator());
  return block.getSinglePredecessor() == &from && leaves && leaves->isUnconditional() && !isa<PHINode>(block.front());
}

std::optional<Ways> findWays(BasicBlock &meeting) {
  auto at = pred_begin(&meeting), end = pred_end(&meeting);
  if (at == end)
    return std::nullopt;
  BasicBlock *one = *at++;
  if (at == end)
    return std::nullopt;
  BasicBlock *other = *at++;
  if (at != end || one == other)
    return std::nullopt;
  for (BasicBlock *from : {one, other, one->getSinglePredecessor()}) {
    auto *branch = from ? dyn_cast<BranchInst>(from->getTerminator()) : nullptr;
    if (!branch || !branch->isConditional() || from == &meeting || branch->getSuccessor(0) == branch->getSuccessor(1))
      continue;
    auto leads = [&](BasicBlock *to) { return to == &meeting || ((to == one || to == other) && isWay(*to, *from)); };
    if (!leads(branch->getSuccessor(0)) || !leads(branch->getSuccessor(1)))
      continue;
    auto way = [&](unsigned index) { return branch->getSuccessor(index) == &meeting ? nullptr : branch->getSuccessor(index); };
    return Ways{branch, way(0), way(1)};
  }
  return std::nullopt;
}

bool isFinite(const Value *value) {
  auto *constant = dyn_cast<ConstantFP>(value);
  return constant && constant->getValueAPF().isFinite();
}

bool isLinearCall(const IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return isFinite(call.getArgOperand(0)) || isFinite(call.getArgOperand(1));
  case Intrinsic::fabs:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
    return true;
  default:
    return false;
  }
}

// Whether the partials of a float are constants, or one of a few.
bool isLinear(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FNeg:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::Select:
    return true;
  case Instruction::FMul:
    return isFinite(inst.getOperand(0)) || isFinite(inst.getOperand(1));
  case Instruction::Call:
    return isa<IntrinsicInst>(inst) && isLinearCall(cast<IntrinsicInst>(inst));
  default:
    return false;
  }
}

bool isCheap(const BasicBlock *way, bool floats) {
  if (!way)
    return true;
  auto isOne = [floats](const Instruction &inst) {
    Type *type = inst.getType();
    return (type->isIntegerTy() || (floats && type->isFloatingPointTy() && isLinear(inst))) && !inst.mayReadOrWriteMemory() &&
           isSafeToSpeculativelyExecute(&inst);
  };
  return way->size() <= MostInstructions + 1 && all_of(make_range(way->begin(), std::prev(way->end())), isOne);
}

// Whether somebody counts with it, so that it is not the bits of something else.
bool isCountedWith(const Value &value) {
  if (isa<ConstantInt>(value) || value.getType()->isIntegerTy(1))
    return true;
  auto counts = [](const Value *user) {
    auto *inst = dyn_cast<Instruction>(user);
    return inst && (isa<ICmpInst, SExtInst>(inst) || inst->getOpcode() == Instruction::Add || inst->getOpcode() == Instruction::Sub ||
                    inst->getOpcode() == Instruction::Mul || inst->getOpcode() == Instruction::SRem);
  };
  return counts(&value) || any_of(value.users(), counts);
}

// Where there is no number on some ways, as in `std::optional`, a branch tells whether there is one.
bool mayBeNothing(const Value *value) {
  auto *phi = dyn_cast<PHINode>(value);
  return isa<UndefValue>(value) || (phi && any_of(phi->incoming_values(), [](const Use &use) { return isa<UndefValue>(use.get()); }));
}

bool isSelectable(const PHINode &phi, bool floats) {
  if (phi.getType()->isFloatingPointTy())
    return floats && none_of(phi.incoming_values(), [](const Use &use) { return mayBeNothing(use.get()); });
  return phi.getType()->isIntegerTy() && phi.getType()->getIntegerBitWidth() <= 64 &&
         all_of(phi.incoming_values(), [](const Use &use) { return isCountedWith(*use); });
}

void select(BasicBlock &meeting, const Ways &ways) {
  BasicBlock *from = ways.branch->getParent();
  for (BasicBlock *way : {ways.ifTrue, ways.ifFalse})
    while (way && &way->front() != way->getTerminator()) {
      Instruction &inst = way->front();
      inst.dropUBImplyingAttrsAndMetadata();
      inst.moveBefore(ways.branch->getIterator());
    }
  IRBuilder<> builder(ways.branch);
  for (PHINode &phi : make_early_inc_range(meeting.phis())) {
    Value *ifTrue = phi.getIncomingValueForBlock(ways.ifTrue ? ways.ifTrue : from);
    Value *ifFalse = phi.getIncomingValueForBlock(ways.ifFalse ? ways.ifFalse : from);
    phi.replaceAllUsesWith(builder.CreateSelect(ways.branch->getCondition(), ifTrue, ifFalse, phi.getName()));
    phi.eraseFromParent();
  }
  builder.CreateBr(&meeting);
  ways.branch->eraseFromParent();
  for (BasicBlock *way : {ways.ifTrue, ways.ifFalse})
    if (way)
      DeleteDeadBlock(way);
}

} // namespace

bool bs_shim_select_cheap(LLVMValueRef raw, bool floats) {
  SmallVector<WeakVH, 32> blocks;
  for (BasicBlock &block : *unwrap<Function>(raw))
    blocks.push_back(&block);
  bool changed = false;
  // What stood between branches may be one block with them now.
  for (bool again = true; again;) {
    again = false;
    for (const WeakVH &handle : blocks) {
      auto *block = cast_or_null<BasicBlock>(static_cast<Value *>(handle));
      if (!block || block->phis().empty() || !all_of(block->phis(), [floats](const PHINode &phi) { return isSelectable(phi, floats); }))
        continue;
      const std::optional<Ways> ways = findWays(*block);
      if (!ways || !isCheap(ways->ifTrue, floats) || !isCheap(ways->ifFalse, floats))
        continue;
      select(*block, *ways);
      MergeBlockIntoPredecessor(block);
      again = changed = true;
    }
  }
  return changed;
}

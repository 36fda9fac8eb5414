// What a loop only chooses among the numbers of its passes, as a maximum, is read again behind the loop.
//
// Of a maximum's passes only the one that was taken last has a derivative. The loop hands on where that was, beside the number
// itself, and behind the loop the number is computed from there. What the loop carries is then compared and nothing else, so it
// carries no derivative: no choice is recorded, and nothing of the loop runs on the way back.
//
// Handed on are the integers and addresses that the number is computed from; what is read must not be written in the loop.
#include "shim.h"
#include "steady.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace {

// The two that a call chooses between: the first where it equals the result, as the rules for the greatest and the least have it.
bool choosesOfTwo(const Value *value) {
  auto *call = dyn_cast<CallInst>(value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || call->isStrictFP() || !call->getType()->isFloatingPointTy())
    return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::maxnum:
  case Intrinsic::minnum:
    return true;
  // These order zeros by their sign, which equality does not.
  case Intrinsic::maximum:
  case Intrinsic::minimum:
  case Intrinsic::maximumnum:
  case Intrinsic::minimumnum:
    return call->hasNoSignedZeros();
  default:
    StringRef name = callee->getName();
    return callee->isDeclaration() && call->arg_size() == 2 && is_contained({"fmax", "fmin", "fmaxf", "fminf", "fmaxl", "fminl"}, name);
  }
}

// A number that a loop carries from pass to pass, and what it may become.
struct Choice {
  Loop *loop = nullptr;
  PHINode *carried = nullptr;
  // What passes on the carried number or the new one.
  SmallSetVector<Instruction *, 8> through;
  Instruction *candidate = nullptr;
  // What the candidate is computed by, operands first, and the integers and addresses it is computed from.
  SmallSetVector<Instruction *, 16> insts, leaves;
  // What takes the number out of the loop.
  SmallVector<PHINode *, 2> taken;
};

// Whether the number is chosen or not, and the leaves of the one that is.
using Twins = SmallVector<Value *, 4>;

class Search {
  Steady steady;
  LoopInfo &loops = steady.loops;

public:
  explicit Search(Function &function) : steady(function) {}

  // From inner loops to outer ones: what an inner loop has chosen is what the loop around chooses from.
  std::optional<Choice> find(const SmallPtrSetImpl<PHINode *> &done) {
    auto ordered = loops.getLoopsInPreorder();
    for (Loop *loop : reverse(ordered)) {
      if (!loop->isLoopSimplifyForm())
        continue;
      for (PHINode &phi : loop->getHeader()->phis()) {
        Choice choice;
        choice.loop = loop;
        choice.carried = &phi;
        if (phi.getType()->isFloatingPointTy() && !done.contains(&phi) && isChoice(choice))
          return choice;
      }
    }
    return std::nullopt;
  }

private:
  bool isChoice(Choice &choice) {
    Value *next = choice.carried->getIncomingValueForBlock(choice.loop->getLoopLatch());
    return follow(next, choice) && choice.candidate && !choice.through.empty() && isOnlyCompared(choice) &&
           collect(choice.candidate, choice) && !choice.leaves.empty() && findTaken(choice);
  }

  // From what the next pass is handed back to the carried number and the one candidate.
  bool follow(Value *value, Choice &choice) {
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst || !choice.loop->contains(inst))
      return false;
    if (inst == choice.carried || choice.through.contains(inst))
      return true;
    bool phi = isa<PHINode>(inst) && loops.getLoopFor(inst->getParent()) == choice.loop;
    if (!phi && !isa<SelectInst>(inst) && !choosesOfTwo(inst)) {
      bool first = !choice.candidate || choice.candidate == inst;
      choice.candidate = inst;
      return first;
    }
    if (!passesOn(*inst, choice)) {
      bool first = !choice.candidate || choice.candidate == inst;
      choice.candidate = inst;
      return first;
    }
    choice.through.insert(inst);
    for (Value *from : choicesOf(*inst))
      if (!follow(from, choice))
        return false;
    return true;
  }

  static SmallVector<Value *, 4> choicesOf(Instruction &inst) {
    if (auto *phi = dyn_cast<PHINode>(&inst))
      return SmallVector<Value *, 4>(phi->incoming_values());
    if (auto *select = dyn_cast<SelectInst>(&inst))
      return {select->getTrueValue(), select->getFalseValue()};
    return {inst.getOperand(0), inst.getOperand(1)};
  }

  // Whether the carried number may come through an instruction; what chooses among other numbers makes a candidate.
  bool passesOn(Instruction &inst, Choice &choice) {
    SmallPtrSet<Instruction *, 8> seen;
    SmallVector<Instruction *, 8> waiting{&inst};
    while (!waiting.empty()) {
      Instruction *at = waiting.pop_back_val();
      if (at == choice.carried)
        return true;
      bool phi = isa<PHINode>(at) && loops.getLoopFor(at->getParent()) == choice.loop;
      if (!(phi || isa<SelectInst>(at) || choosesOfTwo(at)) || !choice.loop->contains(at) || !seen.insert(at).second)
        continue;
      for (Value *from : choicesOf(*at))
        if (auto *next = dyn_cast<Instruction>(from))
          waiting.push_back(next);
    }
    return false;
  }

  // Whether nobody in the loop computes with the carried number, be it handed into another loop, compared there and handed back.
  bool isOnlyCompared(const Choice &choice) {
    SmallPtrSet<User *, 16> seen;
    SmallVector<Instruction *, 16> waiting{choice.carried};
    while (!waiting.empty())
      for (User *user : waiting.pop_back_val()->users()) {
        auto *inst = cast<Instruction>(user);
        if (!choice.loop->contains(inst) || isa<FCmpInst>(inst) || !seen.insert(inst).second)
          continue;
        if (!isa<PHINode, SelectInst>(inst) && !choosesOfTwo(inst))
          return false;
        waiting.push_back(inst);
      }
    return true;
  }

  // What the candidate is computed by; false where that cannot run behind the loop.
  bool collect(Instruction *inst, Choice &choice) {
    constexpr size_t mostInsts = 32;
    if (!choice.loop->contains(inst) || choice.insts.contains(inst) || choice.leaves.contains(inst))
      return true;
    if (inst->getType()->isIntegerTy() || (inst->getType()->isPointerTy() && !isa<GetElementPtrInst>(inst))) {
      choice.leaves.insert(inst);
      return true;
    }
    auto *call = dyn_cast<CallInst>(inst);
    bool computes = isa<BinaryOperator, UnaryOperator, CastInst, SelectInst, GetElementPtrInst, FreezeInst>(inst) ||
                    (call && (steady.isFunctionOfNumbers(*call) || (call->doesNotAccessMemory() && isa<IntrinsicInst>(call))));
    auto *load = dyn_cast<LoadInst>(inst);
    if (!(computes || (load && steady.staysTheSame(*load, *choice.loop))) || inst->getType()->isVectorTy() || choice.insts.size() > mostInsts)
      return false;
    for (Value *operand : inst->operands())
      if (auto *from = dyn_cast<Instruction>(operand); from && !collect(from, choice))
        return false;
    choice.insts.insert(inst);
    return true;
  }

  // The phis behind the loop, which hand nothing on but what the loop carries.
  bool findTaken(Choice &choice) {
    SmallVector<BasicBlock *, 4> exits;
    choice.loop->getUniqueExitBlocks(exits);
    auto carried = [&](Value *value) { return value == choice.carried || choice.through.contains(dyn_cast<Instruction>(value)); };
    for (BasicBlock *exit : exits)
      for (PHINode &phi : exit->phis()) {
        if (none_of(phi.incoming_values(), carried))
          continue;
        if (!all_of(phi.incoming_values(), carried) || exit->isLandingPad())
          return false;
        choice.taken.push_back(&phi);
      }
    return !choice.taken.empty();
  }
};

// A branch whose arms do nothing chooses numbers where they join. As a choice it asks nothing of the way back unless a number that is
// chosen has a derivative; the way itself would have to be known. Whether there were such arms.
bool foldArms(BasicBlock *join) {
  SmallVector<BasicBlock *, 2> arms(predecessors(join));
  if (arms.size() != 2 || arms[0] == arms[1] || join->phis().empty())
    return false;
  auto isEmpty = [&](BasicBlock *arm) {
    return arm->getSinglePredecessor() && arm->getSingleSuccessor() == join && &*arm->getFirstNonPHIOrDbg() == arm->getTerminator() &&
           arm->phis().empty();
  };
  auto above = [&](BasicBlock *arm) { return isEmpty(arm) ? arm->getSinglePredecessor() : arm; };
  BasicBlock *top = above(arms[0]);
  auto *branch = dyn_cast<BranchInst>(top->getTerminator());
  if (top != above(arms[1]) || !branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return false;
  bool first = branch->getSuccessor(0) == arms[0] || (arms[0] == top && branch->getSuccessor(0) == join);
  BasicBlock *yes = arms[first ? 0 : 1], *no = arms[first ? 1 : 0];
  IRBuilder<> builder(join, join->getFirstInsertionPt());
  builder.SetCurrentDebugLocation(branch->getDebugLoc());
  for (PHINode &phi : make_early_inc_range(join->phis())) {
    Value *chosen =
        builder.CreateSelect(branch->getCondition(), phi.getIncomingValueForBlock(yes), phi.getIncomingValueForBlock(no));
    phi.replaceAllUsesWith(chosen);
    phi.eraseFromParent();
  }
  builder.SetInsertPoint(branch);
  builder.CreateBr(join);
  branch->eraseFromParent();
  for (BasicBlock *arm : arms)
    if (arm != top)
      arm->eraseFromParent();
  return true;
}

// Hands on where the number is from, and computes it behind the loop.
class Writing {
  const Choice &choice;
  Type *flag;
  DenseMap<Value *, Twins> twins;

public:
  explicit Writing(const Choice &choice) : choice(choice), flag(Type::getInt1Ty(choice.carried->getContext())) {}

  void write() {
    BasicBlock *latch = choice.loop->getLoopLatch();
    PHINode *carried = choice.carried;
    twins[carried] = makePhis(carried);
    twins[choice.candidate].push_back(ConstantInt::getTrue(flag));
    for (Instruction *leaf : choice.leaves)
      twins[choice.candidate].push_back(leaf);
    Twins next = twinsOf(carried->getIncomingValueForBlock(latch));
    for (auto [phi, value] : zip(twins[carried], next)) {
      cast<PHINode>(phi)->addIncoming(Constant::getNullValue(phi->getType()), choice.loop->getLoopPreheader());
      cast<PHINode>(phi)->addIncoming(value, latch);
    }
    for (PHINode *phi : choice.taken)
      writeBehind(*phi);
    SmallSetVector<BasicBlock *, 8> joins;
    for (Instruction *inst : choice.through)
      if (isa<PHINode>(inst))
        joins.insert(inst->getParent());
    while (any_of(joins, foldArms))
      ;
  }

private:
  // Empty phis for a flag and the leaves, beside another.
  Twins makePhis(PHINode *beside) {
    Twins made;
    auto make = [&](Type *type) { made.push_back(PHINode::Create(type, beside->getNumIncomingValues(), "", beside->getIterator())); };
    make(flag);
    for (Instruction *leaf : choice.leaves)
      make(leaf->getType());
    return made;
  }

  Twins twinsOf(Value *value) {
    if (auto known = twins.find(value); known != twins.end())
      return known->second;
    auto *inst = cast<Instruction>(value);
    if (auto *phi = dyn_cast<PHINode>(inst)) {
      Twins made = makePhis(phi);
      fill(made, *phi);
      twins[value] = made;
      return made;
    }
    IRBuilder<> builder(inst->getNextNode());
    builder.SetCurrentDebugLocation(inst->getDebugLoc());
    bool selects = isa<SelectInst>(inst);
    Value *first = inst->getOperand(selects ? 1 : 0), *second = inst->getOperand(selects ? 2 : 1);
    Twins a = twinsOf(first), b = twinsOf(second), made;
    Value *condition = selects ? inst->getOperand(0) : builder.CreateFCmpOEQ(first, inst);
    for (auto [x, y] : zip(a, b))
      made.push_back(builder.CreateSelect(condition, x, y));
    twins[value] = made;
    return made;
  }

  void fill(Twins &made, PHINode &like) {
    for (unsigned at = 0; at < like.getNumIncomingValues(); ++at)
      for (auto [phi, value] : zip(made, twinsOf(like.getIncomingValue(at))))
        cast<PHINode>(phi)->addIncoming(value, like.getIncomingBlock(at));
  }

  void writeBehind(PHINode &phi) {
    Twins from = makePhis(&phi);
    fill(from, phi);
    BasicBlock *block = phi.getParent();
    Instruction *then = SplitBlockAndInsertIfThen(from[0], block->getFirstInsertionPt(), false);
    IRBuilder<> builder(then);
    ValueToValueMapTy copies;
    for (auto [leaf, value] : zip(choice.leaves, drop_begin(from)))
      copies[leaf] = value;
    for (Instruction *inst : choice.insts) {
      Instruction *copy = builder.Insert(inst->clone());
      RemapInstruction(copy, copies, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      copies[inst] = copy;
    }
    BasicBlock *join = then->getSuccessor(0);
    PHINode *number = PHINode::Create(phi.getType(), 2, "", join->begin());
    number->setDebugLoc(phi.getDebugLoc());
    phi.replaceAllUsesWith(number);
    number->addIncoming(choice.carried->getIncomingValueForBlock(choice.loop->getLoopPreheader()), block);
    number->addIncoming(copies[choice.candidate], then->getParent());
    phi.eraseFromParent();
  }
};

} // namespace

bool bs_shim_read_chosen(LLVMValueRef raw) {
  auto &function = *unwrap<Function>(raw);
  SmallPtrSet<PHINode *, 8> done;
  while (true) {
    Search search(function);
    std::optional<Choice> choice = search.find(done);
    if (!choice)
      return !done.empty();
    done.insert(choice->carried);
    Writing(*choice).write();
  }
}

// Pointers and integers that a loop looks up anew in each pass, and that nobody changes meanwhile, are looked up once, in front of it.
//
// C writes `g->u[i]` where it means one array, and the derivative would keep the pointer, and that to the derivatives, for each pass; and a loop
// up to `g->n` is counted on entry then. What the host does about it, it does later, and only where the loop is known to run: here the loop's own
// question is asked in front of it.
#include "shim.h"
#include "steady.h"

#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {

// Loops with more writes than this are left as they are.
constexpr unsigned MostWrites = 200;

class Fetched {
 public:
  explicit Fetched(Function &function)
      : function(function), known(function), basic(function.getDataLayout(), function, known.library, known.assumptions, &known.dominators),
        aliases(known.library) {
    aliases.addAAResult(basic);
    aliases.addAAResult(types);
  }

  bool run() {
    bool changed = false;
    // Inner loops first: what they look up in front of them may be looked up in front of the outer one.
    SmallVector<Loop *, 8> order = known.loops.getLoopsInPreorder();
    for (Loop *loop : reverse(order))
      changed |= fetchFor(*loop);
    return changed;
  }

 private:
  Function &function;
  Steady known;
  BasicAAResult basic;
  TypeBasedAAResult types{/*UsingTypeSanitizer=*/false};
  AAResults aliases;

  using Lookups = SmallVector<LoadInst *, 8>;

  static SmallVector<Instruction *, 32> findWrites(const Loop &loop, const Steady &known) {
    SmallVector<Instruction *, 32> writes;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &inst : *block) {
        auto *call = dyn_cast<CallInst>(&inst);
        if (inst.mayWriteToMemory() && !(call && known.isFunctionOfNumbers(*call)))
          writes.push_back(&inst);
      }
    return writes;
  }

  // What a loop looks up in each pass, in order; of each block no more than what certainly runs where the block does.
  Lookups findLookups(Loop &loop, BasicBlock *first, ArrayRef<Instruction *> writes) {
    Lookups found;
    SmallPtrSet<BasicBlock *, 8> seen;
    for (BasicBlock *block = first; block && loop.contains(block) && seen.insert(block).second;
         block = block->getSingleSuccessor()) {
      if (known.loops.getLoopFor(block) != &loop || !block->getSinglePredecessor())
        break;
      if (!findLookupsIn(*block, writes, found))
        break;
    }
    return found;
  }

  // An integer that no function of numbers changes: not `errno`, which lies behind what a call returns.
  static bool isCount(const LoadInst &load) {
    const Value *object = getUnderlyingObject(load.getPointerOperand());
    return load.getType()->isIntegerTy() && (!isa<CallBase>(object) || isNoAliasCall(object));
  }

  // Whether control comes to the end of the block.
  bool findLookupsIn(BasicBlock &block, ArrayRef<Instruction *> writes, Lookups &found) {
    for (Instruction &inst : block) {
      auto *load = dyn_cast<LoadInst>(&inst);
      if (load && (load->getType()->isPointerTy() || isCount(*load)) && load->isSimple() && staysTheSame(*load, writes))
        found.push_back(load);
      if (!isGuaranteedToTransferExecutionToSuccessor(&inst))
        return false;
    }
    return true;
  }

  bool staysTheSame(LoadInst &load, ArrayRef<Instruction *> writes) {
    const MemoryLocation place = MemoryLocation::get(&load);
    return none_of(writes, [&](Instruction *write) { return isModSet(aliases.getModRefInfo(write, place)); });
  }

  // The question a loop asks before its first pass, in front of the loop; nothing where it does more than ask.
  Value *askInFront(Loop &loop, BranchInst &question, bool &always) {
    BasicBlock *header = loop.getHeader(), *front = loop.getLoopPreheader();
    DenseMap<Value *, Value *> first;
    SmallVector<Instruction *, 8> copies;
    for (Instruction &inst : *header) {
      if (auto *phi = dyn_cast<PHINode>(&inst)) {
        first[phi] = phi->getIncomingValueForBlock(front);
        continue;
      }
      if (inst.isTerminator() || isa<DbgInfoIntrinsic>(inst))
        continue;
      if (inst.mayHaveSideEffects() || inst.isVolatile() || isa<CallBase>(inst))
        return nullptr;
      Instruction *copy = inst.clone();
      for (Use &use : copy->operands())
        if (auto found = first.find(use.get()); found != first.end())
          use.set(found->second);
      copy->insertBefore(front->getTerminator()->getIterator());
      copies.push_back(copy);
      Value *simple = simplifyInstruction(copy, SimplifyQuery(function.getDataLayout(), &known.library, &known.dominators));
      first[&inst] = simple ? simple : copy;
    }
    Value *asked = question.getCondition();
    if (auto found = first.find(asked); found != first.end())
      asked = found->second;
    for (Instruction *copy : reverse(copies))
      if (copy->use_empty() && copy != asked)
        copy->eraseFromParent();
    const bool yes = loop.contains(question.getSuccessor(0));
    auto *constant = dyn_cast<ConstantInt>(asked);
    always = constant && constant->isOne() == yes;
    if (constant)
      return always ? asked : nullptr;
    if (!yes)
      asked = BinaryOperator::CreateNot(asked, "", front->getTerminator()->getIterator());
    return asked;
  }

  // An address as it is in front of the loop, or nothing.
  Value *copyInFront(Loop &loop, Value *value, DenseMap<Value *, Value *> &copies, BasicBlock::iterator at) {
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst || !loop.contains(inst))
      return value;
    if (Value *copy = copies.lookup(inst))
      return copy;
    if (!isa<GetElementPtrInst, CastInst, BinaryOperator>(inst) || !isSafeToSpeculativelyExecute(inst))
      return nullptr;
    SmallVector<Value *, 4> operands;
    for (Value *operand : inst->operands()) {
      Value *copy = copyInFront(loop, operand, copies, at);
      if (!copy)
        return nullptr;
      operands.push_back(copy);
    }
    Instruction *copy = inst->clone();
    for (unsigned i = 0; i < operands.size(); i++)
      copy->setOperand(i, operands[i]);
    copy->insertBefore(at);
    copies[inst] = copy;
    return copy;
  }

  // Whether an address is the same in each pass, as far as loads are that were found before.
  bool isSettled(const Loop &loop, Value *value, const SmallPtrSetImpl<Value *> &settled, unsigned depth = 0) {
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst || !loop.contains(inst) || settled.contains(inst))
      return true;
    if (depth > 6 || !isa<GetElementPtrInst, CastInst, BinaryOperator>(inst) || !isSafeToSpeculativelyExecute(inst))
      return false;
    return all_of(inst->operands(), [&](Value *operand) { return isSettled(loop, operand, settled, depth + 1); });
  }

  bool fetchFor(Loop &loop) {
    BasicBlock *header = loop.getHeader(), *front = loop.getLoopPreheader();
    auto *question = dyn_cast<BranchInst>(header->getTerminator());
    if (!front || !question || !question->isConditional() || loop.contains(question->getSuccessor(0)) == loop.contains(question->getSuccessor(1)))
      return false;
    const SmallVector<Instruction *, 32> writes = findWrites(loop, known);
    if (writes.empty() || writes.size() > MostWrites)
      return false;
    // What the question itself looks up is looked up at least once.
    Lookups asked;
    findLookupsIn(*header, writes, asked);
    keepSettled(loop, asked);
    fetch(loop, asked, front->getTerminator()->getIterator());

    Lookups lookups = findLookups(loop, question->getSuccessor(loop.contains(question->getSuccessor(0)) ? 0 : 1), writes);
    keepSettled(loop, lookups);
    bool always = false;
    Value *runs = lookups.empty() ? nullptr : askInFront(loop, *question, always);
    if (!runs)
      return !asked.empty();
    BasicBlock::iterator at = front->getTerminator()->getIterator();
    DomTreeUpdater updater(known.dominators, DomTreeUpdater::UpdateStrategy::Eager);
    if (!always)
      at = SplitBlockAndInsertIfThen(runs, at, /*Unreachable=*/false, nullptr, &updater, &known.loops)->getIterator();
    fetch(loop, lookups, at);
    return true;
  }

  // Those whose addresses are the same in each pass.
  void keepSettled(const Loop &loop, Lookups &lookups) {
    SmallPtrSet<Value *, 8> settled;
    erase_if(lookups, [&](LoadInst *load) {
      const bool same = isSettled(loop, load->getPointerOperand(), settled);
      if (same)
        settled.insert(load);
      return !same;
    });
  }

  void fetch(Loop &loop, const Lookups &lookups, BasicBlock::iterator at) {
    DenseMap<Value *, Value *> copies;
    for (LoadInst *load : lookups) {
      Value *address = copyInFront(loop, load->getPointerOperand(), copies, at);
      auto *copy = cast<LoadInst>(load->clone());
      copy->setOperand(0, address);
      copy->insertBefore(at);
      copies[load] = copy;
    }
    for (LoadInst *load : lookups)
      replace(*load, *cast<LoadInst>(copies[load]), *loop.getLoopPreheader());
  }

  // A loop that does not run looks nothing up.
  void replace(LoadInst &load, LoadInst &fetched, BasicBlock &front) {
    Value *value = &fetched;
    if (fetched.getParent() != &front) {
      auto *joined = PHINode::Create(load.getType(), 2, load.getName(), front.begin());
      for (BasicBlock *from : predecessors(&front))
        joined->addIncoming(from == fetched.getParent() ? value : Constant::getNullValue(load.getType()), from);
      joined->setDebugLoc(load.getDebugLoc());
      value = joined;
    }
    load.replaceAllUsesWith(value);
    load.eraseFromParent();
  }
};

} // namespace

bool bs_shim_fetch_pointers(LLVMValueRef function) { return Fetched(*unwrap<Function>(function)).run(); }

// What a loop computes anew in each pass, though nothing that it depends on changes there, is computed once in front of the loop.
//
// A function of numbers (exp, log, pow) in an inner loop may depend on the counters inside and not on the loop around them, as the
// inverse deviations of a mixture do not depend on the point. It then has a table with a place for each pass of the loops it
// depends on. The gradient computes and records such a number once for all passes of the outer loop, and its adjoints are summed
// up in the table's shadow.
//
// Everything the number is computed from runs in each pass of the outer loop, so that it may run in front of it wherever the loop
// runs at all, which is asked there. What is read must not be written in the loop, under any name that could lead there.
#include "shim.h"
#include "steady.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <set>

using namespace llvm;

namespace {

// The places of one table, and of all of a function: they lie on the stack.
constexpr uint64_t mostPlaces = 4096;
constexpr uint64_t mostPlacesOfAll = 16384;

// What one table holds, and where it is filled.
struct Table {
  CallInst *call = nullptr;
  Loop *around = nullptr;
  // The loops that the number depends on, outermost first, with their passes.
  SmallVector<std::pair<Loop *, uint64_t>, 4> inside;
  // What has to run for it, operands first.
  SmallVector<Instruction *, 16> insts;
};

class Search {
  Function &function;
  Steady steady;
  DominatorTree &dominators = steady.dominators;
  LoopInfo &loops = steady.loops;
  ScalarEvolution &evolution = steady.evolution;

public:
  explicit Search(Function &function) : function(function), steady(function) {
    SmallPtrSet<const Loop *, 16> first;
    SmallVector<Loop *, 4> ordered = loops.getLoopsInPreorder();
    for (const Loop *loop : ArrayRef<Loop *>(ordered).take_front(mostLoops))
      first.insert(loop);
    for (BasicBlock *block : post_order(&function.getEntryBlock()))
      if (Loop *loop = loops.getLoopFor(block); loop && first.contains(loop))
        for (Instruction &inst : reverse(*block))
          if (auto *call = dyn_cast<CallInst>(&inst); call && steady.isFunctionOfNumbers(*call)) {
            ofNest[loop->getOutermostLoop()].push_back(calls.size());
            waiting.insert(calls.size());
            calls.push_back(call);
          }
  }

  // One table, or none; the analyses hold until it is made.
  std::optional<Table> find(uint64_t places) {
    while (!waiting.empty()) {
      at = *waiting.begin();
      waiting.erase(waiting.begin());
      if (auto *call = dyn_cast_or_null<CallInst>(calls[at]))
        if (std::optional<Table> table = findFor(*call, places))
          return table;
    }
    return std::nullopt;
  }

  // Whether all goes on from here once a table is made. One number in front of all loops changes nothing but its own nest, where all
  // calls are looked at again; a search for each table of a long function would take the square of its length.
  bool goesOnBehind(const Table &table) {
    if (!table.inside.empty() || table.around->getParentLoop())
      return false;
    for (unsigned each : ofNest[table.around])
      if (each <= at)
        waiting.insert(each);
    return true;
  }

private:
  // The calls in question, in the order in which they are looked at; those of each nest; and those that are to be looked at.
  SmallVector<WeakVH, 0> calls;
  DenseMap<const Loop *, SmallVector<unsigned, 4>> ofNest;
  std::set<unsigned> waiting;
  unsigned at = 0;

  std::optional<Table> findFor(CallInst &call, uint64_t places) {
    std::optional<Table> found;
    for (Loop *around = loops.getLoopFor(call.getParent()); around; around = around->getParentLoop()) {
      std::optional<Table> table = findIn(call, *around, places);
      if (table)
        found = table;
    }
    return found;
  }

  // Whether a loop runs through from its header to where it is left, and goes round, at one place each.
  static bool isPlain(const Loop &loop) {
    const BasicBlock *exiting = loop.getExitingBlock();
    return loop.isLoopSimplifyForm() && exiting && (exiting == loop.getHeader() || exiting == loop.getLoopLatch());
  }

  // How often the blocks behind the header of a plain loop run each time it is entered, where that is a constant.
  std::optional<uint64_t> countPasses(const Loop &loop) {
    auto *turns = dyn_cast<SCEVConstant>(evolution.getBackedgeTakenCount(&loop));
    if (!turns || turns->getAPInt().getActiveBits() > 32)
      return std::nullopt;
    uint64_t count = turns->getAPInt().getZExtValue();
    return loop.getExitingBlock() == loop.getLoopLatch() ? count + 1 : count;
  }

  // Whether a block runs in each pass of a loop around it.
  bool runsInEachPass(const BasicBlock *block, const Loop &around) {
    for (Loop *loop = loops.getLoopFor(block); loop; loop = loop->getParentLoop()) {
      bool leavesFirst = loop->getExitingBlock() == loop->getHeader() && loop->getHeader() != loop->getLoopLatch();
      if (!isPlain(*loop) || !dominators.dominates(block, loop->getLoopLatch()) || (leavesFirst && block == loop->getHeader()))
        return false;
      if (loop == &around)
        return true;
      if (leavesFirst && countPasses(*loop).value_or(0) == 0)
        return false;
      block = loop->getLoopPreheader();
    }
    return false;
  }

  std::optional<Table> findIn(CallInst &call, Loop &around, uint64_t places) {
    if (!runsInEachPass(call.getParent(), around) || !canAskInFront(around) || !goesOn(around))
      return std::nullopt;
    if (countPasses(around).value_or(2) < 2)
      return std::nullopt;
    SetVector<Instruction *> slice;
    SmallPtrSet<Loop *, 4> inside;
    if (!collect(&call, around, slice, inside) || slice.count(&call) == 0)
      return std::nullopt;
    Table table;
    table.call = &call;
    table.around = &around;
    uint64_t count = 1;
    for (Loop *loop = loops.getLoopFor(call.getParent()); loop != &around; loop = loop->getParentLoop())
      if (inside.contains(loop)) {
        std::optional<uint64_t> passes = countPasses(*loop);
        if (!passes || *passes > mostPlaces)
          return std::nullopt;
        count *= *passes;
        if (count > std::min(places, mostPlaces))
          return std::nullopt;
        table.inside.insert(table.inside.begin(), {loop, *passes});
      }
    table.insts.assign(slice.begin(), slice.end());
    return table;
  }

  // The condition at the head of a loop can be asked in front of it.
  bool canAskInFront(const Loop &around) {
    if (around.getExitingBlock() == around.getLoopLatch())
      return true;
    for (const Instruction &inst : *around.getHeader())
      if (!isa<PHINode>(inst) && !inst.isTerminator() && (inst.mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(&inst)))
        return false;
    return isa<BranchInst>(around.getHeader()->getTerminator());
  }

  // Whether control never leaves a loop but where it says.
  bool goesOn(const Loop &around) {
    for (BasicBlock *block : around.blocks())
      for (Instruction &inst : *block) {
        auto *call = dyn_cast<CallInst>(&inst);
        if (!(call && steady.isFunctionOfNumbers(*call)) && !inst.isTerminator() && !isGuaranteedToTransferExecutionToSuccessor(&inst))
          return false;
      }
    return true;
  }

  // What an instruction is computed from within a loop, operands first; false where that changes from pass to pass.
  bool collect(Instruction *inst, Loop &around, SetVector<Instruction *> &slice, SmallPtrSetImpl<Loop *> &inside) {
    constexpr size_t mostInsts = 64;
    if (!around.contains(inst) || slice.contains(inst))
      return true;
    if (auto *phi = dyn_cast<PHINode>(inst)) {
      Loop *loop = loops.getLoopFor(phi->getParent());
      if (!loop || loop == &around || loop->getHeader() != phi->getParent() || !phi->getType()->isIntegerTy())
        return false;
      return isCounter(evolution.getSCEV(phi), around, inside);
    }
    auto *call = dyn_cast<CallInst>(inst);
    bool computes = isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst>(inst) ||
                    (call && (steady.isFunctionOfNumbers(*call) || (call->doesNotAccessMemory() && isa<IntrinsicInst>(call))));
    auto *load = dyn_cast<LoadInst>(inst);
    if (!(computes || (load && steady.staysTheSame(*load, around))) || inst->getType()->isVectorTy() || slice.size() > mostInsts ||
        !runsInEachPass(inst->getParent(), around))
      return false;
    for (Value *operand : inst->operands())
      if (auto *from = dyn_cast<Instruction>(operand); from && !collect(from, around, slice, inside))
        return false;
    slice.insert(inst);
    return true;
  }

  // Whether a number is made of counters of loops inside and of what the loop around does not change.
  bool isCounter(const SCEV *number, Loop &around, SmallPtrSetImpl<Loop *> &inside) {
    if (isa<SCEVConstant>(number))
      return true;
    if (auto *unknown = dyn_cast<SCEVUnknown>(number))
      return evolution.isLoopInvariant(unknown, &around);
    auto *counter = dyn_cast<SCEVAddRecExpr>(number);
    if (!counter || !counter->isAffine() || counter->getLoop() == &around || !around.contains(counter->getLoop()))
      return false;
    inside.insert(const_cast<Loop *>(counter->getLoop()));
    return isa<SCEVConstant>(counter->getStepRecurrence(evolution)) && isCounter(counter->getStart(), around, inside);
  }

  friend class Filling;
};

// Makes one table.
class Filling {
  const Table &table;
  ScalarEvolution &evolution;
  DominatorTree &dominators;
  Type *wide;
  AllocaInst *slot = nullptr;
  ValueToValueMapTy copies;
  SmallDenseMap<const Loop *, Value *> counters;

public:
  Filling(const Table &table, Search &search)
      : table(table), evolution(search.evolution), dominators(search.dominators), wide(Type::getInt64Ty(table.call->getContext())) {}

  void make() {
    makeSlot();
    readInPlace();
    fillInFront();
  }

private:
  void makeSlot() {
    Type *type = table.call->getType();
    for (auto &[loop, passes] : reverse(table.inside))
      type = ArrayType::get(type, passes);
    BasicBlock &entry = table.call->getFunction()->getEntryBlock();
    IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    slot = builder.CreateAlloca(type, nullptr, "table");
  }

  Value *placeAt(IRBuilder<> &builder, ArrayRef<Value *> indices) {
    SmallVector<Value *, 4> all{ConstantInt::get(wide, 0)};
    all.append(indices.begin(), indices.end());
    return indices.empty() ? static_cast<Value *>(slot) : builder.CreateInBoundsGEP(slot->getAllocatedType(), slot, all);
  }

  // The number of the pass that a loop is in.
  Value *countOf(Loop &loop) {
    for (PHINode &phi : loop.getHeader()->phis())
      if (phi.getType() == wide)
        if (auto *counter = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
            counter && counter->getLoop() == &loop && counter->getStart()->isZero() && counter->getStepRecurrence(evolution)->isOne())
          return &phi;
    PHINode *phi = PHINode::Create(wide, 2, "pass", loop.getHeader()->begin());
    IRBuilder<> builder(loop.getLoopLatch()->getTerminator());
    Value *next = builder.CreateAdd(phi, ConstantInt::get(wide, 1), "", true, true);
    phi->addIncoming(ConstantInt::get(wide, 0), loop.getLoopPreheader());
    phi->addIncoming(next, loop.getLoopLatch());
    return phi;
  }

  // Where the number was computed it is read.
  void readInPlace() {
    IRBuilder<> builder(table.call);
    SmallVector<Value *, 4> indices;
    for (auto &[loop, passes] : table.inside)
      indices.push_back(countOf(*loop));
    Value *read = builder.CreateLoad(table.call->getType(), placeAt(builder, indices));
    table.call->replaceAllUsesWith(read);
  }

  // Loops in front of the one around, if that runs at all, in the shape in which C writes them.
  void fillInFront() {
    BasicBlock *front = table.around->getLoopPreheader();
    BasicBlock *rest = SplitBlock(front, front->getTerminator(), &dominators);
    rest->setName("filled");
    BasicBlock *start = BasicBlock::Create(front->getContext(), "fill", front->getParent(), rest);
    IRBuilder<> builder(front->getTerminator());
    builder.SetCurrentDebugLocation(table.call->getDebugLoc());
    Value *runs = askInFront(builder, front, rest);
    if (runs)
      builder.CreateCondBr(runs, start, rest);
    else
      builder.CreateBr(start);
    front->getTerminator()->eraseFromParent();
    dominators.addNewBlock(start, front);
    if (!runs)
      dominators.changeImmediateDominator(rest, start);
    SmallVector<Value *, 4> indices;
    BasicBlock *exit = rest;
    for (auto &[loop, passes] : table.inside) {
      BasicBlock *head = BasicBlock::Create(front->getContext(), "fill.head", front->getParent(), rest);
      BasicBlock *body = BasicBlock::Create(front->getContext(), "fill.body", front->getParent(), rest);
      BasicBlock *latch = BasicBlock::Create(front->getContext(), "fill.latch", front->getParent(), rest);
      builder.SetInsertPoint(start);
      builder.CreateBr(head);
      builder.SetInsertPoint(head);
      PHINode *counter = builder.CreatePHI(wide, 2);
      counter->addIncoming(ConstantInt::get(wide, 0), start);
      builder.CreateCondBr(builder.CreateICmpULT(counter, ConstantInt::get(wide, passes)), body, exit);
      builder.SetInsertPoint(latch);
      counter->addIncoming(builder.CreateAdd(counter, ConstantInt::get(wide, 1), "", true, true), latch);
      builder.CreateBr(head);
      counters[loop] = counter;
      indices.push_back(counter);
      start = body;
      exit = latch;
    }
    builder.SetInsertPoint(start);
    for (Instruction *inst : table.insts)
      copyInto(builder, *inst);
    builder.CreateStore(copies[table.call], placeAt(builder, indices));
    builder.CreateBr(exit);
    // Functions may set `errno`, so nobody else would take them away.
    for (Instruction *inst : reverse(table.insts))
      if (inst->use_empty())
        inst->eraseFromParent();
  }

  // Whether the loop around runs at all; nothing where it is sure to.
  Value *askInFront(IRBuilder<> &builder, BasicBlock *front, BasicBlock *rest) {
    BasicBlock *header = table.around->getHeader();
    if (table.around->getExitingBlock() == table.around->getLoopLatch())
      return nullptr;
    ValueToValueMapTy asked;
    for (PHINode &phi : header->phis())
      asked[&phi] = phi.getIncomingValueForBlock(rest);
    SimplifyQuery query(header->getDataLayout());
    for (Instruction &inst : *header)
      if (!isa<PHINode>(inst) && !inst.isTerminator()) {
        Instruction *copy = builder.Insert(inst.clone());
        RemapInstruction(copy, asked, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
        Value *known = simplifyInstruction(copy, query);
        asked[&inst] = known ? known : copy;
      }
    auto *branch = cast<BranchInst>(header->getTerminator());
    Value *condition = branch->getCondition();
    if (Value *copy = asked.lookup(condition))
      condition = copy;
    Value *runs = table.around->contains(branch->getSuccessor(0)) ? condition : builder.CreateNot(condition);
    return match(runs, PatternMatch::m_One()) ? nullptr : runs;
  }

  void copyInto(IRBuilder<> &builder, Instruction &inst) {
    Instruction *copy = inst.clone();
    for (Use &use : copy->operands())
      if (auto *phi = dyn_cast<PHINode>(use.get()); phi && table.around->contains(phi))
        use.set(valueOf(builder, evolution.getSCEV(phi), phi->getType()));
    builder.Insert(copy);
    RemapInstruction(copy, copies, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    // What was known of a number in the loop need not be known in front of it.
    copy->dropUnknownNonDebugMetadata();
    copies[&inst] = copy;
  }

  // What a counter is in the pass that is being computed.
  Value *valueOf(IRBuilder<> &builder, const SCEV *number, Type *type) {
    if (auto *constant = dyn_cast<SCEVConstant>(number))
      return constant->getValue();
    if (auto *unknown = dyn_cast<SCEVUnknown>(number))
      return unknown->getValue();
    auto *counter = cast<SCEVAddRecExpr>(number);
    Value *from = valueOf(builder, counter->getStart(), type);
    Value *passes = builder.CreateZExtOrTrunc(counters.lookup(counter->getLoop()), type);
    Value *by = cast<SCEVConstant>(counter->getStepRecurrence(evolution))->getValue();
    return builder.CreateAdd(from, builder.CreateMul(passes, by));
  }
};

} // namespace

bool bs_shim_make_tables(LLVMValueRef raw) {
  auto &function = *unwrap<Function>(raw);
  uint64_t places = mostPlacesOfAll;
  bool made = false;
  while (true) {
    Search search(function);
    bool goesOn = true;
    while (goesOn) {
      std::optional<Table> table = search.find(places);
      if (!table)
        return made;
      uint64_t taken = 1;
      for (auto &[loop, passes] : table->inside)
        taken *= passes;
      places -= taken;
      goesOn = search.goesOnBehind(*table);
      Filling(*table, search).make();
      made = true;
    }
  }
}

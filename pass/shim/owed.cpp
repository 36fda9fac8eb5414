// The adjoint of a time loop over two buffers takes a row of one shadow, leaves zeros there, and adds to the row of the other,
// which holds the zeros that the step before has left. A person writes the sums over what lies there, and no zeros.
//
// Which row that is shows only when the program runs, so it is followed there: the loop around carries the range of memory
// that is known to hold zeros since the last pass, and whether it really does, or the zeros are only owed. Where a pass comes
// to add to just that range, it runs a version of the loop that writes its sums without loading what they are added to, and
// that leaves its own zeros out. Whatever else runs in the loop around is asked first whether it touches the range; where it
// may, or a pass goes elsewhere, or the loop around is left, the zeros are written. A pass that finds nothing known writes its
// zeros, so where rows do not change places nothing is ever owed.
//
// Nothing here is decided by what memory means: it holds, as far as anybody can see, what it held before.
#include "owed.h"

#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace {

// Of how many accesses in the loop around it is asked at most whether they touch the range.
constexpr size_t MostAccesses = 40;
// Shorter loops are not worth the questions.
constexpr uint64_t FewestTurns = 15;
// How many cells at each end of a row need not be in the range: a step often hands its ends on by themselves, or leaves them.
constexpr unsigned EndCells = 2;

const SCEVAddRecExpr *rowOf(Value *pointer, const Loop &loop, uint64_t size, ScalarEvolution &evolution) {
  auto *address = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(pointer));
  if (!address || address->getLoop() != &loop || !address->isAffine())
    return nullptr;
  auto *step = dyn_cast<SCEVConstant>(address->getStepRecurrence(evolution));
  return step && step->getAPInt().abs() == size ? address : nullptr;
}

uint64_t sizeOf(const Instruction &access) {
  return access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access)).getFixedValue();
}

// What runs in the loop around and touches memory.
struct Access {
  const SCEV *address;
  uint64_t size;
  bool operator==(const Access &other) const { return address == other.address && size == other.size; }
};

// The range that is known to hold zeros, or nothing from null to null; owed where they are still to be written.
struct Range {
  Value *from, *to, *owed;
};

// What the cells at the ends of a row hold: by turns from the start and from the end.
using Ends = SmallVector<Value *, 2 * EndCells>;

class Writer {
 public:
  explicit Writer(const Owing &owing)
      : owing(owing), loop(owing.loop), around(loop.getParentLoop()), expander(owing.evolution, "owed"),
        updater(owing.dominators, DomTreeUpdater::UpdateStrategy::Eager) {}

  bool isPossible() {
    return around && hasPlainShape() && findRows() && haveOwnBases() && collectAccesses();
  }

  Loop *write() {
    Range known = carryRange();
    known = askBefore(known);
    for (LoadInst *load : lateBefore)
      settleFor(*load, known);
    BasicBlock *entry = loop.getLoopPreheader();
    settlePast(known);
    settleBefore(*owing.plain.getLoopPreheader()->getTerminator(), known);
    Loop *version = chooseVersion(*entry, known);
    finish();
    return version;
  }

 private:
  const Owing &owing;
  Loop &loop;
  Loop *around;
  SCEVExpander expander;
  DomTreeUpdater updater;
  // Where the versions of the loop meet again, coming from which blocks; and where whoever came past the loop joins them.
  BasicBlock *meeting = nullptr, *fromFast = nullptr, *fromPlain = nullptr;
  BasicBlock *join = nullptr, *fromMeeting = nullptr;
  const SCEVAddRecExpr *added = nullptr, *cleared = nullptr;
  uint64_t size = 0;
  SmallVector<Access, 16> before, after;
  // Loads from addresses that are known only where they stand.
  SmallVector<LoadInst *, 4> lateBefore, lateAfter;
  PHINode *from = nullptr, *to = nullptr, *owed = nullptr;
  // What is known when a pass has come through the version with carried sums.
  Range left{};

  static BasicBlock *followTo(BasicBlock *block, BasicBlock *&edge) {
    while (block && !block->hasNPredecessorsOrMore(2)) {
      edge = block;
      block = block->getSingleSuccessor();
    }
    return block;
  }

  // Each pass of the loop around comes through the loop once, or past it, and leaves behind it.
  bool hasPlainShape() {
    for (Loop *inner : *around)
      if (inner != &loop && inner != &owing.plain)
        return false;
    meeting = followTo(loop.getUniqueExitBlock(), fromFast);
    if (!meeting || meeting != followTo(owing.plain.getUniqueExitBlock(), fromPlain) || !fromFast || !fromPlain ||
        fromFast == fromPlain || !meeting->hasNPredecessors(2))
      return false;
    if (!simplifyLoop(around, &owing.dominators, &owing.loops, &owing.evolution, &owing.assumptions, nullptr, false) &&
        !around->isLoopSimplifyForm())
      return false;
    join = fromMeeting = meeting;
    if (!owing.dominators.dominates(meeting, around->getLoopLatch()))
      join = meeting->getSingleSuccessor() ? followTo(meeting->getSingleSuccessor(), fromMeeting) : nullptr;
    if (!join || !around->contains(join))
      return false;
    BasicBlock *exiting = around->getExitingBlock(), *exit = around->getUniqueExitBlock();
    return around->isLoopSimplifyForm() && exiting && exit && !exit->isEHPad() &&
           owing.dominators.dominates(join, around->getLoopLatch()) && owing.dominators.dominates(join, exiting) &&
           loop.getLoopPreheader() && owing.plain.getLoopPreheader();
  }

  bool findRows() {
    size = sizeOf(owing.sum);
    if (owing.sum.getPointerAddressSpace() != 0 || owing.zero.getPointerAddressSpace() != 0 ||
        size != sizeOf(owing.zero) || (size != 4 && size != 8) ||
        // No cell lies in the range by half.
        owing.old.getAlign() < size || owing.zero.getAlign() < size ||
        isa<SCEVCouldNotCompute>(owing.evolution.getBackedgeTakenCount(&loop)))
      return false;
    added = rowOf(owing.sum.getPointerOperand(), loop, size, owing.evolution);
    cleared = rowOf(owing.zero.getPointerOperand(), loop, size, owing.evolution);
    const Instruction *entry = loop.getLoopPreheader()->getTerminator();
    return added && cleared && expander.isSafeToExpandAt(endOf(added), entry) &&
           expander.isSafeToExpandAt(endOf(cleared), entry) && expander.isSafeToExpandAt(added->getStart(), entry) &&
           expander.isSafeToExpandAt(cleared->getStart(), entry);
  }

  // Rows of one array that each pass of the loop around steps through do not change places.
  bool haveOwnBases() const {
    auto baseOf = [&](const SCEV *row) {
      auto *base = dyn_cast<SCEVUnknown>(owing.evolution.getPointerBase(row));
      auto *value = base ? dyn_cast<Instruction>(base->getValue()) : nullptr;
      return value && around->contains(value) ? value : nullptr;
    };
    const Instruction *one = baseOf(added), *other = baseOf(cleared);
    return one && other && one != other;
  }

  // What the last turn of the loop comes to.
  const SCEV *endOf(const SCEVAddRecExpr *row) const {
    ScalarEvolution &evolution = owing.evolution;
    return evolution.getAddExpr(row->getStart(), evolution.getMulExpr(turns(), row->getStepRecurrence(evolution)));
  }

  const SCEV *turns() const {
    Type *wide = Type::getInt64Ty(loop.getHeader()->getContext());
    return owing.evolution.getTruncateOrZeroExtend(owing.evolution.getBackedgeTakenCount(&loop), wide);
  }

  // The tape is nobody's row, and what grows it touches nothing else.
  static bool movesTape(const Instruction &inst) {
    auto *call = dyn_cast<CallInst>(&inst);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && (callee->getName() == "backsweep.push.slow" || callee->getName() == "backsweep.pop.slow");
  }

  bool collectAccesses() {
    DominatorTree &dominators = owing.dominators;
    BasicBlock *fast = loop.getUniqueExitBlock(), *slow = owing.plain.getUniqueExitBlock();
    const Instruction *top = &*around->getHeader()->getFirstNonPHIIt();
    const Instruction *entry = loop.getLoopPreheader()->getTerminator();
    for (BasicBlock *block : around->blocks()) {
      if (loop.contains(block) || owing.plain.contains(block))
        continue;
      bool behind = dominators.dominates(join, block) || dominators.dominates(meeting, block) || dominators.dominates(fast, block) ||
                    dominators.dominates(slow, block);
      for (Instruction &inst : *block) {
        if (!inst.mayReadOrWriteMemory() || movesTape(inst))
          continue;
        // The last cells of the loop as it was are its own: nothing is known or owed there.
        if (dominators.dominates(slow, block))
          continue;
        Value *pointer = getLoadStorePointerOperand(&inst);
        if (!pointer || pointer->getType()->getPointerAddressSpace() != 0)
          return false;
        bool simple = isa<LoadInst>(inst) ? cast<LoadInst>(inst).isSimple()
                                          : isa<StoreInst>(inst) && cast<StoreInst>(inst).isSimple();
        if (!simple)
          return false;
        Access access{owing.evolution.getSCEVAtScope(pointer, around), sizeOf(inst)};
        SmallVectorImpl<Access> &known = behind ? after : before;
        if (expander.isSafeToExpandAt(access.address, behind ? entry : top)) {
          if (!is_contained(known, access))
            known.push_back(access);
          continue;
        }
        if (!isa<LoadInst>(inst) || (behind && !dominators.dominates(join, block)))
          return false;
        (behind ? lateAfter : lateBefore).push_back(cast<LoadInst>(&inst));
      }
    }
    return before.size() + after.size() + lateBefore.size() + lateAfter.size() <= MostAccesses;
  }

  // The range goes round with the loop around.
  Range carryRange() {
    BasicBlock *header = around->getHeader();
    IRBuilder<> builder(header, header->begin());
    from = builder.CreatePHI(builder.getPtrTy(), 2, "owed.from");
    to = builder.CreatePHI(builder.getPtrTy(), 2, "owed.to");
    owed = builder.CreatePHI(builder.getInt1Ty(), 2, "owed");
    for (PHINode *phi : {from, to, owed}) {
      phi->addIncoming(Constant::getNullValue(phi->getType()), around->getLoopPreheader());
      // Until it is known what comes round.
      phi->addIncoming(PoisonValue::get(phi->getType()), around->getLoopLatch());
    }
    return {from, to, owed};
  }

  Value *touches(IRBuilder<> &builder, ArrayRef<Access> accesses, Value *start, Value *end) {
    Value *any = builder.getFalse();
    for (const Access &access : accesses) {
      Value *place = expander.expandCodeFor(access.address, builder.getPtrTy(), builder.GetInsertPoint());
      Value *behind = builder.CreatePtrAdd(place, builder.getInt64(access.size));
      Value *before = builder.CreateICmpULT(place, end), *after = builder.CreateICmpULT(start, behind);
      any = builder.CreateOr(any, builder.CreateAnd(before, after));
    }
    return any;
  }

  // What a pass touches before it comes to the loop finds its zeros; then nothing is known any more.
  Range askBefore(Range known) {
    if (before.empty())
      return known;
    BasicBlock *header = around->getHeader();
    IRBuilder<> builder(header, header->getFirstNonPHIIt());
    Value *any = touches(builder, before, known.from, known.to);
    Instruction *here = &*builder.GetInsertPoint();
    Value *owes = builder.CreateAnd(any, known.owed);
    Value *nowhere = Constant::getNullValue(builder.getPtrTy());
    Range now{builder.CreateSelect(any, nowhere, known.from), builder.CreateSelect(any, nowhere, known.to),
              builder.CreateAnd(known.owed, builder.CreateNot(any))};
    clear(*here, owes, known.from, known.to);
    return now;
  }

  // Writes zeros in front of an instruction, where a condition holds.
  void clear(Instruction &here, Value *condition, Value *start, Value *end) {
    Instruction *inside =
        SplitBlockAndInsertIfThen(condition, here.getIterator(), false, nullptr, &updater, &owing.loops);
    IRBuilder<> builder(inside);
    builder.SetCurrentDebugLocation(owing.zero.getDebugLoc());
    Value *bytes = builder.CreateSub(builder.CreatePtrToInt(end, builder.getInt64Ty()),
                                     builder.CreatePtrToInt(start, builder.getInt64Ty()));
    builder.CreateMemSet(start, builder.getInt8(0), bytes, owing.zero.getAlign());
  }

  // A load finds the zeros that are owed where it comes to them; they may be written once more.
  void settleFor(LoadInst &load, const Range &known) {
    IRBuilder<> builder(&load);
    Value *place = load.getPointerOperand();
    Value *behind = builder.CreatePtrAdd(place, builder.getInt64(sizeOf(load)));
    Value *before = builder.CreateICmpULT(place, known.to), *after = builder.CreateICmpULT(known.from, behind);
    Value *meets = builder.CreateAnd(before, after);
    clear(load, builder.CreateAnd(meets, known.owed), known.from, known.to);
  }

  void settleBefore(Instruction &here, const Range &known) { clear(here, known.owed, known.from, known.to); }

  // Who comes past the loop, as where a row is too short, leaves nothing that is known.
  void settlePast(const Range &known) {
    if (join == meeting)
      return;
    SmallVector<BasicBlock *, 4> others;
    for (BasicBlock *block : predecessors(join))
      if (block != fromMeeting && !is_contained(others, block))
        others.push_back(block);
    for (BasicBlock *block : others)
      settleBefore(*SplitEdge(block, join, &owing.dominators, &owing.loops)->getTerminator(), known);
  }

  // The first and the last cell of a row.
  std::pair<Value *, Value *> ends(IRBuilder<> &builder, const SCEVAddRecExpr *row) {
    auto expand = [&](const SCEV *place) {
      return expander.expandCodeFor(place, builder.getPtrTy(), builder.GetInsertPoint());
    };
    bool upwards = cast<SCEVConstant>(row->getStepRecurrence(owing.evolution))->getAPInt().isStrictlyPositive();
    Value *start = expand(row->getStart()), *end = expand(endOf(row));
    return upwards ? std::pair{start, end} : std::pair{end, start};
  }

  // What the cells at the ends of the row hold that are not in the range, to be added behind the loop.
  Ends keepEnds(IRBuilder<> &builder, Value *first, Value *last, const Range &known) {
    Ends kept;
    for (unsigned cell = 0; cell < EndCells; cell++)
      for (bool atStart : {true, false}) {
        int64_t bytes = int64_t(cell * size);
        Value *place = builder.CreatePtrAdd(atStart ? first : last, builder.getInt64(atStart ? bytes : -bytes));
        Value *inside = atStart ? builder.CreateICmpUGE(place, known.from) : builder.CreateICmpULT(place, known.to);
        Value *held = builder.CreateAlignedLoad(owing.old.getType(), place, owing.old.getAlign());
        kept.push_back(builder.CreateSelect(inside, nothingAdded(), held));
      }
    return kept;
  }

  Constant *nothingAdded() const { return ConstantFP::getNegativeZero(owing.old.getType()); }

  // In front of the loop: whether its sums may be written over zeros.
  Loop *chooseVersion(BasicBlock &entry, const Range &known) {
    IRBuilder<> builder(entry.getTerminator());
    auto [first, last] = ends(builder, added);
    auto [start, lastCleared] = ends(builder, cleared);
    auto by = [&](Value *place, int64_t cells) {
      return builder.CreatePtrAdd(place, builder.getInt64(cells * int64_t(size)));
    };
    Value *end = by(lastCleared, 1), *behind = by(last, 1);
    Value *touched = touches(builder, after, start, end);
    Value *many = builder.CreateICmpUGE(expander.expandCodeFor(turns(), builder.getInt64Ty(), builder.GetInsertPoint()),
                                        builder.getInt64(FewestTurns));
    Value *nothing = Constant::getNullValue(builder.getPtrTy());
    Value *likely = builder.CreateAnd(many, builder.CreateNot(touched));
    likely = builder.CreateAnd(likely, builder.CreateICmpULT(known.from, known.to));
    likely = builder.CreateAnd(likely, builder.CreateICmpULE(known.from, by(first, EndCells)));
    likely = builder.CreateAnd(likely, builder.CreateICmpUGE(known.to, by(last, 1 - int64_t(EndCells))));
    left = {builder.CreateSelect(touched, nothing, start), builder.CreateSelect(touched, nothing, end), nullptr};
    Instruction *looks =
        SplitBlockAndInsertIfThen(likely, entry.getTerminator()->getIterator(), false, nullptr, &updater, &owing.loops);
    IRBuilder<> inside(looks);
    Ends kept = keepEnds(inside, first, last, known);
    Instruction *terminator = loop.getLoopPreheader()->getTerminator();
    builder.SetInsertPoint(terminator->getParent(), terminator->getParent()->begin());
    PHINode *enters = builder.CreatePHI(builder.getInt1Ty(), 2, "owed.enters");
    enters->addIncoming(builder.getFalse(), &entry);
    enters->addIncoming(builder.getTrue(), looks->getParent());
    left.owed = enters;
    for (Value *&end : kept) {
      PHINode *more = builder.CreatePHI(end->getType(), 2, "owed.end");
      more->addIncoming(nothingAdded(), &entry);
      more->addIncoming(end, looks->getParent());
      end = more;
    }
    builder.SetInsertPoint(terminator);
    Value *settles = builder.CreateAnd(known.owed, builder.CreateNot(enters));
    Value *keeps = builder.CreateAnd(known.owed, enters);
    Value *more = builder.CreateAnd(keeps, builder.CreateICmpULT(known.from, first));
    Value *further = builder.CreateAnd(keeps, builder.CreateICmpULT(behind, known.to));
    clear(*terminator, settles, known.from, known.to);
    // What of the range the loop does not write over.
    clear(*terminator, more, known.from, first);
    clear(*terminator, further, behind, known.to);
    Loop *version = addVersion(*terminator, enters);
    addEnds(kept, first, last);
    return version;
  }

  // Behind the loop; for cells that nothing was kept of, minus zero changes nothing.
  void addEnds(ArrayRef<Value *> kept, Value *first, Value *last) {
    IRBuilder<> builder(loop.getUniqueExitBlock()->getTerminator());
    builder.SetCurrentDebugLocation(owing.sum.getDebugLoc());
    for (unsigned index = 0; index < kept.size(); index++) {
      int64_t bytes = int64_t(index / 2 * size);
      Value *place = builder.CreatePtrAdd(index % 2 ? last : first, builder.getInt64(index % 2 ? -bytes : bytes));
      Value *now = builder.CreateAlignedLoad(owing.old.getType(), place, owing.old.getAlign());
      builder.CreateAlignedStore(builder.CreateFAdd(now, kept[index]), place, owing.sum.getAlign());
    }
  }

  // The version that writes its sums without loading, and leaves its zeros out.
  Loop *addVersion(Instruction &terminator, Value *enters) {
    BasicBlock *choice = terminator.getParent();
    BasicBlock *own = SplitBlock(choice, terminator.getIterator(), &owing.dominators, &owing.loops);
    BasicBlock *behind = loop.getUniqueExitBlock(), *latch = loop.getLoopLatch();
    ValueToValueMapTy map;
    SmallVector<BasicBlock *, 8> blocks;
    Loop *version = cloneLoopWithPreheader(own, choice, &loop, map, ".owed", &owing.loops, &owing.dominators, blocks);
    remapInstructionsInBlocks(blocks, map);
    ReplaceInstWithInst(choice->getTerminator(),
                        BranchInst::Create(cast<BasicBlock>(map[own]), own, enters));
    owing.dominators.changeImmediateDominator(behind, choice);
    joinVersions(*behind, *latch, map);
    auto *old = cast<LoadInst>(map[&owing.old]);
    auto *sum = cast<StoreInst>(map[&owing.sum]);
    auto *addition = cast<Instruction>(sum->getValueOperand());
    // Nobody told the sign of a zero that is added to.
    addition->replaceAllUsesWith(addition->getOperand(addition->getOperand(0) == old ? 1 : 0));
    addition->eraseFromParent();
    old->eraseFromParent();
    cast<StoreInst>(map[&owing.zero])->eraseFromParent();
    return version;
  }

  // What is used behind the loop comes from either version.
  void joinVersions(BasicBlock &behind, BasicBlock &latch, ValueToValueMapTy &map) {
    auto *other = cast<BasicBlock>(map[&latch]);
    auto inOther = [&](Value *value) -> Value * {
      Value *copy = map.lookup(value);
      return copy ? copy : value;
    };
    for (PHINode &phi : behind.phis())
      phi.addIncoming(inOther(phi.getIncomingValueForBlock(&latch)), other);
    for (BasicBlock *block : loop.blocks())
      for (Instruction &inst : *block) {
        SmallVector<Use *, 4> outside;
        for (Use &use : inst.uses()) {
          auto *user = cast<Instruction>(use.getUser());
          bool joined = isa<PHINode>(user) && user->getParent() == &behind;
          if (!joined && !loop.contains(user))
            outside.push_back(&use);
        }
        if (outside.empty())
          continue;
        PHINode *phi = PHINode::Create(inst.getType(), 2, "left", behind.begin());
        phi->addIncoming(&inst, &latch);
        phi->addIncoming(inOther(&inst), other);
        for (Use *use : outside)
          use->set(phi);
      }
  }

  // What is known where control comes from one block, and nothing where it comes from another.
  static Value *meet(Value *value, BasicBlock &block, BasicBlock &from) {
    PHINode *met = PHINode::Create(value->getType(), 2, "owed", block.begin());
    for (BasicBlock *before : predecessors(&block))
      met->addIncoming(before == &from ? value : Constant::getNullValue(value->getType()), before);
    return met;
  }

  // Where the versions meet, and where the loop around is left.
  void finish() {
    SmallVector<Value *, 3> now;
    for (auto [value, phi] : {std::pair{left.from, from}, std::pair{left.to, to}, std::pair{left.owed, owed}}) {
      Value *met = meet(value, *meeting, *fromFast);
      if (join != meeting)
        met = meet(met, *join, *fromMeeting);
      phi->setIncomingValueForBlock(around->getLoopLatch(), met);
      now.push_back(met);
    }
    for (LoadInst *load : lateAfter)
      settleFor(*load, {now[0], now[1], now[2]});
    BasicBlock *exit = around->getUniqueExitBlock();
    IRBuilder<> builder(exit, exit->begin());
    for (Value *&value : now) {
      PHINode *last = builder.CreatePHI(value->getType(), 1, "owed");
      for (BasicBlock *exiting : predecessors(exit))
        last->addIncoming(value, exiting);
      value = last;
    }
    settleBefore(*exit->getFirstInsertionPt(), {now[0], now[1], now[2]});
  }
};

} // namespace

Loop *oweZeros(const Owing &owing) {
  Writer writer(owing);
  Loop *version = writer.isPossible() ? writer.write() : nullptr;
  if (Loop *around = owing.loop.getParentLoop())
    owing.evolution.forgetLoop(around);
  owing.evolution.forgetBlockAndLoopDispositions();
  return version;
}

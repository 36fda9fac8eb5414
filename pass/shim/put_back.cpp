// A reverse loop that puts memory back copies a row from the tape, beside the rows that it computes with. Rows of a length that is
// a power of two often begin at the same place of their pages, and so do all their cells that an iteration comes to: a vector
// that is not aligned takes two lines of each row, and a cache of eight ways has no more than eight at one place. From five rows on
// they drive each other out, or not, as pages happen to lie: the same loop takes up to twice the time in the next run of a program.
//
// So where there are that many, and nothing else in the loop touches the row, it is copied in front of the loop.
#include "put_back.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {

constexpr const char *Mark = "backsweep.copy";
// From how many rows on one is taken out.
constexpr size_t ManyRows = 5;

uint64_t sizeOf(const Instruction &access) {
  return access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access)).getFixedValue();
}

// The address of what an iteration comes to, where neighbouring ones come to neighbouring cells.
const SCEVAddRecExpr *rowOf(Instruction &access, const Loop &loop, ScalarEvolution &evolution) {
  auto *address = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(getLoadStorePointerOperand(&access)));
  if (!address || address->getLoop() != &loop || !address->isAffine())
    return nullptr;
  auto *step = dyn_cast<SCEVConstant>(address->getStepRecurrence(evolution));
  return step && step->getAPInt().abs() == sizeOf(access) ? address : nullptr;
}

bool areMany(const LoopFacts &facts) {
  SmallPtrSet<const SCEV *, 8> bases;
  for (BasicBlock *block : facts.loop.blocks())
    for (Instruction &inst : *block)
      if (getLoadStorePointerOperand(&inst))
        if (const SCEVAddRecExpr *row = rowOf(inst, facts.loop, facts.evolution))
          bases.insert(facts.evolution.getPointerBase(row));
  return bases.size() >= ManyRows;
}

// What a store copies, if it does nothing else.
LoadInst *readCopy(StoreInst &store, const Loop &loop, ScalarEvolution &evolution) {
  auto *load = dyn_cast<LoadInst>(store.getValueOperand());
  if (!load || !load->hasOneUse() || !load->isSimple() || !store.isSimple() || load->getParent() != store.getParent() ||
      store.getPointerAddressSpace() != 0 || load->getPointerAddressSpace() != 0)
    return nullptr;
  const SCEVAddRecExpr *from = rowOf(*load, loop, evolution), *to = rowOf(store, loop, evolution);
  bool same = from && to && from->getStepRecurrence(evolution) == to->getStepRecurrence(evolution);
  return same ? load : nullptr;
}

// Whether nothing else touches the row that is written, and nothing writes the one that is read.
bool isAlone(const LoopFacts &facts, StoreInst &store, LoadInst &load) {
  auto apart = [&](Instruction &one, Value *other) {
    Value *pointer = getLoadStorePointerOperand(&one);
    return facts.tested.contains({pointer, other}) ||
           facts.aliases.isNoAlias(MemoryLocation::getBeforeOrAfter(pointer), MemoryLocation::getBeforeOrAfter(other));
  };
  for (BasicBlock *block : facts.loop.blocks())
    for (Instruction &inst : *block) {
      // The sums are apart from everything else.
      if (&inst == &store || !inst.mayReadOrWriteMemory() || facts.sums.contains(&inst))
        continue;
      if (!getLoadStorePointerOperand(&inst) || !apart(inst, store.getPointerOperand()) ||
          (inst.mayWriteToMemory() && !apart(inst, load.getPointerOperand())))
        return false;
    }
  return true;
}

void moveFrom(Loop &loop, ScalarEvolution &evolution) {
  SmallVector<StoreInst *, 2> copies;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block)
      if (inst.hasMetadata(Mark))
        copies.push_back(cast<StoreInst>(&inst));
  Instruction *entry = loop.getLoopPreheader()->getTerminator();
  const SCEV *turns = evolution.getBackedgeTakenCount(&loop);
  SCEVExpander expander(evolution, "copy");
  for (StoreInst *store : copies) {
    LoadInst *load = readCopy(*store, loop, evolution);
    store->setMetadata(Mark, nullptr);
    if (!load || isa<SCEVCouldNotCompute>(turns))
      continue;
    const SCEV *wide = evolution.getTruncateOrZeroExtend(turns, Type::getInt64Ty(loop.getHeader()->getContext()));
    auto lowest = [&](Instruction &access) {
      const SCEVAddRecExpr *row = rowOf(access, loop, evolution);
      const SCEV *step = row->getStepRecurrence(evolution);
      const SCEV *start = row->getStart();
      return evolution.isKnownPositive(step) ? start : evolution.getAddExpr(start, evolution.getMulExpr(wide, step));
    };
    const SCEV *from = lowest(*load), *to = lowest(*store);
    if (!expander.isSafeToExpandAt(from, entry) || !expander.isSafeToExpandAt(to, entry) ||
        !expander.isSafeToExpandAt(wide, entry))
      continue;
    IRBuilder<> builder(entry);
    builder.SetCurrentDebugLocation(store->getDebugLoc());
    auto expand = [&](const SCEV *what, Type *type) { return expander.expandCodeFor(what, type, entry->getIterator()); };
    Value *source = expand(from, builder.getPtrTy()), *target = expand(to, builder.getPtrTy());
    Value *cells = builder.CreateAdd(expand(wide, builder.getInt64Ty()), builder.getInt64(1));
    builder.CreateMemCpy(target, store->getAlign(), source, load->getAlign(),
                         builder.CreateMul(cells, builder.getInt64(sizeOf(*store))));
    Value *places[] = {store->getPointerOperand(), load->getPointerOperand()};
    store->eraseFromParent();
    load->eraseFromParent();
    // The vectoriser would compute the indices of an address that nobody wants, one for each lane.
    for (Value *place : places)
      RecursivelyDeleteTriviallyDeadInstructions(place);
  }
  evolution.forgetLoop(&loop);
}

} // namespace

void markCopies(const LoopFacts &facts, const DominatorTree &dominators) {
  if (!areMany(facts))
    return;
  for (BasicBlock *block : facts.loop.blocks())
    for (Instruction &inst : *block)
      if (auto *store = dyn_cast<StoreInst>(&inst))
        if (dominators.dominates(block, facts.loop.getLoopLatch()))
          if (LoadInst *load = readCopy(*store, facts.loop, facts.evolution))
            if (isAlone(facts, *store, *load))
              store->setMetadata(Mark, MDNode::get(store->getContext(), {}));
}

void moveCopies(Loop &loop, Loop *other, Loop &plain, ScalarEvolution &evolution) {
  for (BasicBlock *block : plain.blocks())
    for (Instruction &inst : *block)
      inst.setMetadata(Mark, nullptr);
  moveFrom(loop, evolution);
  if (other)
    moveFrom(*other, evolution);
}

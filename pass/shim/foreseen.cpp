// How large a nest of short loops is once it is written out.
//
// How often `for j from m to 8` runs is known once the loop over m is written out, and a factor that only counters make is then a constant.
// So the nest is run here, pass by pass: its counters are numbers, what enters it from outside is a name. What two passes compute alike
// counts once, what folds counts nothing, and where the numbers do not tell how a loop goes on, it cannot be written out.
#include "foreseen.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <map>
#include <vector>

using namespace llvm;

namespace {

using Name = unsigned;

// What is known of a value in one pass. Values with the same name are the same.
struct Named {
  Constant *constant = nullptr;
  // What an address is that many bytes behind.
  std::optional<Name> base;
  int64_t offset = 0;
  // A slot that is touched at known places is a few numbers by then.
  bool isInSlot = false;
};

class Run {
 public:
  Run(const Loop &nest, const LoopInfo &loops, const TargetLibraryInfo &library, const ForeseenLimits &limits)
      : nest(nest), loops(loops), library(library), limits(limits),
        layout(nest.getHeader()->getModule()->getDataLayout()) {}

  std::optional<Foreseen> run() {
    reached.insert({nest.getLoopPreheader(), nest.getHeader()});
    return walk(nest) ? std::optional(Foreseen{size, steps}) : std::nullopt;
  }

 private:
  using Edge = std::pair<const BasicBlock *, const BasicBlock *>;

  const Loop &nest;
  const LoopInfo &loops;
  const TargetLibraryInfo &library;
  const ForeseenLimits limits;
  const DataLayout &layout;
  unsigned size = 0, steps = 0;
  std::vector<Named> names;
  // Of what was computed last, and of what comes from outside.
  DenseMap<const Value *, Name> now;
  std::map<std::vector<uint64_t>, Name> expressions;
  std::map<std::pair<Name, int64_t>, Name> places;
  DenseMap<Constant *, Name> constants;
  // What is found at an address.
  DenseMap<Name, Name> memory;
  DenseSet<Edge> reached;

  Name add(const Named &named) {
    names.push_back(named);
    return Name(names.size() - 1);
  }

  // What nothing is known of.
  Name addNew(const Value &value) {
    const Name name = add({});
    if (value.getType()->isPointerTy())
      names[name].base = name;
    names[name].isInSlot = isa<AllocaInst>(value);
    return name;
  }

  Name nameOfConstant(Constant *constant) {
    auto [place, isNew] = constants.try_emplace(constant, 0);
    if (isNew)
      place->second = add({constant});
    return place->second;
  }

  Name nameOf(Value *value) {
    if (auto *constant = dyn_cast<Constant>(value))
      return nameOfConstant(constant);
    auto [place, isNew] = now.try_emplace(value, 0);
    if (isNew)
      place->second = addNew(*value);
    return place->second;
  }

  // The passes of a loop that is entered now, with all loops in it.
  bool walk(const Loop &loop) {
    const BasicBlock *latch = loop.getLoopLatch();
    if (!latch || !loop.isLoopSimplifyForm())
      return false;
    LoopBlocksRPO order(const_cast<Loop *>(&loop));
    order.perform(&loops);
    for (unsigned passes = 0;;) {
      if (!walkOnce(loop, order))
        return false;
      const bool goesOn = reached.contains({latch, loop.getHeader()}), ends = leaves(loop);
      if (goesOn == ends)
        return false;
      passes += reachesLatch(*latch);
      if (passes > limits.passes)
        return false;
      if (ends)
        return true;
      forget(loop);
      reached.insert({latch, loop.getHeader()});
    }
  }

  bool walkOnce(const Loop &loop, LoopBlocksRPO &order) {
    for (BasicBlock *block : order) {
      const Loop *own = loops.getLoopFor(block);
      if (!isReached(*block))
        continue;
      if (own == &loop) {
        if (!walkBlock(*block))
          return false;
      } else if (own->getParentLoop() == &loop && own->getHeader() == block && !walk(*own)) {
        return false;
      }
    }
    return true;
  }

  bool isReached(const BasicBlock &block) const {
    return any_of(predecessors(&block), [&](const BasicBlock *from) { return reached.contains({from, &block}); });
  }

  bool reachesLatch(const BasicBlock &latch) const {
    return any_of(successors(&latch), [&](const BasicBlock *to) { return reached.contains({&latch, to}); });
  }

  bool leaves(const Loop &loop) const {
    SmallVector<Loop::Edge, 4> exits;
    loop.getExitEdges(exits);
    return any_of(exits, [&](const Loop::Edge &exit) { return reached.contains({exit.first, exit.second}); });
  }

  // A pass begins with nothing of it reached.
  void forget(const Loop &loop) {
    for (const BasicBlock *block : loop.blocks()) {
      for (const BasicBlock *from : predecessors(block))
        reached.erase({from, block});
      for (const BasicBlock *to : successors(block))
        reached.erase({block, to});
    }
  }

  bool walkBlock(BasicBlock &block) {
    choosePhis(block);
    // Whether the loop goes on after this pass is another question than whether it came round to it.
    const Loop *own = loops.getLoopFor(&block);
    if (own->getHeader() == &block)
      reached.erase({own->getLoopLatch(), &block});
    for (Instruction &inst : block) {
      if (++steps > limits.steps || size > limits.size)
        return false;
      if (!isa<PHINode>(inst) && !inst.isTerminator())
        now[&inst] = compute(inst);
    }
    return goOn(*block.getTerminator());
  }

  // All at once, since one may be what another was.
  void choosePhis(BasicBlock &block) {
    SmallVector<std::pair<PHINode *, Name>, 8> chosen;
    for (PHINode &phi : block.phis()) {
      std::optional<Name> only;
      bool several = false;
      for (unsigned index = 0; index < phi.getNumIncomingValues(); index++) {
        if (!reached.contains({phi.getIncomingBlock(index), &block}))
          continue;
        const Name name = nameOf(phi.getIncomingValue(index));
        several |= only && *only != name;
        only = name;
      }
      size += several;
      chosen.push_back({&phi, several || !only ? addNew(phi) : *only});
    }
    for (auto [phi, name] : chosen)
      now[phi] = name;
  }

  // Both ways where it is not known; but how a loop goes on has to be.
  bool goOn(Instruction &terminator) {
    BasicBlock *block = terminator.getParent();
    Constant *known = nullptr;
    if (auto *branch = dyn_cast<BranchInst>(&terminator); branch && branch->isConditional())
      known = names[nameOf(branch->getCondition())].constant;
    else if (auto *choice = dyn_cast<SwitchInst>(&terminator))
      known = names[nameOf(choice->getCondition())].constant;
    if (auto *number = dyn_cast_or_null<ConstantInt>(known)) {
      auto *branch = dyn_cast<BranchInst>(&terminator);
      BasicBlock *to = branch ? branch->getSuccessor(number->isZero())
                              : cast<SwitchInst>(terminator).findCaseValue(number)->getCaseSuccessor();
      reached.insert({block, to});
      return true;
    }
    const bool one = terminator.getNumSuccessors() == 1;
    if (!isa<BranchInst, SwitchInst>(terminator) || (!one && loops.getLoopFor(block)->isLoopExiting(block)))
      return false;
    size += !one;
    for (BasicBlock *to : successors(block))
      reached.insert({block, to});
    return true;
  }

  Name compute(Instruction &inst) {
    if (isa<DbgInfoIntrinsic>(inst) || inst.isLifetimeStartOrEnd())
      return addNew(inst);
    if (auto *load = dyn_cast<LoadInst>(&inst))
      return read(*load);
    if (auto *store = dyn_cast<StoreInst>(&inst))
      return write(*store);
    if (inst.mayReadOrWriteMemory() || isa<AllocaInst>(inst)) {
      size++;
      memory.clear();
      return addNew(inst);
    }
    SmallVector<Name, 4> operands;
    for (Value *operand : inst.operands())
      operands.push_back(nameOf(operand));
    if (Constant *folded = fold(inst, operands))
      return nameOfConstant(folded);
    if (std::optional<Name> place = step(inst, operands))
      return *place;
    return express(inst, operands);
  }

  Constant *fold(Instruction &inst, ArrayRef<Name> operands) {
    if (auto *compare = dyn_cast<CmpInst>(&inst); compare && names[operands[0]].base)
      return comparePlaces(*compare, names[operands[0]], names[operands[1]]);
    SmallVector<Constant *, 4> known;
    for (Name operand : operands) {
      if (!names[operand].constant)
        return nullptr;
      known.push_back(names[operand].constant);
    }
    if (auto *compare = dyn_cast<CmpInst>(&inst))
      return ConstantFoldCompareInstOperands(compare->getPredicate(), known[0], known[1], layout, &library, compare);
    return ConstantFoldInstOperands(&inst, known, layout, &library);
  }

  // Whoever goes through an array by a pointer asks whether it has come to the end.
  static Constant *comparePlaces(CmpInst &compare, const Named &left, const Named &right) {
    if (left.base != right.base || compare.isSigned())
      return nullptr;
    const APInt first(64, left.offset, true), second(64, right.offset, true);
    return ConstantInt::getBool(compare.getType(), ICmpInst::compare(first, second, cast<ICmpInst>(compare).getSignedPredicate()));
  }

  // An address that is so many bytes behind another.
  std::optional<Name> step(Instruction &inst, ArrayRef<Name> operands) {
    auto *gep = dyn_cast<GEPOperator>(&inst);
    if (!gep || inst.getType()->isVectorTy() || !names[operands[0]].base)
      return std::nullopt;
    SmallVector<Value *, 4> indices;
    for (Name index : operands.drop_front()) {
      if (!names[index].constant)
        return std::nullopt;
      indices.push_back(names[index].constant);
    }
    Named place = names[operands[0]];
    place.isInSlot = names[*place.base].isInSlot;
    place.offset += layout.getIndexedOffsetInType(gep->getSourceElementType(), indices);
    auto [known, isNew] = places.try_emplace({*place.base, place.offset}, 0);
    if (isNew)
      known->second = add(place);
    return known->second;
  }

  // What was computed before from the same has its name.
  Name express(Instruction &inst, ArrayRef<Name> operands) {
    auto *gep = dyn_cast<GEPOperator>(&inst);
    auto *compare = dyn_cast<CmpInst>(&inst);
    std::vector<uint64_t> key{inst.getOpcode(), compare ? uint64_t(compare->getPredicate()) : 0, numberOf(inst.getType()),
                              numberOf(gep ? gep->getSourceElementType() : nullptr)};
    key.insert(key.end(), operands.begin(), operands.end());
    auto [place, isNew] = expressions.try_emplace(std::move(key), 0);
    if (isNew) {
      size++;
      place->second = addNew(inst);
    }
    return place->second;
  }

  static uint64_t numberOf(const Type *type) { return uint64_t(reinterpret_cast<uintptr_t>(type)); }

  Name read(LoadInst &load) {
    const Name address = nameOf(load.getPointerOperand());
    Constant *table = names[address].constant;
    if (Constant *found = table ? ConstantFoldLoadFromConstPtr(table, load.getType(), layout) : nullptr)
      return nameOfConstant(found);
    // Who asks how often a loop runs does not look for counters in memory.
    auto known = memory.find(address);
    if (known != memory.end() && load.getType()->isFloatingPointTy())
      return known->second;
    size += !names[address].isInSlot;
    return memory[address] = addNew(load);
  }

  // What was read elsewhere has to be read again, except from slots.
  Name write(StoreInst &store) {
    const Name address = nameOf(store.getPointerOperand()), value = nameOf(store.getValueOperand());
    const bool slot = names[address].isInSlot;
    SmallVector<Name, 8> lost;
    for (auto [other, found] : memory)
      if (!slot && !names[other].isInSlot)
        lost.push_back(other);
    for (Name other : lost)
      memory.erase(other);
    size += !slot;
    memory[address] = value;
    return addNew(store);
  }
};

} // namespace

std::optional<Foreseen> foresee(const Loop &nest, const LoopInfo &loops, const TargetLibraryInfo &library, const ForeseenLimits &limits) {
  return Run(nest, loops, library, limits).run();
}

// What a derivative keeps in stack slots becomes values, in functions of many slots and many blocks.
//
// The host's promotion goes through most of the function for each slot: first to find where the slot is live, then for the frontier of each
// block that stores into it. A derivative has a slot for nearly each number, so that takes the square of its length. Here the frontier of each
// block is found once for all slots, and how a slot's stores lie in the tree of dominators is read off the numbers of a walk through it, so a slot
// takes the time of its own loads and stores. Phis are only made where a load comes to ask for them.
#include "shim.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"

using namespace llvm;

namespace {

// Below so many slots times blocks the host is as fast, and is left to it.
constexpr size_t Many = 1'000'000;

// Nothing is done with the slot's address but to load and store what it holds.
bool isPlain(const AllocaInst &slot) {
  if (slot.isArrayAllocation() || slot.isUsedByMetadata() || !slot.getAllocatedType()->isSingleValueType())
    return false;
  for (const User *user : slot.users()) {
    if (auto *load = dyn_cast<LoadInst>(user)) {
      // What is said of a value that was loaded would be lost.
      bool says = load->hasMetadata(LLVMContext::MD_nonnull) || load->hasMetadata(LLVMContext::MD_noundef);
      if (!load->isSimple() || load->getType() != slot.getAllocatedType() || says)
        return false;
    } else if (auto *store = dyn_cast<StoreInst>(user)) {
      bool isKept = store->getValueOperand() == &slot;
      if (isKept || !store->isSimple() || store->getValueOperand()->getType() != slot.getAllocatedType())
        return false;
    } else {
      return false;
    }
  }
  return true;
}

class Cells {
 public:
  explicit Cells(Function &function) : function(function), dominators(function) {}

  void run() {
    for (Instruction &inst : function.getEntryBlock())
      if (auto *slot = dyn_cast<AllocaInst>(&inst); slot && isPlain(*slot))
        slots.insert({slot, {}});
    if (slots.size() * function.size() < Many)
      return;
    number();
    findFrontiers();
    readAccesses();
    for (auto &[slot, accesses] : slots)
      promote(*slot, accesses);
    simplify();
  }

 private:
  struct Node {
    unsigned in = 0, out = 0;
    SmallVector<BasicBlock *, 2> frontier;
  };
  // A block at whose end the slot's value is another than in front of it, and the next one above it.
  struct Definition {
    BasicBlock *block;
    StoreInst *last;
    PHINode *phi;
    int above;
  };
  using Accesses = SmallVector<Instruction *, 8>;

  Function &function;
  DominatorTree dominators;
  MapVector<const BasicBlock *, Node> nodes;
  MapVector<AllocaInst *, Accesses> slots;
  SmallVector<WeakVH, 0> made;

  void number() {
    dominators.updateDFSNumbers();
    for (BasicBlock &block : function)
      if (DomTreeNode *at = dominators.getNode(&block))
        nodes[&block] = {at->getDFSNumIn(), at->getDFSNumOut(), {}};
  }

  // The joins at which a block stops dominating, for every block.
  void findFrontiers() {
    for (BasicBlock &block : function) {
      DomTreeNode *at = dominators.getNode(&block);
      if (!at || !block.hasNPredecessorsOrMore(2))
        continue;
      for (BasicBlock *before : predecessors(&block))
        for (DomTreeNode *up = dominators.getNode(before); up && up != at->getIDom(); up = up->getIDom()) {
          SmallVectorImpl<BasicBlock *> &frontier = nodes[up->getBlock()].frontier;
          // All above have been met on the way up from another block.
          if (!frontier.empty() && frontier.back() == &block)
            break;
          frontier.push_back(&block);
        }
    }
  }

  // In the order of the walk through the tree of dominators, and in blocks as they run.
  void readAccesses() {
    for (DomTreeNode *at : depth_first(dominators.getRootNode()))
      for (Instruction &inst : *at->getBlock())
        if (auto *slot = dyn_cast_or_null<AllocaInst>(getLoadStorePointerOperand(&inst)))
          if (auto found = slots.find(slot); found != slots.end())
            found->second.push_back(&inst);
  }

  void promote(AllocaInst &slot, Accesses &accesses) {
    // What lies in blocks that nothing leads to is left to the host, and so is a slot with nothing else.
    if (accesses.empty() || accesses.size() != slot.getNumUses())
      return;
    SmallVector<Definition, 8> definitions = define(accesses);
    SmallVector<PHINode *, 8> waiting;
    BasicBlock *block = nullptr;
    Value *held = nullptr;
    for (Instruction *access : accesses) {
      if (access->getParent() != block) {
        block = access->getParent();
        held = nullptr;
      }
      if (auto *store = dyn_cast<StoreInst>(access)) {
        held = store->getValueOperand();
        continue;
      }
      if (!held)
        held = valueAtBegin(*block, definitions, slot, waiting);
      // What stores hold of this very slot was loaded above them, and is another value by now.
      access->replaceAllUsesWith(held);
    }
    while (!waiting.empty()) {
      PHINode *phi = waiting.pop_back_val();
      for (BasicBlock *before : predecessors(phi->getParent()))
        phi->addIncoming(valueAtEnd(before, definitions, slot, waiting), before);
    }
    for (Instruction *access : accesses)
      access->eraseFromParent();
    slot.eraseFromParent();
  }

  // Where it is stored and where several stores meet, as they follow in the walk.
  SmallVector<Definition, 8> define(const Accesses &accesses) {
    SmallVector<Definition, 8> definitions;
    SmallDenseMap<BasicBlock *, StoreInst *, 8> stores;
    SmallPtrSet<BasicBlock *, 8> joins;
    SmallVector<BasicBlock *, 8> waiting;
    for (Instruction *access : accesses)
      if (auto *store = dyn_cast<StoreInst>(access)) {
        auto [at, isNew] = stores.insert({store->getParent(), store});
        at->second = store;
        if (isNew)
          waiting.push_back(store->getParent());
      }
    while (!waiting.empty())
      for (BasicBlock *join : nodes[waiting.pop_back_val()].frontier)
        if (joins.insert(join).second)
          waiting.push_back(join);
    for (auto &[block, store] : stores)
      definitions.push_back({block, store, nullptr, -1});
    for (BasicBlock *join : joins)
      if (!stores.count(join))
        definitions.push_back({join, nullptr, nullptr, -1});
    sort(definitions, [&](const Definition &left, const Definition &right) {
      return nodes[left.block].in < nodes[right.block].in;
    });
    for (int index = 0; index < static_cast<int>(definitions.size()); index++)
      definitions[index].above = climb(index - 1, *definitions[index].block, definitions);
    joined = std::move(joins);
    return definitions;
  }

  SmallPtrSet<BasicBlock *, 8> joined;

  bool isAbove(const BasicBlock *above, const BasicBlock *block) {
    return nodes[above].in <= nodes[block].in && nodes[block].out <= nodes[above].out;
  }

  int climb(int from, const BasicBlock &block, ArrayRef<Definition> definitions) {
    while (from >= 0 && !isAbove(definitions[from].block, &block))
      from = definitions[from].above;
    return from;
  }

  // The last definition that dominates a block, which may be its own.
  int lastAbove(const BasicBlock &block, ArrayRef<Definition> definitions) {
    auto *after = upper_bound(definitions, nodes[&block].in,
                              [&](unsigned in, const Definition &each) { return in < nodes[each.block].in; });
    return climb(static_cast<int>(after - definitions.begin()) - 1, block, definitions);
  }

  Value *phiOf(Definition &at, AllocaInst &slot, SmallVectorImpl<PHINode *> &waiting) {
    if (!at.phi) {
      at.phi = PHINode::Create(slot.getAllocatedType(), pred_size(at.block));
      at.phi->insertBefore(at.block->begin());
      waiting.push_back(at.phi);
      made.push_back(at.phi);
    }
    return at.phi;
  }

  Value *valueOf(int index, MutableArrayRef<Definition> definitions, AllocaInst &slot, SmallVectorImpl<PHINode *> &waiting) {
    if (index < 0)
      return UndefValue::get(slot.getAllocatedType());
    Definition &at = definitions[index];
    return at.last ? at.last->getValueOperand() : phiOf(at, slot, waiting);
  }

  Value *valueAtEnd(BasicBlock *block, MutableArrayRef<Definition> definitions, AllocaInst &slot,
                    SmallVectorImpl<PHINode *> &waiting) {
    // Nothing comes along an edge out of a block that nothing leads to.
    if (!nodes.count(block))
      return PoisonValue::get(slot.getAllocatedType());
    return valueOf(lastAbove(*block, definitions), definitions, slot, waiting);
  }

  Value *valueAtBegin(BasicBlock &block, MutableArrayRef<Definition> definitions, AllocaInst &slot,
                      SmallVectorImpl<PHINode *> &waiting) {
    int index = lastAbove(block, definitions);
    if (index < 0 || definitions[index].block != &block)
      return valueOf(index, definitions, slot, waiting);
    if (joined.contains(&block))
      return phiOf(definitions[index], slot, waiting);
    return valueOf(definitions[index].above, definitions, slot, waiting);
  }

  // Phis of one value are that value, and so may others be then.
  void simplify() {
    SimplifyQuery query(function.getDataLayout(), nullptr, &dominators);
    for (bool again = true; again;) {
      again = false;
      for (WeakVH &each : made) {
        auto *phi = dyn_cast_or_null<PHINode>(each);
        Value *simple = phi ? simplifyInstruction(phi, query) : nullptr;
        if (!simple)
          continue;
        phi->replaceAllUsesWith(simple);
        phi->eraseFromParent();
        again = true;
      }
    }
  }
};

} // namespace

void bs_shim_promote_cells(LLVMValueRef raw) { Cells(*unwrap<Function>(raw)).run(); }

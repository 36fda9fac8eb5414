// The reverse sweep comes to the iterations of a loop in the opposite order, and so goes through memory towards the front.
// A vectorised loop that does so turns every vector around that it loads and stores. Where iterations have nothing of each
// other but sums, which are the same in any order, they run in the order of the forward sweep again.
//
// It is decided here, and not in the plan, because most of what is needed to know is tested at run time: that the
// memory that is put back, the shadows that are taken, and the numbers that are read are apart. What is asked:
//  * a header hands on counters, and nothing else; nothing that a pass computes is used behind the loop;
//  * two accesses that are no sums, one of them a store, never touch one byte in different passes;
//  * two sums touch the same cell or none in common.
// Within a pass nothing changes places.
#include "turned.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {

// Loops with more loads and stores stay as they are: each is held against each.
constexpr size_t MostAccesses = 200;
// Loops that are known to go round less often do not earn back what is computed in front of them.
constexpr uint64_t FewestPasses = 48;

// A load or a store, whose address moves by `step` bytes in each pass, if it is known to.
struct Access {
  Instruction *inst;
  Value *pointer;
  Type *type;
  bool writes, sums;
  const SCEVAddRecExpr *address = nullptr;
  int64_t step = 0;
  int64_t size = 0;
};

// Whether two accesses, the second so many bytes behind the first, touch a byte in common only where both are in one pass.
bool meetInOnePassOnly(const Access &a, const Access &b, int64_t apart) {
  int64_t step = std::abs(a.step);
  if (step < a.size || step < b.size)
    return false;
  int64_t behind = ((apart % step) + step) % step;
  auto areDisjoint = [&](int64_t distance) { return distance >= a.size || distance <= -b.size; };
  // Those of other passes are whole steps away; the nearest of them lie around.
  return all_of(ArrayRef<int64_t>{behind, behind - step},
                [&](int64_t distance) { return distance == apart || areDisjoint(distance); });
}

class Question {
 public:
  explicit Question(const LoopFacts &facts) : facts(facts) {}

  bool ask() {
    return isWorthIt() && handsOnCountersAlone() && isUsedWithinAlone() && collect() && goesTowardsTheFront() && areFree();
  }

 private:
  const LoopFacts &facts;
  SmallVector<Access, 8> accesses;

  // A triangular loop is left as it is: its runs end at one place, as seen from the forward sweep, but begin at many. The vectors of a
  // run that begins there lie on those that the run before has just stored, and otherwise across them.
  bool isWorthIt() const {
    const SCEV *passes = facts.evolution.getBackedgeTakenCount(&facts.loop);
    if (auto *known = dyn_cast<SCEVConstant>(passes); known && known->getAPInt().ult(FewestPasses))
      return false;
    for (Loop *around = facts.loop.getParentLoop(); around; around = around->getParentLoop())
      if (!facts.evolution.isLoopInvariant(passes, around))
        return false;
    return true;
  }

  bool handsOnCountersAlone() const {
    ScalarEvolution &evolution = facts.evolution;
    SCEVExpander expander(evolution, "turned");
    const SCEV *passes = evolution.getBackedgeTakenCount(&facts.loop);
    if (isa<SCEVCouldNotCompute>(passes) || !expander.isSafeToExpand(passes))
      return false;
    return all_of(facts.loop.getHeader()->phis(), [&](PHINode &phi) {
      auto *counter = evolution.isSCEVable(phi.getType()) ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi)) : nullptr;
      return counter && counter->getLoop() == &facts.loop && counter->isAffine() &&
             isa<SCEVConstant>(counter->getStepRecurrence(evolution)) &&
             expander.isSafeToExpand(counter->evaluateAtIteration(passes, evolution));
    });
  }

  // The loop is in LCSSA form, so whoever looks at it from behind does so by a phi.
  bool isUsedWithinAlone() const {
    BasicBlock *latch = facts.loop.getLoopLatch();
    return all_of(facts.loop.getUniqueExitBlock()->phis(), [&](PHINode &phi) {
      return facts.loop.isLoopInvariant(phi.getIncomingValueForBlock(latch));
    });
  }

  bool collect() {
    for (BasicBlock *block : facts.loop.blocks())
      for (Instruction &inst : *block) {
        bool simple = isa<LoadInst>(inst) ? cast<LoadInst>(inst).isSimple()
                                          : isa<StoreInst>(inst) && cast<StoreInst>(inst).isSimple();
        if (simple)
          accesses.push_back(read(inst));
        else if (inst.mayReadOrWriteMemory() || inst.mayHaveSideEffects())
          return false;
      }
    return accesses.size() <= MostAccesses && none_of(accesses, [](const Access &access) { return access.size == 0; });
  }

  Access read(Instruction &inst) {
    Value *pointer = getLoadStorePointerOperand(&inst);
    Type *type = getLoadStoreType(&inst);
    Access access{&inst, pointer, type, isa<StoreInst>(inst), facts.sums.contains(&inst)};
    TypeSize size = inst.getDataLayout().getTypeStoreSize(type);
    access.size = size.isScalable() ? 0 : int64_t(size.getFixedValue());
    const SCEVAddRecExpr *address = facts.assumed.getAsAddRec(pointer);
    if (!address || address->getLoop() != &facts.loop || !address->isAffine())
      return access;
    auto *step = dyn_cast<SCEVConstant>(address->getStepRecurrence(facts.evolution));
    if (step && step->getAPInt().getSignificantBits() <= 32) {
      access.address = address;
      access.step = step->getAPInt().getSExtValue();
    }
    return access;
  }

  bool goesTowardsTheFront() const {
    return any_of(accesses, [](const Access &access) { return access.step < 0; }) &&
           none_of(accesses, [](const Access &access) { return access.step > 0; });
  }

  bool areFree() const {
    for (size_t i = 0; i < accesses.size(); i++)
      for (size_t j = i; j < accesses.size(); j++) {
        const Access &a = accesses[i], &b = accesses[j];
        if ((a.writes || b.writes) && !areFree(a, b))
          return false;
      }
    return true;
  }

  bool areFree(const Access &a, const Access &b) const {
    if (a.sums && b.sums)
      return areSameOrApart(a, b);
    return a.sums != b.sums || facts.tested.contains({a.pointer, b.pointer}) || isOneInEachPass(a, b) ||
           isNotListed(a, b) || areApart(a, b);
  }

  // Alias analysis speaks of one pass. Pointers into one object each, in all passes, are apart in all of them; those that choose
  // between two objects are not.
  bool areApart(const Access &a, const Access &b) const {
    auto isOfOneObject = [&](const Access &access) {
      return access.address || facts.loop.isLoopInvariant(access.pointer);
    };
    return isOfOneObject(a) && isOfOneObject(b) &&
           facts.aliases.isNoAlias(MemoryLocation::getBeforeOrAfter(a.pointer),
                                   MemoryLocation::getBeforeOrAfter(b.pointer));
  }

  // Cells of one type that are aligned to their size lie on each other, or share nothing.
  static bool areSameOrApart(const Access &a, const Access &b) {
    auto isAligned = [](const Access &access) {
      return int64_t(getLoadStoreAlignment(access.inst).value()) % access.size == 0;
    };
    return a.type == b.type && isAligned(a) && isAligned(b);
  }

  bool isOneInEachPass(const Access &a, const Access &b) const {
    if (!a.address || !b.address || a.step != b.step)
      return false;
    auto *apart = dyn_cast<SCEVConstant>(facts.evolution.getMinusSCEV(b.address, a.address));
    return apart && apart->getAPInt().getSignificantBits() <= 62 &&
           meetInOnePassOnly(a, b, apart->getAPInt().getSExtValue());
  }

  // Whether LLVM's analysis looked at both and found no pass of one that comes to what a pass of the other does.
  bool isNotListed(const Access &a, const Access &b) const {
    const MemoryDepChecker &checker = facts.info.getDepChecker();
    const auto *dependences = checker.getDependences();
    if (!facts.listed || !dependences || a.inst == b.inst || !a.address || !b.address)
      return false;
    return none_of(*dependences, [&](const MemoryDepChecker::Dependence &dependence) {
      Instruction *from = dependence.getSource(checker), *to = dependence.getDestination(checker);
      return (from == a.inst && to == b.inst) || (from == b.inst && to == a.inst);
    });
  }
};

// Ends the loop by a counter of its own; the test that was there counted the other way.
void countPasses(Loop &loop, Value *passes) {
  BasicBlock *latch = loop.getLoopLatch();
  auto *branch = cast<BranchInst>(latch->getTerminator());
  PHINode *counter = PHINode::Create(passes->getType(), 2, "turned");
  counter->insertBefore(loop.getHeader()->begin());
  IRBuilder<> builder(branch);
  Value *next = builder.CreateAdd(counter, ConstantInt::get(passes->getType(), 1), "turned.next", /*HasNUW=*/true);
  counter->addIncoming(ConstantInt::get(passes->getType(), 0), loop.getLoopPreheader());
  counter->addIncoming(next, latch);
  bool stays = loop.contains(branch->getSuccessor(0));
  Value *before = branch->getCondition();
  branch->setCondition(stays ? builder.CreateICmpNE(counter, passes) : builder.CreateICmpEQ(counter, passes));
  RecursivelyDeleteTriviallyDeadInstructions(before);
}

} // namespace

bool mayTurn(const LoopFacts &facts) { return Question(facts).ask(); }

void turnLoop(Loop &loop, ScalarEvolution &evolution, const SCEV *passes) {
  struct Counter {
    PHINode *phi;
    Value *last, *back;
  };
  SmallVector<Counter, 4> counters;
  SCEVExpander expander(evolution, "turned");
  BasicBlock *latch = loop.getLoopLatch(), *before = loop.getLoopPreheader();
  Instruction *entry = before->getTerminator();
  for (PHINode &phi : loop.getHeader()->phis()) {
    auto *counter = cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
    const SCEV *last = counter->evaluateAtIteration(passes, evolution);
    const SCEV *back = evolution.getNegativeSCEV(counter->getStepRecurrence(evolution));
    counters.push_back({&phi, expander.expandCodeFor(last, phi.getType(), entry->getIterator()),
                        expander.expandCodeFor(back, back->getType(), entry->getIterator())});
  }
  Value *count = expander.expandCodeFor(passes, passes->getType(), entry->getIterator());
  for (Counter &counter : counters) {
    // What the pass itself computes from the counter stays as it is, the number behind it included.
    IRBuilder<> builder(latch->getTerminator());
    Value *next = counter.phi->getType()->isPointerTy() ? builder.CreatePtrAdd(counter.phi, counter.back)
                                                        : builder.CreateAdd(counter.phi, counter.back);
    counter.phi->setIncomingValueForBlock(before, counter.last);
    counter.phi->setIncomingValueForBlock(latch, next);
  }
  countPasses(loop, count);
  for (Counter &counter : counters)
    RecursivelyDeleteDeadPHINode(counter.phi);
  evolution.forgetLoop(&loop);
}

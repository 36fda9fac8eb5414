// Loops that lay several numbers in each of their records.
//
// The records of a loop are an array of structs, and each member is a column of it. Where LLVM cannot tell by distances whether the loop's accesses
// are apart, as where the length of a grid's rows is a number of the caller's, it compares the memory that each of them goes through, at run time: that
// of one column with that of the next, too, which always overlap. Then the loop runs number by number. But a column never meets another one, for
// all that is known of their distance and their step. So the loop is versioned here, everything else is compared, and columns are told to be apart.
#include "columns.h"

#include "met_again.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/LoopVersioning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {

// More tests than these in front of a loop take longer than they save.
constexpr size_t MostTests = 64;

// Shorter runs stay as they are.
constexpr uint64_t FewestPasses = 16;

using Group = RuntimeCheckingPtrGroup;

class Columns {
 public:
  Columns(Loop &loop, ScalarEvolution &evolution, const LoopAccessInfo &info)
      : loop(loop), evolution(evolution), info(info), checking(*info.getRuntimePointerChecking()) {}

  // Sorts the tests that LLVM would do into those that are needed, and pairs of columns. Returns whether they are few enough.
  bool find() {
    for (const RuntimePointerCheck &check : checking.getChecks())
      (areColumns(*check.first, *check.second) ? columns : needed).push_back(check);
    return needed.size() <= MostTests;
  }

  ArrayRef<RuntimePointerCheck> tests() const { return needed; }

  bool empty() const { return columns.empty(); }

  void tell() {
    MDBuilder builder(evolution.getContext());
    MDNode *domain = builder.createAnonymousAliasScopeDomain("backsweep.columns");
    MapVector<const Group *, MDNode *> scopes;
    for (const RuntimePointerCheck &pair : columns)
      for (const Group *group : {pair.first, pair.second})
        if (MDNode *&scope = scopes[group]; !scope)
          scope = builder.createAnonymousAliasScope(domain, "column");
    for (auto [group, scope] : scopes) {
      SmallVector<Metadata *, 4> others;
      for (const RuntimePointerCheck &pair : columns)
        if (pair.first == group || pair.second == group)
          others.push_back(scopes[pair.first == group ? pair.second : pair.first]);
      for (unsigned member : group->Members)
        for (Instruction *inst : accessesOf(member)) {
          add(*inst, LLVMContext::MD_alias_scope, {scope});
          add(*inst, LLVMContext::MD_noalias, others);
        }
    }
  }

 private:
  Loop &loop;
  ScalarEvolution &evolution;
  const LoopAccessInfo &info;
  const RuntimePointerChecking &checking;
  SmallVector<RuntimePointerCheck, 16> needed, columns;

  static void add(Instruction &inst, unsigned kind, ArrayRef<Metadata *> scopes) {
    inst.setMetadata(kind, MDNode::concatenate(inst.getMetadata(kind), MDNode::get(inst.getContext(), scopes)));
  }

  SmallVector<Instruction *, 4> accessesOf(unsigned member) const {
    const RuntimePointerChecking::PointerInfo &pointer = checking.getPointerInfo(member);
    return info.getInstructionsForAccess(pointer.PointerValue, pointer.IsWritePtr);
  }

  bool areColumns(const Group &one, const Group &other) const {
    return all_of(one.Members, [&](unsigned a) { return all_of(other.Members, [&](unsigned b) { return areColumns(a, b); }); });
  }

  // Whether two accesses go through memory by one step, and lie beside each other within it.
  bool areColumns(unsigned one, unsigned other) const {
    auto *first = dyn_cast<SCEVAddRecExpr>(checking.getPointerInfo(one).Expr);
    auto *second = dyn_cast<SCEVAddRecExpr>(checking.getPointerInfo(other).Expr);
    if (!first || !second || first->getLoop() != &loop || second->getLoop() != &loop || !first->isAffine() || !second->isAffine())
      return false;
    auto *step = dyn_cast<SCEVConstant>(first->getStepRecurrence(evolution));
    auto *apart = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(second->getStart(), first->getStart()));
    if (!step || second->getStepRecurrence(evolution) != step || step->getAPInt().getSignificantBits() > 32 || !apart ||
        apart->getAPInt().getSignificantBits() > 62)
      return false;
    const int64_t width = std::abs(step->getAPInt().getSExtValue());
    if (width == 0)
      return false;
    const int64_t behind = (apart->getAPInt().getSExtValue() % width + width) % width;
    return behind >= sizeOf(one) && behind + sizeOf(other) <= width;
  }

  int64_t sizeOf(unsigned member) const {
    int64_t size = 0;
    for (Instruction *inst : accessesOf(member)) {
      const TypeSize own = inst->getDataLayout().getTypeStoreSize(getLoadStoreType(inst));
      size = std::max<int64_t>(size, own.isScalable() ? INT32_MAX : int64_t(own.getFixedValue()));
    }
    return size;
  }
};

Value *askWhetherFew(SCEVExpander &expander, const SCEV *turns, Instruction &here) {
  Value *count = expander.expandCodeFor(turns, turns->getType(), here.getIterator());
  return IRBuilder<>(&here).CreateICmpULT(count, ConstantInt::get(turns->getType(), FewestPasses), "columns.few");
}

} // namespace

bool partColumns(Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution, AssumptionCache &assumptions,
                 LoopAccessInfoManager &accesses, AAResults &aliases) {
  const LoopAccessInfo &info = accesses.getInfo(loop);
  if (!info.canVectorizeMemory() || !info.getRuntimePointerChecking()->Need)
    return false;
  Columns columns(loop, evolution, info);
  if (!columns.find() || (columns.empty() && !meetsAgain(loop, evolution)))
    return false;
  bool changed = simplifyLoop(&loop, &dominators, &loops, &evolution, &assumptions, nullptr, /*PreserveLCSSA=*/false);
  changed |= formLCSSARecursively(loop, dominators, &loops, &evolution);
  BasicBlock *latch = loop.getLoopLatch();
  if (!latch || loop.getExitingBlock() != latch || !loop.isLoopSimplifyForm() || !loop.getUniqueExitBlock())
    return changed;
  SCEVExpander expander(evolution, "columns");
  const SCEV *turns = evolution.getBackedgeTakenCount(&loop);
  BasicBlock *entry = loop.getLoopPreheader();
  if (!expander.isSafeToExpandAt(turns, entry->getTerminator()))
    return changed;
  Value *few = askWhetherFew(expander, turns, *entry->getTerminator());
  BasicBlock *tests = SplitBlock(entry, entry->getTerminator()->getIterator(), &dominators, &loops);
  LoopVersioning versions(info, columns.tests(), &loop, &loops, &dominators, &evolution);
  versions.versionLoop();
  // The vectoriser would compare columns there.
  addStringMetadataToLoop(versions.getNonVersionedLoop(), "llvm.loop.isvectorized", 1);
  // A short run is over before all is compared.
  BasicBlock *plain = versions.getNonVersionedLoop()->getLoopPreheader();
  ReplaceInstWithInst(entry->getTerminator(), BranchInst::Create(plain, tests, few));
  dominators.applyUpdates({{DominatorTree::Insert, entry, plain}});
  versions.annotateLoopWithNoAlias();
  columns.tell();
  handOnWhatIsMetAgain(loop, evolution, aliases);
  evolution.forgetLoop(&loop);
  accesses.clear();
  return true;
}

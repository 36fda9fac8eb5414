// Adjoints that neighbouring iterations of a loop add to the same cells are carried from iteration to iteration in
// registers, and each cell is touched once.
//
// The adjoint of `v[i] = f(u[i - 1], u[i], u[i + 1])` adds to three cells of the shadow of `u`, and the next iteration
// adds to two of them again. LLVM keeps the order of such additions, so it cannot vectorise the loop, and each of them
// waits for memory. What all iterations add to one cell is summed up in a register, in any order. Only stores that the derivation marked as sums are moved: nobody said in which order adjoints are
// added up. Everything else in the loop must be apart from their cells, which is tested at run time where it is not
// known; the loop as it was stays for when it is not.
#include "shim.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/LoopVersioning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include "cleared.h"
#include "columns.h"
#include "compared.h"
#include "early_loads.h"
#include "handed_on.h"
#include "joined.h"
#include "nest_rows.h"
#include "owed.h"
#include "promoted.h"
#include "put_back.h"
#include "sum_rows.h"
#include "sums.h"
#include "turned.h"
#include "within.h"

using namespace llvm;

namespace {

// Through how many iterations an adjoint is carried at most: each takes a register.
constexpr int64_t LongestWay = 4;
// Loops in which more has to be told apart, as where others were written out in them, are not worth it, nor is what is made of the tests.
constexpr size_t MostChecks = 256;

// An addition to a cell that moves by `step` bytes in each iteration; without an address, to the same one in all.
struct Sum {
  StoreInst *store;
  LoadInst *load;
  BinaryOperator *addition;
  const SCEVAddRecExpr *address;
  int64_t step;
  // How many iterations before the last of its cluster this one comes to a cell.
  int64_t lead = 0;

  Value *added() const { return addition->getOperand(addition->getOperand(0) == load ? 1 : 0); }
  bool isSubtracted() const { return addition->getOpcode() == Instruction::FSub; }
};

// Sums that come to the same cells; the first is the one that comes last.
using Cluster = SmallVector<Sum, 4>;

std::optional<Sum> readSum(StoreInst &store, const Loop &loop, PredicatedScalarEvolution &assumed) {
  LoadInst *load = findOld(store);
  if (!load)
    return std::nullopt;
  auto *addition = cast<BinaryOperator>(store.getValueOperand());
  if (loop.isLoopInvariant(store.getPointerOperand()))
    return Sum{&store, load, addition, nullptr, 0};
  const SCEVAddRecExpr *address = assumed.getAsAddRec(store.getPointerOperand());
  if (!address || address->getLoop() != &loop || !address->isAffine())
    return std::nullopt;
  auto *step = dyn_cast<SCEVConstant>(address->getStepRecurrence(*assumed.getSE()));
  if (!step || step->getAPInt().getSignificantBits() > 32)
    return std::nullopt;
  int64_t bytes = step->getAPInt().getSExtValue();
  int64_t size = store.getDataLayout().getTypeStoreSize(addition->getType());
  if (std::abs(bytes) < size)
    return std::nullopt;
  return Sum{&store, load, addition, address, bytes};
}

// By how many iterations `other` comes to a cell before `sum` does; nothing where they never come to the same.
std::optional<int64_t> leadOver(const Sum &sum, const Sum &other, ScalarEvolution &evolution) {
  if (sum.step != other.step || sum.addition->getType() != other.addition->getType())
    return std::nullopt;
  auto *apart = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(other.address, sum.address));
  if (!apart || apart->getAPInt().getSignificantBits() > 62)
    return std::nullopt;
  int64_t bytes = apart->getAPInt().getSExtValue();
  if (bytes % sum.step != 0)
    return std::nullopt;
  return bytes / sum.step;
}

class Loops {
 public:
  Loops(Function &function, FunctionAnalysisManager &analyses)
      : aliases(analyses.getResult<AAManager>(function)),
        assumptions(analyses.getResult<AssumptionAnalysis>(function)), loops(analyses.getResult<LoopAnalysis>(function)),
        dominators(analyses.getResult<DominatorTreeAnalysis>(function)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        accesses(analyses.getResult<LoopAccessAnalysis>(function)), costs(analyses.getResult<TargetIRAnalysis>(function)) {}

  bool run() {
    bool changed = false;
    for (Loop *loop : findInnermost())
      changed |= joinPasses(*loop, {loops, dominators, evolution, assumptions, costs});
    if (changed)
      accesses.clear();
    for (Loop *loop : findInnermost()) {
      if (loadEarly(*loop, aliases, dominators)) {
        accesses.clear();
        changed = true;
      }
      if (any_of(loop->blocks(), [](BasicBlock *block) { return any_of(*block, isMarked); })) {
        changed |= simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions, nullptr, false);
        changed |= formLCSSARecursively(*loop, dominators, &loops, &evolution);
        changed |= carry(*loop);
      }
      changed |= partColumns(*loop, loops, dominators, evolution, assumptions, accesses, aliases);
      changed |= freePromoted(*loop);
      changed |= testWithin(*loop, evolution, accesses);
    }
    return changed;
  }

 private:
  AAResults &aliases;
  AssumptionCache &assumptions;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  LoopAccessInfoManager &accesses;
  TargetTransformInfo &costs;

  SmallVector<Loop *, 8> findInnermost() const {
    SmallVector<Loop *, 8> innermost;
    for (Loop *outer : loops)
      for (Loop *loop : depth_first(outer))
        if (loop->isInnermost())
          innermost.push_back(loop);
    return innermost;
  }

  bool carry(Loop &loop) {
    // What has to be assumed of addresses that might wrap is tested at run time.
    PredicatedScalarEvolution assumed(evolution, loop);
    SmallPtrSet<Instruction *, 8> own;
    SmallVector<Sum, 2> fixed;
    SmallVector<Cluster, 2> clusters = findClusters(loop, assumed, own, fixed);
    if (clusters.empty() && fixed.empty())
      return false;
    const LoopAccessInfo &info = accesses.getInfo(loop);
    if (info.getRuntimePointerChecking()->getChecks().size() > MostChecks)
      return false;
    PointerPairs tested = findTested(*info.getRuntimePointerChecking());
    addRowsApart(loop, tested);
    bool listed = areToldApart(info, own);
    Comparison comparison(loop, evolution, assumed, info);
    if (!areApart(loop, assumed, own, tested, listed, comparison))
      return false;
    SmallVector<RuntimePointerCheck, 4> checks;
    checks.append(info.getRuntimePointerChecking()->getChecks());
    if (comparison.isAsked()) {
      const auto more = comparison.close(tested);
      if (more.empty())
        return false;
      checks.append(more);
    }
    SumRows rows(loop, assumed, info, aliases, own);
    checks.append(rows.close(tested));
    const LoopFacts facts{loop, evolution, assumed, aliases, info, own, tested, listed};
    bool turns = mayTurn(facts);
    StoreInst *zeros = clusters.size() == 1 ? findZeros(facts, dominators) : nullptr;
    markCopies(facts, dominators);
    LoopVersioning versions(info, checks, &loop, &loops, &dominators, &evolution);
    const SCEV *passes = evolution.getBackedgeTakenCount(&loop);
    versions.versionLoop();
    require(loop, *versions.getNonVersionedLoop(), passes, assumed.getPredicate(), clusters);
    versions.annotateLoopWithNoAlias();
    if (comparison.isAsked())
      setApart(loop, own);
    rows.tell();
    if (turns)
      turnLoop(loop, evolution, passes);
    for (Cluster &cluster : clusters) {
      if (turns)
        turn(cluster);
      rewrite(loop, cluster, turns ? cluster.front().address->getStart() : nullptr);
    }
    for (Sum &sum : fixed)
      sumUp(loop, sum);
    evolution.forgetLoop(&loop);
    Loop &plain = *versions.getNonVersionedLoop(), *owing = nullptr;
    if (const Sum *last = zeros ? &clusters.front().front() : nullptr)
      owing = oweZeros({loop, plain, *zeros, *last->load, *last->store, loops, dominators, evolution, assumptions});
    moveCopies(loop, owing, plain, evolution);
    accesses.clear();
    return true;
  }

  bool hasPlainShape(const Loop &loop) const {
    BasicBlock *latch = loop.getLoopLatch();
    return latch && loop.getExitingBlock() == latch && loop.isLoopSimplifyForm() && loop.getUniqueExitBlock() &&
           loop.isLCSSAForm(dominators) && isa<BranchInst>(latch->getTerminator()) &&
           !isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop));
  }

  // Also names all marked sums of the loop, which may meet among themselves, and those at one place.
  SmallVector<Cluster, 2> findClusters(Loop &loop, PredicatedScalarEvolution &assumed,
                                       SmallPtrSetImpl<Instruction *> &own, SmallVectorImpl<Sum> &fixed) {
    SmallVector<Sum, 2> sums;
    if (!hasPlainShape(loop))
      return {};
    for (BasicBlock *block : loop.blocks())
      for (Instruction &inst : make_early_inc_range(*block))
        if (isMarked(inst) && dominators.dominates(block, loop.getLoopLatch()))
          loadAgain(cast<StoreInst>(inst), loop, assumed);
    for (BasicBlock *block : loop.blocks()) {
      if (!dominators.dominates(block, loop.getLoopLatch()))
        continue;
      for (Instruction &inst : *block)
        if (isMarked(inst))
          if (std::optional<Sum> sum = readSum(cast<StoreInst>(inst), loop, assumed)) {
            own.insert(sum->store);
            own.insert(sum->load);
            (sum->address ? sums : fixed).push_back(*sum);
          }
    }
    SmallVector<Cluster, 2> clusters;
    while (!sums.empty())
      if (Cluster cluster = takeCluster(sums); cluster.size() > 1)
        clusters.push_back(std::move(cluster));
    return clusters;
  }

  // The sums that come to the cells of the first one, as far as they are not too far ahead of the last.
  Cluster takeCluster(SmallVectorImpl<Sum> &sums) {
    Sum first = sums.front();
    for (Sum &sum : sums)
      sum.lead = leadOver(first, sum, evolution).value_or(INT64_MAX);
    // Whoever comes last of those near enough to reach the first one in steps of a few iterations.
    stable_sort(sums, [](const Sum &a, const Sum &b) { return a.lead < b.lead; });
    Cluster cluster;
    SmallVector<Sum, 2> others;
    for (Sum &sum : sums) {
      bool near = sum.lead != INT64_MAX && (cluster.empty() || sum.lead - cluster.front().lead <= LongestWay);
      if (near)
        cluster.push_back(sum);
      else
        others.push_back(sum);
    }
    int64_t last = cluster.front().lead;
    for (Sum &sum : cluster)
      sum.lead -= last;
    sums.assign(others.begin(), others.end());
    return cluster;
  }

  // In a loop that was turned, who came first to a cell comes last.
  static void turn(Cluster &cluster) {
    int64_t most = cluster.back().lead;
    std::reverse(cluster.begin(), cluster.end());
    for (Sum &sum : cluster) {
      sum.lead = most - sum.lead;
      sum.step = -sum.step;
    }
  }

  // Whether nothing else in the loop touches the cells of sums, as far as it is not tested at run time.
  bool areApart(Loop &loop, PredicatedScalarEvolution &assumed, const SmallPtrSetImpl<Instruction *> &own,
                const PointerPairs &tested, bool known, Comparison &comparison) {
    auto moves = [&](Value *pointer) {
      const SCEVAddRecExpr *address = assumed.getAsAddRec(pointer);
      return address && address->getLoop() == &loop && isa<SCEVConstant>(address->getStepRecurrence(evolution));
    };
    for (BasicBlock *block : loop.blocks())
      for (Instruction &inst : *block) {
        if (!inst.mayReadOrWriteMemory() || own.contains(&inst))
          continue;
        Value *other = getLoadStorePointerOperand(&inst);
        if (!other)
          return false;
        for (Instruction *sum : own) {
          Value *cell = getLoadStorePointerOperand(sum);
          bool apart = tested.contains({other, cell}) || (known && moves(other) && moves(cell)) ||
                       aliases.isNoAlias(MemoryLocation::getBeforeOrAfter(other), MemoryLocation::getBeforeOrAfter(cell));
          if (!apart && !comparison.add(*sum, inst))
            return false;
        }
      }
    return true;
  }

  // Tells whoever comes later that sums are apart from everything else in the loop.
  static void setApart(Loop &loop, const SmallPtrSetImpl<Instruction *> &own) {
    MDBuilder builder(loop.getHeader()->getContext());
    MDNode *domain = builder.createAnonymousAliasScopeDomain("backsweep.sums");
    MDNode *scope = builder.createAnonymousAliasScope(domain, "sums");
    MDNode *scopes = MDNode::get(loop.getHeader()->getContext(), scope);
    for (BasicBlock *block : loop.blocks())
      for (Instruction &inst : *block) {
        if (!inst.mayReadOrWriteMemory())
          continue;
        unsigned kind = own.contains(&inst) ? LLVMContext::MD_alias_scope : LLVMContext::MD_noalias;
        inst.setMetadata(kind, MDNode::concatenate(inst.getMetadata(kind), scopes));
      }
  }

  // Whether the analysis got as far as the distances within one array, and no sum depends on anything but sums.
  bool areToldApart(const LoopAccessInfo &info, const SmallPtrSetImpl<Instruction *> &own) const {
    const MemoryDepChecker &checker = info.getDepChecker();
    const auto *dependences = checker.getDependences();
    if (!dependences)
      return false;
    bool complete = false;
    for (const MemoryDepChecker::Dependence &dependence : *dependences) {
      bool from = own.contains(dependence.getSource(checker)), to = own.contains(dependence.getDestination(checker));
      if (from != to)
        return false;
      // The sums of a cluster depend on each other. Where that is not told, the analysis gave up before.
      complete |= from;
    }
    return complete;
  }

  // What is carried came from an earlier iteration, so there must be that many, at the addresses that were assumed.
  void require(Loop &loop, Loop &plain, const SCEV *passes, const SCEVPredicate &addresses,
               ArrayRef<Cluster> clusters) {
    int64_t most = 0;
    for (const Cluster &cluster : clusters)
      most = std::max(most, cluster.back().lead);
    BasicBlock *test = loop.getLoopPreheader()->getSinglePredecessor();
    auto *branch = cast<BranchInst>(test->getTerminator());
    SCEVExpander expander(evolution, "sums");
    IRBuilder<> builder(branch);
    const SCEV *least = evolution.getConstant(passes->getType(), most);
    Value *count = expander.expandCodeFor(passes, passes->getType(), branch);
    Value *few = builder.CreateICmpULT(count, expander.expandCodeFor(least, passes->getType(), branch), "sums.few");
    if (!addresses.isAlwaysTrue())
      few = builder.CreateOr(few, expander.expandCodeForPredicate(&addresses, branch));
    bool plainIsFirst = branch->getSuccessor(0) == plain.getLoopPreheader();
    Value *condition = branch->getCondition();
    branch->setCondition(plainIsFirst ? builder.CreateOr(condition, few)
                                      : builder.CreateAnd(condition, builder.CreateNot(few)));
  }

  // One value, as it was in this iteration and in those before.
  struct Carried {
    SmallVector<Value *, LongestWay + 1> before;
  };

  // `where` is the address of the last cell that the cluster comes to, where that is at hand in front of the loop.
  void rewrite(Loop &loop, Cluster &cluster, const SCEV *where) {
    BasicBlock *latch = loop.getLoopLatch();
    Instruction *end = latch->getTerminator();
    MapVector<Value *, Carried> carried;
    SmallVector<Value *, 4> added;
    for (Sum &sum : cluster) {
      Value *value = sum.added();
      if (sum.isSubtracted()) {
        IRBuilder<> builder(sum.addition);
        value = builder.CreateFNegFMF(value, sum.addition);
      }
      added.push_back(value);
      carryBack(loop, carried[value], value, sum.lead);
    }
    Sum last = cluster.front();
    moveToEnd(last, end);
    IRBuilder<> builder(end);
    Value *total = nullptr;
    for (size_t index = 0; index < cluster.size(); index++) {
      Value *value = carried[added[index]].before[cluster[index].lead];
      total = total ? plus(builder, last, total, value) : value;
    }
    Value *now = plus(builder, last, last.load, total);
    last.store->setOperand(0, now);
    last.store->moveBefore(end->getIterator());
    BasicBlock *behind = SplitEdge(latch, loop.getUniqueExitBlock(), &dominators, &loops);
    finish(*behind, latch, cluster, added, carried, where);
    for (Sum &sum : cluster)
      drop(sum, sum.store == last.store);
  }

  // What all iterations add to one cell: added to it behind the loop.
  void sumUp(Loop &loop, Sum &sum) {
    PHINode *total = PHINode::Create(sum.addition->getType(), 2, "total");
    total->insertBefore(loop.getHeader()->getFirstNonPHIIt());
    IRBuilder<> builder(sum.addition);
    FastMathFlags flags = sum.addition->getFastMathFlags();
    flags.setAllowReassoc();
    builder.setFastMathFlags(flags);
    Value *more = sum.isSubtracted() ? builder.CreateFSub(total, sum.added()) : builder.CreateFAdd(total, sum.added());
    total->addIncoming(ConstantFP::getNegativeZero(total->getType()), loop.getLoopPreheader());
    total->addIncoming(more, loop.getLoopLatch());
    BasicBlock *behind = SplitEdge(loop.getLoopLatch(), loop.getUniqueExitBlock(), &dominators, &loops);
    PHINode *left = PHINode::Create(total->getType(), 1, "left");
    left->insertBefore(behind->begin());
    left->addIncoming(more, loop.getLoopLatch());
    IRBuilder<> end(behind->getTerminator());
    Value *place = sum.store->getPointerOperand();
    auto *old = end.CreateAlignedLoad(total->getType(), place, sum.load->getAlign());
    end.CreateAlignedStore(plus(end, sum, old, left), place, sum.store->getAlign());
    drop(sum, false);
  }

  static Value *plus(IRBuilder<> &builder, const Sum &like, Value *left, Value *right) {
    builder.SetCurrentDebugLocation(like.store->getDebugLoc());
    return builder.CreateFAddFMF(left, right, like.addition);
  }

  // Phis for the value as it was up to `iterations` before; it was nothing before the first.
  static void carryBack(Loop &loop, Carried &carried, Value *value, int64_t iterations) {
    if (carried.before.empty())
      carried.before.push_back(value);
    while (int64_t(carried.before.size()) <= iterations) {
      PHINode *phi = PHINode::Create(value->getType(), 2, "carried");
      phi->insertBefore(loop.getHeader()->getFirstNonPHIIt());
      phi->addIncoming(ConstantFP::getNegativeZero(value->getType()), loop.getLoopPreheader());
      phi->addIncoming(carried.before.back(), loop.getLoopLatch());
      carried.before.push_back(phi);
    }
  }

  static void moveToEnd(Sum &sum, Instruction *end) {
    sum.load->moveBefore(end->getIterator());
  }

  // Behind the loop: the cells to which the last one of a cluster did not come any more.
  void finish(BasicBlock &block, BasicBlock *latch, Cluster &cluster, ArrayRef<Value *> added,
              MapVector<Value *, Carried> &carried, const SCEV *where) {
    DenseMap<Value *, PHINode *> outside;
    auto atExit = [&](Value *value) -> Value * {
      if (!isa<Instruction>(value))
        return value;
      PHINode *&phi = outside[value];
      if (!phi) {
        phi = PHINode::Create(value->getType(), 1, "left");
        phi->insertBefore(block.begin());
        phi->addIncoming(value, latch);
      }
      return phi;
    };
    Sum &last = cluster.front();
    int64_t most = cluster.back().lead;
    Value *address = last.store->getPointerOperand();
    // An address of the loop that is used behind it is computed for every lane of a vectorised one.
    SCEVExpander expander(evolution, "sums");
    address = where && expander.isSafeToExpandAt(where, block.getTerminator())
                  ? expander.expandCodeFor(where, address->getType(), block.getTerminator()->getIterator())
                  : atExit(address);
    IRBuilder<> builder(block.getTerminator());
    for (int64_t cell = 1; cell <= most; cell++) {
      Value *total = nullptr;
      for (size_t index = 0; index < cluster.size(); index++) {
        int64_t ago = cluster[index].lead - cell;
        if (ago < 0)
          continue;
        Value *value = atExit(carried[added[index]].before[ago]);
        total = total ? plus(builder, last, total, value) : value;
      }
      Value *place = builder.CreatePtrAdd(address, ConstantInt::getSigned(builder.getInt64Ty(), cell * last.step));
      auto *old = builder.CreateAlignedLoad(total->getType(), place, last.load->getAlign());
      builder.CreateAlignedStore(plus(builder, last, old, total), place, last.store->getAlign());
    }
  }

  static void drop(Sum &sum, bool stays) {
    Value *place = sum.store->getPointerOperand();
    if (!stays)
      sum.store->eraseFromParent();
    sum.addition->eraseFromParent();
    if (stays)
      return;
    sum.load->eraseFromParent();
    // The vectoriser would compute the indices of an address that nobody wants, one for each lane.
    RecursivelyDeleteTriviallyDeadInstructions(place);
  }
};

} // namespace

PreservedAnalyses CarrySums::run(Function &function, FunctionAnalysisManager &analyses) {
  bool any = false;
  for (BasicBlock &block : function)
    for (Instruction &inst : block)
      any |= isMarked(inst) || isAddition(inst);
  if (!any || !Loops(function, analyses).run())
    return PreservedAnalyses::all();
  return PreservedAnalyses::none();
}

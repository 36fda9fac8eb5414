// Sums and other accesses of a loop that lie in one array, or behind two pointers of which nobody knows more, are compared
// at run time: LLVM's own analysis does not ask for that where the sums depend on each other, as those of a cluster do.
//
// An old and a new row of one array, of which the row is chosen while the program runs, are the usual case. Compared is all
// that each goes through while the loop runs, as one stretch of memory; places a constant distance apart are one stretch.
#include "compared.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

// More tests than these in front of a loop take longer than they save.
constexpr size_t MostTests = 12;

// The numbers that LLVM's class tells apart by: two of one side are never compared, and everything is of one memory.
enum Side : unsigned { Sums = 1, Others = 2 };

} // namespace

Comparison::Comparison(Loop &loop, ScalarEvolution &evolution, PredicatedScalarEvolution &assumed,
                       const LoopAccessInfo &info)
    : loop(loop), assumed(assumed),
      checking(const_cast<MemoryDepChecker &>(info.getDepChecker()), &evolution, guards) {}

bool Comparison::add(Instruction &sum, Instruction &other) {
  std::optional<unsigned> first = place(sum, Sums), second = place(other, Others);
  // What is a constant distance away in each pass would fail the test whenever the loop is long enough to be worth it.
  if (!first || !second || isa<SCEVConstant>(assumed.getSE()->getMinusSCEV(checking.Pointers[*first].Expr, checking.Pointers[*second].Expr)))
    return false;
  pairs.push_back({*first, *second});
  return true;
}

bool Comparison::addRows(std::pair<Instruction *, unsigned> one, std::pair<Instruction *, unsigned> other) {
  std::optional<unsigned> first = place(*one.first, one.second), second = place(*other.first, other.second);
  if (first && second)
    pairs.push_back({*first, *second});
  return first && second;
}

// Where an access lies in all passes, as far as its address is a sum of steps of one width.
std::optional<unsigned> Comparison::place(Instruction &inst, unsigned side) {
  Value *pointer = getLoadStorePointerOperand(&inst);
  Type *type = getLoadStoreType(&inst);
  if (auto known = places.find(pointer); known != places.end()) {
    bool sameSide = checking.Pointers[known->second].DependencySetId == side;
    return sameSide ? std::optional(known->second) : std::nullopt;
  }
  const SCEV *address = assumed.getSCEV(pointer);
  if (!loop.isLoopInvariant(pointer)) {
    const SCEVAddRecExpr *moving = assumed.getAsAddRec(pointer);
    if (!moving || moving->getLoop() != &loop || !moving->isAffine() ||
        !isa<SCEVConstant>(moving->getStepRecurrence(*assumed.getSE())))
      return std::nullopt;
    address = moving;
  }
  checking.insert(&loop, pointer, address, type, /*WritePtr=*/true, side, /*ASId=*/1, assumed, /*NeedsFreeze=*/false);
  unsigned at = checking.Pointers.size() - 1;
  places[pointer] = at;
  return at;
}

RuntimeCheckingPtrGroup *Comparison::groupOf(unsigned place) {
  auto holds = [&](const RuntimeCheckingPtrGroup &group) { return is_contained(group.Members, place); };
  auto found = find_if(checking.CheckingGroups, holds);
  return found == checking.CheckingGroups.end() ? nullptr : &*found;
}

SmallVector<RuntimePointerCheck, 4> Comparison::close(PointerPairs &tested) {
  for (unsigned at = 0; at < checking.Pointers.size(); at++) {
    auto isOfItsSide = [&](const RuntimeCheckingPtrGroup &group) {
      return checking.Pointers[group.Members.front()].DependencySetId == checking.Pointers[at].DependencySetId;
    };
    bool joined = any_of(checking.CheckingGroups, [&](RuntimeCheckingPtrGroup &group) {
      return isOfItsSide(group) && group.addPointer(at, checking);
    });
    if (!joined)
      checking.CheckingGroups.push_back(RuntimeCheckingPtrGroup(at, checking));
  }
  SmallVector<RuntimePointerCheck, 4> checks;
  for (auto [sum, other] : pairs) {
    RuntimePointerCheck check{groupOf(sum), groupOf(other)};
    if (!is_contained(checks, check))
      checks.push_back(check);
  }
  if (checks.size() > MostTests)
    return {};
  for (auto [first, second] : checks)
    for (unsigned a : first->Members)
      for (unsigned b : second->Members) {
        const Value *left = checking.Pointers[a].PointerValue, *right = checking.Pointers[b].PointerValue;
        tested.insert({left, right});
        tested.insert({right, left});
      }
  return checks;
}

PointerPairs findTested(const RuntimePointerChecking &checking) {
  PointerPairs tested;
  for (const auto &[first, second] : checking.getChecks())
    for (unsigned a : first->Members)
      for (unsigned b : second->Members) {
        const Value *left = checking.getPointerInfo(a).PointerValue, *right = checking.getPointerInfo(b).PointerValue;
        tested.insert({left, right});
        tested.insert({right, left});
      }
  return tested;
}

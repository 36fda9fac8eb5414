// What two loops in one another touch, row by row, and whether rows are apart.
//
// Cells whose addresses differ by a known number of bytes, or by that and some rows, are a group: most often they are of one array. Of a group it is
// known which memory it takes in the whole nest, as far as both loops run through all their passes and touch each cell on the way: then no address
// wraps. Two groups of which one is written are compared in front of the nest; so is the distance of rows with their length. Sums of adjoints
// may come to a cell in several passes, since nobody said in which order they are added up; nothing else may.
#include "nest_rows.h"

#include "handed_on.h"
#include "sums.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <map>

using namespace llvm;

namespace {

// More groups than these are not compared.
constexpr size_t MostGroups = 7;
// How many rows apart cells of a group may be at most.
constexpr int64_t MostRows = 4;
constexpr const char *Domain = "backsweep.rows";

// Where something begins that moves with a loop, and by how much it moves; nothing where that is not so simple.
std::pair<const SCEV *, const SCEV *> takeStep(const SCEV *address, const Loop &loop, ScalarEvolution &evolution) {
  if (!address || isa<SCEVCouldNotCompute>(address))
    return {nullptr, nullptr};
  if (evolution.isLoopInvariant(address, &loop))
    return {address, evolution.getZero(Type::getInt64Ty(evolution.getContext()))};
  auto *moving = dyn_cast<SCEVAddRecExpr>(address);
  if (!moving || moving->getLoop() != &loop || !moving->isAffine())
    return {nullptr, nullptr};
  const SCEV *step = moving->getStepRecurrence(evolution);
  return evolution.isLoopInvariant(step, &loop) ? std::pair{moving->getStart(), step} : std::pair<const SCEV *, const SCEV *>{};
}

std::optional<int64_t> distance(const SCEV *from, const SCEV *to, ScalarEvolution &evolution) {
  auto *apart = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(to, from));
  if (!apart || apart->getAPInt().getSignificantBits() > 62)
    return std::nullopt;
  return apart->getAPInt().getSExtValue();
}

const SCEV *moveRows(const SCEV *start, const SCEV *step, int64_t rows, ScalarEvolution &evolution) {
  const SCEV *number = evolution.getConstant(step->getType(), uint64_t(rows), /*isSigned=*/true);
  return evolution.getAddExpr(start, evolution.getMulExpr(step, number));
}

// The loads and stores that add to adjoints.
SmallPtrSet<const Instruction *, 8> findSums(const Loop &loop) {
  SmallPtrSet<const Instruction *, 8> sums;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block)
      if (isMarked(inst))
        if (LoadInst *old = findOld(cast<StoreInst>(inst))) {
          sums.insert(&inst);
          sums.insert(old);
        }
  return sums;
}

void addScopes(Instruction &inst, unsigned kind, ArrayRef<Metadata *> scopes) {
  if (!scopes.empty())
    inst.setMetadata(kind, MDNode::concatenate(inst.getMetadata(kind), MDNode::get(inst.getContext(), scopes)));
}

// Whether `tell` has said so.
bool areInOtherRows(const Instruction &one, const Instruction &other) {
  auto *scopes = other.getMetadata(LLVMContext::MD_alias_scope), *apart = one.getMetadata(LLVMContext::MD_noalias);
  if (!scopes || !apart)
    return false;
  return any_of(scopes->operands(), [&](const MDOperand &scope) {
    auto *node = dyn_cast<MDNode>(scope);
    const MDNode *domain = node ? AliasScopeNode(node).getDomain() : nullptr;
    auto *name = domain && domain->getNumOperands() > 1 ? dyn_cast<MDString>(domain->getOperand(1)) : nullptr;
    return name && name->getString() == Domain && is_contained(apart->operands(), scope);
  });
}

// The code of the test.
class Question {
 public:
  Question(ScalarEvolution &evolution, Instruction &here, const SCEV *innerTurns, const SCEV *outerTurns)
      : evolution(evolution), expander(evolution, "rows"), here(here), builder(&here), word(builder.getInt64Ty()),
        innerTurns(expandNumber(innerTurns)), outerTurns(expandNumber(outerTurns)) {}

  Value *ask(ArrayRef<RowGroup> groups, function_ref<bool(const RowGroup &)> rowsHaveToBeApart) {
    Value *apart = builder.getTrue();
    SmallVector<std::pair<Value *, Value *>, 8> ends;
    for (const RowGroup &group : groups) {
      ends.push_back(endsOf(group));
      if (rowsHaveToBeApart(group))
        apart = builder.CreateAnd(apart, rowsAreApart(group));
    }
    for (size_t one = 0; one < groups.size(); one++)
      for (size_t other = one + 1; other < groups.size(); other++)
        if (groups[one].isWritten || groups[other].isWritten) {
          Value *before = builder.CreateICmpULE(ends[one].second, ends[other].first);
          Value *behind = builder.CreateICmpULE(ends[other].second, ends[one].first);
          apart = builder.CreateAnd(apart, builder.CreateOr(before, behind));
        }
    return apart;
  }

 private:
  ScalarEvolution &evolution;
  SCEVExpander expander;
  Instruction &here;
  IRBuilder<> builder;
  Type *word;
  Value *innerTurns, *outerTurns;

  Value *expandNumber(const SCEV *number) {
    return expander.expandCodeFor(evolution.getTruncateOrZeroExtend(number, Type::getInt64Ty(evolution.getContext())), nullptr,
                                  here.getIterator());
  }

  Value *number(int64_t value) { return ConstantInt::getSigned(word, value); }

  // How far the loop inside goes, as a signed number.
  Value *lengthOf(const RowGroup &group) { return builder.CreateMul(innerTurns, number(group.innerStep)); }

  // The first byte and the one behind the last that any pass touches.
  std::pair<Value *, Value *> endsOf(const RowGroup &group) {
    Value *start = builder.CreatePtrToInt(expander.expandCodeFor(group.start, builder.getPtrTy(), here.getIterator()), word);
    Value *step = expander.expandCodeFor(group.outerStep, word, here.getIterator());
    Value *first = builder.CreateAdd(start, builder.CreateMul(step, number(*group.rows.begin())));
    Value *rows = builder.CreateAdd(outerTurns, number(*group.rows.rbegin()));
    Value *last = builder.CreateAdd(start, builder.CreateMul(step, rows));
    Value *low = builder.CreateBinaryIntrinsic(Intrinsic::umin, first, last);
    Value *high = builder.CreateBinaryIntrinsic(Intrinsic::umax, first, last);
    Value *&moving = group.innerStep < 0 ? low : high;
    moving = builder.CreateAdd(moving, lengthOf(group));
    return {builder.CreateAdd(low, number(group.least)), builder.CreateAdd(high, number(group.most))};
  }

  // Whether what one pass of the outer loop touches ends before what the next one touches begins.
  Value *rowsAreApart(const RowGroup &group) {
    Value *step = expander.expandCodeFor(group.outerStep, word, here.getIterator());
    Value *wide = builder.CreateBinaryIntrinsic(Intrinsic::abs, step, builder.getFalse());
    Value *length = lengthOf(group);
    if (group.innerStep < 0)
      length = builder.CreateNeg(length);
    return builder.CreateICmpUGE(wide, builder.CreateAdd(length, number(group.most - group.least)));
  }
};

} // namespace

bool NestRows::collect() {
  const SmallPtrSet<const Instruction *, 8> sums = findSums(outer);
  for (BasicBlock *block : outer.blocks())
    for (Instruction &inst : *block) {
      if (!inst.mayReadOrWriteMemory() && !inst.mayHaveSideEffects())
        continue;
      std::optional<RowGroup> access = read(inst, sums.contains(&inst), outer, inner);
      if (!access)
        return false;
      add(*access);
      if (groups.size() > MostGroups)
        return false;
    }
  // What is no sum and is written may not come to the row of another pass.
  return none_of(groups, [](const RowGroup &group) { return group.isWritten && !group.isSum && group.rows.size() > 1; });
}

// One access as a group.
std::optional<RowGroup> NestRows::read(Instruction &inst, bool isSum, Loop &around, Loop &inside) {
  Value *pointer = getLoadStorePointerOperand(&inst);
  const bool simple = isa<LoadInst>(inst) ? cast<LoadInst>(inst).isSimple() : isa<StoreInst>(inst) && cast<StoreInst>(inst).isSimple();
  if (!pointer || !simple || pointer->getType()->getPointerAddressSpace() != 0)
    return std::nullopt;
  const TypeSize size = inst.getDataLayout().getTypeStoreSize(getLoadStoreType(&inst));
  const auto [row, innerStep] = takeStep(evolution.getSCEV(pointer), inside, evolution);
  const auto [start, outerStep] = takeStep(row, around, evolution);
  auto *step = dyn_cast_or_null<SCEVConstant>(innerStep);
  if (size.isScalable() || !start || !step || step->getAPInt().getSignificantBits() > 32)
    return std::nullopt;
  return RowGroup{start, outerStep, step->getAPInt().getSExtValue(), isSum, isa<StoreInst>(inst), {0}, 0, int64_t(size.getFixedValue())};
}

// In which group an access is that moves by so many of its rows, in which of them, and where in the row. Of two rows it is the nearer one, where
// they are so close to each other.
std::optional<NestRows::Place> NestRows::find(const RowGroup &access, unsigned passes, int64_t *cells) const {
  std::optional<Place> nearest;
  *cells = LongestWay * std::max<int64_t>(std::abs(access.innerStep), access.most) + 1;
  for (size_t index = 0; index < groups.size(); index++) {
    const RowGroup &group = groups[index];
    const SCEV *step = evolution.getMulExpr(group.outerStep, evolution.getConstant(group.outerStep->getType(), passes));
    if (group.isSum != access.isSum || access.outerStep != step || group.innerStep != access.innerStep)
      continue;
    const int64_t rows = step->isZero() ? 0 : MostRows + passes - 1;
    for (int64_t row = -rows; row <= rows; row++) {
      auto apart = distance(moveRows(group.start, group.outerStep, row, evolution), access.start, evolution);
      if (apart && std::abs(*apart) < std::abs(*cells)) {
        *cells = *apart;
        nearest = Place{index, row};
      }
    }
  }
  return nearest;
}

void NestRows::add(const RowGroup &access) {
  int64_t cells = 0;
  const std::optional<Place> place = find(access, 1, &cells);
  if (!place) {
    groups.push_back(access);
    return;
  }
  RowGroup &group = groups[place->first];
  group.isWritten |= access.isWritten;
  group.rows.insert(place->second);
  group.least = std::min(group.least, cells);
  group.most = std::max(group.most, cells + access.most);
}

bool NestRows::hasSharedSums() const {
  return any_of(groups, [](const RowGroup &group) {
    return group.isSum && group.innerStep != 0 &&
           (group.outerStep->isZero() || any_of(group.rows, [&](int64_t row) { return group.rows.count(row + 1) > 0; }));
  });
}

// Of rows whose distance is a known number LLVM finds out itself what they share.
bool NestRows::rowsHaveToBeApart(const RowGroup &group) const {
  if (!group.isWritten)
    return false;
  return !group.isSum || !isa<SCEVConstant>(group.outerStep);
}

Value *NestRows::askWhetherApart() {
  Instruction *here = outer.getLoopPreheader()->getTerminator();
  SCEVExpander expander(evolution, "rows");
  const SCEV *innerTurns = evolution.getBackedgeTakenCount(&inner), *outerTurns = evolution.getBackedgeTakenCount(&outer);
  SmallVector<const SCEV *, 16> parts{innerTurns, outerTurns};
  for (const RowGroup &group : groups)
    parts.append({group.start, group.outerStep});
  if (!all_of(parts, [&](const SCEV *part) { return expander.isSafeToExpandAt(part, here); }))
    return nullptr;
  Value *apart = Question(evolution, *here, innerTurns, outerTurns).ask(groups, [&](const RowGroup &group) {
    return rowsHaveToBeApart(group);
  });
  auto *known = dyn_cast<ConstantInt>(apart);
  return known && known->isZero() ? nullptr : apart;
}

void NestRows::tell(Loop &joined, unsigned passes) {
  Loop &inside = *joined.getSubLoops().front();
  SmallPtrSet<const Instruction *, 8> sums = findSums(inside);
  MDBuilder builder(evolution.getContext());
  MDNode *domain = builder.createAnonymousAliasScopeDomain(Domain);
  std::map<Place, MDNode *> scopes;
  SmallVector<std::pair<Instruction *, Place>, 16> members;
  for (BasicBlock *block : inside.blocks())
    for (Instruction &inst : *block) {
      int64_t cells = 0;
      auto access = inst.mayReadOrWriteMemory() ? read(inst, sums.contains(&inst), joined, inside) : std::nullopt;
      const std::optional<Place> place = access ? find(*access, passes, &cells) : std::nullopt;
      if (!place)
        continue;
      members.push_back({&inst, *place});
      if (MDNode *&scope = scopes[*place]; !scope)
        scope = builder.createAnonymousAliasScope(domain, "row");
    }
  for (auto [inst, own] : members) {
    SmallVector<Metadata *, 8> others;
    for (auto [other, scope] : scopes)
      if (areApart(own, other))
        others.push_back(scope);
    addScopes(*inst, LLVMContext::MD_alias_scope, {scopes[own]});
    addScopes(*inst, LLVMContext::MD_noalias, others);
  }
}

bool NestRows::areApart(const Place &one, const Place &other) const {
  const RowGroup &first = groups[one.first], &second = groups[other.first];
  if (one.first == other.first)
    return one.second != other.second && rowsHaveToBeApart(first);
  return first.isWritten || second.isWritten;
}

void addRowsApart(const Loop &loop, PointerPairs &pairs) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &one : *block)
      for (Instruction &other : *block)
        if (areInOtherRows(one, other)) {
          pairs.insert({getLoadStorePointerOperand(&one), getLoadStorePointerOperand(&other)});
          pairs.insert({getLoadStorePointerOperand(&other), getLoadStorePointerOperand(&one)});
        }
}

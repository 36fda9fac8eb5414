// Numbers that come round a loop twice, by themselves and as the lane of a vector, come round in the vector alone.
//
// What the vectoriser leaves of a derivative has pairs of phis, or of selections, such as
//
//     %x  = phi double       [ 0.0, %entry ],             [ %first, %latch ]      ; %first = extractelement %v, 0
//     %xs = phi <2 x double> [ zeroinitializer, %entry ], [ %v, %latch ]
//
// This costs a register, and LLVM 22 makes wrong code of it on x86: doubles and vectors live in the same registers there, a copy
// from one to the other is taken for a copy of all of it, so the register coalescer takes `%x` and `%xs` for one value, and may keep
// the copy of the double. Where that one is spilled, as a double, the other lane is lost. Without the second phi there is
// nothing to be mistaken: the number is taken from the vector where it is needed.
//
// A vector of six doubles is six numbers to LLVM where it goes from block to block, so that it is made one of eight first.
#include "first_lanes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <numeric>
#include <optional>
#include <set>
#include <tuple>

using namespace llvm;

namespace {

// How wide the registers are which hold single numbers too. Wider vectors lie in several of them, or in wider ones.
constexpr unsigned RegisterBits = 128;

// Longer chains are not followed. No pair is asked about twice, so that what they cost is their length.
constexpr unsigned Depth = 100;

// A number, and the lane of a vector that it may be.
struct Pair {
  Value *number;
  Value *vector;
  unsigned lane;

  bool operator<(const Pair &other) const {
    return std::tie(number, vector, lane) < std::tie(other.number, other.vector, other.lane);
  }
};

// Which phis and selections have been assumed to be lanes of which, while it is asked.
using Pairs = std::set<Pair>;

bool isLane(Pair pair, Pairs &assumed, unsigned depth);

bool isExtracted(Pair pair) {
  auto *extract = dyn_cast<ExtractElementInst>(pair.number);
  auto *index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
  return index && extract->getVectorOperand() == pair.vector && index->equalsInt(pair.lane);
}

bool isLaneOfInsertion(Pair pair, InsertElementInst *insertion, Pairs &assumed, unsigned depth) {
  auto *index = dyn_cast<ConstantInt>(insertion->getOperand(2));
  if (!index)
    return false;
  return index->equalsInt(pair.lane) ? insertion->getOperand(1) == pair.number
                                     : isLane({pair.number, insertion->getOperand(0), pair.lane}, assumed, depth - 1);
}

bool isLaneOfShuffle(Pair pair, ShuffleVectorInst *shuffle, Pairs &assumed, unsigned depth) {
  int lane = shuffle->getMaskValue(pair.lane);
  auto *type = dyn_cast<FixedVectorType>(shuffle->getOperand(0)->getType());
  if (lane < 0 || !type)
    return false;
  unsigned lanes = type->getNumElements();
  return isLane({pair.number, shuffle->getOperand(lane / lanes), lane % lanes}, assumed, depth - 1);
}

bool isLaneOfPhi(Pair pair, PHINode *vector, Pairs &assumed, unsigned depth) {
  auto *number = dyn_cast<PHINode>(pair.number);
  if (!number || number->getParent() != vector->getParent())
    return false;
  if (!assumed.insert(pair).second)
    return true;
  return all_of(number->blocks(), [&](BasicBlock *block) {
    Value *each = number->getIncomingValueForBlock(block), *whole = vector->getIncomingValueForBlock(block);
    return isLane({each, whole, pair.lane}, assumed, depth - 1);
  });
}

bool isLaneOfSelection(Pair pair, SelectInst *vector, Pairs &assumed, unsigned depth) {
  auto *number = dyn_cast<SelectInst>(pair.number);
  if (!number || number->getCondition() != vector->getCondition())
    return false;
  if (!assumed.insert(pair).second)
    return true;
  return isLane({number->getTrueValue(), vector->getTrueValue(), pair.lane}, assumed, depth - 1) &&
         isLane({number->getFalseValue(), vector->getFalseValue(), pair.lane}, assumed, depth - 1);
}

bool isLane(Pair pair, Pairs &assumed, unsigned depth) {
  if (depth == 0)
    return false;
  if (isa<UndefValue>(pair.number) || isExtracted(pair))
    return true;
  if (auto *constant = dyn_cast<Constant>(pair.vector))
    return constant->getAggregateElement(pair.lane) == pair.number;
  if (auto *insertion = dyn_cast<InsertElementInst>(pair.vector))
    return isLaneOfInsertion(pair, insertion, assumed, depth);
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(pair.vector))
    return isLaneOfShuffle(pair, shuffle, assumed, depth);
  if (auto *phi = dyn_cast<PHINode>(pair.vector))
    return isLaneOfPhi(pair, phi, assumed, depth);
  if (auto *selection = dyn_cast<SelectInst>(pair.vector))
    return isLaneOfSelection(pair, selection, assumed, depth);
  return false;
}

// The lane of a vector in which a number is: of those that begin a register.
std::optional<unsigned> laneOf(Instruction &number, Instruction &vector) {
  auto *type = dyn_cast<FixedVectorType>(vector.getType());
  unsigned step = RegisterBits / number.getType()->getPrimitiveSizeInBits();
  if (!type || type->getElementType() != number.getType() || step < 2)
    return std::nullopt;
  for (unsigned lane = 0; lane < type->getNumElements(); lane += step) {
    Pairs assumed;
    if (isLane({&number, &vector, lane}, assumed, Depth))
      return lane;
  }
  return std::nullopt;
}

struct Place {
  Instruction *vector;
  unsigned lane;
};

std::optional<Place> placeOf(PHINode &number) {
  for (PHINode &vector : number.getParent()->phis())
    if (auto lane = laneOf(number, vector))
      return Place{&vector, *lane};
  return std::nullopt;
}

// Selections stand in any order: the vector's has to be there before the number is.
std::optional<Place> placeOf(SelectInst &number) {
  for (User *user : number.getCondition()->users()) {
    auto *vector = dyn_cast<SelectInst>(user);
    if (!vector || vector->getParent() != number.getParent() || !vector->comesBefore(&number))
      continue;
    if (auto lane = laneOf(number, *vector))
      return Place{vector, *lane};
  }
  return std::nullopt;
}

std::optional<Place> placeOf(Instruction &inst) {
  if (!inst.getType()->isFloatingPointTy())
    return std::nullopt;
  if (auto *phi = dyn_cast<PHINode>(&inst))
    return placeOf(*phi);
  auto *selection = dyn_cast<SelectInst>(&inst);
  return selection && !isa<Constant>(selection->getCondition()) ? placeOf(*selection) : std::nullopt;
}

bool takeFrom(Instruction &inst, Place found) {
  BasicBlock::iterator place = isa<PHINode>(inst) ? inst.getParent()->getFirstInsertionPt() : inst.getIterator();
  if (place == inst.getParent()->end())
    return false;
  IRBuilder<> builder(inst.getParent(), place);
  builder.SetCurrentDebugLocation(inst.getDebugLoc());
  Value *taken = builder.CreateExtractElement(found.vector, uint64_t(found.lane));
  taken->takeName(&inst);
  inst.replaceAllUsesWith(taken);
  inst.eraseFromParent();
  return true;
}

// The vector with as many lanes, whose further ones are open.
Value *withLanes(IRBuilder<> &builder, Value *vector, unsigned lanes) {
  SmallVector<int> mask(lanes, PoisonMaskElem);
  unsigned there = cast<FixedVectorType>(vector->getType())->getNumElements();
  std::iota(mask.begin(), mask.begin() + std::min(lanes, there), 0);
  return builder.CreateShuffleVector(vector, mask);
}

// What a phi comes from can be made wider where control leaves a block, unless it is only there behind that.
bool isWidenable(PHINode &phi) {
  auto *type = dyn_cast<FixedVectorType>(phi.getType());
  if (!type || !type->getElementType()->isFloatingPointTy() || isPowerOf2_32(type->getNumElements()))
    return false;
  if (phi.getParent()->getFirstInsertionPt() == phi.getParent()->end())
    return false;
  return none_of(phi.blocks(), [&](BasicBlock *block) { return phi.getIncomingValueForBlock(block) == block->getTerminator(); });
}

void widen(PHINode &phi) {
  unsigned there = cast<FixedVectorType>(phi.getType())->getNumElements(), lanes = NextPowerOf2(there);
  Type *type = FixedVectorType::get(phi.getType()->getScalarType(), lanes);
  PHINode *wide = PHINode::Create(type, phi.getNumIncomingValues(), "", phi.getIterator());
  wide->takeName(&phi);
  // A block may lead here on several ways, on which it has to bring the same.
  DenseMap<BasicBlock *, Value *> made;
  for (auto [block, value] : zip(phi.blocks(), phi.incoming_values())) {
    Value *&each = made[block];
    IRBuilder<> builder(block->getTerminator());
    each = each ? each : withLanes(builder, value, lanes);
    wide->addIncoming(each, block);
  }
  IRBuilder<> builder(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  phi.replaceAllUsesWith(withLanes(builder, wide, there));
  phi.eraseFromParent();
}

bool widenPhis(Function &function) {
  SmallVector<PHINode *> found;
  for (BasicBlock &block : function)
    for (PHINode &phi : block.phis())
      if (isWidenable(phi))
        found.push_back(&phi);
  for_each(found, [](PHINode *phi) { widen(*phi); });
  return !found.empty();
}

} // namespace

PreservedAnalyses TakeFirstLanes::run(Function &function, FunctionAnalysisManager &) {
  if (!function.getParent()->getNamedMetadata(DerivativesMark))
    return PreservedAnalyses::all();
  bool changed = widenPhis(function);
  for (BasicBlock &block : function)
    for (Instruction &inst : make_early_inc_range(block))
      if (auto found = placeOf(inst))
        changed |= takeFrom(inst, *found);
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

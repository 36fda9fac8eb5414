// Loops whose first or last passes are unlike the others, as at the ends of a row that closes to a ring: those passes are written out
// in front of the loop, or have a loop of their own behind it.
//
// `u[(i + 1) % n]` and `u[i == 0 ? n - 1 : i - 1]` are the neighbour in all passes but one. In the middle the question has one
// answer, and the address goes by the same step in every pass: what is recorded there, what is added to shadows, and what
// depends on what is then as plain as without the ring. All is reckoned in whole numbers that do not wrap; what might wrap is left as it was.
#include "parted.h"
#include "shim.h"
#include "steady.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopPeel.h"

using namespace llvm;

namespace {

constexpr int64_t MostAtEdge = 3;
// Shorter loops are written out, or are not worth it.
constexpr int64_t FewestPasses = 17;
// Of all copies of a loop together, and of loops in a function.
constexpr unsigned MostInstructions = 500;
constexpr unsigned MostLoops = 32;

// A number in a pass: the counter or nothing, the end or nothing, and so much more.
struct Place {
  bool counts = false;
  bool ends = false;
  int64_t offset = 0;
};

// How many passes are unlike the others.
struct Edges {
  int64_t front = 0;
  int64_t back = 0;

  void need(const Edges &other) {
    front = std::max(front, other.front);
    back = std::max(back, other.back);
  }
  bool areFew() const { return front <= MostAtEdge && back <= MostAtEdge; }
};

// What an instruction is in the middle of a loop.
struct Settled {
  Instruction *inst;
  Edges edges;
  // A truth value, an operand, or the counter and so much more.
  std::optional<bool> truth;
  std::optional<unsigned> operand;
  int64_t offset = 0;
  // Whether twice the end has to be a number.
  bool needsRoom = false;
};

// A counted loop, and what is known of numbers in it.
class Middle {
public:
  Middle(const CountedLoop &counted, ScalarEvolution &evolution)
      : counted(counted), evolution(evolution) {
    if (auto *constant = dyn_cast<SCEVConstant>(counted.end); constant && constant->getAPInt().isSignedIntN(62))
      length = constant->getAPInt().getSExtValue();
  }

  bool isShort() const { return length && *length + counted.last - counted.start + 1 < FewestPasses; }

  std::optional<Settled> settle(Instruction &inst) const {
    if (&inst == counted.question || !inst.getOperand(0)->getType()->isIntegerTy())
      return std::nullopt;
    if (auto *compare = dyn_cast<ICmpInst>(&inst))
      return settleCompare(inst, compare->getPredicate(), false);
    if (auto *choice = dyn_cast<MinMaxIntrinsic>(&inst))
      return settleCompare(inst, choice->getPredicate(), true);
    if (inst.getOpcode() == Instruction::SRem || inst.getOpcode() == Instruction::URem)
      return settleRemainder(inst);
    return std::nullopt;
  }

private:
  const CountedLoop &counted;
  ScalarEvolution &evolution;
  // The end, where it is a constant.
  std::optional<int64_t> length;

  std::optional<Place> read(Value *value) const {
    if (value->getType() != counted.counter->getType())
      return std::nullopt;
    const SCEV *number = evolution.getSCEV(value);
    Place place;
    if (auto *steps = dyn_cast<SCEVAddRecExpr>(number); steps && steps->getLoop() == counted.loop) {
      place.counts = true;
      number = evolution.getMinusSCEV(number, counted.at);
    }
    auto *constant = dyn_cast<SCEVConstant>(number);
    if (!constant) {
      constant = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(number, counted.end));
      place.ends = true;
    }
    if (!constant)
      return std::nullopt;
    place.offset = constant->getAPInt().getSExtValue();
    // Of two constants the one near the end is told from it.
    if (length && !place.ends && place.offset > *length / 2) {
      place.ends = true;
      place.offset -= *length;
    }
    return place;
  }

  // Twice the end and more is a number like others.
  bool hasRoom() const {
    const unsigned width = counted.counter->getType()->getIntegerBitWidth();
    return length && *length > 0 && *length < (int64_t(1) << (std::min(width, 62u) - 2)) - 2 * MostAtEdge;
  }

  // Whether numbers from zero to the end are in order for such a question.
  bool isOrdered(bool asSigned) const { return counted.isSigned || !asSigned || hasRoom(); }

  // So many that `counter + offset` is neither below zero in the middle nor beyond the last pass.
  Edges inside(int64_t offset) const { return {std::max<int64_t>(0, -offset - counted.start), std::max<int64_t>(0, offset)}; }

  std::optional<Settled> settleCompare(Instruction &inst, CmpInst::Predicate predicate, bool chooses) const {
    std::optional<Place> left = read(inst.getOperand(0)), right = read(inst.getOperand(1));
    if (!left || !right || left->counts == right->counts)
      return std::nullopt;
    if (right->counts) {
      std::swap(left, right);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    const bool equality = CmpInst::isEquality(predicate);
    if (left->ends || (!equality && !isOrdered(CmpInst::isSigned(predicate))))
      return std::nullopt;
    Settled settled{&inst, inside(left->offset), {}, {}};
    const int64_t apart = left->offset - right->offset;
    bool truth = false;
    if (right->ends) {
      // A number beyond the end may have wrapped.
      if (right->offset > 0 && !hasRoom())
        return std::nullopt;
      const bool sameIsBelow = predicate == CmpInst::ICMP_SLE || predicate == CmpInst::ICMP_ULE || predicate == CmpInst::ICMP_SGT ||
                               predicate == CmpInst::ICMP_UGT;
      settled.edges.need({0, counted.last + apart + !sameIsBelow});
      // Nor may one be below zero.
      settled.edges.need({0, counted.last - right->offset});
      truth = predicate == CmpInst::ICMP_NE || ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
    } else {
      // Below zero, a number without a sign is a large one.
      if (right->offset < 0 && (equality ? !isOrdered(true) : CmpInst::isUnsigned(predicate)))
        return std::nullopt;
      const bool sameIsAbove = predicate == CmpInst::ICMP_SGE || predicate == CmpInst::ICMP_UGE || predicate == CmpInst::ICMP_SLT ||
                               predicate == CmpInst::ICMP_ULT;
      settled.edges.need({!sameIsAbove - apart - counted.start, 0});
      truth = predicate == CmpInst::ICMP_NE || ICmpInst::isGT(predicate) || ICmpInst::isGE(predicate);
    }
    if (!settled.edges.areFew())
      return std::nullopt;
    if (chooses)
      settled.operand = truth ? 0 : 1;
    else
      settled.truth = truth;
    return settled;
  }

  // Whether a number comes from counter, end and constants by additions that are said not to wrap.
  bool neverWraps(Value *value, bool asSigned, unsigned depth = 4) const {
    if (isa<ConstantInt>(value) || value == counted.counter || evolution.getSCEV(value) == counted.end)
      return true;
    auto *sum = dyn_cast<OverflowingBinaryOperator>(value);
    if (!sum)
      return false;
    const bool adds = sum->getOpcode() == Instruction::Add || sum->getOpcode() == Instruction::Sub;
    const bool promised = asSigned ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap();
    return adds && promised && depth > 0 && neverWraps(sum->getOperand(0), asSigned, depth - 1) &&
           neverWraps(sum->getOperand(1), asSigned, depth - 1);
  }

  std::optional<Settled> settleRemainder(Instruction &inst) const {
    const bool asSigned = inst.getOpcode() == Instruction::SRem;
    std::optional<Place> number = read(inst.getOperand(0)), by = read(inst.getOperand(1));
    if (!number || !by || !number->counts || by->counts || !by->ends || by->offset != 0 || !isOrdered(asSigned))
      return std::nullopt;
    // Beyond the end there is room only for a number without a sign, where the counter has one.
    const bool fits = !number->ends || hasRoom() || (counted.isSigned && !asSigned) || neverWraps(inst.getOperand(0), asSigned);
    Settled settled{&inst, {}, {}, {}, number->offset, !fits};
    settled.edges.need({-number->offset - counted.start, counted.last + number->offset + 1});
    return settled.edges.areFew() && inst.getType()->getIntegerBitWidth() >= 8 ? std::optional(settled) : std::nullopt;
  }
};

// What becomes plain in a loop without its edges, and how many passes those are.
struct Parting {
  CountedLoop counted;
  Edges edges;
  bool needsRoom;
  std::vector<Settled> settled;

  // Whether there is a loop behind.
  bool hasLast() const { return edges.back > 0 || needsRoom; }
};

std::optional<Parting> findEdges(Loop &loop, Steady &known) {
  if (!loop.isInnermost() || !loop.isLoopSimplifyForm() || !loop.isLCSSAForm(known.dominators))
    return std::nullopt;
  const std::optional<unsigned> size = sizeOfNumbers(loop);
  const std::optional<CountedLoop> counted = size ? readCounted(loop, known.evolution) : std::nullopt;
  if (!counted)
    return std::nullopt;
  Parting parting{*counted, {}, false, {}};
  const Middle middle(parting.counted, known.evolution);
  if (middle.isShort())
    return std::nullopt;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block)
      if (inst.getNumOperands() > 0)
        if (std::optional<Settled> settled = middle.settle(inst)) {
          parting.edges.need(settled->edges);
          parting.needsRoom |= settled->needsRoom;
          parting.settled.push_back(*settled);
        }
  const int64_t copies = parting.edges.front + parting.hasLast() + 1;
  if (copies == 1 || *size * copies > MostInstructions)
    return std::nullopt;
  return parting;
}

void write(const Settled &settled, PHINode &counter, bool isSigned) {
  Instruction &inst = *settled.inst;
  IRBuilder<> builder(&inst);
  Value *value = nullptr;
  if (settled.truth)
    value = builder.getInt1(*settled.truth);
  else if (settled.operand)
    value = inst.getOperand(*settled.operand);
  else
    value = builder.CreateAdd(&counter, ConstantInt::get(inst.getType(), settled.offset, true), "", false, isSigned);
  inst.replaceAllUsesWith(value);
  inst.eraseFromParent();
}

void part(Function &function, const Parting &parting) {
  BasicBlock *header = parting.counted.loop->getHeader();
  if (parting.edges.front > 0) {
    Steady known(function);
    ValueToValueMapTy copies;
    peelLoop(known.loops.getLoopFor(header), parting.edges.front, false, &known.loops, &known.evolution, known.dominators,
             &known.assumptions, true, copies);
  }
  if (parting.hasLast()) {
    Steady known(function);
    CountedLoop counted = parting.counted;
    counted.loop = known.loops.getLoopFor(header);
    partLast(counted, parting.edges.front, parting.edges.back, parting.needsRoom);
  }
  for (const Settled &settled : parting.settled)
    write(settled, *parting.counted.counter, parting.counted.isSigned);
}

} // namespace

bool bs_shim_part_edges(LLVMValueRef raw) {
  auto &function = *unwrap<Function>(raw);
  for (unsigned count = 0; count < MostLoops; count++) {
    Steady known(function);
    std::optional<Parting> next;
    for (Loop *loop : known.loops.getLoopsInPreorder())
      if ((next = findEdges(*loop, known)))
        break;
    if (!next)
      return count > 0;
    part(function, *next);
  }
  return true;
}

// A loop whose last passes run in a loop of their own behind it.
#include "parted.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace {

// What later starts would ask for is found out nowhere else.
constexpr uint64_t LatestStart = 4;

// Ends of more bits than this may be too large to be doubled.
constexpr unsigned KnownBits = 28;

// How a number of the header is compared with a bound where the loop goes on, read from the side of the number.
struct Question {
  ICmpInst *inst;
  CmpInst::Predicate predicate;
  unsigned boundIndex;

  Value *number() const { return inst->getOperand(1 - boundIndex); }
  Value *bound() const { return inst->getOperand(boundIndex); }
};

std::optional<Question> readQuestion(const Loop &loop) {
  BasicBlock *header = loop.getHeader();
  if (loop.getExitingBlock() != header || !loop.getExitBlock() || !loop.getLoopPreheader() || !loop.getLoopLatch() ||
      header == loop.getLoopLatch())
    return std::nullopt;
  auto *branch = dyn_cast<BranchInst>(header->getTerminator());
  auto *inst = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!inst || !inst->hasOneUse() || inst->getParent() != header)
    return std::nullopt;
  Question question{inst, inst->getPredicate(), 1};
  if (loop.isLoopInvariant(inst->getOperand(0))) {
    question.boundIndex = 0;
    question.predicate = CmpInst::getSwappedPredicate(question.predicate);
  }
  if (!loop.contains(branch->getSuccessor(0)))
    question.predicate = CmpInst::getInversePredicate(question.predicate);
  auto *number = dyn_cast<PHINode>(question.number());
  const bool steps = number && number->getParent() == header && number->getType()->isIntegerTy();
  return steps && loop.isLoopInvariant(question.bound()) ? std::optional(question) : std::nullopt;
}

// A number of the header that starts where it is known and goes up by one.
std::optional<CountedLoop> readCounter(Loop &loop, PHINode &phi, ScalarEvolution &evolution) {
  if (!phi.getType()->isIntegerTy() || phi.getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  auto *at = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
  auto *start = at ? dyn_cast<SCEVConstant>(at->getStart()) : nullptr;
  if (!start || at->getLoop() != &loop || !at->isAffine() || !at->getStepRecurrence(evolution)->isOne() ||
      start->getAPInt().ugt(LatestStart))
    return std::nullopt;
  CountedLoop counted;
  counted.loop = &loop;
  counted.counter = &phi;
  counted.at = at;
  counted.start = start->getAPInt().getSExtValue();
  return counted;
}

// The counter meets its end.
bool readEnd(CountedLoop &counted, const Question &question, ScalarEvolution &evolution) {
  counted.end = evolution.getSCEV(question.bound());
  counted.last = question.predicate == CmpInst::ICMP_SLE ? 0 : -1;
  counted.isSigned = question.predicate == CmpInst::ICMP_SLE || question.predicate == CmpInst::ICMP_SLT;
  // Who counts from zero until he meets the end is below it all the way.
  return counted.isSigned || question.predicate == CmpInst::ICMP_ULT ||
         (question.predicate == CmpInst::ICMP_NE && counted.start == 0);
}

// Beside the counter, another number says how many passes are left: it begins with an end, and so much more.
bool readLeft(CountedLoop &counted, const Question &question, ScalarEvolution &evolution) {
  auto *left = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(question.number()));
  auto *none = dyn_cast<ConstantInt>(question.bound());
  if (!left || left->getLoop() != counted.loop || !left->isAffine() || !left->getStepRecurrence(evolution)->isAllOnesValue() ||
      question.predicate != CmpInst::ICMP_SGT || !none || !none->isZero() || !counted.at->hasNoSignedWrap() ||
      left->getType()->getIntegerBitWidth() > 64)
    return false;
  const SCEV *passes = left->getStart();
  int64_t more = 0;
  if (auto *sum = dyn_cast<SCEVAddExpr>(passes))
    if (auto *constant = dyn_cast<SCEVConstant>(sum->getOperand(0)); constant && sum->hasNoSignedWrap()) {
      more = constant->getAPInt().getSExtValue();
      passes = evolution.getMinusSCEV(passes, constant);
    }
  const unsigned width = counted.counter->getType()->getIntegerBitWidth();
  if (width < left->getType()->getIntegerBitWidth() && evolution.getSignedRange(passes).getMinSignedBits() <= width)
    passes = evolution.getTruncateExpr(passes, counted.counter->getType());
  if (passes->getType() != counted.counter->getType() || more < -8 || more > 8)
    return false;
  counted.end = passes;
  counted.last = counted.start - 1 + more;
  counted.isSigned = counted.asksWhatIsLeft = true;
  return true;
}

// The bound of the loop in front: no pass is left for it where there are not enough, or where numbers would have no room.
Value *earlierBound(const CountedLoop &counted, int64_t front, int64_t back, bool hasRoom) {
  Value *bound = counted.question->getOperand(counted.boundIndex);
  BasicBlock *before = counted.loop->getLoopPreheader();
  IRBuilder<> builder(before->getTerminator());
  builder.SetCurrentDebugLocation(counted.question->getDebugLoc());
  Type *type = bound->getType();
  // Who asks what is left is content as soon as that is no more than this.
  Value *earlier = ConstantInt::get(type, back), *passes = bound;
  Value *none = ConstantInt::get(type, APInt::getSignedMaxValue(type->getIntegerBitWidth()));
  if (counted.asksWhatIsLeft) {
    auto *left = cast<PHINode>(counted.question->getOperand(1 - counted.boundIndex));
    passes = left->getIncomingValueForBlock(before);
  } else {
    const int64_t least = counted.start + front + back - (counted.last + 1);
    const Intrinsic::ID most = counted.isSigned ? Intrinsic::smax : Intrinsic::umax;
    none = ConstantInt::get(type, least - back, true);
    Value *end = builder.CreateBinaryIntrinsic(most, bound, ConstantInt::get(type, least, true));
    earlier = builder.CreateSub(end, earlier, "", !counted.isSigned, counted.isSigned);
  }
  if (!hasRoom)
    return earlier;
  const unsigned width = counted.counter->getType()->getIntegerBitWidth();
  Value *few = builder.CreateICmpULE(passes, ConstantInt::get(type, uint64_t(1) << (width - 3)));
  return builder.CreateSelect(few, earlier, none);
}

// Where the counter stands as the loop in front ends, where that is known: then everybody can count what is left.
ConstantInt *whereItEnds(const CountedLoop &counted, int64_t front, int64_t back) {
  auto *bound = dyn_cast<ConstantInt>(counted.question->getOperand(counted.boundIndex));
  if (!bound || counted.asksWhatIsLeft || !bound->getValue().isNonNegative() || bound->getValue().getActiveBits() > KnownBits)
    return nullptr;
  const int64_t first = counted.start + front, end = int64_t(bound->getZExtValue()) + counted.last + 1 - back;
  return ConstantInt::getSigned(cast<IntegerType>(counted.counter->getType()), std::max(first, end));
}

} // namespace

std::optional<CountedLoop> readCounted(Loop &loop, ScalarEvolution &evolution) {
  const std::optional<Question> question = readQuestion(loop);
  if (!question)
    return std::nullopt;
  for (PHINode &phi : loop.getHeader()->phis()) {
    std::optional<CountedLoop> counted = readCounter(loop, phi, evolution);
    const bool isAsked = question->number() == &phi;
    if (!counted || !(isAsked ? readEnd(*counted, *question, evolution) : readLeft(*counted, *question, evolution)))
      continue;
    counted->question = question->inst;
    counted->boundIndex = question->boundIndex;
    return counted;
  }
  return std::nullopt;
}

void partLast(const CountedLoop &counted, int64_t front, int64_t back, bool hasRoom) {
  Loop &loop = *counted.loop;
  BasicBlock *header = loop.getHeader(), *before = loop.getLoopPreheader(), *behind = loop.getExitBlock();
  ConstantInt *ends = whereItEnds(counted, front, back);
  Value *bound = earlierBound(counted, front, back, hasRoom);
  ValueToValueMapTy copies;
  SmallVector<BasicBlock *, 8> blocks;
  for (BasicBlock *block : loop.blocks()) {
    BasicBlock *copy = CloneBasicBlock(block, copies, ".last", header->getParent());
    copies[block] = copy;
    blocks.push_back(copy);
  }
  remapInstructionsInBlocks(blocks, copies);

  auto *last = cast<BasicBlock>(copies[header]);
  auto *between = BasicBlock::Create(header->getContext(), "", header->getParent(), last);
  BranchInst::Create(last, between)->setDebugLoc(header->getTerminator()->getDebugLoc());
  for (PHINode &phi : header->phis()) {
    auto *copy = cast<PHINode>(copies[&phi]);
    const int from = copy->getBasicBlockIndex(before);
    copy->setIncomingBlock(from, between);
    copy->setIncomingValue(from, &phi == counted.counter && ends ? static_cast<Value *>(ends) : &phi);
  }
  for (PHINode &phi : behind->phis()) {
    const int from = phi.getBasicBlockIndex(header);
    phi.setIncomingBlock(from, last);
    if (Value *copy = copies.lookup(phi.getIncomingValue(from)))
      phi.setIncomingValue(from, copy);
  }
  header->getTerminator()->replaceSuccessorWith(behind, between);
  counted.question->setOperand(counted.boundIndex, bound);
}

// A loop that walks through memory with a pointer counts its steps, and the pointer is so many steps from where it began.
//
// C++ goes from `begin()` to `end()`, and C from `p` to `p + n`. Where such a pointer stands, and what is found there, would be
// recorded in each pass, and that of the derivatives, since nobody knows the one before from the one behind it. A counter is
// counted back; and a loop that goes round until its pointer meets another is told beforehand how often that is.
#include "shim.h"
#include "steady.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {

// A pointer of a loop's header, and how it comes from one pass to the next.
struct Walk {
  PHINode *pointer;
  // One step is so many of these.
  Type *of;
  Value *many;
  GEPNoWrapFlags flags;
};

// The steps between a pointer and the one that the next pass begins with, as one.
std::optional<Walk> readSteps(PHINode &pointer, const Loop &loop) {
  const DataLayout &layout = pointer.getDataLayout();
  Value *next = pointer.getIncomingValueForBlock(loop.getLoopLatch());
  GEPNoWrapFlags flags = GEPNoWrapFlags::all();
  auto *step = dyn_cast<GetElementPtrInst>(next);
  // One that takes a number that stays the same: rows of a matrix.
  if (step && step->getPointerOperand() == &pointer && step->getNumIndices() == 1 && !isa<ConstantInt>(step->getOperand(1))) {
    Value *many = step->getOperand(1);
    const bool wide = many->getType() == layout.getIndexType(pointer.getType());
    // What is not known to lie in one object may have come round all addresses.
    if (!wide || !loop.isLoopInvariant(many) || !step->isInBounds())
      return std::nullopt;
    return Walk{&pointer, step->getSourceElementType(), many, GEPNoWrapFlags::inBounds()};
  }
  APInt bytes(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  Type *of = nullptr;
  Value *at = next;
  while (auto *part = dyn_cast<GetElementPtrInst>(at)) {
    APInt more(bytes.getBitWidth(), 0);
    if (!loop.contains(part) || !part->accumulateConstantOffset(layout, more))
      return std::nullopt;
    of = part->getSourceElementType();
    flags &= part->getNoWrapFlags();
    bytes += more;
    at = part->getPointerOperand();
  }
  if (at != &pointer || bytes.isZero())
    return std::nullopt;
  // Steps by what the loop walks over say what that is; where they do not, by so many bytes.
  const int64_t far = bytes.getSExtValue();
  const bool whole = of->isSized() && !layout.getTypeAllocSize(of).isScalable() && !layout.getTypeAllocSize(of).isZero() &&
                     uint64_t(std::abs(far)) == layout.getTypeAllocSize(of).getFixedValue();
  if (!whole)
    of = ArrayType::get(Type::getInt8Ty(pointer.getContext()), std::abs(far));
  if (far < 0)
    flags = flags.withoutNoUnsignedWrap();
  return Walk{&pointer, of, ConstantInt::get(layout.getIndexType(pointer.getType()), far < 0 ? -1 : 1, true), flags};
}

class Walked {
 public:
  explicit Walked(Function &function) : known(function), expander(known.evolution, "steps") {}

  bool run() {
    bool changed = false;
    for (Loop *loop : known.loops.getLoopsInPreorder())
      changed |= loop->isLoopSimplifyForm() && count(*loop);
    return changed;
  }

 private:
  Steady known;
  SCEVExpander expander;

  bool count(Loop &loop) {
    SmallVector<Walk, 4> walks;
    for (PHINode &phi : loop.getHeader()->phis())
      if (phi.getType()->isPointerTy() && phi.getNumIncomingValues() == 2)
        if (std::optional<Walk> walk = readSteps(phi, loop))
          walks.push_back(*walk);
    if (walks.empty())
      return false;
    Type *wide = loop.getHeader()->getDataLayout().getIndexType(walks.front().pointer->getType());
    PHINode *counter = findCounter(loop, wide);
    tellPasses(loop, walks, *counter);
    for (const Walk &walk : walks)
      replace(loop, walk, *counter);
    known.evolution.forgetLoop(&loop);
    return true;
  }

  // A number that is zero in the first pass, and one more in each that follows.
  PHINode *findCounter(const Loop &loop, Type *wide) {
    if (PHINode *counter = loop.getCanonicalInductionVariable(); counter && counter->getType() == wide)
      return counter;
    BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
    IRBuilder<> builder(header, header->begin());
    PHINode *counter = builder.CreatePHI(wide, 2);
    builder.SetInsertPoint(latch->getTerminator());
    Value *next = builder.CreateAdd(counter, ConstantInt::get(wide, 1), "", /*HasNUW=*/true, /*HasNSW=*/true);
    counter->addIncoming(ConstantInt::get(wide, 0), loop.getLoopPreheader());
    counter->addIncoming(next, latch);
    return counter;
  }

  // The question whether a pointer has met another becomes one about the number of passes.
  void tellPasses(Loop &loop, ArrayRef<Walk> walks, PHINode &counter) {
    BasicBlock *header = loop.getHeader(), *before = loop.getLoopPreheader();
    auto *branch = dyn_cast<BranchInst>(header->getTerminator());
    if (!branch || !branch->isConditional() || !loop.isLoopExiting(header) || header == loop.getLoopLatch())
      return;
    auto *question = dyn_cast<ICmpInst>(branch->getCondition());
    auto walksOn = [&](const Value *side) { return any_of(walks, [&](const Walk &walk) { return walk.pointer == side; }); };
    if (!question || !any_of(question->operands(), walksOn))
      return;
    const SCEV *passes = known.evolution.getExitCount(&loop, header);
    if (isa<SCEVCouldNotCompute>(passes) || known.evolution.getTypeSizeInBits(passes->getType()) > counter.getType()->getIntegerBitWidth() ||
        !expander.isSafeToExpandAt(passes, before->getTerminator()))
      return;
    passes = known.evolution.getNoopOrZeroExtend(passes, counter.getType());
    Value *most = expander.expandCodeFor(passes, counter.getType(), before->getTerminator());
    const bool stays = loop.contains(branch->getSuccessor(0));
    IRBuilder<> builder(branch);
    branch->setCondition(builder.CreateICmp(stays ? ICmpInst::ICMP_ULT : ICmpInst::ICMP_UGE, &counter, most));
  }

  static void replace(const Loop &loop, const Walk &walk, PHINode &counter) {
    IRBuilder<> builder(loop.getHeader(), loop.getHeader()->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(walk.pointer->getDebugLoc());
    auto *one = dyn_cast<ConstantInt>(walk.many);
    Value *steps = one && one->isOne() ? &counter : builder.CreateMul(&counter, walk.many, "", /*HasNUW=*/false, /*HasNSW=*/true);
    Value *start = walk.pointer->getIncomingValueForBlock(loop.getLoopPreheader());
    walk.pointer->replaceAllUsesWith(builder.CreateGEP(walk.of, start, steps, "", walk.flags));
    walk.pointer->eraseFromParent();
  }
};

} // namespace

bool bs_shim_count_walks(LLVMValueRef raw) { return Walked(*unwrap<Function>(raw)).run(); }

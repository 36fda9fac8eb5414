// The address of an allocation, kept in the word in front of an aligned place within it.
//
// `p = malloc(n + 32); a = (p + 32) & -32; ((void **)a)[-1] = p;` and later `free(((void **)a)[-1])`: so aligned memory is
// made where the library has none, in Eigen with AVX as in much C. The word lies among numbers whose places nobody can tell
// from its own, and is no pointer to other memory: it says how far the allocation begins in front. So it is kept as an
// integer, and what is freed is a step from the place. Where the place is found in memory the program has to align addresses
// by hand somewhere: a stack of pointers is freed by the word in front of its end as well.
#include "shim.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

// Longer ways from an address to an aligned one are not followed.
constexpr unsigned MostSteps = 8;

// The place behind a word; null where an address does not lie just so far in front of one.
Value *placeBehind(Value *word, const DataLayout &layout) {
  unsigned bits = layout.getIndexTypeSizeInBits(word->getType());
  APInt offset(bits, 0);
  Value *place = word->stripAndAccumulateConstantOffsets(layout, offset, true);
  bool front = offset.getSExtValue() == -static_cast<int64_t>(layout.getTypeStoreSize(word->getType()));
  return front ? place : nullptr;
}

// A step from an allocation to an aligned place in it, as `alignments.cpp` writes it.
GetElementPtrInst *alignedStep(Value *place) {
  auto *step = dyn_cast<GetElementPtrInst>(place);
  if (!step || step->getNumIndices() != 1 || !step->getSourceElementType()->isIntegerTy(8))
    return nullptr;
  return match(step->getOperand(1), m_Sub(m_Value(), m_PtrToInt(m_Specific(step->getPointerOperand())))) ? step : nullptr;
}

bool isAlignedIn(Value *place, Value *allocation) {
  auto *step = alignedStep(place);
  return step && step->getPointerOperand() == allocation;
}

// How an address was rounded: a number that is an address with bits masked out, and little else.
bool isRounded(const Value *number, bool masked, unsigned steps) {
  if (isa<PtrToIntInst>(number))
    return masked;
  auto *inst = dyn_cast<BinaryOperator>(number);
  if (!inst || steps == 0)
    return false;
  masked |= inst->getOpcode() == Instruction::And;
  return any_of(inst->operands(), [&](const Value *part) { return isRounded(part, masked, steps - 1); });
}

// Whether anybody in a program aligns addresses by hand.
bool alignsByHand(const Module &module) {
  for (const Function &function : module)
    for (const Instruction &inst : instructions(function)) {
      if (auto *address = dyn_cast<IntToPtrInst>(&inst); address && isRounded(address->getOperand(0), false, MostSteps))
        return true;
      if (auto *call = dyn_cast<IntrinsicInst>(&inst); call && call->getIntrinsicID() == Intrinsic::ptrmask)
        return true;
    }
  return false;
}

// What is known of where a word that is freed stands in front of.
enum class Front { Aligned, Unseen, Other };

// A row of pointers is freed through words, too: nobody steps along aligned places. `aligned` tells of one among several.
Front frontOf(Value *place, SmallPtrSetImpl<Value *> &seen, bool &aligned) {
  aligned |= alignedStep(place) != nullptr;
  if (!seen.insert(place).second || isa<ConstantPointerNull, UndefValue, AllocaInst>(place) || alignedStep(place))
    return Front::Aligned;
  if (isa<Argument, LoadInst, CallBase>(place))
    return Front::Unseen;
  if (!isa<PHINode, SelectInst>(place))
    return Front::Other;
  Front all = Front::Aligned;
  for (Value *one : cast<Instruction>(place)->operands())
    if (one->getType()->isPointerTy())
      all = std::max(all, frontOf(one, seen, aligned));
  return all;
}

bool isInFront(LoadInst &load, Value *place) {
  SmallPtrSet<Value *, 8> seen;
  bool aligned = false;
  Front front = frontOf(place, seen, aligned);
  if (front == Front::Aligned)
    return true;
  // Beside an aligned place there may be one that the caller gave for a buffer, and that is freed nowhere.
  if (front == Front::Other && !aligned)
    return false;
  // Whoever takes a pointer off a stack keeps where the stack ends now.
  auto reads = [](const User *user) { return isa<LoadInst>(user); };
  return all_of(load.getPointerOperand()->users(), reads) && alignsByHand(*load.getModule());
}

bool isFreed(LoadInst &load) {
  auto frees = [&](User *user) {
    auto *call = dyn_cast<CallBase>(user);
    auto *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName() == "free" && call->arg_size() == 1;
  };
  return !load.use_empty() && all_of(load.users(), frees);
}

// What leads to an access may lead nowhere else.
void drop(Instruction &access, Value *address) {
  access.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(address);
}

// The address of the word by bytes: a step by pointers would say that the place is in a row of them.
Value *wordBefore(Value *place, Value *address, IRBuilder<> &builder, const DataLayout &layout) {
  int64_t size = layout.getTypeStoreSize(address->getType());
  return builder.CreateGEP(builder.getInt8Ty(), place, builder.getInt64(-size));
}

void keepAsInteger(StoreInst &store, Value *place, const DataLayout &layout) {
  IRBuilder<> builder(&store);
  Value *word = wordBefore(place, store.getPointerOperand(), builder, layout);
  Value *number = builder.CreatePtrToInt(store.getValueOperand(), layout.getIntPtrType(store.getContext()));
  StoreInst *kept = builder.CreateAlignedStore(number, word, store.getAlign());
  bs_shim_mark_integer(wrap(kept));
  // Passes make a pointer again of one that is stored as a number; it is still nobody's to follow.
  kept->setMetadata("backsweep.front", MDNode::get(kept->getContext(), {}));
  drop(store, store.getPointerOperand());
}

void stepBack(LoadInst &load, Value *place, const DataLayout &layout) {
  IRBuilder<> builder(&load);
  Value *word = wordBefore(place, load.getPointerOperand(), builder, layout);
  Type *type = layout.getIntPtrType(load.getContext());
  LoadInst *number = builder.CreateAlignedLoad(type, word, load.getAlign());
  bs_shim_mark_integer(wrap(number));
  Value *step = builder.CreateSub(number, builder.CreatePtrToInt(place, type));
  load.replaceAllUsesWith(builder.CreateGEP(builder.getInt8Ty(), place, step));
  drop(load, load.getPointerOperand());
}

} // namespace

void bs_shim_open_headers(LLVMValueRef raw) {
  auto *function = unwrap<Function>(raw);
  const DataLayout &layout = function->getParent()->getDataLayout();
  SmallVector<Instruction *, 8> accesses;
  for (Instruction &inst : instructions(*function))
    if (isa<LoadInst, StoreInst>(inst))
      accesses.push_back(&inst);
  for (Instruction *inst : accesses) {
    if (auto *store = dyn_cast<StoreInst>(inst); store && store->isSimple()) {
      Value *place = store->getValueOperand()->getType()->isPointerTy() ? placeBehind(store->getPointerOperand(), layout) : nullptr;
      if (place && isAlignedIn(place, store->getValueOperand()))
        keepAsInteger(*store, place, layout);
    } else if (auto *load = dyn_cast<LoadInst>(inst); load && load->isSimple() && load->getType()->isPointerTy()) {
      if (Value *place = placeBehind(load->getPointerOperand(), layout); place && isFreed(*load) && isInFront(*load, place))
        stepBack(*load, place, layout);
    }
  }
}

// Copies of many structs, as many as are known only when the program runs, as loops over copies of one.
//
// How large one is, and what its members are, says the type with which the source or the target is stepped through; that the
// length is a multiple of it says its own arithmetic. What might overlap is copied from the end that is safe. Arrays of
// numbers of one kind stay whole.

#include "shim.h"
#include "record.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;
using namespace backsweep;

namespace {

class Row {
 public:
  Row(MemIntrinsic &whole, bool takesBits, MemberSteps &others)
      : whole(whole), takesBits(takesBits), others(others), layout(whole.getDataLayout()), record(whole.getContext(), layout) {}

  bool open() {
    if (!find())
      return false;
    write();
    whole.eraseFromParent();
    return true;
  }

 private:
  MemIntrinsic &whole;
  bool takesBits;
  MemberSteps &others;
  const DataLayout &layout;
  Record record;
  uint64_t size = 0;

  bool find() {
    size = factorOf(whole.getLength());
    if (size == 0 || size > MostBytes)
      return false;
    auto *copy = dyn_cast<MemTransferInst>(&whole);
    SmallVector<Value *, 2> pointers{whole.getRawDest()};
    if (copy)
      pointers.push_back(copy->getRawSource());
    for (Value *pointer : pointers) {
      std::optional<Record> found = elementsBehind(pointer, {whole, size}, layout, others);
      if (!found || (!found->members.empty() && !record.members.empty() && found->members != record.members))
        return false;
      if (!found->members.empty())
        record = *found;
    }
    bool believed = !takesBits || !record.holdsPointers();
    return !record.members.empty() && !record.isPlain(size) && believed && canMove();
  }

  // What moves over itself may do so by less than one struct. A part that is copied by itself might then change what
  // another one reads.
  bool canMove() const {
    return !isa<MemMoveInst>(whole) || all_of(record.members, [](const Member &member) { return member.type; });
  }

  // A loop with the number of structs as its count, in place of the whole.
  void write() {
    BasicBlock *before = whole.getParent(), *behind = SplitBlock(before, &whole);
    LLVMContext &context = whole.getContext();
    auto *head = BasicBlock::Create(context, "row", before->getParent(), behind);
    auto *body = BasicBlock::Create(context, "row.one", before->getParent(), behind);
    IRBuilder<> builder(before->getTerminator());
    builder.SetCurrentDebugLocation(whole.getDebugLoc());
    Value *length = builder.CreateZExtOrTrunc(whole.getLength(), builder.getInt64Ty());
    Value *count = builder.CreateUDiv(length, builder.getInt64(size));
    auto *moves = dyn_cast<MemMoveInst>(&whole);
    Value *backward = moves ? builder.CreateICmpUGT(moves->getRawDest(), moves->getRawSource()) : nullptr;
    before->getTerminator()->setSuccessor(0, head);

    builder.SetInsertPoint(head);
    PHINode *done = builder.CreatePHI(builder.getInt64Ty(), 2);
    done->addIncoming(builder.getInt64(0), before);
    builder.CreateCondBr(builder.CreateICmpULT(done, count), body, behind);

    builder.SetInsertPoint(body);
    Value *next = builder.CreateNUWAdd(done, builder.getInt64(1));
    Value *at = backward ? builder.CreateSelect(backward, builder.CreateSub(count, next), done) : done;
    writeOne(builder, at);
    done->addIncoming(next, body);
    builder.CreateBr(head);
  }

  void writeOne(IRBuilder<> &builder, Value *at) {
    // That steps are of this size is what tells one member from another.
    Type *type = ArrayType::get(builder.getInt8Ty(), size);
    auto one = [&](Value *start) { return builder.CreateInBoundsGEP(type, start, at); };
    Align to = commonAlignment(whole.getDestAlign().valueOrOne(), size);
    auto *copy = dyn_cast<MemTransferInst>(&whole);
    if (!copy)
      return clearMembers(builder, record.members, one(whole.getRawDest()), to);
    Align from = commonAlignment(copy->getSourceAlign().valueOrOne(), size);
    copyMembers(builder, record.members, one(whole.getRawDest()), to, one(copy->getRawSource()), from);
  }
};

bool isZero(Value *value) {
  auto *constant = dyn_cast<Constant>(value);
  return constant && constant->isNullValue();
}

}  // namespace

uint64_t backsweep::factorOf(Value *length) {
  const APInt *by;
  if (match(length, PatternMatch::m_Mul(PatternMatch::m_Value(), PatternMatch::m_APInt(by))) ||
      match(length, PatternMatch::m_Mul(PatternMatch::m_APInt(by), PatternMatch::m_Value())))
    return by->getActiveBits() <= 32 ? by->getZExtValue() : 0;
  if (match(length, PatternMatch::m_Shl(PatternMatch::m_Value(), PatternMatch::m_APInt(by))))
    return by->ult(16) ? uint64_t(1) << by->getZExtValue() : 0;
  return 0;
}

bool bs_shim_open_rows(LLVMValueRef function, bool takesBits) {
  std::vector<MemIntrinsic *> wholes;
  for (Instruction &inst : instructions(unwrap<Function>(function))) {
    auto *whole = dyn_cast<MemIntrinsic>(&inst);
    auto *fill = dyn_cast<MemSetInst>(&inst);
    if (whole && !whole->isVolatile() && !isa<ConstantInt>(whole->getLength()) && (!fill || isZero(fill->getValue())))
      wholes.push_back(whole);
  }
  MemberSteps others(*unwrap<Function>(function)->getParent());
  bool opened = false;
  for (MemIntrinsic *whole : wholes)
    opened |= Row(*whole, takesBits, others).open();
  return opened;
}

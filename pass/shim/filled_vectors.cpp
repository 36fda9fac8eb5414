// Vectors that are put together lane by lane, each of which is put in: what was there before does not matter.
//
// An array of two numbers that a loop fills anew in each pass is one vector that goes round the loop once it stands in a register,
// so that what a pass does seems to depend on the pass before. Filled with constants it is a mask that changes signs.
#include "shim.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace {

constexpr unsigned MostLanes = 64;

// What stands in each lane in the end; nothing where a lane is kept from before, or nothing was there.
SmallVector<Value *, 8> lanesPutInto(InsertElementInst &last) {
  auto *type = dyn_cast<FixedVectorType>(last.getType());
  if (!type || type->getNumElements() > MostLanes)
    return {};
  SmallVector<Value *, 8> lanes(type->getNumElements());
  Value *before = &last;
  unsigned left = lanes.size();
  while (auto *insert = dyn_cast<InsertElementInst>(before)) {
    auto *index = dyn_cast<ConstantInt>(insert->getOperand(2));
    if (!index || index->getValue().uge(lanes.size()))
      return {};
    Value *&lane = lanes[index->getZExtValue()];
    if (!lane) {
      lane = insert->getOperand(1);
      left--;
    }
    before = insert->getOperand(0);
  }
  return left || isa<Constant>(before) ? SmallVector<Value *, 8>() : lanes;
}

// Whether another lane is put in behind it, and nothing else is made of it.
bool goesOn(const InsertElementInst &insert) {
  auto *next = insert.hasOneUse() ? dyn_cast<InsertElementInst>(insert.user_back()) : nullptr;
  return next && next->getOperand(0) == &insert;
}

} // namespace

bool bs_shim_start_filled_vectors(LLVMValueRef raw) {
  SmallVector<InsertElementInst *, 8> inserts;
  for (Instruction &inst : instructions(unwrap<Function>(raw)))
    if (auto *insert = dyn_cast<InsertElementInst>(&inst); insert && !goesOn(*insert))
      inserts.push_back(insert);
  bool changed = false;
  for (InsertElementInst *last : inserts) {
    SmallVector<Value *, 8> lanes = lanesPutInto(*last);
    if (lanes.empty())
      continue;
    IRBuilder<> builder(last);
    Value *filled = PoisonValue::get(last->getType());
    // The builder folds constants.
    for (unsigned at = 0; at < lanes.size(); at++)
      filled = builder.CreateInsertElement(filled, lanes[at], at);
    last->replaceAllUsesWith(filled);
    last->eraseFromParent();
    changed = true;
  }
  return changed;
}

// Integers that are joined from floats and taken for floats behind the join, as the floats they are.
//
// Rust's `Result<f64, String>` has a number where the other alternative has the address of its letters, and what may be either is moved as
// an integer. It is joined a second time as a float, for those who take it for one: the same bits, whatever lay there on the other ways.
// The integers stay for whoever frees the letters; if somebody makes a number of them, that is found where it always is.
//
// What nobody takes for anything else was a float where it was read, too, as what a C++ closure holds that was moved word by word.

#include "shim.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace {

Type *floatLike(Type *integer) {
  if (integer->isIntegerTy(64))
    return Type::getDoubleTy(integer->getContext());
  return integer->isIntegerTy(32) ? Type::getFloatTy(integer->getContext()) : nullptr;
}

bool isJoin(const Value *value) { return isa<PHINode, SelectInst>(value); }

// A join, with the joins that its values come from.
class Joined {
 public:
  explicit Joined(Type *number) : number(number) {}

  // Null where none of the values is a float, or all of them only as far as their users tell.
  Value *open(Instruction &last) {
    collect(last);
    if (!any_of(sources, [&](Value *value) { return numberIn(value); }) && !all_of(joins, [&](Instruction *join) { return isFloat(*join); }))
      return nullptr;
    if (!all_of(sources, [&](Value *value) { return numberIn(value) || canBeCast(value); }))
      return nullptr;
    for (Instruction *join : joins)
      makeEmpty(*join);
    for (Instruction *join : joins)
      fill(*join);
    return made[&last];
  }

 private:
  Type *number;
  SetVector<Instruction *> joins;
  SetVector<Value *> sources;
  MapVector<Value *, Value *> made;

  void collect(Instruction &last) {
    joins.insert(&last);
    for (unsigned at = 0; at < joins.size(); at++)
      for (Value *operand : operands(*joins[at]))
        if (isJoin(operand))
          joins.insert(cast<Instruction>(operand));
        else
          sources.insert(operand);
  }

  static SmallVector<Value *, 4> operands(Instruction &join) {
    unsigned first = isa<SelectInst>(join) ? 1 : 0;
    return SmallVector<Value *, 4>(join.op_begin() + first, join.op_end());
  }

  // The float whose bits a source is.
  Value *numberIn(Value *source) const {
    auto *cast = dyn_cast<BitCastInst>(source);
    return cast && cast->getOperand(0)->getType() == number ? cast->getOperand(0) : nullptr;
  }

  // Whether nobody uses a value but as a float, here or behind one of the joins.
  bool isFloat(const Value &value) const {
    return all_of(value.users(), [&](const User *user) {
      auto *cast = dyn_cast<BitCastInst>(user);
      return (cast && cast->getType() == number) || is_contained(joins, user);
    });
  }

  static bool canBeCast(Value *source) {
    auto *inst = dyn_cast<Instruction>(source);
    return isa<Constant, Argument>(source) || (inst && inst->getInsertionPointAfterDef());
  }

  Value *numberOf(Value *value) {
    Value *&known = made[value];
    if (known)
      return known;
    if (Value *whole = numberIn(value))
      return known = whole;
    if (auto *constant = dyn_cast<Constant>(value))
      return known = ConstantExpr::getBitCast(constant, number);
    auto *load = dyn_cast<LoadInst>(value);
    if (load && load->isSimple() && isFloat(*load)) {
      auto *whole = new LoadInst(number, load->getPointerOperand(), "", false, load->getAlign(), load->getIterator());
      whole->setDebugLoc(load->getDebugLoc());
      return known = whole;
    }
    auto *inst = dyn_cast<Instruction>(value);
    BasicBlock &entry = *joins[0]->getFunction()->begin();
    IRBuilder<> builder(entry.getContext());
    if (inst)
      builder.SetInsertPoint(inst->getParent(), *inst->getInsertionPointAfterDef());
    else
      builder.SetInsertPoint(&entry, entry.getFirstInsertionPt());
    return known = builder.CreateBitCast(value, number);
  }

  void makeEmpty(Instruction &join) {
    IRBuilder<> builder(&join);
    if (auto *phi = dyn_cast<PHINode>(&join)) {
      made[&join] = builder.CreatePHI(number, phi->getNumIncomingValues());
      return;
    }
    Value *open = PoisonValue::get(number);
    made[&join] = SelectInst::Create(cast<SelectInst>(join).getCondition(), open, open, "", join.getIterator());
  }

  void fill(Instruction &join) {
    Value *twin = made[&join];
    if (auto *phi = dyn_cast<PHINode>(&join)) {
      for (unsigned at = 0; at < phi->getNumIncomingValues(); at++)
        cast<PHINode>(twin)->addIncoming(numberOf(phi->getIncomingValue(at)), phi->getIncomingBlock(at));
      return;
    }
    for (unsigned at : {1u, 2u})
      cast<SelectInst>(twin)->setOperand(at, numberOf(join.getOperand(at)));
  }
};

}  // namespace

bool bs_shim_join_floats(LLVMValueRef function) {
  SmallVector<BitCastInst *, 8> casts;
  for (Instruction &inst : instructions(unwrap<Function>(function)))
    if (auto *cast = dyn_cast<BitCastInst>(&inst); cast && isJoin(cast->getOperand(0)) && cast->getType() == floatLike(cast->getSrcTy()))
      casts.push_back(cast);
  bool opened = false;
  for (BitCastInst *cast : casts)
    if (Value *number = Joined(cast->getType()).open(*llvm::cast<Instruction>(cast->getOperand(0)))) {
      cast->replaceAllUsesWith(number);
      cast->eraseFromParent();
      opened = true;
    }
  return opened;
}

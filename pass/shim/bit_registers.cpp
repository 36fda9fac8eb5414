// What becomes of floats that are cast to integers to be masked, and what masks are made of.
//
// Module as the front end has written it: intrinsics are functions with slots for their arguments, so that where bits come from is followed
// through slots, arguments and results. Nobody is told apart by his callers.
// Safe error: the bits leave, or arrive.

#include "bit_registers.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace {

bool isFloat(const Value &value) { return value.getType()->isFPOrFPVectorTy(); }

// Makes one register of bits of others, and looks at none.
bool joins(const Value &value) {
  auto *inst = dyn_cast<Instruction>(&value);
  return inst && (inst->isBitwiseLogicOp() || isa<BitCastInst, ShuffleVectorInst, SelectInst>(inst));
}

// Where the bits of a register come from.
class Sources {
 public:
  // Whether all of them are known, and no number is among them that the program has computed.
  bool areKnown(const Value &bits) {
    add(bits);
    while (known && !waiting.empty())
      follow(*waiting.pop_back_val());
    return known;
  }

 private:
  static constexpr unsigned Most = 256;

  bool known = true;
  SmallPtrSet<const Value *, 16> met;
  SmallVector<const Value *, 16> waiting;

  void add(const Value &bits) {
    if (!isa<ConstantData>(bits) && met.insert(&bits).second)
      waiting.push_back(&bits);
    known &= met.size() < Most;
  }

  void follow(const Value &bits) {
    // What has been a float's, and what a comparison has filled.
    auto *wide = dyn_cast<SExtInst>(&bits);
    if (isFloat(bits) || (wide && wide->getSrcTy()->isIntOrIntVectorTy(1)) || bits.getType()->isIntOrIntVectorTy(1))
      return;
    if (auto *load = dyn_cast<LoadInst>(&bits))
      return followSlot(*load->getPointerOperand());
    if (auto *argument = dyn_cast<Argument>(&bits))
      return followArgument(*argument);
    if (auto *call = dyn_cast<CallInst>(&bits))
      return followResult(*call);
    if (joins(bits) || isa<InsertElementInst, PHINode>(bits))
      for (const Value *part : cast<User>(bits).operand_values())
        add(*part);
    else
      known = false;
  }

  void followSlot(const Value &slot) {
    known &= isa<AllocaInst>(slot);
    for (const User *user : slot.users()) {
      auto *store = dyn_cast<StoreInst>(user);
      if (store && store->getPointerOperand() == &slot)
        add(*store->getValueOperand());
      else
        known &= isa<LoadInst, LifetimeIntrinsic, DbgInfoIntrinsic>(user);
    }
  }

  void followArgument(const Argument &argument) {
    const Function &function = *argument.getParent();
    known &= function.hasLocalLinkage() || function.hasLinkOnceLinkage();
    for (const Use &use : function.uses()) {
      auto *call = dyn_cast<CallBase>(use.getUser());
      if (!call || !call->isCallee(&use) || call->getFunctionType() != function.getFunctionType())
        return void(known = false);
      add(*call->getArgOperand(argument.getArgNo()));
    }
  }

  void followResult(const CallInst &call) {
    const Function *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration() || callee->isInterposable() || callee->getFunctionType() != call.getFunctionType())
      return void(known = false);
    for (const Instruction &inst : instructions(*callee))
      if (auto *back = dyn_cast<ReturnInst>(&inst))
        add(*back->getReturnValue());
  }
};

// Where the bits of a register go.
class Destinations {
 public:
  // Whether all of them become floats again, or are compared.
  bool areFloats(const Value &bits) {
    add(bits);
    while (known && !waiting.empty())
      for (const Use &use : waiting.pop_back_val()->uses())
        follow(use);
    return known;
  }

 private:
  static constexpr unsigned Most = 256;

  bool known = true;
  SmallPtrSet<const Value *, 16> met;
  SmallVector<const Value *, 16> waiting;

  void add(const Value &bits) {
    if (met.insert(&bits).second)
      waiting.push_back(&bits);
    known &= met.size() < Most;
  }

  void follow(const Use &use) {
    const User &user = *use.getUser();
    if (isa<CmpInst>(user) || (isa<BitCastInst>(user) && isFloat(user)))
      return;
    if (joins(user) || isa<PHINode>(user))
      return add(user);
    if (auto *store = dyn_cast<StoreInst>(&user))
      return followSlot(*store->getPointerOperand());
    if (auto *back = dyn_cast<ReturnInst>(&user))
      return followResult(*back->getFunction());
    auto *call = dyn_cast<CallInst>(&user);
    call ? followArgument(*call, use) : void(known = false);
  }

  void followSlot(const Value &slot) {
    known &= isa<AllocaInst>(slot);
    for (const User *user : slot.users())
      if (auto *load = dyn_cast<LoadInst>(user))
        add(*load);
      else if (auto *store = dyn_cast<StoreInst>(user))
        known &= store->getPointerOperand() == &slot;
      else
        known &= isa<LifetimeIntrinsic, DbgInfoIntrinsic>(user);
  }

  void followResult(const Function &function) {
    known &= function.hasLocalLinkage() || function.hasLinkOnceLinkage();
    for (const Use &use : function.uses()) {
      auto *call = dyn_cast<CallBase>(use.getUser());
      if (!call || !call->isCallee(&use) || call->getFunctionType() != function.getFunctionType())
        return void(known = false);
      add(*call);
    }
  }

  void followArgument(const CallInst &call, const Use &use) {
    const Function *callee = call.getCalledFunction();
    bool passed = callee && call.isArgOperand(&use) && call.getArgOperandNo(&use) < callee->arg_size();
    if (!passed || callee->isDeclaration() || callee->isInterposable() || callee->getFunctionType() != call.getFunctionType())
      return void(known = false);
    add(*callee->getArg(call.getArgOperandNo(&use)));
  }
};

}  // namespace

bool backsweep::bitsLeave(const BitCastInst &cast) { return !Destinations().areFloats(cast); }

bool backsweep::bitsArrive(const BitCastInst &cast) { return !Sources().areKnown(*cast.getOperand(0)); }

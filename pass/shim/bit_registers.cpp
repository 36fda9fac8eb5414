// What becomes of floats that are cast to integers to be masked, and what masks are made of.
//
// Module as the front end has written it: intrinsics are functions with slots for their arguments, so that where bits come from is followed
// through slots, arguments and results. Callers are told apart only where a result is followed back to what its call was given.
// Safe error: the bits leave, or arrive.

#include "bit_registers.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <deque>

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
    add(bits, nullptr);
    while (known && !waiting.empty()) {
      auto [next, within] = waiting.pop_back_val();
      follow(*next, within);
    }
    return known;
  }

 private:
  static constexpr unsigned Most = 256;

  // The call whose result was followed into a function, and the one around that. A constant that masks are made of is an argument of many.
  struct Context {
    const CallInst *call;
    const Context *outer;
  };

  bool known = true;
  std::deque<Context> contexts;
  SmallDenseSet<std::pair<const Value *, const Context *>, 16> met;
  SmallVector<std::pair<const Value *, const Context *>, 16> waiting;

  void add(const Value &bits, const Context *within) {
    if (!isa<ConstantData>(bits) && met.insert({&bits, within}).second)
      waiting.push_back({&bits, within});
    known &= met.size() < Most;
  }

  void follow(const Value &bits, const Context *within) {
    // What has been a float's, and what a comparison has filled.
    auto *wide = dyn_cast<SExtInst>(&bits);
    if (isFloat(bits) || (wide && wide->getSrcTy()->isIntOrIntVectorTy(1)) || bits.getType()->isIntOrIntVectorTy(1))
      return;
    if (auto *load = dyn_cast<LoadInst>(&bits))
      return followSlot(*load->getPointerOperand(), within);
    if (auto *argument = dyn_cast<Argument>(&bits))
      return followArgument(*argument, within);
    if (auto *call = dyn_cast<CallInst>(&bits))
      return followResult(*call, within);
    if (joins(bits) || isa<InsertElementInst, PHINode>(bits))
      for (const Value *part : cast<User>(bits).operand_values())
        add(*part, within);
    else
      known = false;
  }

  void followSlot(const Value &slot, const Context *within) {
    known &= isa<AllocaInst>(slot);
    for (const User *user : slot.users()) {
      auto *store = dyn_cast<StoreInst>(user);
      if (store && store->getPointerOperand() == &slot)
        add(*store->getValueOperand(), within);
      else
        known &= isa<LoadInst, LifetimeIntrinsic, DbgInfoIntrinsic>(user);
    }
  }

  void followArgument(const Argument &argument, const Context *within) {
    if (within)
      return add(*within->call->getArgOperand(argument.getArgNo()), within->outer);
    const Function &function = *argument.getParent();
    known &= function.hasLocalLinkage() || function.hasLinkOnceLinkage();
    for (const Use &use : function.uses()) {
      auto *call = dyn_cast<CallBase>(use.getUser());
      if (!call || !call->isCallee(&use) || call->getFunctionType() != function.getFunctionType())
        return void(known = false);
      add(*call->getArgOperand(argument.getArgNo()), nullptr);
    }
  }

  void followResult(const CallInst &call, const Context *within) {
    const Function *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration() || callee->isInterposable() || callee->getFunctionType() != call.getFunctionType())
      return void(known = false);
    const Context &inside = contexts.emplace_back(Context{&call, within});
    for (const Instruction &inst : instructions(*callee))
      if (auto *back = dyn_cast<ReturnInst>(&inst))
        add(*back->getReturnValue(), &inside);
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

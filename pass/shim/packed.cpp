// Instructions of x86 that compute with the lanes of registers of floats, as arithmetic that every processor has.
//
// Vector libraries write them in assembly, around faults of compilers, or as intrinsic functions that have no other name.

#include "packed.h"
#include "shim.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <optional>

using namespace llvm;

namespace {

enum class Does { Least, Greatest, Root, Fused };

struct Mnemonic {
  Does does;
  bool threePlaces = false;  // The result has a place of its own.
  bool isDouble = false, isScalar = false;
  bool negatesProduct = false, subtracts = false;
  StringRef order;  // Of a fused one: which places are multiplied, and which is added.
};

// `ps`, `sd` and the like.
bool readSuffix(StringRef suffix, Mnemonic &found) {
  if (suffix.size() != 2 || !StringRef("ps").contains(suffix[0]) || !StringRef("sd").contains(suffix[1]))
    return false;
  found.isScalar = suffix[0] == 's';
  found.isDouble = suffix[1] == 'd';
  return true;
}

std::optional<Mnemonic> readMnemonic(StringRef name) {
  Mnemonic found{};
  found.threePlaces = name.consume_front("v");
  if (name.consume_front("min")) {
    found.does = Does::Least;
  } else if (name.consume_front("max")) {
    found.does = Does::Greatest;
  } else if (name.consume_front("sqrt")) {
    found.does = Does::Root;
  } else if (found.threePlaces && name.consume_front("f")) {
    found.does = Does::Fused;
    found.negatesProduct = name.consume_front("n");
    found.subtracts = name.consume_front("msub");
    if (!found.subtracts && !name.consume_front("madd"))
      return std::nullopt;
    found.order = name.take_front(3);
    name = name.drop_front(found.order.size());
    if (!is_contained({"132", "213", "231"}, found.order))
      return std::nullopt;
  } else {
    return std::nullopt;
  }
  return readSuffix(name, found) ? std::optional(found) : std::nullopt;
}

bool fits(const Mnemonic &mnemonic, Type *type) {
  Type *kind = type->getScalarType();
  return type->isVectorTy() != mnemonic.isScalar && (mnemonic.isDouble ? kind->isDoubleTy() : kind->isFloatTy());
}

// What stands in the places, the result's first; nothing where one of them is no register that is told.
SmallVector<Value *, 4> readPlaces(StringRef text, const CallInst &call, const InlineAsm &assembly) {
  SmallVector<Value *, 4> registers{nullptr};
  SmallVector<StringRef, 8> constraints;
  StringRef(assembly.getConstraintString()).split(constraints, ',');
  if (constraints.size() <= call.arg_size() || (constraints[0] != "=x" && constraints[0] != "=v"))
    return {};
  for (unsigned at = 0; at < call.arg_size(); at++) {
    StringRef constraint = constraints[at + 1];
    Value *operand = call.getArgOperand(at);
    if (operand->getType() != call.getType() || !is_contained({"x", "v", "0"}, constraint))
      return {};
    if (constraint == "0")
      registers[0] = operand;
    registers.push_back(operand);
  }
  for (unsigned at = call.arg_size() + 1; at < constraints.size(); at++)
    if (!constraints[at].starts_with("~"))
      return {};
  SmallVector<StringRef, 4> names;
  text.split(names, ',');
  SmallVector<Value *, 4> places;
  for (StringRef name : reverse(names)) {
    unsigned index = 0;
    name = name.trim();
    bool known = name.consume_front("$") && !name.getAsInteger(10, index) && index < registers.size();
    if (!known || (places.empty() && index != 0))
      return {};
    places.push_back(registers[index]);
  }
  return places;
}

Value *fused(const Mnemonic &mnemonic, ArrayRef<Value *> places, IRBuilder<> &builder) {
  if (places.size() != 3 || !places[0])
    return nullptr;
  auto at = [&](unsigned digit) { return places[mnemonic.order[digit] - '1']; };
  Value *factor = at(0), *added = at(2);
  if (mnemonic.negatesProduct)
    factor = builder.CreateFNeg(factor);
  if (mnemonic.subtracts)
    added = builder.CreateFNeg(added);
  return builder.CreateIntrinsic(Intrinsic::fma, {factor->getType()}, {factor, at(1), added});
}

// Ties and what is no number give the second.
Value *chosen(bool least, Value *first, Value *second, IRBuilder<> &builder) {
  Value *takesFirst = least ? builder.CreateFCmpOLT(first, second) : builder.CreateFCmpOGT(first, second);
  return builder.CreateSelect(takesFirst, first, second);
}

// Sums or differences of neighbours: within each half of 16 bytes the first register's, then the second's.
Value *acrossNeighbours(CallInst &call, bool subtracts, IRBuilder<> &builder) {
  auto *type = cast<FixedVectorType>(call.getType());
  int lanes = type->getNumElements(), half = 128 / type->getScalarSizeInBits();
  SmallVector<int> even, odd;
  for (int start = 0; start < lanes; start += half)
    for (int side = 0; side < 2; side++)
      for (int pair = 0; pair < half / 2; pair++) {
        even.push_back(side * lanes + start + 2 * pair);
        odd.push_back(even.back() + 1);
      }
  Value *x = call.getArgOperand(0), *y = call.getArgOperand(1);
  Value *left = builder.CreateShuffleVector(x, y, even), *right = builder.CreateShuffleVector(x, y, odd);
  return subtracts ? builder.CreateFSub(left, right) : builder.CreateFAdd(left, right);
}

// An intrinsic function of x86 by its name; null for others.
Value *called(CallInst &call, StringRef name) {
  if (!name.consume_front("llvm.x86.") || !isa<FixedVectorType>(call.getType()) || call.arg_size() != 2)
    return nullptr;
  StringRef operation = name.split('.').second.split('.').first, suffix = name.split('.').second.split('.').second;
  IRBuilder<> builder(&call);
  bool packed = suffix.starts_with("pd") || suffix.starts_with("ps");
  if (!packed || call.getArgOperand(1)->getType() != call.getType())
    return nullptr;
  if (operation == "hadd" || operation == "hsub")
    return acrossNeighbours(call, operation == "hsub", builder);
  if (operation == "min" || operation == "max")
    return chosen(operation == "min", call.getArgOperand(0), call.getArgOperand(1), builder);
  return nullptr;
}

}  // namespace

Value *computed(CallInst &call, const InlineAsm &assembly) {
  auto [name, text] = StringRef(assembly.getAsmString()).trim().split(' ');
  std::optional<Mnemonic> mnemonic = readMnemonic(name);
  if (!mnemonic || !fits(*mnemonic, call.getType()) || assembly.getDialect() != InlineAsm::AD_ATT)
    return nullptr;
  SmallVector<Value *, 4> places = readPlaces(text, call, assembly);
  IRBuilder<> builder(&call);
  if (mnemonic->does == Does::Fused)
    return fused(*mnemonic, places, builder);
  bool root = mnemonic->does == Does::Root;
  // The wide spelling of a scalar root takes its other lanes from a place of their own.
  if (root)
    return places.size() == 2 ? builder.CreateUnaryIntrinsic(Intrinsic::sqrt, places[1]) : nullptr;
  places.erase(places.begin(), places.begin() + (mnemonic->threePlaces && !places.empty()));
  if (places.size() != 2 || !places[0])
    return nullptr;
  return chosen(mnemonic->does == Does::Least, places[0], places[1], builder);
}

void bs_shim_open_packed(LLVMValueRef raw) {
  for (Instruction &inst : make_early_inc_range(instructions(*unwrap<Function>(raw)))) {
    auto *call = dyn_cast<CallInst>(&inst);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (Value *value = callee ? called(*call, callee->getName()) : nullptr) {
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  }
}

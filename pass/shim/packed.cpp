// Instructions of x86 that compute with the lanes of registers of floats, as arithmetic that every processor has: those that vector
// libraries write in assembly, around faults of compilers.

#include "packed.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
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

}  // namespace

Value *chosen(bool least, Value *first, Value *second, IRBuilderBase &builder) {
  Value *takesFirst = least ? builder.CreateFCmpOLT(first, second) : builder.CreateFCmpOGT(first, second);
  return builder.CreateSelect(takesFirst, first, second);
}

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

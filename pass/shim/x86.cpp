// Intrinsic functions of x86 that compute with the lanes of registers of floats, as arithmetic that every processor has.
//
// Vector code names them by way of <immintrin.h>; what has a name of LLVM's own as well the front end has written so already.

#include "packed.h"
#include "shim.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <optional>

using namespace llvm;

namespace {

std::optional<uint64_t> numberAt(const CallInst &call, unsigned at) {
  auto *number = dyn_cast<ConstantInt>(call.getArgOperand(at));
  return number ? std::optional(number->getZExtValue()) : std::nullopt;
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

// Differences in the even lanes and sums in the odd ones.
Value *inTurns(Value *differences, Value *sums, IRBuilder<> &builder) {
  int lanes = cast<FixedVectorType>(sums->getType())->getNumElements();
  SmallVector<int> places;
  for (int lane = 0; lane < lanes; lane++)
    places.push_back(lane % 2 == 0 ? lane : lane + lanes);
  return builder.CreateShuffleVector(differences, sums, places);
}

// The same of a product and what is added to it, without rounding between them. Where a direction of rounding is named it is not read.
Value *fusedInTurns(CallInst &call, IRBuilder<> &builder) {
  constexpr uint64_t OfEnvironment = 4;
  Value *x = call.getArgOperand(0), *y = call.getArgOperand(1), *z = call.getArgOperand(2);
  if (call.arg_size() != 4 || numberAt(call, 3) != OfEnvironment || z->getType() != call.getType())
    return nullptr;
  auto fused = [&](Value *added) { return builder.CreateIntrinsic(Intrinsic::fma, {call.getType()}, {x, y, added}); };
  return inTurns(fused(builder.CreateFNeg(z)), fused(z), builder);
}

// Lanes of the second where the mask has a sign, of the first elsewhere.
Value *bySign(CallInst &call, IRBuilder<> &builder) {
  Value *mask = call.getArgOperand(2);
  Type *bits = VectorType::getInteger(cast<VectorType>(mask->getType()));
  Value *isSet = builder.CreateICmpSLT(builder.CreateBitCast(mask, bits), Constant::getNullValue(bits));
  return builder.CreateSelect(isSet, call.getArgOperand(1), call.getArgOperand(0));
}

// To whole numbers, in the direction that the number names; 4 is that of the environment.
Value *rounded(Value *x, std::optional<uint64_t> direction, IRBuilder<> &builder) {
  constexpr Intrinsic::ID Directions[] = {Intrinsic::roundeven, Intrinsic::floor, Intrinsic::ceil, Intrinsic::trunc,
                                          Intrinsic::rint};
  constexpr uint64_t Quietly = 8;
  uint64_t way = direction.value_or(~0ull) & ~Quietly;
  return way < std::size(Directions) ? builder.CreateUnaryIntrinsic(Directions[way], x) : nullptr;
}

// The sum of the products of those lanes that the upper half of the number names, in those that the lower half names, in each part
// of 16 bytes.
Value *dotProduct(CallInst &call, IRBuilder<> &builder) {
  auto *type = cast<FixedVectorType>(call.getType());
  std::optional<uint64_t> number = numberAt(call, 2);
  if (!number)
    return nullptr;
  int half = 128 / type->getScalarSizeInBits(), lanes = type->getNumElements();
  Value *products = builder.CreateFMul(call.getArgOperand(0), call.getArgOperand(1));
  Value *result = Constant::getNullValue(type);
  for (int start = 0; start < lanes; start += half) {
    Value *sum = Constant::getNullValue(type->getElementType());
    for (int lane = 0; lane < half; lane++)
      if (*number >> (4 + lane) & 1)
        sum = builder.CreateFAdd(sum, builder.CreateExtractElement(products, start + lane));
    for (int lane = 0; lane < half; lane++)
      if (*number >> lane & 1)
        result = builder.CreateInsertElement(result, sum, start + lane);
  }
  return result;
}

// How lanes are compared; those behind the first eight only differ in what they do with what is no number.
std::optional<CmpInst::Predicate> comparison(std::optional<uint64_t> number) {
  constexpr CmpInst::Predicate Known[] = {CmpInst::FCMP_OEQ, CmpInst::FCMP_OLT, CmpInst::FCMP_OLE, CmpInst::FCMP_UNO,
                                          CmpInst::FCMP_UNE, CmpInst::FCMP_UGE, CmpInst::FCMP_UGT, CmpInst::FCMP_ORD};
  return number && *number < std::size(Known) ? std::optional(Known[*number]) : std::nullopt;
}

// All bits of a lane, or none.
Value *asMask(Value *condition, Type *type, IRBuilder<> &builder) {
  return builder.CreateBitCast(builder.CreateSExt(condition, builder.getIntNTy(type->getScalarSizeInBits())), type);
}

// What an operation makes of two floats, or of two registers of them.
Value *computedBy(StringRef operation, CallInst &call, Value *x, Value *y, IRBuilder<> &builder) {
  if (operation == "min" || operation == "max")
    return chosen(operation == "min", x, y, builder);
  if (operation == "round")
    return rounded(y, numberAt(call, 2), builder);
  if (operation != "cmp" || x->getType()->isVectorTy())
    return nullptr;
  std::optional<CmpInst::Predicate> predicate = comparison(numberAt(call, 2));
  return predicate ? asMask(builder.CreateFCmp(*predicate, x, y), x->getType(), builder) : nullptr;
}

// The first lane; the others are those of the first register.
Value *inFirstLane(StringRef operation, CallInst &call, IRBuilder<> &builder) {
  auto first = [&](unsigned at) { return builder.CreateExtractElement(call.getArgOperand(at), uint64_t(0)); };
  Value *value = computedBy(operation, call, first(0), first(1), builder);
  return value ? builder.CreateInsertElement(call.getArgOperand(0), value, uint64_t(0)) : nullptr;
}

// Whether the first lanes compare as the name says, as a number.
Value *asked(StringRef operation, CallInst &call, IRBuilder<> &builder) {
  constexpr std::pair<StringRef, CmpInst::Predicate> Questions[] = {
      {"eq", CmpInst::FCMP_OEQ}, {"lt", CmpInst::FCMP_OLT}, {"le", CmpInst::FCMP_OLE},
      {"gt", CmpInst::FCMP_OGT}, {"ge", CmpInst::FCMP_OGE}, {"neq", CmpInst::FCMP_UNE}};
  if (!operation.consume_front("ucomi") && !operation.consume_front("comi"))
    return nullptr;
  for (auto [name, predicate] : Questions)
    if (operation == name) {
      auto first = [&](unsigned at) { return builder.CreateExtractElement(call.getArgOperand(at), uint64_t(0)); };
      Value *left = first(0), *right = first(1);
      return builder.CreateZExt(builder.CreateFCmp(predicate, left, right), call.getType());
    }
  return nullptr;
}

// The signs of all lanes, side by side in a number.
Value *signs(CallInst &call, IRBuilder<> &builder) {
  Value *x = call.getArgOperand(0);
  auto *type = cast<FixedVectorType>(x->getType());
  Type *bits = VectorType::getInteger(type);
  Value *isSet = builder.CreateICmpSLT(builder.CreateBitCast(x, bits), Constant::getNullValue(bits));
  return builder.CreateZExt(builder.CreateBitCast(isSet, builder.getIntNTy(type->getNumElements())), call.getType());
}

// An intrinsic function of x86 by its name; null for others.
Value *called(CallInst &call, StringRef name) {
  if (!name.consume_front("llvm.x86.") || call.arg_empty() || !isa<FixedVectorType>(call.getArgOperand(0)->getType()))
    return nullptr;
  auto [operation, suffix] = name.split('.').second.split('.');
  IRBuilder<> builder(&call);
  Type *type = call.getArgOperand(0)->getType();
  if (!type->isFPOrFPVectorTy())
    return nullptr;
  if (call.arg_size() == 1)
    return operation == "movmsk" && call.getType()->isIntegerTy() ? signs(call, builder) : nullptr;
  if (call.getArgOperand(1)->getType() != type)
    return operation == "round" && call.getType() == type ? rounded(call.getArgOperand(0), numberAt(call, 1), builder) : nullptr;
  if (call.getType()->isIntegerTy() && call.arg_size() == 2)
    return asked(operation, call, builder);
  if (call.getType() != type)
    return nullptr;
  if (operation == "hadd" || operation == "hsub")
    return acrossNeighbours(call, operation == "hsub", builder);
  Value *x = call.getArgOperand(0), *y = call.getArgOperand(1);
  if (operation == "addsub")
    return inTurns(builder.CreateFSub(x, y), builder.CreateFAdd(x, y), builder);
  if (operation == "vfmaddsub")
    return call.arg_size() < 3 ? nullptr : fusedInTurns(call, builder);
  if (operation.starts_with("blendv"))
    return bySign(call, builder);
  if (operation.starts_with("dpp") || operation == "dp")
    return dotProduct(call, builder);
  bool single = suffix == "sd" || suffix == "ss";
  return single ? inFirstLane(operation, call, builder)
                : computedBy(operation, call, x, y, builder);
}

}  // namespace

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

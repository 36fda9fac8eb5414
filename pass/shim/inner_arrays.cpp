// Arrays that are members of a struct in a slot become slots of their own.
//
// An index that is known only when the program runs might lead to anywhere in the slot, and so an array of integers, as the state of
// a generator of random numbers, would seem to lie on the floats and pointers beside it. The languages say that an index into an
// array stays in the array; that is trusted here, as it is that a program does not access a member through a pointer to another
// type. Whoever gets the address of the array reaches nothing else through it; whoever gets the address of the struct reaches
// everything, so then the slot stays as it is.
// Safe error: one slot.

#include "shim.h"
#include "record.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;
using namespace backsweep;

namespace {

// More arrays in one struct than these are not looked for.
constexpr size_t MostArrays = 16;

struct InnerArray {
  uint64_t from, to;
  ArrayType *type;
  AllocaInst *own = nullptr;
};

// A step from the struct: to a place in it, or into an array by the indices from one on.
struct Step {
  uint64_t offset;
  InnerArray *array;
  unsigned index;
};

class Parting {
 public:
  explicit Parting(AllocaInst &slot) : slot(slot), layout(slot.getDataLayout()) {}

  void part() {
    auto *structure = dyn_cast<StructType>(slot.getAllocatedType());
    if (!structure || slot.isArrayAllocation() || !slot.isStaticAlloca())
      return;
    findArrays(structure, 0);
    if (arrays.empty() || arrays.size() > MostArrays || !findUses())
      return;
    for (auto &[address, step] : into)
      stepInto(*address, step);
    for (auto &[fill, array] : filled)
      if (array->own)
        IRBuilder<>(fill).CreateMemSet(array->own, fill->getValue(), array->to - array->from, array->own->getAlign());
    for (auto &[use, step] : touching)
      if (step.array->own)
        use->set(behind(*cast<Instruction>(use->getUser()), step));
  }

 private:
  AllocaInst &slot;
  const DataLayout &layout;
  SmallVector<InnerArray, 4> arrays;
  // Steps into arrays, and accesses of arrays by addresses in the struct.
  SmallVector<std::pair<GetElementPtrInst *, Step>, 8> into;
  SmallVector<std::pair<Use *, Step>, 8> touching;
  // What fills whole arrays, with what is beside them.
  SmallVector<std::pair<MemSetInst *, InnerArray *>, 4> filled;

  // Characters may be anything's bytes, and so may what is in a union.
  void findArrays(StructType *structure, uint64_t offset) {
    if (!isOfFrontEnd(structure) || !structure->isSized())
      return;
    const StructLayout *fields = layout.getStructLayout(structure);
    for (unsigned at = 0; at < structure->getNumElements() && arrays.size() <= MostArrays; at++) {
      Type *type = structure->getElementType(at);
      uint64_t from = offset + fields->getElementOffset(at);
      if (auto *inner = dyn_cast<StructType>(type))
        findArrays(inner, from);
      auto *array = dyn_cast<ArrayType>(type);
      if (array && array->getNumElements() > 1 && !array->getElementType()->isIntegerTy(8))
        arrays.push_back({from, from + layout.getTypeAllocSize(array).getFixedValue(), array});
    }
  }

  InnerArray *startingAt(uint64_t offset, const Type *type) {
    auto *found = find_if(arrays, [&](const InnerArray &array) { return array.from == offset && array.type == type; });
    return found == arrays.end() ? nullptr : found;
  }

  // Whether all who know the slot touch one array of it, or what is beside the arrays.
  bool findUses() {
    SmallVector<std::pair<Value *, uint64_t>, 16> waiting{{&slot, 0}};
    while (!waiting.empty()) {
      auto [pointer, offset] = waiting.pop_back_val();
      for (Use &use : pointer->uses()) {
        auto *address = dyn_cast<GetElementPtrInst>(use.getUser());
        if (!address) {
          if (!touches(use, offset))
            return false;
          continue;
        }
        std::optional<Step> step = follow(*address, offset);
        if (!step)
          return false;
        if (step->array)
          into.push_back({address, *step});
        else
          waiting.push_back({address, step->offset});
      }
    }
    return true;
  }

  std::optional<Step> follow(const GetElementPtrInst &address, uint64_t offset) {
    Type *type = address.getSourceElementType();
    for (unsigned at = 1; at <= address.getNumIndices(); at++) {
      auto *array = at > 1 ? dyn_cast<ArrayType>(type) : nullptr;
      if (InnerArray *found = array ? startingAt(offset, array) : nullptr)
        return Step{offset, found, at};
      auto *index = dyn_cast<ConstantInt>(address.getOperand(at));
      if (!index || index->isNegative())
        return std::nullopt;
      auto *structure = at > 1 ? dyn_cast<StructType>(type) : nullptr;
      if (structure) {
        offset += layout.getStructLayout(structure)->getElementOffset(index->getZExtValue());
        type = structure->getElementType(index->getZExtValue());
        continue;
      }
      if (at > 1 && !array)
        return std::nullopt;
      type = array ? array->getElementType() : type;
      offset += index->getZExtValue() * layout.getTypeAllocSize(type).getFixedValue();
    }
    return Step{offset, startingAt(offset, type), address.getNumIndices() + 1};
  }

  // An access of so many bytes in the struct: of one array, or of none.
  bool touches(Use &use, uint64_t offset) {
    auto *user = cast<Instruction>(use.getUser());
    uint64_t bytes = 0;
    if (user->isLifetimeStartOrEnd() || isAsked(use))
      return true;
    if (auto *whole = dyn_cast<MemIntrinsic>(user)) {
      auto *length = dyn_cast<ConstantInt>(whole->getLength());
      if (!length)
        return false;
      bytes = length->getZExtValue();
    } else if (isa<LoadInst>(user) || (isa<StoreInst>(user) && use.getOperandNo() == 1)) {
      bytes = layout.getTypeStoreSize(getLoadStoreType(user)).getFixedValue();
    } else {
      return false;
    }
    for (InnerArray &array : arrays) {
      if (offset + bytes <= array.from || array.to <= offset)
        continue;
      auto *fill = dyn_cast<MemSetInst>(user);
      if (fill && offset <= array.from && array.to <= offset + bytes) {
        filled.push_back({fill, &array});
        continue;
      }
      if (offset < array.from || array.to < offset + bytes)
        return false;
      touching.push_back({&use, Step{offset, &array, 0}});
    }
    return true;
  }

  // Which object it is, and how it is aligned, may be asked: the struct stays where it is.
  bool isAsked(const Use &use) const {
    auto isNoPart = [&](const Value *other) {
      const Value *object = getUnderlyingObject(other);
      return isa<ConstantPointerNull>(object) || isa<GlobalValue>(object) || isa<Argument>(object) ||
             (isa<AllocaInst>(object) && object != &slot);
    };
    auto onlyTells = [](const User *user) {
      auto *call = dyn_cast<CallBase>(user);
      auto *callee = call ? call->getCalledFunction() : nullptr;
      // A sanitizer tells the user where it found what is wrong.
      if (callee && callee->getName().starts_with("__ubsan_handle_"))
        return true;
      return isa<BinaryOperator>(user) && cast<BinaryOperator>(user)->getOpcode() == Instruction::And &&
             isa<ConstantInt>(user->getOperand(1)) && all_of(user->users(), [](const User *use) { return isa<ICmpInst>(use); });
    };
    if (auto *number = dyn_cast<PtrToIntInst>(use.getUser()))
      return all_of(number->users(), onlyTells);
    auto *asksSize = dyn_cast<IntrinsicInst>(use.getUser());
    if (asksSize && asksSize->getIntrinsicID() == Intrinsic::objectsize)
      return true;
    auto *asks = dyn_cast<ICmpInst>(use.getUser());
    return asks && isNoPart(asks->getOperand(1 - use.getOperandNo()));
  }

  void stepInto(GetElementPtrInst &address, const Step &step) {
    InnerArray &array = *step.array;
    if (!array.own) {
      array.own = new AllocaInst(array.type, slot.getAddressSpace(), nullptr, commonAlignment(slot.getAlign(), array.from),
                                 slot.getName() + ".inner", slot.getIterator());
      array.own->setDebugLoc(slot.getDebugLoc());
    }
    IRBuilder<> builder(&address);
    SmallVector<Value *, 4> indices{builder.getInt64(0)};
    append_range(indices, drop_begin(address.indices(), step.index - 1));
    Value *inside = indices.size() > 1 ? builder.CreateInBoundsGEP(array.type, array.own, indices) : array.own;
    address.replaceAllUsesWith(inside);
    address.eraseFromParent();
  }

  static Value *behind(Instruction &user, const Step &step) {
    IRBuilder<> builder(&user);
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), step.array->own, step.offset - step.array->from);
  }
};

}  // namespace

void bs_shim_part_arrays(LLVMValueRef function) {
  SmallVector<AllocaInst *, 16> slots;
  for (Instruction &inst : instructions(unwrap<Function>(function)))
    if (auto *slot = dyn_cast<AllocaInst>(&inst))
      slots.push_back(slot);
  for (AllocaInst *slot : slots)
    Parting(*slot).part();
}

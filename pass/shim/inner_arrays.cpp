// Arrays that are members of a struct in a slot become slots of their own.
//
// An index that is known only when the program runs might lead to anywhere in the slot, and so an array of integers, as the state of
// a generator of random numbers, would seem to lie on the floats and pointers beside it. The languages say that an index into an
// array stays in the array; that is trusted here, as it is that a program does not access a member through a pointer to another
// type. Where numbers of the same type stand beside the array somebody might step from it to them on purpose, as through
// `struct { double force[3], moment[3]; }` by six: they stay together. Whoever gets the address of the array reaches
// nothing else through it; whoever gets the address of the struct reaches everything, so then the slot stays as it is.
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

// Numbers of one type side by side, with an array among them.
struct Cluster {
  uint64_t from, to;
  Type *scalar;
  AllocaInst *own = nullptr;
};

struct InnerArray {
  uint64_t from;
  ArrayType *type;
  Cluster *cluster;
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
    findScalars(structure, 0);
    if (arrays.empty() || arrays.size() > MostArrays || !findClusters() || !findUses())
      return;
    for (auto &[address, step] : into)
      stepInto(*address, step);
    for (auto &[fill, cluster] : filled)
      if (cluster->own)
        IRBuilder<>(fill).CreateMemSet(cluster->own, fill->getValue(), cluster->to - cluster->from, cluster->own->getAlign());
    for (auto &[use, offset, cluster] : touching)
      if (cluster->own)
        use->set(placeIn(*cluster, offset, *cast<Instruction>(use->getUser())));
  }

 private:
  AllocaInst &slot;
  const DataLayout &layout;
  SmallVector<InnerArray, 4> arrays;
  SmallVector<Cluster, 4> clusters;
  // Steps into arrays, and accesses of arrays by addresses in the struct.
  SmallVector<std::pair<GetElementPtrInst *, Step>, 8> into;
  SmallVector<std::tuple<Use *, uint64_t, Cluster *>, 8> touching;
  // What fills whole clusters, with what is beside them.
  SmallVector<std::pair<MemSetInst *, Cluster *>, 4> filled;

  // What stands in the struct from the first byte to behind the last, each with its number's type.
  struct Scalars {
    uint64_t from, to;
    Type *type;
    bool alone;
  };
  SmallVector<Scalars, 16> all;

  void findScalars(Type *type, uint64_t offset) {
    if (auto *structure = dyn_cast<StructType>(type)) {
      const StructLayout *fields = layout.getStructLayout(structure);
      for (unsigned at = 0; at < structure->getNumElements(); at++)
        findScalars(structure->getElementType(at), offset + fields->getElementOffset(at));
      return;
    }
    auto *array = dyn_cast<ArrayType>(type);
    // Of an array of structs each number may be the one beside.
    if (array && isa<StructType>(array->getElementType())) {
      findScalars(array->getElementType(), offset);
      findScalars(array->getElementType(),
                  offset + layout.getTypeAllocSize(type).getFixedValue() - layout.getTypeAllocSize(array->getElementType()).getFixedValue());
      return;
    }
    all.push_back({offset, offset + layout.getTypeAllocSize(type).getFixedValue(), scalarOf(type), !array});
  }

  static Type *scalarOf(Type *type) {
    while (auto *array = dyn_cast<ArrayType>(type))
      type = array->getElementType();
    return type->getScalarType();
  }

  // Nobody steps from an array of integers to one that counts them.
  static bool isInCluster(const Scalars &some, const Scalars &next) {
    bool counts = some.type->isIntegerTy() && (some.alone || next.alone);
    return some.to == next.from && some.type == next.type && !counts;
  }

  // Whether each array is in a cluster of numbers.
  bool findClusters() {
    stable_sort(all, [](const Scalars &a, const Scalars &b) { return a.from < b.from; });
    for (unsigned at = 0; at < all.size(); at++) {
      if (at > 0 && isInCluster(all[at - 1], all[at]))
        clusters.back().to = all[at].to;
      else
        clusters.push_back({all[at].from, all[at].to, all[at].type});
    }
    for (InnerArray &array : arrays) {
      auto *found = find_if(clusters, [&](const Cluster &cluster) { return cluster.from <= array.from && array.from < cluster.to; });
      if (found == clusters.end() || scalarOf(array.type) != found->scalar || found->scalar->isStructTy())
        return false;
      array.cluster = found;
    }
    erase_if(clusters, [&](const Cluster &cluster) {
      return none_of(arrays, [&](const InnerArray &array) { return array.cluster == &cluster; });
    });
    for (InnerArray &array : arrays)
      array.cluster = find_if(clusters, [&](const Cluster &cluster) { return cluster.from <= array.from && array.from < cluster.to; });
    return true;
  }

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
        arrays.push_back({from, array, nullptr});
    }
  }

  InnerArray *startingAt(uint64_t offset, const Type *type) {
    auto *found = find_if(arrays, [&](const InnerArray &array) { return array.from == offset && array.type == type; });
    return found == arrays.end() ? nullptr : found;
  }

  // Whether all who know the slot touch one cluster of it, or what is beside them.
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
    for (Cluster &cluster : clusters) {
      if (offset + bytes <= cluster.from || cluster.to <= offset)
        continue;
      auto *fill = dyn_cast<MemSetInst>(user);
      if (fill && offset <= cluster.from && cluster.to <= offset + bytes) {
        filled.push_back({fill, &cluster});
        continue;
      }
      if (offset < cluster.from || cluster.to < offset + bytes)
        return false;
      touching.push_back({&use, offset, &cluster});
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
    Cluster &cluster = *step.array->cluster;
    if (!cluster.own) {
      uint64_t count = (cluster.to - cluster.from) / layout.getTypeAllocSize(cluster.scalar).getFixedValue();
      cluster.own = new AllocaInst(ArrayType::get(cluster.scalar, count), slot.getAddressSpace(), nullptr,
                                   commonAlignment(slot.getAlign(), cluster.from), slot.getName() + ".inner", slot.getIterator());
      cluster.own->setDebugLoc(slot.getDebugLoc());
    }
    IRBuilder<> builder(&address);
    SmallVector<Value *, 4> indices{builder.getInt64(0)};
    append_range(indices, drop_begin(address.indices(), step.index - 1));
    Value *inside = placeIn(cluster, step.offset, address);
    if (indices.size() > 1)
      inside = builder.CreateInBoundsGEP(step.array->type, inside, indices);
    address.replaceAllUsesWith(inside);
    address.eraseFromParent();
  }

  static Value *placeIn(const Cluster &cluster, uint64_t offset, Instruction &user) {
    if (offset == cluster.from)
      return cluster.own;
    IRBuilder<> builder(&user);
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), cluster.own, offset - cluster.from);
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

// Whether a module takes a float's bits for an integer, or keeps them where an integer is declared, anywhere in what its requests can reach.
//
// A declared integer is believed to be one where it may be touched under names that are not followed. That is a question of
// whether anybody here plays with bits at all: casts between floats and integers, copies between a float and something else,
// unions of both, and addresses of integers in structs that floats are touched through.
// Safe error: it does.
//
// And whether unions lay structs of floats, of pointers and of integers over each other, so that a float declared in the one may
// be an integer declared in the other.

#include "shim.h"
#include "bit_registers.h"
#include "reached.h"
#include "record.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace {

// Floats that hide in an integer take at least so many bits.
constexpr unsigned LeastBits = 32;
constexpr uint64_t MostBytes = 16;

bool isFloat(const Type *type) { return type && type->isFPOrFPVectorTy(); }

bool isWide(const Type *type) { return type && type->isIntOrIntVectorTy() && type->getPrimitiveSizeInBits() >= LeastBits; }

// A half or a bfloat, and an integer of its size.
bool areShort(const Type *one, const Type *other) {
  return one && other && one->is16bitFPTy() && other->isIntegerTy(16);
}

bool isUnion(const Type *type) {
  auto *structure = dyn_cast_or_null<StructType>(type);
  return structure && !structure->isLiteral() && structure->getName().starts_with("union.");
}

// What a pointer was made to lead to. Null where its maker does not say.
Type *typeBehind(const Value *pointer) {
  if (auto *slot = dyn_cast<AllocaInst>(pointer))
    return slot->getAllocatedType();
  if (auto *address = dyn_cast<GEPOperator>(pointer))
    return address->getResultElementType();
  if (auto *global = dyn_cast<GlobalVariable>(pointer))
    return global->getValueType();
  return nullptr;
}

// What the front end keeps a parameter in: the pointer that is read from there is the one that was put there.
const Value *throughSlot(const Value *pointer) {
  auto *read = dyn_cast<LoadInst>(pointer);
  auto *slot = read ? dyn_cast<AllocaInst>(read->getPointerOperand()) : nullptr;
  if (!slot)
    return pointer;
  const Value *put = nullptr;
  for (const User *user : slot->users()) {
    auto *store = dyn_cast<StoreInst>(user);
    if (store && store->getPointerOperand() == slot && !put)
      put = store->getValueOperand();
    else if (!isa<LoadInst>(user) && !isa<LifetimeIntrinsic>(user))
      return pointer;
  }
  return put ? put : pointer;
}

// Whether a slot holds constants only, and is given to nobody but one function, which reads it.
bool holdsConstants(const AllocaInst &slot, const Function *reader) {
  return all_of(slot.users(), [&](const User *user) {
    if (auto *store = dyn_cast<StoreInst>(user))
      return store->getPointerOperand() == &slot && isa<Constant>(store->getValueOperand());
    auto *call = dyn_cast<CallBase>(user);
    return isa<LoadInst>(user) || isa<LifetimeIntrinsic>(user) || (call && reader && call->getCalledFunction() == reader);
  });
}

// Whether a parameter leads to such slots wherever the function is called here; who calls it elsewhere gives memory of his own.
bool isGivenConstants(const Argument &param) {
  const Function *function = param.getParent();
  return function->isDiscardableIfUnused() && all_of(function->uses(), [&](const Use &use) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    auto *slot = call && call->isCallee(&use) ? dyn_cast<AllocaInst>(call->getArgOperand(param.getArgNo())) : nullptr;
    return slot && holdsConstants(*slot, function);
  });
}

// Whether these are the bits of a number that is written as an integer (`std::bit_cast` of a constant): they were no float's before.
bool areOfConstant(const Value *pointer) {
  pointer = throughSlot(pointer);
  auto *param = dyn_cast<Argument>(pointer);
  return param && isGivenConstants(*param);
}

class Bits {
 public:
  bool areTaken(const Module &module) {
    for (const Function *function : backsweep::functionsReached(module))
      for (const Instruction &inst : instructions(*function))
        if (takes(inst))
          return true;
    // Registers full of floats that are told for integers and shuffled as such hold floats, until somebody takes a number out
    // or puts them into memory. Nor are they made of numbers unless somebody puts numbers in.
    return (leave && lanesAreTaken) || (arrive && lanesAreGiven) ||
           any_of(floatUnions, [this](const Type *type) { return otherUnions.contains(type); });
  }

 private:
  SmallPtrSet<const Type *, 4> floatUnions, otherUnions;

  // Bits of registers of floats go elsewhere, or come from elsewhere.
  bool leave = false, arrive = false;
  // Numbers are taken out of registers, or put into them.
  bool lanesAreTaken = false, lanesAreGiven = false;

  bool takes(const Instruction &inst) {
    if (auto *cast = dyn_cast<BitCastInst>(&inst)) {
      const Type *to = inst.getType(), *from = inst.getOperand(0)->getType();
      lanesAreTaken |= from->isIntOrIntVectorTy() && to->isIntegerTy();
      lanesAreGiven |= from->isIntegerTy() && to->isIntOrIntVectorTy();
      bool across = isFloat(to) != isFloat(from), vectors = to->isVectorTy() && from->isVectorTy();
      if (across && vectors)
        isFloat(to) ? arrive |= backsweep::bitsArrive(*cast) : leave |= backsweep::bitsLeave(*cast);
      return across && !vectors;
    }
    if (auto *lane = dyn_cast<ExtractElementInst>(&inst))
      lanesAreTaken |= isWide(lane->getType());
    if (auto *lane = dyn_cast<InsertElementInst>(&inst))
      lanesAreGiven |= isWide(lane->getOperand(1)->getType());
    if (isa<LoadInst>(inst) || isa<StoreInst>(inst)) {
      const Type *type = getLoadStoreType(&inst), *behind = typeBehind(getLoadStorePointerOperand(&inst));
      (isa<LoadInst>(inst) ? lanesAreGiven : lanesAreTaken) |= type->isVectorTy() && isWide(type) && type != behind;
      // There are no floats in descriptors but those whose bits were taken for a bound.
      return touches(behind, type) || (isFloat(type) && backsweep::isOfDescriptor(inst));
    }
    if (auto *copy = dyn_cast<MemTransferInst>(&inst))
      return moves(*copy);
    return false;
  }

  bool touches(const Type *behind, const Type *type) {
    if (isUnion(behind)) {
      if (isFloat(type))
        floatUnions.insert(behind);
      else if (isWide(type) || type->isPtrOrPtrVectorTy())
        otherUnions.insert(behind);
      return false;
    }
    // What counts the same where a pointer is declared.
    auto other = [](const Type *type) { return isWide(type) || (type && type->isPtrOrPtrVectorTy()); };
    return (isFloat(behind) && other(type)) || (other(behind) && isFloat(type)) || areShort(behind, type) || areShort(type, behind);
  }

  // Copies of one scalar, between places of which one is a float and the other is not known to be.
  static bool moves(const MemTransferInst &copy) {
    auto *length = dyn_cast<ConstantInt>(copy.getLength());
    const Type *to = typeBehind(copy.getRawDest()), *from = typeBehind(copy.getRawSource());
    if (isFloat(to) && areOfConstant(copy.getRawSource()))
      return false;
    bool scalar = length && length->getZExtValue() <= MostBytes && !copy.hasMetadata(LLVMContext::MD_tbaa_struct);
    // Slots of integers are also made to pass structs in registers.
    auto keeps = [](const Value *pointer, const Type *behind, const Type *other) {
      return isa<GEPOperator>(pointer) && isWide(behind) && !isWide(other);
    };
    return scalar && (isFloat(to) != isFloat(from) || keeps(copy.getRawDest(), to, from) ||
                      keeps(copy.getRawSource(), from, to));
  }
};

// What structs are laid over each other in a union, and what the scalars in them are.
struct Contents {
  SmallPtrSet<const Type *, 4> structs;
  bool floats = false, pointers = false, integers = false;

  void add(const Type *type) {
    if (auto *array = dyn_cast<ArrayType>(type))
      add(array->getElementType());
    else if (auto *structure = dyn_cast<StructType>(type))
      for (const Type *part : structure->elements())
        add(part);
    else
      (isFloat(type) ? floats : type->isPtrOrPtrVectorTy() ? pointers : integers) = true;
  }

  bool differ() const { return structs.size() > 1 && floats + pointers + integers > 1; }
};

// Whoever steps from a union into a struct says that such a struct may lie there. The union of a std::variant holds at each time
// the struct that was put there last, and no other is taken out.
bool overlays(const Module &module) {
  DenseMap<const Type *, Contents> unions;
  for (const Function *function : backsweep::functionsReached(module))
    for (const Instruction &inst : instructions(*function)) {
      auto *step = dyn_cast<GetElementPtrInst>(&inst);
      const Type *behind = step ? typeBehind(step->getPointerOperand()) : nullptr;
      if (!isUnion(behind) || behind == step->getSourceElementType() || behind->getStructName().starts_with("union.std::"))
        continue;
      Contents &contents = unions[behind];
      contents.structs.insert(step->getSourceElementType());
      contents.add(step->getSourceElementType());
    }
  return any_of(unions, [](const auto &known) { return known.second.differ(); });
}

}  // namespace

bool bs_shim_overlays(LLVMModuleRef module) { return overlays(*unwrap(module)); }

bool bs_shim_takes_bits(LLVMModuleRef module) {
  return Bits().areTaken(*unwrap(module)) || backsweep::laysIntegersOverFloats(*unwrap(module));
}

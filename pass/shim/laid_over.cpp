// Whether a module lays integers over floats: structs of integers where the program also has floats.
//
// Four things say so. An arm of a union has an integer where another arm has a float. Somebody reads or writes a float through a
// pointer that anybody who makes it made to lead to an integer as long: a slot, a global, a member of a struct or an element of an
// array. A copy of a few bytes goes between a type with a float and one that has an integer there. Or somebody steps into a struct
// of integers through a pointer that was made to lead to floats, here, by a callee that returns it, or by callers that hand it over;
// where one of them made it to lead to such integers, the function is for objects of several types, and chooses. Only integers are
// looked for in which a float would fit, and only where both begin within what was declared: what lies behind the end of a type
// nobody knows.
// Unions of the standard library hold at each time what was put there last, and are passed over, as are pointers.
// Safe error: it does.

#include "shim.h"
#include "reached.h"
#include "record.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace {

// Floats that hide in an integer take at least so many bits.
constexpr unsigned LeastBits = 32;
// Longer arrays say what they are by their first elements.
constexpr uint64_t MostElements = 16;
constexpr size_t MostScalars = 256;
// Longer copies are of structs, not of the bits of a number.
constexpr uint64_t MostCopied = 64;
// Pointers that come from more places are taken to come from nowhere in particular.
constexpr size_t MostMakers = 64;

bool isUnion(const Type *type) {
  auto *structure = dyn_cast_or_null<StructType>(type);
  return structure && !structure->isLiteral() && structure->getName().starts_with("union.");
}

bool isOfLibrary(const Type *type) { return cast<StructType>(type)->getName().starts_with("union.std::"); }

struct Scalar {
  uint64_t from, to;
  bool floating;
};

using Scalars = SmallVector<Scalar, 8>;

class Laid {
 public:
  explicit Laid(const Module &module) : module(module), layout(module.getDataLayout()) {}

  bool overFloats() {
    for (const Function *function : backsweep::functionsReached(module))
      for (const Instruction &inst : instructions(*function))
        if (lays(inst))
          return true;
    return any_of(arms, [this](const auto &known) { return areMixed(known.second.getArrayRef()); });
  }

 private:
  const Module &module;
  const DataLayout &layout;
  DenseMap<const Type *, Scalars> known;
  // What each union is touched as, or stepped from into.
  MapVector<const Type *, SmallSetVector<Type *, 4>> arms;

  bool lays(const Instruction &inst) {
    if (auto *step = dyn_cast<GetElementPtrInst>(&inst))
      return steps(*step);
    if (auto *copy = dyn_cast<MemTransferInst>(&inst))
      return copies(*copy);
    const Value *pointer = getLoadStorePointerOperand(&inst);
    if (!pointer)
      return false;
    addArm(pointer, getLoadStoreType(&inst));
    return touches(pointer, getLoadStoreType(&inst));
  }

  // The scalars of a type. What lies in a union nobody knows, and a struct without a name was made by the compiler, which puts
  // several members into one integer.
  const Scalars &scalarsOf(Type *type) {
    auto found = known.find(type);
    if (found != known.end())
      return found->second;
    Scalars scalars;
    add(scalars, type, 0, true);
    return known[type] = std::move(scalars);
  }

  void add(Scalars &scalars, Type *type, uint64_t at, bool named) {
    if (!type->isSized() || scalars.size() >= MostScalars || isUnion(type))
      return;
    if (auto *array = dyn_cast<ArrayType>(type)) {
      uint64_t step = layout.getTypeAllocSize(array->getElementType());
      for (uint64_t index = 0; index < std::min(array->getNumElements(), MostElements); index++)
        add(scalars, array->getElementType(), at + index * step, named);
    } else if (auto *structure = dyn_cast<StructType>(type)) {
      const StructLayout *fields = layout.getStructLayout(structure);
      for (unsigned index = 0; index < structure->getNumElements(); index++)
        add(scalars, structure->getElementType(index), at + fields->getElementOffset(index).getFixedValue(),
            named && !structure->isLiteral());
    } else {
      bool floating = type->isFPOrFPVectorTy(), wide = type->isIntegerTy() && type->getIntegerBitWidth() >= LeastBits;
      if (floating || (wide && named))
        scalars.push_back({at, at + layout.getTypeStoreSize(type).getFixedValue(), floating});
    }
  }

  static bool areMixed(ArrayRef<Scalar> ones, ArrayRef<Scalar> others, uint64_t end) {
    return any_of(ones, [&](const Scalar &one) {
      return any_of(others, [&](const Scalar &other) {
        uint64_t from = std::max(one.from, other.from), to = std::min(one.to, other.to);
        return one.floating != other.floating && from < std::min(to, end);
      });
    });
  }

  bool areMixed(Type *one, Type *other, uint64_t end) { return areMixed(scalarsOf(one), scalarsOf(other), end); }

  bool areMixed(ArrayRef<Type *> types) {
    for (Type *one : types)
      for (Type *other : types)
        if (areMixed(one, other, UINT64_MAX))
          return true;
    return false;
  }

  void addArm(const Value *pointer, Type *type) {
    if (scalarsOf(type).empty())
      return;
    for (const Type *behind : typesBehind(pointer))
      if (isUnion(behind) && behind != type && !isOfLibrary(behind))
        arms[behind].insert(type);
  }

  bool touches(const Value *pointer, Type *type) {
    if (!type->isFloatingPointTy())
      return false;
    return any_of(typesBehind(pointer), [&](Type *behind) {
      return behind->isIntegerTy() && layout.getTypeStoreSize(behind) == layout.getTypeStoreSize(type);
    });
  }

  bool steps(const GetElementPtrInst &step) {
    Type *type = step.getSourceElementType();
    addArm(step.getPointerOperand(), type);
    auto *structure = dyn_cast<StructType>(type);
    if (!structure || structure->isLiteral() || isUnion(type))
      return false;
    auto whole = [](const Scalar &scalar) { return !scalar.floating; };
    if (none_of(scalarsOf(type), whole))
      return false;
    SmallSetVector<Type *, 4> types = typesBehind(step.getPointerOperand());
    auto agrees = [&](Type *other) { return !areMixed(type, other, UINT64_MAX); };
    return !types.empty() && none_of(types, agrees);
  }

  bool copies(const MemTransferInst &copy) {
    auto *length = dyn_cast<ConstantInt>(copy.getLength());
    if (!length || length->getZExtValue() > MostCopied || copy.hasMetadata(LLVMContext::MD_tbaa_struct))
      return false;
    auto isDeclared = [](const Type *type) { return type->isAggregateType() || type->isFPOrFPVectorTy(); };
    SmallSetVector<Type *, 4> targets = typesBehind(copy.getRawDest()), sources = typesBehind(copy.getRawSource());
    return any_of(targets, [&](Type *to) {
      return any_of(sources, [&](Type *from) {
        return isDeclared(to) && isDeclared(from) && areMixed(to, from, length->getZExtValue());
      });
    });
  }

  // What a pointer was made to lead to, null where it was made elsewhere. A step by bytes does not say.
  static Type *typeMade(const Value *pointer) {
    if (auto *slot = dyn_cast<AllocaInst>(pointer))
      return slot->getAllocatedType();
    if (auto *global = dyn_cast<GlobalVariable>(pointer))
      return global->getValueType();
    auto *address = dyn_cast<GEPOperator>(pointer);
    Type *type = address ? address->getResultElementType() : nullptr;
    return type && type->isIntegerTy(8) ? nullptr : type;
  }

  // The same by all who may have made it.
  SmallSetVector<Type *, 4> typesBehind(const Value *pointer) {
    SmallSetVector<Type *, 4> types;
    SmallSetVector<const Value *, 8> makers;
    makers.insert(pointer);
    for (size_t at = 0; at < makers.size(); at++) {
      if (makers.size() > MostMakers)
        return {};
      if (Type *type = typeMade(makers[at]))
        types.insert(type);
      else
        addMakers(makers, makers[at]);
    }
    return types;
  }

  void addMakers(SmallSetVector<const Value *, 8> &makers, const Value *pointer) {
    if (auto *phi = dyn_cast<PHINode>(pointer))
      makers.insert(phi->op_begin(), phi->op_end());
    else if (auto *choice = dyn_cast<SelectInst>(pointer))
      makers.insert(choice->op_begin() + 1, choice->op_end());
    else if (auto *load = dyn_cast<LoadInst>(pointer))
      addStored(makers, load->getPointerOperand());
    else if (auto *call = dyn_cast<CallBase>(pointer))
      addReturned(makers, call->getCalledFunction());
    else if (auto *argument = dyn_cast<Argument>(pointer))
      addHanded(makers, *argument);
  }

  // A slot of code that was not optimised.
  void addStored(SmallSetVector<const Value *, 8> &makers, const Value *slot) {
    if (!isa<AllocaInst>(slot))
      return;
    // A slot is loaded from about as often as it has users.
    auto [known, isNew] = stored.try_emplace(slot);
    if (isNew)
      for (const User *user : slot->users())
        if (auto *store = dyn_cast<StoreInst>(user); store && store->getPointerOperand() == slot)
          known->second.insert(store->getValueOperand());
    makers.insert(known->second.begin(), known->second.end());
  }

  DenseMap<const Value *, SmallSetVector<const Value *, 2>> stored;

  static void addReturned(SmallSetVector<const Value *, 8> &makers, const Function *callee) {
    if (!callee)
      return;
    for (const BasicBlock &block : *callee)
      if (auto *ret = dyn_cast<ReturnInst>(block.getTerminator()))
        makers.insert(ret->getReturnValue());
  }

  static void addHanded(SmallSetVector<const Value *, 8> &makers, const Argument &argument) {
    const Function *function = argument.getParent();
    for (const User *user : function->users()) {
      auto *call = dyn_cast<CallBase>(user);
      if (call && call->getCalledOperand() == function && argument.getArgNo() < call->arg_size())
        makers.insert(call->getArgOperand(argument.getArgNo()));
    }
  }
};

}  // namespace

bool backsweep::laysIntegersOverFloats(const Module &module) { return Laid(module).overFloats(); }

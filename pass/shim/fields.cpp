// Which members of structs pointers to functions are kept in.
//
// A struct that has several of them, as a solver that is given a step and a right-hand side, has mostly functions of one kind in each; the types
// of these tell nothing where all take pointers. A function that is only put into one member is not found in another.
#include "fields.h"
#include "called_tables.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <optional>

using namespace llvm;

namespace {

constexpr char FieldMark[] = "backsweep.field";

struct Field {
  StringRef type;
  uint64_t index;
  bool operator==(const Field &other) const { return type == other.type && index == other.index; }
};

// The last step of an address, where that is one to a member of a struct with a name.
std::optional<Field> steppedTo(const Value *pointer) {
  auto *address = dyn_cast<GEPOperator>(pointer);
  if (!address)
    return std::nullopt;
  std::optional<Field> last;
  for (auto step = gep_type_begin(address), end = gep_type_end(address); step != end; ++step) {
    StructType *type = step.getStructTypeOrNull();
    last = type && type->hasName() ? std::optional(Field{type->getName(), cast<ConstantInt>(step.getOperand())->getZExtValue()})
                                   : std::nullopt;
  }
  return last;
}

std::optional<Field> fieldOf(const Instruction &access) {
  if (const MDNode *mark = access.getMetadata(FieldMark))
    return Field{cast<MDString>(mark->getOperand(0))->getString(),
                 mdconst::extract<ConstantInt>(mark->getOperand(1))->getZExtValue()};
  const Value *pointer = getLoadStorePointerOperand(&access);
  return pointer && getLoadStoreType(&access)->isPointerTy() ? steppedTo(pointer) : std::nullopt;
}

// Where a use of a function's address puts it; nothing where that is not known.
std::optional<Field> putInto(const Use &use) {
  if (auto *store = dyn_cast<StoreInst>(use.getUser()))
    return fieldOf(*store);
  auto *table = dyn_cast<ConstantStruct>(use.getUser());
  if (!table || !table->getType()->hasName())
    return std::nullopt;
  return Field{table->getType()->getName(), use.getOperandNo()};
}

bool isTakenFrom(const Module &module, const Field &field) {
  return any_of(module, [&](const Function &function) {
    return any_of(instructions(function), [&](const Instruction &inst) {
      auto *load = dyn_cast<LoadInst>(&inst);
      return load && fieldOf(*load) == field && isHandedOn(*load);
    });
  });
}

} // namespace

void nameField(Instruction &access) {
  std::optional<Field> field = fieldOf(access);
  if (!field)
    return;
  LLVMContext &context = access.getContext();
  Metadata *index = ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(context), field->index));
  access.setMetadata(FieldMark, MDNode::get(context, {MDString::get(context, field->type), index}));
}

bool isInField(const LoadInst &load) { return fieldOf(load).has_value(); }

bool isInAnotherField(const Function &function, const LoadInst &load, function_ref<bool(const Use &)> putsNowhere) {
  std::optional<Field> wanted = fieldOf(load);
  if (!wanted)
    return false;
  SmallVector<Field, 4> fields;
  for (const Use &use : function.uses()) {
    bool isOneOfSeveral = isa<PHINode, SelectInst>(use.getUser());
    if (putsNowhere(use) || (isOneOfSeveral && !isHandedOn(*use.getUser())))
      continue;
    std::optional<Field> field = putInto(use);
    // The same may be kept in a struct that begins like this one.
    if (!field || field->type != wanted->type || field->index == wanted->index)
      return false;
    fields.push_back(*field);
  }
  return !fields.empty() && none_of(fields, [&](const Field &field) { return isTakenFrom(*function.getParent(), field); });
}

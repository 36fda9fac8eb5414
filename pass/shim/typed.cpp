// What a language says of types: memory that is accessed as a number is not accessed as a pointer.
//
// A shadow has at each place the type of what it is the shadow of, so that accesses to it may be held against each other by
// the same words. Without them each sum in a shadow might be a pointer to a row, and every row would be looked up again.

#include "shim.h"

#include "record.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>

using namespace llvm;

static StringRef nameOf(const MDNode *type) {
  auto *name = type->getNumOperands() > 0 ? dyn_cast_or_null<MDString>(type->getOperand(0)) : nullptr;
  return name ? name->getString() : "";
}

// The type of what is accessed, as C and C++ name it; of pointers the one that all others are.
static MDNode *typeOf(const Instruction &access) {
  const Type *type = isa<LoadInst, StoreInst>(access) ? getLoadStoreType(&access) : nullptr;
  MDNode *tag = type ? access.getMetadata(LLVMContext::MD_tbaa) : nullptr;
  auto *named = tag && tag->getNumOperands() > 2 ? dyn_cast_or_null<MDNode>(tag->getOperand(1)) : nullptr;
  if (named && type->isPointerTy())
    while (named && nameOf(named) != "any pointer")
      named = named->getNumOperands() > 1 ? dyn_cast_or_null<MDNode>(named->getOperand(1)) : nullptr;
  if (!named || type->isPointerTy())
    return named;
  bool number = type->isDoubleTy() ? nameOf(named) == "double" : type->isFloatTy() && nameOf(named) == "float";
  return number ? named : nullptr;
}

bool bs_shim_is_typed(LLVMValueRef access) { return typeOf(*unwrap<Instruction>(access)); }

void bs_shim_type_like(LLVMValueRef access, LLVMValueRef function) {
  auto *inst = unwrap<Instruction>(access);
  for (Instruction &other : instructions(unwrap<Function>(function))) {
    MDNode *type = typeOf(other);
    if (!type || getLoadStoreType(&other) != getLoadStoreType(inst))
      continue;
    MDBuilder builder(inst->getContext());
    inst->setMetadata(LLVMContext::MD_tbaa, builder.createTBAAStructTagNode(type, type, 0));
    return;
  }
}

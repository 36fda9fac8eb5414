// What flang says of dummy arguments: that two of one procedure are apart.
//
// That holds while the procedure runs once. Inlined into a loop, one run's first argument may be the next run's second, as where rows of one matrix
// change places; flang's names for them, in the metadata for type-based alias analysis, say that they never meet. So the names of
// arguments of others are forgotten in a copy. The names of its own stay.
#include "shim.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace {

StringRef nameOf(const MDNode &node) {
  auto *name = node.getNumOperands() > 0 ? dyn_cast_or_null<MDString>(node.getOperand(0)) : nullptr;
  return name ? name->getString() : "";
}

// Whether a tag names an argument of a procedure that is not the one that is named.
bool isOfAnother(const MDNode &tag, StringRef function) {
  auto *type = tag.getNumOperands() > 1 ? dyn_cast_or_null<MDNode>(tag.getOperand(1)) : nullptr;
  if (!type || !nameOf(*type).starts_with("dummy arg data"))
    return false;
  while (type->getNumOperands() > 1) {
    auto *above = dyn_cast_or_null<MDNode>(type->getOperand(1));
    if (!above)
      return true;
    type = above;
  }
  StringRef root = nameOf(*type);
  return !root.consume_front("Flang function root ") || root != function;
}

} // namespace

void bs_shim_forget_dummies(LLVMValueRef copy, LLVMValueRef original) {
  DenseMap<const MDNode *, bool> known;
  const StringRef function = unwrap<Function>(original)->getName();
  for (Instruction &inst : instructions(*unwrap<Function>(copy))) {
    const MDNode *tag = inst.getMetadata(LLVMContext::MD_tbaa);
    if (!tag)
      continue;
    auto [at, isNew] = known.try_emplace(tag, false);
    if (isNew)
      at->second = isOfAnother(*tag, function);
    if (at->second)
      inst.setMetadata(LLVMContext::MD_tbaa, nullptr);
  }
}

// Structs that are passed by value in memory: the copy that the call makes is made before it, where it can be seen.
#include "shim.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

// A struct with more parts than these is copied as bytes.
static constexpr unsigned MostParts = 64;

// Whether a type is made of floats and pointers alone, so that each part is known for what it is. An integer may be a
// member of a union whose other member is a float.
static bool isPlain(Type *type, unsigned &parts) {
  if (auto *array = dyn_cast<ArrayType>(type)) {
    for (uint64_t index = 0; index < array->getNumElements(); ++index)
      if (parts > MostParts || !isPlain(array->getElementType(), parts))
        return false;
    return true;
  }
  if (auto *structure = dyn_cast<StructType>(type)) {
    if (structure->hasName() && structure->getName().starts_with("union."))
      return false;
    return all_of(structure->elements(), [&](Type *part) { return isPlain(part, parts); });
  }
  return ++parts <= MostParts && (type->isFPOrFPVectorTy() || type->isPointerTy());
}

static void copyParts(IRBuilder<> &builder, Type *type, Value *to, Value *from, Align align, const DataLayout &layout) {
  auto step = [&](Type *part, unsigned index, uint64_t offset) {
    Value *target = builder.CreateConstInBoundsGEP2_32(type, to, 0, index);
    Value *source = builder.CreateConstInBoundsGEP2_32(type, from, 0, index);
    copyParts(builder, part, target, source, commonAlignment(align, offset), layout);
  };
  if (auto *array = dyn_cast<ArrayType>(type)) {
    uint64_t size = layout.getTypeAllocSize(array->getElementType());
    for (unsigned index = 0; index < array->getNumElements(); ++index)
      step(array->getElementType(), index, index * size);
  } else if (auto *structure = dyn_cast<StructType>(type)) {
    const StructLayout *places = layout.getStructLayout(structure);
    for (unsigned index = 0; index < structure->getNumElements(); ++index)
      step(structure->getElementType(index), index, places->getElementOffset(index));
  } else {
    builder.CreateAlignedStore(builder.CreateAlignedLoad(type, from, align), to, align);
  }
}

bool bs_shim_is_by_value(LLVMValueRef call, unsigned index) { return unwrap<CallBase>(call)->isByValArgument(index); }

bool bs_shim_takes_struct(LLVMValueRef function, unsigned index) {
  return unwrap<Function>(function)->getArg(index)->hasByValAttr();
}

void bs_shim_copy_arguments(LLVMValueRef call) {
  auto *site = unwrap<CallBase>(call);
  const DataLayout &layout = site->getModule()->getDataLayout();
  for (unsigned index = 0; index < site->arg_size(); ++index) {
    Type *type = site->isByValArgument(index) ? site->getParamByValType(index) : nullptr;
    if (!type)
      continue;
    Align align = std::max(site->getParamAlign(index).valueOrOne(), layout.getPrefTypeAlign(type));
    Value *given = site->getArgOperand(index);
    Align known = std::min(given->getPointerAlignment(layout), align);
    BasicBlock &entry = site->getFunction()->getEntryBlock();
    auto *copy = new AllocaInst(type, layout.getAllocaAddrSpace(), nullptr, align, "", entry.getFirstInsertionPt());
    IRBuilder<> builder(site);
    unsigned parts = 0;
    if (isPlain(type, parts))
      copyParts(builder, type, copy, given, known, layout);
    else
      builder.CreateMemCpy(copy, align, given, known, layout.getTypeAllocSize(type));
    site->setArgOperand(index, copy);
  }
}

void bs_shim_take_by_pointer(LLVMValueRef function) {
  for (Argument &param : unwrap<Function>(function)->args())
    param.removeAttr(Attribute::ByVal);
}

// Readings of single instructions, constants and attributes that LLVM's C interface lacks.
#include "shim.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

void bs_shim_shuffle_mask(LLVMValueRef shuffle, void (*each)(void *, int), void *user) {
  for (int lane : unwrap<ShuffleVectorInst>(shuffle)->getShuffleMask())
    each(user, lane);
}

// The bits are those of the model's `Flags`.
uint32_t bs_shim_integer_flags(LLVMValueRef instruction) {
  auto *inst = unwrap<Instruction>(instruction);
  uint32_t flags = 0;
  if (auto *op = dyn_cast<OverflowingBinaryOperator>(inst))
    flags |= (op->hasNoUnsignedWrap() << 7) | (op->hasNoSignedWrap() << 8);
  if (auto *op = dyn_cast<TruncInst>(inst))
    flags |= (op->hasNoUnsignedWrap() << 7) | (op->hasNoSignedWrap() << 8);
  if (auto *op = dyn_cast<PossiblyExactOperator>(inst))
    flags |= op->isExact() << 9;
  if (auto *op = dyn_cast<PossiblyDisjointInst>(inst))
    flags |= op->isDisjoint() << 10;
  if (auto *op = dyn_cast<PossiblyNonNegInst>(inst))
    flags |= op->hasNonNeg() << 11;
  if (auto *op = dyn_cast<ICmpInst>(inst))
    flags |= op->hasSameSign() << 12;
  return flags;
}

uint32_t bs_shim_gep_flags(LLVMValueRef instruction) {
  auto flags = cast<GEPOperator>(unwrap(instruction))->getNoWrapFlags();
  return (flags.hasNoUnsignedWrap() << 7) | (flags.isInBounds() << 13) |
         ((flags.hasNoUnsignedSignedWrap() && !flags.isInBounds()) << 14);
}

static bool words(const APInt &value, uint64_t *low, uint64_t *high) {
  if (value.getBitWidth() > 128)
    return false;
  *low = value.getRawData()[0];
  *high = value.getNumWords() > 1 ? value.getRawData()[1] : 0;
  return true;
}

bool bs_shim_float_bits(LLVMValueRef constant, uint64_t *low, uint64_t *high) {
  return words(cast<ConstantFP>(unwrap(constant))->getValueAPF().bitcastToAPInt(), low, high);
}

bool bs_shim_integer_words(LLVMValueRef constant, uint64_t *low, uint64_t *high) {
  return words(cast<ConstantInt>(unwrap(constant))->getValue(), low, high);
}

// The module of who uses a constant; null where nobody does.
static const Module *usedIn(const Constant &constant) {
  for (const User *user : constant.users()) {
    auto *inst = dyn_cast<Instruction>(user);
    auto *further = dyn_cast<Constant>(user);
    if (const Module *module = inst ? inst->getModule() : further ? usedIn(*further) : nullptr)
      return module;
  }
  auto *global = dyn_cast<GlobalValue>(&constant);
  return global ? global->getParent() : nullptr;
}

// A step that is not promised to stay in the object leads from it all the same. One from null, to a member of nothing, knows no module
// but that of its users.
static const DataLayout *layoutFor(const Constant &step) {
  const Value *base = &step;
  while (auto *outer = dyn_cast<GEPOperator>(base))
    base = outer->getPointerOperand();
  auto *global = dyn_cast<GlobalValue>(base);
  const Module *module = global ? global->getParent() : isa<ConstantPointerNull>(base) ? usedIn(step) : nullptr;
  return module ? &module->getDataLayout() : nullptr;
}

bool bs_shim_constant_offset(LLVMValueRef constant, LLVMValueRef *base, int64_t *bytes) {
  auto *expr = dyn_cast<ConstantExpr>(unwrap(constant));
  auto *gep = expr ? dyn_cast<GEPOperator>(expr) : nullptr;
  const DataLayout *layout = gep ? layoutFor(*expr) : nullptr;
  if (!layout || gep->getType()->isVectorTy())
    return false;
  APInt offset(layout->getIndexTypeSizeInBits(gep->getType()), 0);
  if (!gep->accumulateConstantOffset(*layout, offset))
    return false;
  *base = wrap(gep->getPointerOperand());
  *bytes = offset.getSExtValue();
  return true;
}

uint32_t bs_shim_gep_stride(LLVMValueRef value, unsigned index, uint64_t *bytes) {
  auto *gep = unwrap<GetElementPtrInst>(value);
  const DataLayout &layout = gep->getModule()->getDataLayout();
  auto at = gep_type_begin(gep);
  std::advance(at, index);
  if (StructType *structure = at.getStructTypeOrNull()) {
    // The field number is a constant, or a splat of one for a vector of pointers.
    auto *number = dyn_cast<ConstantInt>(at.getOperand());
    if (!number) {
      auto *splat = dyn_cast<Constant>(at.getOperand());
      number = splat ? dyn_cast_or_null<ConstantInt>(splat->getSplatValue()) : nullptr;
    }
    if (!number)
      return 2;
    *bytes = layout.getStructLayout(structure)->getElementOffset(number->getZExtValue());
    return 1;
  }
  TypeSize stride = at.getSequentialElementStride(layout);
  if (stride.isScalable())
    return 2;
  *bytes = stride.getFixedValue();
  return 0;
}

// Index as in LLVM's C interface: -1 the function, 0 the return value, then the parameters.
void bs_shim_attributes(LLVMValueRef value, int index, void (*each)(void *, const char *, size_t), void *user) {
  AttributeList list;
  if (auto *function = dyn_cast<Function>(unwrap(value)))
    list = function->getAttributes();
  else
    list = unwrap<CallBase>(value)->getAttributes();
  for (const Attribute &attribute : list.getAttributes(static_cast<unsigned>(index))) {
    std::string text = attribute.getAsString();
    each(user, text.data(), text.size());
  }
}

// 0 none, 1 tail, 2 musttail, 3 notail.
unsigned bs_shim_call_kind(LLVMValueRef call) {
  auto *site = dyn_cast<CallInst>(unwrap(call));
  return site ? static_cast<unsigned>(site->getTailCallKind()) : 0;
}

uint64_t bs_shim_switch_case_count(LLVMValueRef instruction) { return unwrap<SwitchInst>(instruction)->getNumCases(); }

LLVMValueRef bs_shim_switch_case_value(LLVMValueRef instruction, unsigned index) {
  return wrap((unwrap<SwitchInst>(instruction)->case_begin() + index)->getCaseValue());
}

LLVMBasicBlockRef bs_shim_switch_case_block(LLVMValueRef instruction, unsigned index) {
  return wrap((unwrap<SwitchInst>(instruction)->case_begin() + index)->getCaseSuccessor());
}

// Strings inside metadata end with a zero byte: MDString keeps them in a StringMap entry.
static bool fileOf(const DIScope *scope, const char **directory, const char **file) {
  if (!scope || !scope->getFile())
    return false;
  *directory = scope->getDirectory().data();
  *file = scope->getFilename().data();
  return *file != nullptr;
}

bool bs_shim_location(LLVMValueRef instruction, const char **directory, const char **file, unsigned *line,
                      unsigned *column) {
  const DebugLoc &loc = unwrap<Instruction>(instruction)->getDebugLoc();
  if (!loc)
    return false;
  *line = loc.getLine();
  *column = loc.getCol();
  return fileOf(cast<DIScope>(loc.getScope()), directory, file);
}

bool bs_shim_function_location(LLVMValueRef function, const char **directory, const char **file, unsigned *line) {
  DISubprogram *program = unwrap<Function>(function)->getSubprogram();
  if (!program)
    return false;
  *line = program->getLine();
  return fileOf(program, directory, file);
}

const char *bs_shim_parameter_name(LLVMValueRef value, unsigned index) {
  auto *function = unwrap<Function>(value);
  DISubprogram *program = function->getSubprogram();
  auto matches = [&](const DILocalVariable *variable) {
    return variable->getArg() == index + 1 && variable->getScope()->getSubprogram() == program;
  };
  if (program) {
    for (const DINode *node : program->getRetainedNodes())
      if (auto *variable = dyn_cast<DILocalVariable>(node); variable && matches(variable))
        return variable->getName().data();
    for (Instruction &inst : instructions(*function))
      for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange()))
        if (matches(record.getVariable()))
          return record.getVariable()->getName().data();
  }
  if (index < function->arg_size() && function->getArg(index)->hasName())
    return function->getArg(index)->getName().data();
  return nullptr;
}

/// The index of the first element of an array of Fortran's with one dimension.
static bool firstIndexOf(const DILocalVariable *variable, int64_t *first) {
  DICompileUnit *unit = variable->getScope()->getSubprogram()->getUnit();
  auto *array = dyn_cast_or_null<DICompositeType>(variable->getType());
  auto language = unit ? dwarf::SourceLanguage(unit->getSourceLanguage().getName()) : dwarf::DW_LANG_C;
  if (!dwarf::isFortran(language) || !array ||
      array->getTag() != dwarf::DW_TAG_array_type || array->getElements().size() != 1)
    return false;
  auto *range = dyn_cast<DISubrange>(array->getElements()[0]);
  if (!range)
    return false;
  auto bound = range->getLowerBound();
  auto *constant = dyn_cast_if_present<ConstantInt *>(bound);
  *first = constant ? constant->getSExtValue() : 1;
  return constant || bound.isNull();
}

const char *bs_shim_variable(LLVMValueRef given, bool *counted, int64_t *first) {
  Value *value = unwrap(given);
  auto *inst = dyn_cast<Instruction>(value);
  const Function *function = inst ? inst->getFunction() : cast<Argument>(value)->getParent();
  const DILocalVariable *found = nullptr;
  auto consider = [&](DbgVariableRecord *record) {
    const DILocalVariable *variable = record->getVariable();
    bool whole = record->isAddressOfVariable() || record->getExpression()->getNumElements() == 0;
    if (!whole || variable->isArtificial() || variable->getName().empty())
      return;
    // A variable of the function itself comes before the parameter of one that was inlined.
    bool own = variable->getScope()->getSubprogram() == function->getSubprogram();
    if (!found || (own && found->getScope()->getSubprogram() != function->getSubprogram()))
      found = variable;
  };
  for (DbgVariableRecord *record : findDVRDeclares(value))
    consider(record);
  for (DbgVariableRecord *record : findDVRValues(value))
    consider(record);
  if (!found)
    return nullptr;
  *counted = firstIndexOf(found, first);
  return found->getName().data();
}

uint64_t bs_shim_type_bytes(LLVMModuleRef module, LLVMTypeRef type) {
  return unwrap(module)->getDataLayout().getTypeAllocSize(unwrap(type)).getKnownMinValue();
}

bool bs_shim_store_bytes(LLVMModuleRef module, LLVMTypeRef type, uint64_t *bytes) {
  TypeSize size = unwrap(module)->getDataLayout().getTypeStoreSize(unwrap(type));
  if (size.isScalable())
    return false;
  *bytes = size.getFixedValue();
  return true;
}

void bs_shim_metadata_text(LLVMValueRef value, void (*each)(void *, const char *, size_t), void *user) {
  auto *metadata = dyn_cast<MetadataAsValue>(unwrap(value));
  if (auto *text = metadata ? dyn_cast<MDString>(metadata->getMetadata()) : nullptr)
    each(user, text->getString().data(), text->getString().size());
}

void bs_shim_annotations(LLVMModuleRef module, void (*each)(void *, LLVMValueRef, const char *, size_t), void *user) {
  GlobalVariable *list = unwrap(module)->getGlobalVariable("llvm.global.annotations");
  auto *entries = list && list->hasInitializer() ? dyn_cast<ConstantArray>(list->getInitializer()) : nullptr;
  if (!entries)
    return;
  for (const Use &use : entries->operands()) {
    auto *entry = dyn_cast<ConstantStruct>(use);
    auto *text = entry ? dyn_cast<GlobalVariable>(entry->getOperand(1)->stripPointerCasts()) : nullptr;
    auto *bytes = text && text->hasInitializer() ? dyn_cast<ConstantDataArray>(text->getInitializer()) : nullptr;
    if (!bytes || !bytes->isCString())
      continue;
    StringRef content = bytes->getAsCString();
    each(user, wrap(entry->getOperand(0)->stripPointerCasts()), content.data(), content.size());
  }
}

// Inline assembly of which more can be told than that somebody wrote it.

#include "shim.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <optional>

using namespace llvm;

// One instruction between registers of floats, as vector libraries write it around faults of compilers.
struct Packed {
  enum { Least, Greatest, Root } does;
  bool isPlain;  // With two operands, of which the second is also the result.
  bool isDouble;
  bool isScalar;
};

static std::optional<Packed> readMnemonic(StringRef name) {
  Packed found;
  found.isPlain = !name.consume_front("v");
  if (name.consume_front("min"))
    found.does = Packed::Least;
  else if (name.consume_front("max"))
    found.does = Packed::Greatest;
  else if (name.consume_front("sqrt"))
    found.does = Packed::Root;
  else
    return std::nullopt;
  if (name.size() != 2 || !StringRef("ps").contains(name[0]) || !StringRef("sd").contains(name[1]))
    return std::nullopt;
  found.isScalar = name[0] == 's';
  found.isDouble = name[1] == 'd';
  return found;
}

static bool fits(const Packed &instruction, Type *type) {
  Type *kind = type->getScalarType();
  return type->isVectorTy() != instruction.isScalar && (instruction.isDouble ? kind->isDoubleTy() : kind->isFloatTy());
}

// What it computes, where the registers are all told by their places; null otherwise.
static Value *opened(CallInst &call, const InlineAsm &assembly) {
  auto [mnemonic, places] = StringRef(assembly.getAsmString()).trim().split(' ');
  StringRef constraints = assembly.getConstraintString();
  std::optional<Packed> instruction = readMnemonic(mnemonic);
  if (!instruction || !fits(*instruction, call.getType()) || assembly.getDialect() != InlineAsm::AD_ATT)
    return nullptr;
  for (const Value *operand : call.args())
    if (operand->getType() != call.getType())
      return nullptr;
  constraints = constraints.take_until([](char c) { return c == '~'; }).rtrim(',');
  std::string where = places.str();
  erase_if(where, [](char c) { return c == ' '; });
  IRBuilder<> builder(&call);
  if (instruction->does == Packed::Root) {
    bool one = call.arg_size() == 1 && constraints == "=x,x" && where == "$1,$0" && (instruction->isPlain || !instruction->isScalar);
    return one ? builder.CreateUnaryIntrinsic(Intrinsic::sqrt, call.getArgOperand(0)) : nullptr;
  }
  bool two = call.arg_size() == 2 && (instruction->isPlain ? constraints == "=x,x,0" && where == "$1,$0"
                                                            : constraints == "=x,x,x" && where == "$2,$1,$0");
  if (!two)
    return nullptr;
  // Ties and what is no number give the operand that is named first.
  Value *first = call.getArgOperand(instruction->isPlain ? 1 : 0), *second = call.getArgOperand(instruction->isPlain ? 0 : 1);
  bool least = instruction->does == Packed::Least;
  Value *chosen = least ? builder.CreateFCmpOLT(first, second) : builder.CreateFCmpOGT(first, second);
  return builder.CreateSelect(chosen, first, second);
}

// Nothing but a comment, which optimisers are to stumble over: what comes out is what went in.
static bool isEmpty(const InlineAsm &assembly) {
  for (StringRef line : split(assembly.getAsmString(), '\n'))
    if (line = line.trim(); !line.empty() && line.front() != '#')
      return false;
  return true;
}

// The operand that an empty one gives back; null where its only result is not one of its operands.
static Value *passedThrough(const CallInst &call, const InlineAsm &assembly) {
  unsigned at = 0;
  for (const InlineAsm::ConstraintInfo &constraint : assembly.ParseConstraints()) {
    if (constraint.Type == InlineAsm::isInput && constraint.Codes == InlineAsm::ConstraintCodeVector{"0"})
      return call.getArgOperand(at)->getType() == call.getType() ? call.getArgOperand(at) : nullptr;
    at += constraint.Type == InlineAsm::isInput || constraint.isIndirect;
  }
  return nullptr;
}

static bool givesFloat(const Type *type) {
  return type->isFPOrFPVectorTy() || any_of(type->subtypes(), [](const Type *part) { return givesFloat(part); });
}

// Whoever gets at memory in assembly says so: by a clobber, or by operands that are in memory or lead there. Where a float
// comes from that is made of no float is not taken on trust.
static bool leavesMemory(const CallInst &call, const InlineAsm &assembly) {
  if (givesFloat(call.getType()))
    return false;
  for (const InlineAsm::ConstraintInfo &constraint : assembly.ParseConstraints()) {
    bool clobbers = constraint.Type == InlineAsm::isClobber && is_contained(constraint.Codes, "{memory}");
    if (clobbers || constraint.isIndirect)
      return false;
  }
  return none_of(call.args(), [](const Use &operand) { return operand->getType()->isPtrOrPtrVectorTy(); });
}

void bs_shim_open_assembly(LLVMValueRef raw) {
  for (Instruction &inst : make_early_inc_range(instructions(*unwrap<Function>(raw)))) {
    auto *call = dyn_cast<CallInst>(&inst);
    auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
    if (!assembly)
      continue;
    Value *value = isEmpty(*assembly) ? passedThrough(*call, *assembly) : opened(*call, *assembly);
    bool nothing = isEmpty(*assembly) && call->getType()->isVoidTy();
    if (value)
      call->replaceAllUsesWith(value);
    if (value || nothing)
      call->eraseFromParent();
    else if (leavesMemory(*call, *assembly))
      call->setMemoryEffects(call->getMemoryEffects() & MemoryEffects::inaccessibleMemOnly());
  }
}

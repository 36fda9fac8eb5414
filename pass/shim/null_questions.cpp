// Whether an address is null, asked of it as a number.
//
// flang asks so whether an array is allocated, in front of each that it frees. An address that is told as a number may be kept by somebody; one that is
// compared with null is not. And memory that somebody may look at afterwards is put back at a price.
#include "shim.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

void bs_shim_ask_for_null(LLVMValueRef raw) {
  auto &function = *unwrap<Function>(raw);
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *asked = dyn_cast<ICmpInst>(&inst);
    auto *number = asked && asked->isEquality() && match(asked->getOperand(1), m_Zero()) ? dyn_cast<PtrToIntInst>(asked->getOperand(0)) : nullptr;
    // A number that is too short for the address is zero for others as well.
    if (!number || number->getPointerAddressSpace() != 0 || number->getType()->isVectorTy() ||
        number->getType()->getIntegerBitWidth() < function.getDataLayout().getPointerSizeInBits(0))
      continue;
    Value *address = number->getPointerOperand();
    asked->setOperand(0, address);
    asked->setOperand(1, Constant::getNullValue(address->getType()));
    if (number->use_empty())
      number->eraseFromParent();
  }
}

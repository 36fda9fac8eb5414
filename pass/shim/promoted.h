// Sums of adjoints that LLVM has put into registers itself.
#pragma once

namespace llvm {
class Instruction;
class Loop;
} // namespace llvm

// Whether an adjoint is added there, wherever its sum may go.
bool isAddition(const llvm::Instruction &inst);

// Lets the iterations of an innermost loop be added up in any order where each addition to a sum is one of adjoints.
bool freePromoted(llvm::Loop &loop);

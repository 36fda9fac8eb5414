// What belongs to the requests of a module: see `reached.cpp`.
#pragma once

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace backsweep {

// The functions with bodies that who asks for a derivative may get at, and who asks. All where nobody asks.
llvm::SmallVector<const llvm::Function *, 0> functionsReached(const llvm::Module &module);

} // namespace backsweep

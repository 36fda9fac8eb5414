// Of which class the object of a virtual call is declared to be: see `classes.cpp`.
#pragma once

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

// Has a virtual call remember the class that its object is declared to be of, where the front end says so.
void nameClass(llvm::CallBase &call);

// Drops the functions that belong to no class that the object of a virtual call may be of.
void keepOfClass(const llvm::CallBase &call, llvm::SmallVectorImpl<llvm::Function *> &targets);

// Of which class the object of a virtual call is declared to be: see `classes.cpp`.
#pragma once

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

// Has a call through a pointer remember the class that its object is declared to be of, where the front end says so, and the sizes of what it
// hands over by reference, where the front end wrote it.
void describeCall(llvm::CallBase &call, bool asWritten);

// Whether a function takes objects of another size by reference than a call hands over.
bool takesOthers(const llvm::Function &function, const llvm::CallBase &call);

// Drops the functions that belong to no class that the object of a virtual call may be of.
void keepOfClass(const llvm::CallBase &call, llvm::SmallVectorImpl<llvm::Function *> &targets);

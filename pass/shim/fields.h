// Which members of structs pointers to functions are kept in: see `fields.cpp`.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Function;
class Instruction;
class LoadInst;
class Use;
} // namespace llvm

// Has an access of a pointer that steps to a member of a struct remember which, since addresses lose their types.
void nameField(llvm::Instruction &access);

// Whether a pointer was loaded from a member of a struct that has a name.
bool isInField(const llvm::LoadInst &load);

// Whether a function's address is only ever put into members of the struct from another member of which a pointer was loaded, and is taken
// from there by nobody but to be called. Some uses of functions put them nowhere.
bool isInAnotherField(const llvm::Function &function, const llvm::LoadInst &load,
                      llvm::function_ref<bool(const llvm::Use &)> putsNowhere);

// Tables of functions that are only called from: see `called_tables.cpp`.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Function;
class GlobalVariable;
class LoadInst;
class Use;
class Value;
} // namespace llvm

// Whether a pointer to a function goes anywhere but into calls and questions which function it is, by itself or as one of several.
bool isHandedOn(const llvm::Value &pointer);

// The table that a pointer was loaded from and that nobody writes to, so that it holds what it begins with; null where there is none.
const llvm::GlobalVariable *tableOf(const llvm::LoadInst &load);

// Whether a function stands in a table.
bool standsIn(const llvm::GlobalVariable &table, const llvm::Function &function);

// Whether a function's address is only in tables that nobody writes to, and from where nobody takes it but to call it. Some uses of functions
// put them nowhere.
bool isOnlyInTables(const llvm::Function &function, llvm::function_ref<bool(const llvm::Use &)> putsNowhere);

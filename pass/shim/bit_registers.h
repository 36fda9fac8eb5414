// Whether the bits of registers of floats are seen anywhere but in registers of floats.
#pragma once

#include <llvm/IR/Instructions.h>

namespace backsweep {

// Of a cast of floats to integers: whether what it gives goes anywhere but into masks, comparisons and back to floats.
bool bitsLeave(const llvm::BitCastInst &cast);

// Of a cast of integers to floats: whether the bits may come from anywhere but floats, comparisons and what is written in the program.
bool bitsArrive(const llvm::BitCastInst &cast);

}  // namespace backsweep

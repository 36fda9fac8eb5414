//! Remainders that are made positive, without the promise that they were.
//!
//! `modulo(i, n)` is a signed remainder to which `n` is added where it was negative. flang 22 writes that addition as one that
//! does not wrap as unsigned numbers either (`CSHIFT` with a negative shift, at -O2), which is wrong for just those remainders
//! that it is for: the sum is poison, and so is every address made from it. The primal mostly gets away with it. A derivative
//! has more code that looks at these addresses, so in its copy the promise is taken back.

use llvm_sys::LLVMOpcode;
use llvm_sys::core::LLVMSetNUW;

use crate::llvm::{Value, llvm};

pub fn free_remainders(function: Value) {
    for inst in function.blocks().into_iter().flat_map(|block| block.instructions()) {
        let adds = inst.opcode() == LLVMOpcode::LLVMAdd;
        if adds && (0..2).any(|index| is_signed_remainder(inst.operand(index))) {
            llvm!(LLVMSetNUW(inst.0, 0));
        }
    }
}

fn is_signed_remainder(value: Value) -> bool {
    value.is_instruction() && value.opcode() == LLVMOpcode::LLVMSRem
}

//! Copies of zeros, as clears, in the copy to be differentiated.
//!
//! An object that begins as nothing (no number, no neighbour) is made in a slot that is cleared, and then moved to its place. What is
//! copied there has no kind that anybody says, and needs none: what is zero is zero as whatever it is read, and so is its derivative.

use std::collections::HashSet;

use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;

use crate::llvm::{Builder, Module, Value, llvm};

pub fn clear_by_copies(module: Module, function: Value) {
    let builder = Builder::new(module.context());
    let insts: Vec<Value> = function.blocks().into_iter().flat_map(|block| block.instructions()).collect();
    for slot in insts.into_iter().filter(|inst| inst.opcode() == LLVMOpcode::LLVMAlloca) {
        for copy in copies_of_zeros(slot).unwrap_or_default() {
            clear(&builder, copy);
        }
    }
}

/// The copies from a slot in which nobody puts anything but zeros; what was put nowhere may be zero, too. `None` where somebody
/// may put something else there.
fn copies_of_zeros(slot: Value) -> Option<Vec<Value>> {
    let (mut copies, mut seen, mut waiting) = (Vec::new(), HashSet::new(), vec![slot]);
    while let Some(place) = waiting.pop() {
        for user in place.users() {
            match user.opcode() {
                _ if !user.is_instruction() => return None,
                LLVMOpcode::LLVMGetElementPtr => {
                    if seen.insert(user) {
                        waiting.push(user);
                    }
                }
                LLVMOpcode::LLVMLoad => {}
                LLVMOpcode::LLVMStore if user.operand(1) == place && is_zero(user.operand(0)) => {}
                LLVMOpcode::LLVMCall => match called(user).as_str() {
                    "lifetime" => {}
                    "memset" if is_zero(user.operand(1)) => {}
                    // A copy to another part of the slot is met there again, as one that puts something in.
                    "memcpy" | "memmove" if user.operand(0) != place && is_zero(user.operand(3)) => {
                        copies.push(user);
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
    }
    Some(copies)
}

/// The intrinsic function that is called, by the second part of its name.
fn called(call: Value) -> String {
    let name = call.callee().as_function().map(|function| function.name()).unwrap_or_default();
    name.strip_prefix("llvm.").and_then(|name| name.split('.').next()).unwrap_or_default().into()
}

fn is_zero(value: Value) -> bool {
    llvm!(LLVMIsNull(value.0)) != 0
}

fn clear(builder: &Builder, copy: Value) {
    builder.before(copy);
    builder.locate_like(copy);
    let zero = llvm!(LLVMConstNull(LLVMInt8TypeInContext(LLVMGetTypeContext(copy.operand(0).ty().0))));
    llvm!(LLVMBuildMemSet(builder.0, copy.operand(0).0, zero, copy.operand(2).0, 1));
    copy.erase();
}

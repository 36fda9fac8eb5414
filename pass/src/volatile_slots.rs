//! Volatile variables that nobody else can see, as ordinary ones.
//!
//! A volatile access may find what somebody else has put there, and has no derivative. Of a stack slot whose address goes nowhere
//! nobody else knows: all its accesses are in sight. Only `setjmp` looks at how such a variable is kept, so where it is called
//! nothing changes. The primal keeps its accesses as they are.

use llvm_sys::LLVMOpcode;
use llvm_sys::core::LLVMSetVolatile;

use crate::llvm::{Value, llvm};

pub fn quieten_slots(function: Value) {
    let insts: Vec<Value> = function.blocks().into_iter().flat_map(|block| block.instructions()).collect();
    let jumps = |inst: &Value| inst.is_call() && inst.callee().name().contains("setjmp");
    if insts.iter().any(jumps) {
        return;
    }
    for slot in insts.into_iter().filter(|inst| inst.opcode() == LLVMOpcode::LLVMAlloca) {
        for access in find_accesses(slot).unwrap_or_default() {
            llvm!(LLVMSetVolatile(access.0, 0));
        }
    }
}

/// The loads and stores of a slot; `None` where its address goes anywhere else.
fn find_accesses(slot: Value) -> Option<Vec<Value>> {
    let (mut accesses, mut waiting) = (Vec::new(), vec![slot]);
    while let Some(address) = waiting.pop() {
        for user in address.users() {
            match user.opcode() {
                LLVMOpcode::LLVMLoad => accesses.push(user),
                LLVMOpcode::LLVMStore if user.operand(0) != address => accesses.push(user),
                LLVMOpcode::LLVMGetElementPtr => waiting.push(user),
                LLVMOpcode::LLVMCall if user.callee().name().starts_with("llvm.lifetime") => {}
                _ => return None,
            }
        }
    }
    Some(accesses)
}

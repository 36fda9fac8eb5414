//! A basic block.

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMBasicBlockRef;

use super::{Value, llvm};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block(pub LLVMBasicBlockRef);

impl Block {
    pub fn instructions(self) -> Vec<Value> {
        let mut instructions = Vec::new();
        let mut next = llvm!(LLVMGetFirstInstruction(self.0));
        while !next.is_null() {
            instructions.push(Value(next));
            next = llvm!(LLVMGetNextInstruction(next));
        }
        instructions
    }

    pub fn name(self) -> String {
        Value(llvm!(LLVMBasicBlockAsValue(self.0))).name()
    }

    pub fn function(self) -> Value {
        Value(llvm!(LLVMGetBasicBlockParent(self.0)))
    }
}

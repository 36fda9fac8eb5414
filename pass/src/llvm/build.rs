//! A place to insert instructions.

use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::{LLVMBuilderRef, LLVMContextRef};

use super::{Block, Value, llvm};

pub struct Builder(pub LLVMBuilderRef);

impl Builder {
    pub fn new(context: LLVMContextRef) -> Builder {
        Builder(llvm!(LLVMCreateBuilderInContext(context)))
    }

    pub fn at_end(&self, block: Block) {
        llvm!(LLVMPositionBuilderAtEnd(self.0, block.0));
    }

    pub fn before(&self, instruction: Value) {
        llvm!(LLVMPositionBuilderBefore(self.0, instruction.0));
    }

    /// New instructions take the source location of this one.
    pub fn locate_like(&self, instruction: Value) {
        llvm!(LLVMSetCurrentDebugLocation2(self.0, LLVMInstructionGetDebugLoc(instruction.0)));
    }

    pub fn insert(&self, instruction: Value) {
        llvm!(LLVMInsertIntoBuilder(self.0, instruction.0));
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        llvm!(LLVMDisposeBuilder(self.0));
    }
}

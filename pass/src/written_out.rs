//! Loops that are so short that what they do is written out, and where that is wanted.

use llvm_sys::core::*;
use llvm_sys::{LLVMOpcode, LLVMTypeKind};

use crate::llvm::{Ty, Value, llvm, shim};
use crate::pipelines::WRITTEN_OUT;
use crate::prepare::run_passes;

/// What the host wants of loops is about speed (clang has none unrolled at -O1), and not about how they are read.
pub fn write_out(context: *mut shim::Context, copy: Value) {
    llvm!(shim::bs_shim_allow_unrolling(copy.0));
    run_passes(context, copy, WRITTEN_OUT);
}

/// Whether bytes are moved word by word, as Rust swaps two structs: what a word holds is known where it is one word.
pub fn walks_through_words(copy: Value) -> bool {
    let insts = copy.blocks().into_iter().flat_map(|block| block.instructions());
    let walks = |inst: Value| {
        inst.opcode() == LLVMOpcode::LLVMGetElementPtr
            && inst.operand_count() == 2
            && llvm!(LLVMIsConstant(inst.operand(1).0)) == 0
            && is_of_bytes(Ty(llvm!(LLVMGetGEPSourceElementType(inst.0))))
    };
    insts.into_iter().any(walks)
}

fn is_of_bytes(ty: Ty) -> bool {
    match ty.kind() {
        LLVMTypeKind::LLVMStructTypeKind if llvm!(LLVMCountStructElementTypes(ty.0)) == 1 => {
            is_of_bytes(Ty(llvm!(LLVMStructGetTypeAtIndex(ty.0, 0))))
        }
        LLVMTypeKind::LLVMArrayTypeKind => {
            let element = ty.element();
            element.kind() == LLVMTypeKind::LLVMIntegerTypeKind && llvm!(LLVMGetIntTypeWidth(element.0)) == 8
        }
        _ => false,
    }
}

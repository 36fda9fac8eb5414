//! Vectors of pointers as single pointers, in the copy to be differentiated.
//!
//! Optimisers that ran before us move two pointers side by side at once. A pointer to active memory has its shadow beside it, one
//! by one; so each lane is moved by itself again, as it was written.

use llvm_sys::LLVMTypeKind;

use crate::llvm::{Ty, Value, shim};
use crate::prepare::run_passes;

/// Every vector of the function comes apart: what is computed with floats the host may put together again.
const APART: &str = "scalarizer<load-store>,instsimplify,early-cse<memssa>,adce";

pub fn open_pointer_vectors(context: *mut shim::Context, function: Value) {
    let mut instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
    let moves = |inst: Value| {
        let count = inst.operand_count();
        holds_pointers(inst.ty()) || (0..count).any(|index| holds_pointers(inst.operand(index).ty()))
    };
    if instructions.any(moves) {
        run_passes(context, function, APART);
    }
}

fn holds_pointers(ty: Ty) -> bool {
    ty.kind() == LLVMTypeKind::LLVMVectorTypeKind && ty.element().kind() == LLVMTypeKind::LLVMPointerTypeKind
}

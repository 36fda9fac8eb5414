//! Loads from globals that the user declared inactive, kept apart from the stores before them.
//!
//! What is read from such a global carries nothing, whatever was stored there. Were a load replaced by the value that
//! the same function stored, it would carry that value's derivative, so such loads are volatile while the copy is
//! simplified.

use backsweep_core::model::GlobalDerivative;
use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;

use crate::extract::Declared;
use crate::llvm::{Module, Value, llvm, shim};

/// The mark of a load that was not volatile before.
const HELD: &str = "backsweep.held";

pub fn hold_inactive_loads(module: Module, copy: Value) {
    let declared = Declared::of(module);
    if !declared.any_inactive() {
        return;
    }
    for load in loads_of(copy).filter(|load| llvm!(LLVMGetVolatile(load.0)) == 0) {
        let objects = shim::gather(|user| {
            llvm!(shim::bs_shim_underlying_objects(load.operand(0).0, shim::collect_value, user));
        });
        if objects.into_iter().any(|object| declared.get(Value(object)) == GlobalDerivative::Nothing) {
            llvm!(LLVMSetVolatile(load.0, 1));
            let empty = llvm!(LLVMMDNodeInContext2(module.context(), std::ptr::null_mut(), 0));
            let empty = llvm!(LLVMMetadataAsValue(module.context(), empty));
            llvm!(LLVMSetMetadata(load.0, kind_of_mark(module), empty));
        }
    }
}

pub fn release_loads(module: Module, copy: Value) {
    for load in loads_of(copy).filter(|load| !llvm!(LLVMGetMetadata(load.0, kind_of_mark(module))).is_null())
    {
        llvm!(LLVMSetVolatile(load.0, 0));
        llvm!(LLVMSetMetadata(load.0, kind_of_mark(module), std::ptr::null_mut()));
    }
}

fn loads_of(function: Value) -> impl Iterator<Item = Value> {
    let insts = function.blocks().into_iter().flat_map(|block| block.instructions());
    insts.filter(|inst| inst.opcode() == LLVMOpcode::LLVMLoad)
}

fn kind_of_mark(module: Module) -> u32 {
    llvm!(LLVMGetMDKindIDInContext(module.context(), HELD.as_ptr().cast(), HELD.len() as u32))
}

//! Calls that return a pointer beside other things, as calls that leave all of it in memory, where a pointer has its shadow.
//!
//! What is inlined needs none of that, so it is done for what is left when all is inlined: functions that call themselves.
//!
//! Invariant: the function itself stays as it is.

use backsweep_core::model::DECLARED_INACTIVE;

use crate::known::Known;
use crate::llvm::{Module, Value, c_string, llvm, shim};

/// The names of functions that do so end so. How a name begins tells whether it is one half of a derivative, and the same is true of
/// its copy.
const IN_MEMORY: &str = ".backsweep.returned";

pub fn return_in_memory(module: Module, copy: Value, known: &Known) {
    let insts = copy.blocks().into_iter().flat_map(|block| block.instructions());
    let calls: Vec<Value> = insts.filter(|inst| inst.is_call()).collect();
    for call in calls {
        let callee = call.callee();
        let is_asked = known.may_be_untied(callee) && !call.has_call_attribute(DECLARED_INACTIVE);
        if is_asked && llvm!(shim::bs_shim_returns_address_in_struct(callee.0)) {
            let other = copy_of(module, callee);
            llvm!(shim::bs_shim_call_in_memory(call.0, other.0));
        }
    }
}

fn copy_of(module: Module, function: Value) -> Value {
    let name = format!("{}{IN_MEMORY}", function.name());
    module.function(&name).unwrap_or_else(|| {
        let name = c_string(&name);
        Value(llvm!(shim::bs_shim_return_in_memory(function.0, name.as_ptr())))
    })
}

//! Functions that LLVM ties to their place (computed gotos, jumps of assembly, variable arguments), and those that take addresses
//! as numbers: copies that are not, and do not.
//!
//! Invariant: the function itself stays as it is; a call keeps its own callee where no copy can be made.

use std::collections::HashMap;

use crate::llvm::{Module, Value, c_string, llvm, shim};

/// The copies that were made, by the functions that they are copies of.
pub struct Untied {
    module: Module,
    copies: HashMap<Value, Value>,
}

impl Untied {
    pub fn new(module: Module) -> Untied {
        Untied { module, copies: HashMap::new() }
    }

    /// The call as one of a copy that may be inlined, where its callee may not.
    pub fn untie(&mut self, call: Value) -> Value {
        let callee = call.callee();
        if !is_tied(callee) {
            return call;
        }
        let copy = *self.copies.entry(callee).or_insert_with(|| copy_of(self.module, callee));
        if !callee.function_type().is_variadic() {
            return Value(llvm!(shim::bs_shim_pass_addresses(call.0, copy.0)));
        }
        let passed = llvm!(shim::bs_shim_pass_list(call.0, copy.0));
        if passed.is_null() { call } else { Value(passed) }
    }

    /// Whether a list of arguments was written out.
    pub fn has_lists(&self) -> bool {
        self.copies.keys().any(|original| original.function_type().is_variadic())
    }

    /// Deletes the copies that nobody calls, which are all that were inlined.
    pub fn drop_unused(self, context: *mut shim::Context) {
        let mut left: Vec<Value> = self.copies.into_values().collect();
        while let Some(at) = left.iter().position(|copy| copy.users().is_empty()) {
            left.swap_remove(at).delete_function(context);
        }
    }
}

/// The names of such copies begin so.
const COPY: &str = "backsweep.untied.";

/// What calls itself stays a call, of one copy, whoever asks for it.
fn copy_of(module: Module, function: Value) -> Value {
    let name = format!("{COPY}{}", function.name());
    module.function(&name).unwrap_or_else(|| {
        let name = c_string(&name);
        Value(llvm!(shim::bs_shim_free_copy(function.0, name.as_ptr())))
    })
}

/// Whether a function with a body cannot be inlined as it is, and a copy of it can.
pub fn is_tied(function: Value) -> bool {
    function.as_function().is_some()
        && !function.is_declaration()
        && !function.name().is_empty()
        && llvm!(shim::bs_shim_is_tied(function.0))
}

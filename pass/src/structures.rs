//! The structure of every function of a module, as text. The module stays as it is.

use backsweep_core::analyses::linearity::structure::describe_structure;

use crate::extract::extract_prepared;
use crate::known::Known;
use crate::llvm::{Module, Value, shim};
use crate::prepare::prepare_all;

/// Functions are looked at as they are differentiated.
pub fn describe_all_structures(module: Module, context: *mut shim::Context) -> String {
    let known = Known::of(module, context);
    let functions: Vec<Value> =
        module.functions().into_iter().filter(|function| !function.is_declaration()).collect();
    let mut text = String::new();
    for function in functions {
        let prepared = prepare_all(module, context, function, &known);
        let program = extract_prepared(module, context, &prepared, &known).program;
        text += &describe_structure(&program, &known.rules, &prepared.copy.name(), &function.name());
        prepared.delete(context);
    }
    known.custom.delete_adapters(context);
    text
}

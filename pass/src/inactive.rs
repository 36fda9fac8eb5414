//! What the user declared to carry no derivative: annotated functions and lists of them.

use std::collections::HashSet;

use backsweep_core::model::{DECLARED_INACTIVE, Program};

use crate::llvm::{Module, Value, llvm, shim};

/// Names of annotations, attributes and list globals, in both spellings.
const ANNOTATIONS: [&str; 2] = ["backsweep_inactive", "enzyme_inactive"];
const LISTS: [&str; 2] = ["__backsweep_inactive", "__enzyme_inactivefn"];

pub struct Inactive(HashSet<Value>);

impl Inactive {
    pub fn of(module: Module) -> Inactive {
        let mut functions = HashSet::new();
        for (function, text) in module.annotations() {
            if ANNOTATIONS.contains(&text.as_str()) {
                functions.insert(function);
            }
        }
        for global in module.globals() {
            if LISTS.iter().any(|list| global.name().contains(list)) {
                functions.extend(functions_in(global));
            }
        }
        for function in module.functions() {
            if ANNOTATIONS.iter().any(|name| function.has_function_attribute(name)) {
                functions.insert(function);
            }
        }
        Inactive(functions)
    }

    /// Takes in functions that nobody declared, and that are known to carry no derivative.
    pub fn add(&mut self, functions: Vec<Value>) {
        self.0.extend(functions);
    }

    /// Writes into the model what the user declared.
    pub fn mark(&self, program: &mut Program) {
        let names: HashSet<String> = self.0.iter().map(|function| function.name()).collect();
        for function in program.functions.iter_mut().filter(|function| names.contains(&function.name)) {
            function.attributes.push(DECLARED_INACTIVE.into());
            function.attributes.sort();
            function.attributes.dedup();
        }
    }

    /// Keeps them from being inlined before a later stage differentiates their callers.
    pub fn keep_whole(&self) {
        self.0.iter().for_each(|function| llvm!(shim::bs_shim_mark_noinline(function.0)));
    }

    pub fn contains(&self, function: Value) -> bool {
        self.0.contains(&function)
    }
}

/// The functions in a global's initial value, the last one first.
pub fn functions_in(global: Value) -> Vec<Value> {
    let mut found = Vec::new();
    let mut waiting: Vec<Value> = global.initializer().into_iter().collect();
    while let Some(value) = waiting.pop() {
        if value.as_function().is_some() {
            found.push(value);
        } else if value.is_constant_expr() || value.is_aggregate_type() {
            waiting.extend(value.operands());
        }
    }
    found
}

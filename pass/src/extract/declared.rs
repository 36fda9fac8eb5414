//! What the user declared of the derivatives of globals: shadows of their own, or that there is none.
//!
//! A shadow is declared by a global `__backsweep_shadow*` that holds `{&global, &shadow}`, or by the metadata
//! `!enzyme_shadow`; that there is none by a list `__backsweep_inactive*` (`__enzyme_inactive_global*`),
//! by an annotation, or by the metadata `!enzyme_inactive`.

use std::collections::HashMap;

use backsweep_core::model::GlobalDerivative;
use llvm_sys::core::*;

use super::globals::Names;
use crate::llvm::{Module, Value, llvm};

const SHADOWS: &str = "__backsweep_shadow";
const INACTIVE: [&str; 2] = ["__backsweep_inactive", "__enzyme_inactive_global"];
const ANNOTATIONS: [&str; 2] = ["backsweep_inactive", "enzyme_inactive"];
const METADATA: &str = "enzyme_shadow";
const INACTIVE_METADATA: &str = "enzyme_inactive";

/// By global; shadows by their names in the model.
#[derive(Default)]
pub struct Declared(HashMap<Value, GlobalDerivative>);

impl Declared {
    pub fn of(module: Module) -> Declared {
        let names = &Names::of(module);
        let mut declared = Declared::default();
        for global in module.globals() {
            if let Some(shadow) = shadow_in_metadata(module, global) {
                declared.insert_shadow(global, shadow, names);
            }
            if node_of(module, global, INACTIVE_METADATA).is_some() {
                declared.0.insert(global, GlobalDerivative::Nothing);
            }
            let name = global.name();
            if name.contains(SHADOWS)
                && let [primal, shadow] = globals_in(global).as_slice()
            {
                declared.insert_shadow(*primal, *shadow, names);
            }
            if INACTIVE.iter().any(|list| name.contains(list)) {
                let listed = globals_in(global).into_iter();
                declared.0.extend(listed.map(|global| (global, GlobalDerivative::Nothing)));
            }
        }
        let annotated = module.annotations().into_iter();
        let inactive = annotated.filter(|(_, text)| ANNOTATIONS.contains(&text.as_str()));
        declared.0.extend(inactive.map(|(global, _)| (global, GlobalDerivative::Nothing)));
        declared
    }

    fn insert_shadow(&mut self, global: Value, shadow: Value, names: &Names) {
        self.0.insert(global, GlobalDerivative::Declared(names.get(shadow)));
    }

    pub fn any_inactive(&self) -> bool {
        self.0.values().any(|derivative| *derivative == GlobalDerivative::Nothing)
    }

    pub fn get(&self, global: Value) -> GlobalDerivative {
        self.0.get(&global).cloned().unwrap_or_default()
    }
}

/// The global variables in a global's initial value, in order.
fn globals_in(global: Value) -> Vec<Value> {
    let mut found = Vec::new();
    let mut waiting: Vec<Value> = global.initializer().into_iter().collect();
    while let Some(value) = waiting.pop() {
        if value.as_global().is_some() {
            found.push(value);
        } else if value.is_constant_expr() || value.is_aggregate_type() {
            waiting.extend(value.operands().into_iter().rev());
        }
    }
    found
}

fn shadow_in_metadata(module: Module, global: Value) -> Option<Value> {
    let node = node_of(module, global, METADATA)?;
    if llvm!(LLVMGetMDNodeNumOperands(node.0)) != 1 {
        return None;
    }
    let mut operand = std::ptr::null_mut();
    llvm!(LLVMGetMDNodeOperands(node.0, &mut operand));
    Value::from_raw(operand).and_then(Value::as_global)
}

/// What metadata of a kind says of a global.
fn node_of(module: Module, global: Value, kind: &str) -> Option<Value> {
    let kind = llvm!(LLVMGetMDKindIDInContext(module.context(), kind.as_ptr().cast(), kind.len() as u32));
    let mut count = 0;
    let entries = llvm!(LLVMGlobalCopyAllMetadata(global.0, &mut count));
    let found = (0..count as u32).find(|at| llvm!(LLVMValueMetadataEntriesGetKind(entries, *at)) == kind);
    let node = found.map(|at| llvm!(LLVMValueMetadataEntriesGetMetadata(entries, at)));
    llvm!(LLVMDisposeValueMetadataEntries(entries));
    Some(Value(llvm!(LLVMMetadataAsValue(module.context(), node?))))
}

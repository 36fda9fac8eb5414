//! Functions that the user declared to behave like another, whose derivative is known.
//!
//! By a list `__backsweep_function_like*` (`__enzyme_function_like*`) of `{f, "name"}`, by an annotation
//! `backsweep_function_like=name` (`enzyme_function_like=name`), or by the attribute `enzyme_math`.

use std::collections::HashMap;

use backsweep_core::model::{BEHAVES_LIKE, Program};
use backsweep_core::refusal::{Code, Refusal};
use backsweep_core::rules::{CalleeRule, Rules};
use llvm_sys::core::{LLVMGetAsString, LLVMIsConstantString};

use crate::llvm::{Module, Value, llvm, shim, text_of};

const LISTS: [&str; 2] = ["__backsweep_function_like", "__enzyme_function_like"];
const ANNOTATIONS: [&str; 2] = ["backsweep_function_like=", "enzyme_function_like="];
const ATTRIBUTE: &str = "\"enzyme_math\"=";

#[derive(Default)]
pub struct Likes {
    names: HashMap<Value, String>,
    lists: Vec<Value>,
    /// Lists that cannot be read.
    odd: Vec<Value>,
}

impl Likes {
    pub fn of(module: Module) -> Likes {
        let mut likes = Likes::default();
        for list in module.globals() {
            let name = list.name();
            if let Some(content) = list.initializer().filter(|_| LISTS.iter().any(|word| name.contains(word)))
            {
                likes.lists.push(list);
                match content.operands().as_slice() {
                    [function, text] if function.as_function().is_some() => match read_text(*text) {
                        Some(text) => drop(likes.names.insert(*function, text)),
                        None => likes.odd.push(list),
                    },
                    _ => likes.odd.push(list),
                }
            }
        }
        for (function, text) in module.annotations() {
            if let Some(name) = ANNOTATIONS.iter().find_map(|prefix| text.strip_prefix(prefix)) {
                likes.names.insert(function, name.into());
            }
        }
        for function in module.functions() {
            for text in function.attributes(-1) {
                if let Some(name) = text.strip_prefix(ATTRIBUTE) {
                    likes.names.insert(function, name.trim_matches('"').into());
                }
            }
        }
        likes
    }

    pub fn contains(&self, function: Value) -> bool {
        self.names.contains_key(&function)
    }

    /// Keeps them from being inlined before a later stage differentiates their callers.
    pub fn keep_whole(&self, module: Module) {
        self.lists.iter().for_each(|list| llvm!(shim::bs_shim_append_used(module.0, list.0)));
        self.names.keys().for_each(|function| llvm!(shim::bs_shim_mark_noinline(function.0)));
    }

    /// Writes into the model what the user declared.
    pub fn mark(&self, program: &mut Program) {
        let names: HashMap<String, &String> =
            self.names.iter().map(|(function, name)| (function.name(), name)).collect();
        for function in &mut program.functions {
            if let Some(name) = names.get(&function.name) {
                function.attributes.push(format!("{BEHAVES_LIKE}{name}"));
                function.attributes.sort();
            }
        }
    }

    /// Refuses lists that say nothing, and names of which nothing is known.
    pub fn report(&self, module: Module, rules: &Rules) {
        let Some(first) = module.functions().first().copied() else { return };
        for list in &self.odd {
            let message = format!(
                "`{}` lists something else than {{ f, \"name\" }}, known when compiling",
                list.name()
            );
            let text = Refusal::new(Code::BadRule, message).to_string();
            crate::report::error_at_global(*list, first, &text);
        }
        let mut unknown: Vec<(&Value, &String)> = self.names.iter().collect();
        unknown.retain(|(_, name)| matches!(rules.lookup_callee(name), CalleeRule::Unknown));
        unknown.sort_by_key(|(function, _)| function.name());
        for (function, name) in unknown {
            let message = format!(
                "`{}` is declared to behave like `{name}`, whose derivative is not known; docs/rules.md lists what is",
                function.name()
            );
            crate::report::error(*function, None, &Refusal::new(Code::BadRule, message).to_string());
        }
    }
}

/// The text that a pointer to a constant string leads to.
fn read_text(pointer: Value) -> Option<String> {
    let content = pointer.as_global()?.initializer()?;
    if llvm!(LLVMIsConstantString(content.0)) == 0 {
        return None;
    }
    let mut length = 0;
    let bytes = llvm!(LLVMGetAsString(content.0, &mut length));
    Some(text_of(bytes, length).trim_end_matches('\0').into())
}

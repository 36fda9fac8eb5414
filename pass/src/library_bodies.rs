//! Bodies for calls of the languages' runtime libraries, written in `pass/bodies`, for the copy to be differentiated.
//!
//! Invariant: the module is as before once the bodies are dropped; a call keeps its own callee where there is no body.

use std::collections::HashSet;

use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;

use crate::llvm::{Module, Value, llvm, shim};

/// The compiled bodies; `build.rs` makes them.
const BITCODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bodies.bc"));
/// A body is named like the function it is for, after this.
const PREFIX: &str = "backsweep.body.";

/// Names of functions of flang's runtime, of libstdc++ and of the OpenMP runtime begin so.
const LIBRARIES: [&str; 4] = ["_Fortran", "_ZSt", "_ZNSt", "__kmpc_"];

/// The functions that came with bodies.
pub struct LibraryBodies {
    module: Module,
    linked: Vec<Value>,
    /// Functions that turned out to have no body.
    unknown: HashSet<Value>,
}

impl LibraryBodies {
    pub fn new(module: Module) -> LibraryBodies {
        LibraryBodies { module, linked: Vec::new(), unknown: HashSet::new() }
    }

    /// The function to inline in the place of this one: itself, or a body of ours for it.
    pub fn find_body(&mut self, callee: Value) -> Value {
        let is_runtime = callee.as_function().is_some()
            && callee.is_declaration()
            && LIBRARIES.iter().any(|prefix| callee.name().starts_with(prefix))
            && !self.unknown.contains(&callee);
        if !is_runtime {
            return callee;
        }
        let name = format!("{PREFIX}{}", callee.name());
        let body = self.module.function(&name).or_else(|| self.link(&name, callee));
        let fits = |body: &Value| body.function_type() == callee.function_type();
        body.filter(fits).unwrap_or_else(|| {
            self.unknown.insert(callee);
            callee
        })
    }

    /// Whether the module has any of them.
    pub fn are_used(&self) -> bool {
        !self.linked.is_empty()
    }

    fn link(&mut self, name: &str, callee: Value) -> Option<Value> {
        if !contains(BITCODE, name.as_bytes()) {
            return None;
        }
        let before: HashSet<Value> = self.module.functions().into_iter().collect();
        let declared = self.module.add_function(name, callee.function_type());
        let linked = llvm!(shim::bs_shim_link_bodies(self.module.0, BITCODE.as_ptr().cast(), BITCODE.len()));
        let body = self.module.function(name).filter(|body| linked && !body.is_declaration());
        if body.is_none() {
            llvm!(LLVMDeleteFunction(declared.0));
        }
        let new = self.module.functions().into_iter().filter(|function| !before.contains(function));
        for function in new.filter(|function| !function.is_declaration()) {
            llvm!(LLVMSetLinkage(function.0, LLVMLinkage::LLVMInternalLinkage));
            // Nothing is caught in a body; whose it is would become what the caller is.
            llvm!(LLVMSetPersonalityFn(function.0, std::ptr::null_mut()));
            self.linked.push(function);
        }
        body
    }

    /// Deletes the bodies that nobody calls, which are all that were inlined.
    pub fn drop_unused(mut self, context: *mut shim::Context) {
        loop {
            let (unused, used): (Vec<Value>, Vec<Value>) =
                self.linked.iter().partition(|function| function.users().is_empty());
            for function in &unused {
                function.delete_function(context);
            }
            self.linked = used;
            if unused.is_empty() {
                return;
            }
        }
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

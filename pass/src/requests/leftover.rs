//! Markers that something else still refers to when every request is answered.
//!
//! A marker has no definition anywhere. rustc with debug assertions compares the address of an external static with
//! null before reading it, and that comparison outlives the request: without a definition the program would not link.

use backsweep_core::request::find_token;
use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;

use super::find_sites;
use crate::llvm::{Module, Value, llvm};

/// Gives leftover markers a definition of their own. While a request waits for the linker nothing is touched: it is
/// told from others by the marker's name, which full LTO resolves across files.
pub fn define_leftover_markers(module: Module) {
    if !find_sites(module).is_empty() {
        return;
    }
    for global in module.globals().into_iter().filter(|global| is_leftover(*global)) {
        llvm!(LLVMSetInitializer(global.0, LLVMConstNull(global.function_type().0)));
        llvm!(LLVMSetLinkage(global.0, LLVMLinkage::LLVMInternalLinkage));
    }
}

fn is_leftover(global: Value) -> bool {
    let is_marker = find_token(&global.name()).is_some_and(|name| name.token.is_some());
    is_marker && global.is_declaration() && !global.users().is_empty()
}

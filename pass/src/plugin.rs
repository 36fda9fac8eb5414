//! Where a host finds us: the one exported symbol, and the callbacks behind it.
//!
//! Invariant: a panic never crosses into the host. It becomes a diagnostic that asks for a report.

use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use llvm_sys::prelude::LLVMModuleRef;

use crate::extract::extract_module;
use crate::llvm::{Module, c_text, llvm, shim};

/// `llvm::PassPluginLibraryInfo`, returned by value: API version 2 of LLVM 22.
#[repr(C)]
pub struct PluginInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: extern "C" fn(*mut c_void),
    before_code_generation: Option<extern "C" fn()>,
}

const PLUGIN_API_VERSION: u32 = 2;

#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PluginInfo {
    PluginInfo {
        api_version: PLUGIN_API_VERSION,
        name: c"backsweep".as_ptr(),
        version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        register,
        before_code_generation: None,
    }
}

extern "C" fn register(pass_builder: *mut c_void) {
    let callbacks = shim::Callbacks { run, print };
    llvm!(shim::bs_shim_register(pass_builder, &callbacks));
}

extern "C" fn run(
    _stage: u32,
    _link: u32,
    _options: *const c_char,
    _module: LLVMModuleRef,
    _context: *mut shim::Context,
) -> bool {
    false
}

extern "C" fn print(what: *const c_char, module: LLVMModuleRef, context: *mut shim::Context) {
    let what = c_text(what).unwrap_or_default();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let extraction = extract_module(Module(module), context);
        match what.as_str() {
            _ => format!("{:#?}", extraction.program),
        }
    }));
    let text = outcome.unwrap_or_else(|_| "backsweep: internal error".into());
    llvm!(shim::bs_shim_print(text.as_ptr().cast(), text.len()));
}

//! Where a host finds us: the one exported symbol, and the callbacks behind it.
//!
//! Invariant: a panic never crosses into the host. It becomes a diagnostic that asks for a report.

use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use backsweep_core::analyses::linearity::table::describe_linearity;
use backsweep_core::config::Config;
use backsweep_core::rules::Rules;
use llvm_sys::prelude::LLVMModuleRef;

use crate::differentiate::{describe_plans, differentiate_module, explain_plans};
use crate::extract::extract_module;
use crate::facts::describe_facts;
use crate::graphs::{describe_all_graphs, export_all_graphs};
use crate::llvm::{Module, c_text, llvm, shim};
use crate::report::error;
use crate::stage::Stage;
use crate::structures::describe_all_structures;

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
    // A panic is told as a diagnostic. The hook is this library's own: the host's, if it is Rust, is another.
    std::panic::set_hook(Box::new(|_| {}));
    let callbacks = shim::Callbacks { run, print };
    llvm!(shim::bs_shim_register(pass_builder, &callbacks));
}

extern "C" fn run(
    stage: u32,
    link: u32,
    options: *const c_char,
    module: LLVMModuleRef,
    context: *mut shim::Context,
) -> bool {
    let module = Module(module);
    let options = c_text(options).unwrap_or_default();
    if module.has_note(FAILED) {
        return false;
    }
    guard(module, || match read_config(&options) {
        Ok(config) => differentiate_module(module, context, Stage::from_raw(stage, link), config),
        Err(problem) => {
            report_module(module, &format!("backsweep: {problem} [BS040]"));
            false
        }
    })
    .unwrap_or(true)
}

extern "C" fn print(what: *const c_char, module: LLVMModuleRef, context: *mut shim::Context) {
    let what = c_text(what).unwrap_or_default();
    let module = Module(module);
    let config = || read_config("").unwrap_or_default();
    let text = guard(module, || match what.as_str() {
        "model" => extract_module(module, context).program.to_string(),
        "plan" => describe_plans(module, context, &config()),
        "explain" => explain_plans(module, context, &config()),
        "graph" => describe_all_graphs(module, context, &config()),
        "graph-dot" => export_all_graphs(module, context, &config()),
        "dependence" => {
            backsweep_core::dependence::describe_dependence(&extract_module(module, context).program)
        }
        "dependence-dot" => backsweep_core::dependence::export_dot(&extract_module(module, context).program),
        "linearity" => describe_linearity(&extract_module(module, context).program, &Rules::new()),
        "structure" => describe_all_structures(module, context),
        "activity" | "liveness" | "tbr" | "write" => describe_facts(module, context, &what),
        _ => format!("print<backsweep-{what}>: there is no such printer\n"),
    });
    let text = text.unwrap_or_default();
    llvm!(shim::bs_shim_print(text.as_ptr().cast(), text.len()));
}

/// Runs a callback's work; a panic becomes an error at the first function, and the host goes on.
fn guard<T>(module: Module, work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(value) => Some(value),
        Err(payload) => {
            let text = payload
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_string()));
            let message = format!(
                "backsweep: internal error, please report it with this input: {} [BS099]",
                text.unwrap_or_default()
            );
            report_module(module, &message);
            None
        }
    }
}

/// Marks a module that we failed on, so that later stages do not say the same again.
const FAILED: &str = "backsweep.failed";

/// Options from the environment, then from the pass's parameters.
fn read_config(parameters: &str) -> Result<Config, String> {
    let environment = std::env::var("BACKSWEEP_OPTIONS").unwrap_or_default();
    Config::default().read(&environment)?.read(parameters)
}

/// An error that belongs to no line.
fn report_module(module: Module, message: &str) {
    module.add_note(FAILED);
    if let Some(function) = module.functions().first() {
        error(*function, None, message);
    }
}

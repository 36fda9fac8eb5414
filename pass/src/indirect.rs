//! Calls through pointers: what the optimiser can tell is told first, what is left becomes a choice among the functions
//! of the module whose address is taken.

use crate::held::hold_inactive_loads;
use crate::inline::{Round, inline_calls, inline_rest};
use crate::known::Known;
use crate::library_bodies::LibraryBodies;
use crate::llvm::{Module, Value, llvm, shim};
use crate::prepare::run_passes;
use crate::trampolines::{open_trampolines, tell_present};

/// How often the targets of pointers are inlined that only the inlining of another target brought to light.
const INLINED_POINTERS: usize = 2;

/// Inlining a target may bring calls through pointers of its own.
pub fn resolve_pointers(
    module: Module,
    context: *mut shim::Context,
    copy: Value,
    function: Value,
    bodies: &mut LibraryBodies,
    known: &Known,
) {
    for round in 0..=INLINED_POINTERS {
        // A pointer that was handed to who calls it was told as he was inlined, and is a call by name since. Only when what Rust
        // tries is inlined does it show which values come with a panic.
        let by_name = !llvm!(shim::bs_shim_has_indirect_call(copy.0)) || catches_panics(module);
        if by_name && calls_by_name(copy, known) {
            if inline_calls(context, copy, function, bodies, known, Round::Pointed) {
                inline_rest(module, context, copy, function, bodies, known, Round::Pointed);
            }
            hold_inactive_loads(module, copy);
        }
        if !llvm!(shim::bs_shim_has_indirect_call(copy.0)) {
            return;
        }
        bodies.describe_calls(copy);
        tell_present(module, copy);
        run_passes(context, copy, "sroa,early-cse<memssa>,instsimplify,adce");
        let opened = open_trampolines(module, copy);
        let told = opened || !llvm!(shim::bs_shim_has_indirect_call(copy.0));
        let promoted = !told && llvm!(shim::bs_shim_promote_calls(copy.0, is_known_target, user_data(known)));
        if !told && !promoted {
            return;
        }
        // Further down targets stay calls, so that pointers that lead to each other come to an end.
        if round < INLINED_POINTERS {
            let lot = if promoted { Round::Pointed } else { Round::First };
            if inline_calls(context, copy, function, bodies, known, lot) {
                let next = if promoted { Round::Pointed } else { Round::Later };
                inline_rest(module, context, copy, function, bodies, known, next);
            }
            hold_inactive_loads(module, copy);
        }
    }
}

/// Whether anything here asks Rust's library for a panic that was caught, see `destroysPanic` in the shim.
fn catches_panics(module: Module) -> bool {
    module.functions().iter().any(|function| function.name().contains("3std9panicking12catch_unwind7cleanup"))
}

/// Whether a function calls others by name that could be inlined.
fn calls_by_name(copy: Value, known: &Known) -> bool {
    let insts = copy.blocks().into_iter().flat_map(|block| block.instructions());
    insts.filter(|inst| inst.is_call()).any(|call| known.is_inlinable(call.callee()))
}

/// The functions that a call through a pointer may lead to; none for other calls.
pub fn targets_of(call: Value, known: &Known) -> Vec<Value> {
    let targets = shim::gather(|user| {
        let data = user_data(known);
        llvm!(shim::bs_shim_targets_of(call.0, is_known_target, data, shim::collect_value, user));
    });
    targets.into_iter().map(Value).collect()
}

fn user_data(known: &Known) -> *mut std::ffi::c_void {
    std::ptr::from_ref(known).cast_mut().cast()
}

/// Whether a pointer that leads to a function is followed there.
extern "C" fn is_known_target(
    known: *mut std::ffi::c_void,
    function: llvm_sys::prelude::LLVMValueRef,
) -> bool {
    // SAFETY: `user_data` made it of a reference that outlives the call.
    let known = unsafe { &*known.cast::<Known>() };
    let function = Value(function);
    // What makes and frees memory is handed to those who are to use no other.
    let allocates =
        || ["malloc", "calloc", "free"].contains(&function.name().as_str()) && function.is_declaration();
    known.has_derivative(function) || allocates()
}

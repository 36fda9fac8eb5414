//! Exceptions while a function is differentiated: ordinary control flow.
//!
//! In the copy that is differentiated an invoke is a call, marked as guarded, and behind it a branch on whether it threw,
//! which is the question `backsweep.threw`. A landing pad is a block like any other. So what is thrown and caught inside
//! needs no rules of its own: the edge is recorded or told again like that of any branch. The function that is written
//! from the copy gets its invokes back when it is emitted.

use crate::llvm::{Module, Value, llvm, shim};
use crate::prepare::run_passes;

/// The functions that had to lose `noreturn` while a copy is simplified: what stands behind a call that never returns is
/// gone, and the branch of an exception stands there.
pub struct Opened {
    never_return: Vec<Value>,
}

/// Gives the numbers that exceptions carry within a copy variables of their own, where all who touch them are seen.
///
/// Of a function that others call with a derivative of its own, what is thrown may be caught elsewhere.
pub fn carry_numbers(context: *mut shim::Context, copy: Value) {
    if !throws_and_catches(copy) {
        return;
    }
    // A number shows as one where it is not copied with what lies beside it.
    run_passes(context, copy, "mem2reg,sroa");
    llvm!(shim::bs_shim_carry_numbers(copy.0));
}

/// What an exception says of itself is a message, whoever's exception it is: before it is looked for who may be called.
pub fn name_messages(context: *mut shim::Context, copy: Value) {
    run_passes(context, copy, "mem2reg");
    llvm!(shim::bs_shim_name_messages(copy.0));
}

/// Whether something is thrown and caught.
fn throws_and_catches(copy: Value) -> bool {
    calls(copy, "__cxa_throw") && catches(copy)
}

pub fn catches(copy: Value) -> bool {
    calls(copy, "__cxa_begin_catch")
}

fn calls(copy: Value, name: &str) -> bool {
    let insts = copy.blocks().into_iter().flat_map(|block| block.instructions());
    insts
        .into_iter()
        .any(|inst| inst.is_call() && inst.callee().as_function().is_some() && inst.callee().name() == name)
}

/// Makes the exceptions of a copy ordinary control flow. Those of other platforms stay, and are refused.
pub fn open_invokes(copy: Value) -> Opened {
    let functions = shim::gather(|user| {
        llvm!(shim::bs_shim_open_invokes(copy.0, shim::collect_value, user));
    });
    Opened { never_return: functions.into_iter().map(Value).collect() }
}

impl Opened {
    /// Gives the functions back what they lost: they belong to the user's program.
    pub fn restore(self) {
        self.never_return.into_iter().for_each(|function| llvm!(shim::bs_shim_set_noreturn(function.0)));
    }
}

/// A question whether it threw stands behind this call.
pub fn mark_guarded(call: Value) {
    llvm!(shim::bs_shim_mark_guarded(call.0));
}

/// Gives a function written from such a copy its invokes and landing pads.
pub fn close_invokes(function: Value, primal: Value) {
    llvm!(shim::bs_shim_close_invokes(function.0, primal.0));
}

/// Removes what nobody asks any more.
pub fn drop_markers(module: Module) {
    llvm!(shim::bs_shim_drop_markers(module.0));
}

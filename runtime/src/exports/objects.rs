//! Tapes that are not bound to a thread: growing ones (`bs_tape_new`) and fixed ones (`bs_rt_tape_alloc`).

use crate::allocation;
use crate::failure::{FailureKind, fail};
use crate::function::Function;
use crate::registry::{Listed, REGISTRY};
use crate::start::start;
use crate::state::{Owner, State};
use crate::thread::destroy;
use std::ffi::{c_char, c_void};

/// A new, empty tape object.
#[unsafe(no_mangle)]
pub extern "C" fn bs_tape_new() -> *mut State {
    start();
    let state = Box::into_raw(State::new(Owner::Object));
    REGISTRY.with(|registry| registry.stacks.insert(Listed(state)));
    state
}

/// Frees a tape object, consumed or not.
///
/// # Safety
/// Nobody uses `tape` during or after the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_tape_free(tape: *mut State, function: *const c_char) {
    if tape.is_null() {
        return;
    }
    let is_object = REGISTRY.with(|registry| {
        // SAFETY: a listed stack is alive, so its owner may be read.
        registry.stacks.contains(&Listed(tape)) && unsafe { (*tape).owner } == Owner::Object
    });
    if !is_object {
        let function = Function::new(function);
        fail(
            FailureKind::DoubleFree,
            function,
            0,
            format_args!("double free: {function} frees {tape:p}, which is not a live tape object"),
        );
    }
    // SAFETY: it is listed, so it came from `bs_tape_new` and was not freed.
    unsafe { destroy(tape) };
}

/// `bytes` of memory for a split-mode tape, aligned to 64.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_tape_alloc(bytes: usize, function: *const c_char) -> *mut c_void {
    start();
    allocation::allocate(bytes, Function::new(function)).cast()
}

/// # Safety
/// `tape` is null or came from `bs_rt_tape_alloc`, and nobody uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_rt_tape_free(tape: *mut c_void) {
    // SAFETY: the caller's contract.
    unsafe { allocation::free(tape.cast()) };
}

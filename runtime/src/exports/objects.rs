//! Tapes that are not bound to a thread: growing ones (`bs_tape_new`) and fixed ones (`bs_rt_tape_alloc`).

use crate::allocation;
use crate::failure::{FailureKind, fail};
use crate::function::Function;
use crate::registry::{Listed, REGISTRY};
use crate::start::start;
use crate::state::{Owner, State};
use crate::thread::end;
use std::ffi::{c_char, c_void};

/// A new, empty tape object.
#[unsafe(no_mangle)]
pub extern "C" fn bs_tape_new() -> *mut State {
    start();
    let state = Box::into_raw(State::new(Owner::Object));
    REGISTRY.with(|registry| registry.stacks.insert(Listed(state)));
    state
}

/// Frees a tape object, consumed or not, and what was put off on it.
///
/// # Safety
/// Nobody uses `tape` during or after the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_tape_free(tape: *mut State, function: *const c_char) {
    if !tape.is_null() {
        // SAFETY: the caller's contract.
        unsafe { free_object(tape, Function::new(function)) };
    }
}

/// # Safety
/// Nobody uses `tape` during or after the call.
unsafe fn free_object(tape: *mut State, function: Function) {
    let is_object = REGISTRY.with(|registry| {
        // SAFETY: a listed stack is alive, so its owner may be read.
        registry.stacks.contains(&Listed(tape)) && unsafe { (*tape).owner } == Owner::Object
    });
    if !is_object {
        fail(
            FailureKind::DoubleFree,
            function,
            0,
            format_args!("double free: {function} frees {tape:p}, which is not a live tape object"),
        );
    }
    // SAFETY: it is listed, so it came from `bs_tape_new` and was not freed.
    unsafe { end(tape) };
}

/// `bytes` of memory for a split-mode tape, aligned to 64.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_tape_alloc(bytes: usize, function: *const c_char) -> *mut c_void {
    start();
    allocation::allocate(bytes, Function::new(function)).cast()
}

/// The split-mode tape owns the records of its sweep from now on: freeing it frees both.
///
/// # Safety
/// `tape` is a live one of `bs_rt_tape_alloc`, `records` a live one of `bs_tape_new` that nobody else frees.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_rt_tape_own(tape: *mut c_void, records: *mut State) {
    // SAFETY: the caller's contract.
    unsafe { allocation::own(tape.cast(), records) };
}

/// Fails unless the tape is live and was made with the same size for the same function.
///
/// # Safety
/// `tape` is null or came from `bs_rt_tape_alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_rt_tape_check(tape: *mut c_void, bytes: usize, function: *const c_char) {
    // SAFETY: the caller's contract.
    unsafe { allocation::check(tape.cast(), bytes, Function::new(function)) };
}

/// An exception has left the sweep over the tape, whose owner may only free it now.
///
/// # Safety
/// `tape` is null or a live one of `bs_rt_tape_alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_rt_tape_spoil(tape: *mut c_void) {
    // SAFETY: the caller's contract.
    unsafe { allocation::spoil(tape.cast()) };
}

/// # Safety
/// `tape` is null or came from `bs_rt_tape_alloc`, and nobody uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_rt_tape_free(tape: *mut c_void) {
    // SAFETY: the caller's contract; what the tape owned is nobody else's.
    unsafe {
        let records = allocation::free(tape.cast());
        if !records.is_null() {
            free_object(records, Function::unknown());
        }
    }
}

//! The calls behind the fast path: grow, cross a gate, check.

use crate::failure::{FailureKind, fail};
use crate::function::Function;
use crate::state::State;
use crate::tag::RecordKind;
use crate::thread::{self, enter};
use std::ffi::{c_char, c_void};

/// The calling thread's tape.
#[unsafe(no_mangle)]
pub extern "C" fn bs_tape_of_thread() -> *mut State {
    thread::current()
}

/// # Safety
/// `tape` is a live tape that this thread may use; `function` is null or a static C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_tape_push_slow(
    tape: *mut State,
    bytes: usize,
    function: *const c_char,
) -> *mut c_void {
    // SAFETY: the caller's contract.
    unsafe { enter(tape, Function::new(function)) }.push(bytes, RecordKind::Record).cast()
}

/// # Safety
/// As `bs_tape_push_slow`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_tape_pop_slow(
    tape: *mut State,
    bytes: usize,
    function: *const c_char,
) -> *mut c_void {
    // SAFETY: the caller's contract.
    unsafe { enter(tape, Function::new(function)) }.pop(bytes, RecordKind::Record).cast()
}

/// # Safety
/// As `bs_tape_push_slow`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_tape_push_block(
    tape: *mut State,
    count: usize,
    size: usize,
    align: usize,
    function: *const c_char,
) -> *mut c_void {
    let function = Function::new(function);
    let bytes = block_bytes(count, size, function);
    // SAFETY: the caller's contract.
    unsafe { enter(tape, function) }.push_aligned(bytes, align, RecordKind::Block).cast()
}

/// # Safety
/// As `bs_tape_push_slow`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_tape_pop_block(
    tape: *mut State,
    count: usize,
    size: usize,
    align: usize,
    function: *const c_char,
) -> *mut c_void {
    let function = Function::new(function);
    let bytes = block_bytes(count, size, function);
    // SAFETY: the caller's contract.
    unsafe { enter(tape, function) }.pop_aligned(bytes, align, RecordKind::Block).cast()
}

/// # Safety
/// As `bs_tape_push_slow`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_tape_mark(tape: *mut State) -> *mut c_void {
    // SAFETY: the caller's contract.
    unsafe { enter(tape, Function::unknown()) }.mark().cast()
}

/// # Safety
/// As `bs_tape_push_slow`; `mark` came from `bs_tape_mark` on the same tape.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_tape_release(tape: *mut State, mark: *mut c_void, function: *const c_char) {
    // SAFETY: the caller's contract.
    unsafe { enter(tape, Function::new(function)) }.release(mark.cast());
}

/// # Safety
/// As `bs_tape_release`; since the mark was taken the tape was only popped, and what was popped is to be read again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_tape_rewind(tape: *mut State, mark: *mut c_void, function: *const c_char) {
    // SAFETY: the caller's contract.
    unsafe { enter(tape, Function::new(function)) }.rewind(mark.cast());
}

/// Trips times bytes: a product that wraps would hand out a short block.
fn block_bytes(count: usize, size: usize, function: Function) -> usize {
    count.checked_mul(size).unwrap_or_else(|| {
        fail(
            FailureKind::Memory,
            function,
            usize::MAX,
            format_args!("{function} asks for {count} times {size} bytes, more than there are addresses"),
        )
    })
}

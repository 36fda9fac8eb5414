//! What derived code does about memory that is not freed where the reverse sweep reaches its allocation.

use std::ffi::{c_char, c_void};

use crate::arrays;
use crate::function::Function;
use crate::put_off::{self, PutOff, Release, SizedRelease};
use crate::room;
use crate::state::State;
use crate::thread::enter;

/// Before a shadow of `count` times `size` bytes is allocated.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_make_room(count: usize, size: usize) {
    room::make_room(count.saturating_mul(size));
}

/// The shadow of memory that lives until the primal frees it: `count` times `size` bytes, all zero.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_lasting_shadow(count: usize, size: usize) -> *mut c_void {
    put_off::make_shadow(count, size)
}

/// The memory is freed: what the program allocates next may lie in its place.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_lasting_shadow_free(shadow: *mut c_void) {
    put_off::free_shadow(shadow);
    arrays::forget(shadow.addr());
}

/// How many are on the tape's list.
///
/// # Safety
/// As for every call on a tape.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_rt_put_off_open(tape: *mut State, function: *const c_char) -> usize {
    // SAFETY: the caller's contract.
    unsafe { list_of(tape, function, |list| list.len()) }
}

/// # Safety
/// As for every call on a tape; `release` frees `memory`, which nobody frees any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_rt_put_off(
    tape: *mut State,
    memory: *mut c_void,
    release: Release,
    shadow: *mut c_void,
    function: *const c_char,
) {
    // SAFETY: the caller's contract.
    unsafe { list_of(tape, function, |list| list.add(memory, release, shadow)) }
}

/// # Safety
/// As for `bs_rt_put_off`; `release` is told the size and the alignment.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_rt_put_off_sized(
    tape: *mut State,
    memory: *mut c_void,
    release: SizedRelease,
    size: usize,
    align: usize,
    shadow: *mut c_void,
    function: *const c_char,
) {
    // SAFETY: the caller's contract.
    unsafe { list_of(tape, function, |list| list.add_sized(memory, release, size, align, shadow)) }
}

/// Frees what was put off since the list had as many as its opening said.
///
/// # Safety
/// As for every call on a tape.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_rt_put_off_close(tape: *mut State, opened: usize, function: *const c_char) {
    // SAFETY: the caller's contract.
    put_off::close(opened, |with| unsafe { list_of(tape, function, |list| with(list)) });
}

/// # Safety
/// As for every call on a tape.
unsafe fn list_of<R>(tape: *mut State, function: *const c_char, with: impl FnOnce(&mut PutOff) -> R) -> R {
    // SAFETY: the caller's contract.
    let stack = unsafe { enter(tape, Function::new(function)) };
    with(&mut stack.inner.put_off)
}

//! What derived code does so that the user finds memory as the primal left it.

use std::ffi::c_char;

use crate::function::Function;
use crate::left::{Left, Row};

#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_left_open() -> *mut Left {
    Box::into_raw(Box::default())
}

/// The primal stored at `count` places of `size` bytes, each `step` behind the one before.
///
/// # Safety
/// `left` is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_rt_left_tell(
    left: *mut Left,
    last: usize,
    step: isize,
    count: usize,
    size: usize,
) {
    // SAFETY: the caller's contract.
    unsafe { (*left).tell(Row { last, step, count, size }) }
}

/// Behind the forward sweep.
///
/// # Safety
/// `left` is open, and what was told may be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_rt_left_keep(left: *mut Left, function: *const c_char) {
    // SAFETY: the caller's contract.
    unsafe { (*left).keep(Function::new(function)) }
}

/// Behind the reverse sweep.
///
/// # Safety
/// `left` is open, and is not used any more; what was told may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_rt_left_close(left: *mut Left) {
    // SAFETY: the caller's contract, and it came from a box.
    unsafe { Box::from_raw(left).write_back() }
}

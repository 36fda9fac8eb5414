//! What a program asks of the runtime as a whole: figures, memory back, another failure handler.

use crate::failure::{self, Handler};
use crate::function::Function;
use crate::registry::{Figures, REGISTRY};
use crate::state::State;
use crate::stats;
use crate::thread::{self, enter};

/// The figures of one tape, or of the whole process for a null pointer.
///
/// # Safety
/// `tape` is null or a live tape; `figures` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_tape_stats(tape: *const State, figures: *mut Figures) {
    let found = if tape.is_null() {
        stats::summed()
    } else {
        // SAFETY: the caller's contract; only atomic fields are read.
        Figures::of(unsafe { &(*tape).front })
    };
    // SAFETY: the caller's contract.
    unsafe { figures.write(found) };
}

/// Gives back what the calling thread's tape and freed tape objects keep for the next call.
#[unsafe(no_mangle)]
pub extern "C" fn bs_tape_trim() {
    let state = thread::current_if_any();
    if !state.is_null() {
        // SAFETY: it is this thread's own.
        unsafe { enter(state, Function::unknown()) }.trim();
    }
    // Unmapped outside the lock: the kernel needs time for gigabytes.
    drop(REGISTRY.with(|registry| registry.cache.take_all()));
}

/// Replaces the failure handler; null brings the default back. Returns the one before.
#[unsafe(no_mangle)]
pub extern "C" fn bs_tape_set_failure_handler(handler: Option<Handler>) -> Option<Handler> {
    failure::exchange_handler(handler)
}

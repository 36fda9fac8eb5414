//! What happens once per process, before the first tape.
//!
//! Invariant: runs before `main` when the runtime is linked in, so that the statistics line appears even for a
//! program whose gradient needed no tape; and again (without effect) at first use, for tapes used by
//! constructors that run still earlier.

use crate::config::{Reporting, config};
use std::sync::Once;

static STARTED: Once = Once::new();

pub fn start() {
    STARTED.call_once(|| {
        crate::fork::install();
        if config().reporting == Reporting::AtExit {
            // SAFETY: a function that lives as long as the program; a refusal costs the line, nothing else.
            unsafe { libc::atexit(print_at_exit) };
        }
    });
}

extern "C" fn print_at_exit() {
    crate::stats::print_if_asked();
}

extern "C" fn before_main() {
    start();
}

#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = before_main;

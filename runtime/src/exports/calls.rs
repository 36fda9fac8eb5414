//! The end of a call through a pointer that leads to none of the functions whose derivatives were made.

use std::ffi::c_void;

use crate::failure::{FailureKind, fail};
use crate::function::Function;

/// Ends the program: generated code has compared `address` with every function it knows.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_unknown_function(address: *const c_void) {
    fail(
        FailureKind::Function,
        Function::unknown(),
        0,
        format_args!(
            "a call through a pointer leads to the function at {address:p}, whose derivative was not made because it is \
             defined in another file; define it where the derivative is asked for, or link with full LTO (-flto)"
        ),
    );
}

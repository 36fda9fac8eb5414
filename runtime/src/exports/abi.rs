//! Which version of the ABI this runtime speaks.
//!
//! Generated code refers to `bs_rt_abi_<version>`, so a runtime of another version fails to link with that name
//! in the message. `bs_rt_check_abi` says the same at run time, for libraries that are loaded late.

use crate::failure::{FailureKind, fail};
use crate::function::Function;
use std::ffi::{c_char, c_uint};

const ABI: c_uint = 3;

#[unsafe(no_mangle)]
pub static bs_rt_abi_3: c_uint = ABI;

/// Ends the program with a message if `wanted` is not the version of this runtime.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_check_abi(wanted: c_uint, who: *const c_char) {
    crate::start::start();
    if wanted != ABI {
        let function = Function::new(who);
        fail(
            FailureKind::Abi,
            function,
            0,
            format_args!(
                "ABI mismatch: {function} was compiled for version {wanted} of the tape runtime, and this is \
                 version {ABI}; compile and link with one version of Backsweep"
            ),
        );
    }
}

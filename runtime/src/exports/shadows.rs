//! What derived code does about pointers whose derivative has no place.

use crate::failure::{FailureKind, fail};
use crate::function::Function;
use std::ffi::{c_char, c_void};

/// Ends a derivative that would lose what lies behind a pointer.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_no_shadow(pointer: *const c_void, function: *const c_char, global: *const c_char) {
    let function = Function::new(function);
    if global.is_null() {
        fail(
            FailureKind::Shadow,
            function,
            0,
            format_args!(
                "in the derivative of {function} the pointer {pointer:p}, found in a global, was put there before the \
                 call and has no shadow; pass it as an argument with a shadow, or declare a shadow of the global \
                 (__backsweep_shadow)"
            ),
        );
    }
    let global = Function::new(global);
    fail(
        FailureKind::Shadow,
        function,
        0,
        format_args!(
            "in the derivative of {function} the pointer {pointer:p} leads into the global {global}, which the function \
             also uses by name and whose derivative would be lost; declare a shadow of the global \
             (__backsweep_shadow) and pass the same shadow with the pointer"
        ),
    );
}

/// Ends a derivative that would lose a number which was copied in parts, or to where none can start.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_part_of_number() {
    fail(
        FailureKind::Shadow,
        Function::unknown(),
        0,
        format_args!(
            "a copy of active memory moved part of a number, or one to where none can start (as in a packed struct, or between \
             bytes of a message), and its derivative would be lost; copy numbers whole, to where their type may lie"
        ),
    );
}

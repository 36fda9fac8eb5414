//! What derived code does about arrays that were allocated before it was called.

use std::ffi::{c_char, c_void};

use crate::arrays;
use crate::failure::{FailureKind, fail};
use crate::function::Function;

/// A global of so many bytes has this shadow.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_arrays_global(global: *const c_void, bytes: usize, shadow: *mut c_void) {
    arrays::know_global(global.addr(), bytes, shadow.addr());
}

/// A descriptor stands in a global, and at the same place in its shadow.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_arrays_find(descriptor: *const c_void, shadow: *mut c_void) {
    arrays::find_descriptor(descriptor.addr(), shadow.addr());
}

/// Shadows for the arrays that were found, which the shadows of the descriptors lead to from now on.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_arrays_make(lane: usize, function: *const c_char) -> *mut c_void {
    match arrays::make(lane) {
        Ok(block) => block,
        Err(bytes) => {
            let function = Function::new(function);
            fail(
                FailureKind::Memory,
                function,
                bytes,
                format_args!(
                    "the system refused {bytes} bytes for shadows of the arrays that {function} finds in modules"
                ),
            )
        }
    }
}

/// Gives them back.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_arrays_drop(block: *mut c_void) {
    arrays::drop_made(block);
}

/// Ends a derivative that would have two shadows for one array.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_arrays_compare(
    pointer: *const c_void,
    shadow: *const c_void,
    lane: usize,
    function: *const c_char,
) {
    if !arrays::is_lost(pointer.addr(), shadow.addr(), lane) {
        return;
    }
    let function = Function::new(function);
    fail(
        FailureKind::Shadow,
        function,
        0,
        format_args!(
            "in the derivative of {function} the pointer {pointer:p} leads into an array of a module, which the function \
             also uses by name and whose derivative would be lost; pass a copy, or use the array in one way"
        ),
    );
}

/// Marks memory of so many bytes, behind which there is room for a word, as flang's ALLOCATE of a pointer does.
///
/// # Safety
/// Such memory begins at `base`, and `bytes` is a multiple of the size of a word.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_rt_fortran_pointer(base: *mut c_void, bytes: usize) {
    // SAFETY: the caller's contract.
    unsafe { base.cast::<u8>().add(bytes).cast::<usize>().write(!base.addr()) };
}

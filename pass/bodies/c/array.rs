//! reallocarray, as the `realloc` that it is.

use core::ffi::c_void;
use core::ptr::null_mut;

unsafe extern "C" {
    fn realloc(old: *mut c_void, bytes: usize) -> *mut c_void;
}

#[unsafe(export_name = "backsweep.body.reallocarray")]
unsafe extern "C" fn reallocarray(old: *mut c_void, count: usize, size: usize) -> *mut c_void {
    match count.checked_mul(size) {
        Some(bytes) => unsafe { realloc(old, bytes) },
        None => null_mut(),
    }
}

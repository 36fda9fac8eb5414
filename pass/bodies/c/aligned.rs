//! posix_memalign, as an allocation whose result is put where the caller wants it.

use core::ffi::{c_int, c_void};

unsafe extern "C" {
    fn aligned_alloc(align: usize, bytes: usize) -> *mut c_void;
}

const INVALID: c_int = 22;
const NO_MEMORY: c_int = 12;

#[unsafe(export_name = "backsweep.body.posix_memalign")]
unsafe extern "C" fn posix_memalign(place: *mut *mut c_void, align: usize, bytes: usize) -> c_int {
    if align % size_of::<*mut c_void>() != 0 || !align.is_power_of_two() {
        return INVALID;
    }
    // `aligned_alloc` takes whole multiples only.
    let Some(whole) = bytes.checked_add(align - 1) else { return NO_MEMORY };
    let fresh = unsafe { aligned_alloc(align, whole & !(align - 1)) };
    if fresh.is_null() {
        return NO_MEMORY;
    }
    unsafe { *place = fresh };
    0
}

//! What derived code does about memory that is freed in another function than it was allocated in.

use std::ffi::c_void;

use crate::put_off::{self, Release};

/// The shadow of memory that lives until the primal frees it: `count` times `size` bytes, all zero.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_lasting_shadow(count: usize, size: usize) -> *mut c_void {
    put_off::make_shadow(count, size)
}

#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_lasting_shadow_free(shadow: *mut c_void) {
    put_off::free_shadow(shadow);
}

#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_put_off_open() {
    put_off::open();
}

/// # Safety
/// `release` frees `memory`, which nobody frees any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bs_rt_put_off(memory: *mut c_void, release: Release, shadow: *mut c_void) {
    put_off::add(memory, release, shadow);
}

#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_put_off_close() {
    put_off::close();
}

//! bsearch, by halves as that of the GNU library does it, so that of several equal elements the same one is found.

use core::ffi::c_int;

type Compare = unsafe extern "C" fn(*const u8, *const u8) -> c_int;

#[unsafe(export_name = "backsweep.body.bsearch")]
unsafe extern "C" fn bsearch(
    key: *const u8,
    start: *mut u8,
    count: usize,
    size: usize,
    compare: Compare,
) -> *mut u8 {
    let (mut from, mut end) = (0, count);
    while from < end {
        let middle = (from + end) / 2;
        let element = unsafe { start.add(middle * size) };
        let order = unsafe { compare(key, element) };
        if order < 0 {
            end = middle;
        } else if order > 0 {
            from = middle + 1;
        } else {
            return element;
        }
    }
    core::ptr::null_mut()
}

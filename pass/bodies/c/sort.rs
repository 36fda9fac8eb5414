//! qsort, as a sort that leaves equal elements in their order, as that of the GNU library does.

use core::ffi::c_int;

unsafe extern "C" {
    fn malloc(bytes: usize) -> *mut u8;
    fn free(place: *mut u8);
}

type Compare = unsafe extern "C" fn(*const u8, *const u8) -> c_int;

/// An array of elements of which only the size is known.
#[derive(Clone, Copy)]
struct Elements {
    start: *mut u8,
    size: usize,
}

impl Elements {
    unsafe fn at(self, index: usize) -> *mut u8 {
        unsafe { self.start.add(index * self.size) }
    }

    unsafe fn copy(self, index: usize, to: Elements, place: usize) {
        unsafe { core::ptr::copy_nonoverlapping(self.at(index), to.at(place), self.size) }
    }
}

/// Two sorted neighbours, `from..middle` and `middle..end`, as one in another place.
unsafe fn merge(
    elements: Elements,
    merged: Elements,
    (from, middle, end): (usize, usize, usize),
    compare: Compare,
) {
    let (mut left, mut right, mut to) = (from, middle, from);
    while to < end {
        let is_left_next =
            left < middle && (right >= end || unsafe { compare(elements.at(left), elements.at(right)) <= 0 });
        if is_left_next {
            unsafe { elements.copy(left, merged, to) };
            left += 1;
        } else {
            unsafe { elements.copy(right, merged, to) };
            right += 1;
        }
        to += 1;
    }
}

#[unsafe(export_name = "backsweep.body.qsort")]
unsafe extern "C" fn qsort(start: *mut u8, count: usize, size: usize, compare: Compare) {
    if count < 2 {
        return;
    }
    let elements = Elements { start, size };
    let merged = Elements { start: unsafe { malloc(count * size) }, size };
    let mut width = 1;
    while width < count {
        let mut from = 0;
        while from < count {
            let middle = if count - from < width { count } else { from + width };
            let end = if count - middle < width { count } else { middle + width };
            unsafe { merge(elements, merged, (from, middle, end), compare) };
            from = end;
        }
        let mut index = 0;
        while index < count {
            unsafe { merged.copy(index, elements, index) };
            index += 1;
        }
        width *= 2;
    }
    unsafe { free(merged.start) };
}

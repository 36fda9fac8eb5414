//! Copies that flang makes of what it passes on: sections for those who take contiguous arrays, and temporaries.

use super::assign::{assign_value, copy_each};
use super::derived::{initialize_elements, name_object, share_elements, take_along};
use super::descriptor::{ALLOCATABLE, DERIVED, Descriptor, RANKS, View, copy_dim, free, unknown};

/// Elements as they are: what components lead to is shared by both.
unsafe fn share_each(like: &Descriptor, to: View, from: View) {
    unsafe {
        if like.ty == DERIVED {
            share_elements(to, from, like);
        } else {
            copy_each(like, (like.ty, like.bytes), to, from);
        }
    }
}

/// What a descriptor says of an array, but for where it is.
unsafe fn describe_like(to: &mut Descriptor, from: &Descriptor) {
    if usize::from(from.rank) > RANKS {
        unknown()
    }
    to.bytes = from.bytes;
    to.version = from.version;
    to.rank = from.rank;
    to.ty = from.ty;
    to.attribute = from.attribute;
    to.extra = from.extra;
    unsafe {
        for d in 0..RANKS {
            if d < usize::from(from.rank) {
                copy_dim(to, from, d);
            }
        }
        if from.ty == DERIVED {
            name_object(to, from);
        }
    }
}

#[unsafe(export_name = "backsweep.body._FortranAIsContiguous")]
unsafe extern "C" fn is_contiguous(x: &Descriptor) -> bool {
    let view = x.view();
    let (mut bytes, mut follows) = (x.bytes as i64, true);
    for d in 0..RANKS {
        if d < usize::from(x.rank) {
            follows &= view.strides[d] == bytes || view.extents[d] == 1;
            bytes *= view.extents[d];
        }
    }
    follows || bytes == 0
}

#[unsafe(export_name = "backsweep.body._FortranACopyInAssign")]
unsafe extern "C" fn copy_in(to: &mut Descriptor, from: &Descriptor, _file: *const u8, _line: i32) {
    unsafe {
        describe_like(to, from);
        to.attribute = ALLOCATABLE;
        let view = to.allocate(from.view().extents);
        for d in 0..RANKS {
            if d < usize::from(from.rank) {
                (*to.dim(d)).lower = (*from.dim(d)).lower;
            }
        }
        share_each(from, view, from.view());
    }
}

/// Back to where it was read, unless nobody wants it there.
#[unsafe(export_name = "backsweep.body._FortranACopyOutAssign")]
unsafe extern "C" fn copy_out(to: *const Descriptor, from: &mut Descriptor, _file: *const u8, _line: i32) {
    unsafe {
        if !to.is_null() {
            share_each(&*to, (*to).view(), from.view());
        }
        free(from.base);
    }
    from.base = core::ptr::null_mut();
}

/// What is assigned to was nothing before. It may be a component of a class, which takes the type of what it is given: copied as
/// an object of the declared type, what the other type adds would be lost.
#[unsafe(export_name = "backsweep.body._FortranAAssignTemporary")]
unsafe extern "C" fn assign_temporary(to: &mut Descriptor, from: &Descriptor, _file: *const u8, _line: i32) {
    unsafe {
        if !to.base.is_null() {
            initialize_elements(to);
        }
        if to.attribute == ALLOCATABLE {
            take_along(to, from);
        }
        assign_value(to, from);
    }
}

#[unsafe(export_name = "backsweep.body._FortranACopyAndUpdateDescriptor")]
unsafe extern "C" fn copy_descriptor(
    to: &mut Descriptor,
    from: &Descriptor,
    ty: *const u8,
    attribute: u8,
    lower: i32,
) {
    const ONES: i32 = 1;
    const ZEROS: i32 = 2;
    if !ty.is_null() {
        unknown()
    }
    unsafe {
        describe_like(to, from);
        to.base = from.base;
        to.attribute = attribute;
        for d in 0..RANKS {
            if d < usize::from(from.rank) && (lower == ONES || lower == ZEROS) {
                (*to.dim(d)).lower = i64::from(lower == ONES);
            }
        }
    }
}

//! `a = b` for arrays, where `a` may be allocatable.

use super::characters::assign_text;
use super::derived::{
    assign_elements, destroy_as, destroy_at, finalize_as, finalize_elements, initialize_at,
    initialize_elements, name_object, object_type,
};
use super::descriptor::{
    ALLOCATABLE, CHARACTER, DERIVED, Descriptor, Index, RANKS, View, copy_elements, end_program, free,
    known_bytes, known_type, unknown,
};

const NO_SHAPE: &[u8] = b"Assign: unallocated left-hand side and scalar right-hand side\0";

const OTHER_TYPE: &[u8] = b"Assign: mismatching types\0";

const OTHER_RANK: &[u8] = b"Assign: mismatching ranks\0";

/// What is assigned to itself stays as it is.
#[unsafe(export_name = "backsweep.body._FortranAAssign")]
unsafe extern "C" fn assign(to: &mut Descriptor, from: &Descriptor, _file: *const u8, _line: i32) {
    unsafe {
        if to.base != from.base {
            finalize_elements(to);
        }
        assign_value(to, from);
    }
}

/// The same for what is finalized already.
pub unsafe fn assign_value(to: &mut Descriptor, from: &Descriptor) {
    if to.ty == CHARACTER && from.ty == CHARACTER {
        unsafe { assign_text(to, from) };
        return;
    }
    if to.ty != from.ty {
        end_program(OTHER_TYPE)
    }
    // An array that was handed over does not say here what it is of.
    let (ty, bytes) = (known_type(to.ty, from.ty), known_bytes(to.bytes, from.bytes));
    // Elements of a derived type are as long as their type says.
    if ty != DERIVED && to.bytes != from.bytes {
        end_program(OTHER_TYPE)
    }
    if from.rank != 0 && from.rank != to.rank {
        end_program(OTHER_RANK)
    }
    // Neither does it say of how many dimensions it is, but by what an array is given that it takes its shape from.
    let is_scalar = from.rank == 0;
    let rank = if is_scalar { to.rank } else { known_type(to.rank as i8, from.rank as i8) as u8 };
    let source = from.view();
    let mut old = to.view_of(rank);
    let is_other_shape = !is_scalar && !is_same_shape(&old, &source);
    old.base = core::ptr::null_mut();
    if to.attribute == ALLOCATABLE && (to.base.is_null() || is_other_shape) {
        // A scalar gives an array no shape.
        if is_scalar && rank != 0 {
            end_program(NO_SHAPE)
        }
        old.base = to.base;
        unsafe { to.allocate_of(rank, source.extents) };
        for d in 0..RANKS {
            if d < usize::from(rank) {
                unsafe { (*to.dim(d)).lower = (*from.dim(d)).lower };
            }
        }
        if ty == DERIVED {
            unsafe { initialize_elements(to) };
        }
    }
    unsafe {
        copy(to, (ty, bytes), is_scalar, to.view_of(rank), source);
        // The right side may have been read from what is replaced.
        if !old.base.is_null() {
            if ty == DERIVED {
                destroy_at(old, to);
            }
            free(old.base);
        }
    }
}

/// `a = b`, where `a`, an object or an array of them, takes the type of `b`. What `a` holds stays where it is if it is of that type
/// already, as pointers may lead there; else there is memory of its own for the other.
#[unsafe(export_name = "backsweep.body._FortranAAssignPolymorphic")]
unsafe extern "C" fn assign_polymorphic(to: &mut Descriptor, from: &Descriptor, _file: *const u8, _line: i32) {
    if to.attribute != ALLOCATABLE || to.rank != from.rank || to.ty != DERIVED {
        unknown()
    }
    let old = to.view();
    let was = object_type(to);
    let stays = !old.base.is_null() && was == object_type(from);
    unsafe {
        if !old.base.is_null() && old.base != from.base {
            finalize_as(old, to.rank, was);
        }
        if !stays {
            to.base = core::ptr::null_mut();
        }
        to.bytes = from.bytes;
        name_object(to, from);
        assign_value(to, from);
        if !stays && !old.base.is_null() {
            // The right side may have been a part of it.
            destroy_as(old, was);
            free(old.base);
        }
    }
}

fn is_same_shape(a: &View, b: &View) -> bool {
    (0..RANKS).all(|d| a.extents[d] == b.extents[d])
}

/// The right side is evaluated before the left side changes: where the two overlap, by a copy of it.
unsafe fn copy(to: &Descriptor, (ty, bytes): (i8, usize), is_scalar: bool, target: View, source: View) {
    unsafe {
        if is_scalar || !overlap(target, source, bytes) {
            copy_each(to, (ty, bytes), target, source);
        } else {
            let kept = View::packed(source.extents, bytes);
            if ty == DERIVED {
                initialize_at(kept, to);
            }
            copy_each(to, (ty, bytes), kept, source);
            copy_each(to, (ty, bytes), target, kept);
            if ty == DERIVED {
                destroy_at(kept, to);
            }
            free(kept.base);
        }
    }
}

pub unsafe fn copy_each(like: &Descriptor, (ty, bytes): (i8, usize), to: View, from: View) {
    unsafe {
        if ty == DERIVED {
            assign_elements(to, from, like);
        } else {
            copy_elements(ty, bytes, to, from, |index: Index| index);
        }
    }
}

/// Whether two arrays of the same shape share memory, other than element by element.
fn overlap(a: View, b: View, bytes: usize) -> bool {
    let (low_a, high_a) = range(a, bytes);
    let (low_b, high_b) = range(b, bytes);
    let same = a.base == b.base && (0..RANKS).all(|d| a.strides[d] == b.strides[d]);
    low_a < high_b && low_b < high_a && !same
}

fn range(view: View, bytes: usize) -> (*mut u8, *mut u8) {
    let (mut low, mut high) = (0, bytes as i64);
    for d in 0..RANKS {
        let reach = (view.extents[d] - 1) * view.strides[d];
        if reach < 0 {
            low += reach;
        } else {
            high += reach;
        }
    }
    (view.base.wrapping_offset(low as isize), view.base.wrapping_offset(high as isize))
}

//! ALLOCATE, DEALLOCATE and MOVE_ALLOC, of allocatables and pointers.

use super::derived::{
    destroy_elements, finalize_elements, initialize_elements, name_object, reset_type, take_type,
};
use super::descriptor::{ALLOCATABLE, DERIVED, Descriptor, Index, RANKS, copy_dim, end_program, free, unknown};

// What STAT= says, as `ISO_Fortran_binding.h` numbers it.
const NULL_ADDRESS: i32 = 11;
const NOT_NULL_ADDRESS: i32 = 12;

const WRONG_STATE: &[u8] = b"ALLOCATE of what is allocated, or DEALLOCATE of what is not\0";

/// Where nobody asks for the status, an error ends the program.
fn fail(has_status: bool, status: i32) -> i32 {
    if has_status { status } else { end_program(WRONG_STATE) }
}

unsafe fn set_bounds(x: &mut Descriptor, dim: i32, lower: i64, upper: i64) {
    if dim < 0 || dim >= RANKS as i32 {
        unknown()
    }
    let extent = if upper >= lower { upper - lower + 1 } else { 0 };
    unsafe {
        let place = x.dim(dim as usize);
        (*place).lower = if extent == 0 { 1 } else { lower };
        (*place).extent = extent;
    }
}

#[unsafe(export_name = "backsweep.body._FortranAAllocatableSetBounds")]
unsafe extern "C" fn set_allocatable_bounds(x: &mut Descriptor, dim: i32, lower: i64, upper: i64) {
    // ALLOCATE of what is allocated fails, and what it is stays.
    if x.base.is_null() {
        unsafe { set_bounds(x, dim, lower, upper) }
    }
}

#[unsafe(export_name = "backsweep.body._FortranAPointerSetBounds")]
unsafe extern "C" fn set_pointer_bounds(x: &mut Descriptor, dim: i32, lower: i64, upper: i64) {
    unsafe { set_bounds(x, dim, lower, upper) }
}

/// Memory for the bounds that were set, with the lower bounds that were set.
unsafe fn allocate(x: &mut Descriptor, make: impl FnOnce(&mut Descriptor, Index)) {
    let mut lower = [1; RANKS];
    let extents = x.view().extents;
    for d in 0..RANKS {
        if d < usize::from(x.rank) {
            lower[d] = unsafe { (*x.dim(d)).lower };
        }
    }
    unsafe {
        make(x, extents);
        for d in 0..RANKS {
            if d < usize::from(x.rank) {
                (*x.dim(d)).lower = lower[d];
            }
        }
        initialize_elements(x);
    }
}

fn make_allocatable(x: &mut Descriptor, extents: Index) {
    unsafe { x.allocate(extents) };
}

#[unsafe(export_name = "backsweep.body._FortranAAllocatableAllocate")]
unsafe extern "C" fn allocate_allocatable(
    x: &mut Descriptor,
    _stream: *const u8,
    has_status: bool,
    _message: *const u8,
    _file: *const u8,
    _line: i32,
    _device: *const u8,
) -> i32 {
    if !x.base.is_null() {
        return fail(has_status, NOT_NULL_ADDRESS);
    }
    unsafe { allocate(x, make_allocatable) };
    0
}

#[unsafe(export_name = "backsweep.body._FortranAPointerAllocate")]
unsafe extern "C" fn allocate_pointer(
    x: &mut Descriptor,
    _has_status: bool,
    _message: *const u8,
    _file: *const u8,
    _line: i32,
    _device: *const u8,
) -> i32 {
    unsafe { allocate(x, |x, extents| x.allocate_for_pointer(extents)) };
    0
}

unsafe fn deallocate(x: &mut Descriptor, has_status: bool) -> i32 {
    if x.base.is_null() {
        return fail(has_status, NULL_ADDRESS);
    }
    unsafe {
        finalize_elements(x);
        destroy_elements(x);
        free(x.base);
    }
    x.base = core::ptr::null_mut();
    0
}

#[unsafe(export_name = "backsweep.body._FortranAAllocatableDeallocate")]
unsafe extern "C" fn deallocate_allocatable(
    x: &mut Descriptor,
    has_status: bool,
    _message: *const u8,
    _file: *const u8,
    _line: i32,
) -> i32 {
    unsafe { deallocate(x, has_status) }
}

#[unsafe(export_name = "backsweep.body._FortranAPointerDeallocate")]
unsafe extern "C" fn deallocate_pointer(
    x: &mut Descriptor,
    has_status: bool,
    _message: *const u8,
    _file: *const u8,
    _line: i32,
) -> i32 {
    unsafe { deallocate(x, has_status) }
}

#[unsafe(export_name = "backsweep.body._FortranAMoveAlloc")]
unsafe extern "C" fn move_allocation(
    to: &mut Descriptor,
    from: &mut Descriptor,
    derived: *const u8,
    _has_status: bool,
    _message: *const u8,
    _file: *const u8,
    _line: i32,
) -> i32 {
    if to.rank != from.rank || to.attribute != ALLOCATABLE {
        unknown()
    }
    unsafe {
        if !to.base.is_null() {
            finalize_elements(to);
            destroy_elements(to);
            free(to.base);
        }
        to.base = from.base;
        to.bytes = from.bytes;
        for d in 0..RANKS {
            if d < usize::from(to.rank) {
                copy_dim(to, from, d);
            }
        }
        // An object takes its type along: where it goes it may be one of a class, wherever it came from. What is polymorphic is of
        // the declared type again when it is left.
        if to.ty == DERIVED {
            name_object(to, from);
        }
    }
    from.base = core::ptr::null_mut();
    unsafe { reset_type(from, derived) };
    0
}

#[unsafe(export_name = "backsweep.body._FortranAAllocatableDeallocatePolymorphic")]
unsafe extern "C" fn deallocate_polymorphic(
    x: &mut Descriptor,
    declared: *const u8,
    has_status: bool,
    _message: *const u8,
    _file: *const u8,
    _line: i32,
) -> i32 {
    let status = unsafe { deallocate(x, has_status) };
    unsafe { reset_type(x, declared) };
    status
}

#[unsafe(export_name = "backsweep.body._FortranAPointerDeallocatePolymorphic")]
unsafe extern "C" fn deallocate_polymorphic_pointer(
    x: &mut Descriptor,
    declared: *const u8,
    has_status: bool,
    _message: *const u8,
    _file: *const u8,
    _line: i32,
) -> i32 {
    let status = unsafe { deallocate(x, has_status) };
    unsafe { reset_type(x, declared) };
    status
}

#[unsafe(export_name = "backsweep.body._FortranAAllocatableAllocateSource")]
unsafe extern "C" fn allocate_like(
    x: &mut Descriptor,
    source: &Descriptor,
    has_status: bool,
    _message: *const u8,
    _file: *const u8,
    _line: i32,
) -> i32 {
    if !x.base.is_null() {
        return fail(has_status, NOT_NULL_ADDRESS);
    }
    unsafe {
        allocate(x, make_allocatable);
        super::assign::assign_value(x, source);
    }
    0
}

/// What a pointer led to before stays where it is, for others.
#[unsafe(export_name = "backsweep.body._FortranAPointerAllocateSource")]
unsafe extern "C" fn allocate_pointer_like(
    x: &mut Descriptor,
    source: &Descriptor,
    _has_status: bool,
    _message: *const u8,
    _file: *const u8,
    _line: i32,
) -> i32 {
    unsafe {
        allocate(x, |x, extents| x.allocate_for_pointer(extents));
        super::assign::assign_value(x, source);
    }
    0
}

/// The dynamic type of what `source` is, and its shape.
unsafe fn apply(x: &mut Descriptor, source: &Descriptor, rank: i32) {
    if x.rank != rank as u8 || (rank != 0 && source.rank != x.rank) {
        unknown()
    }
    x.bytes = source.bytes;
    unsafe { take_type(x, source) };
}

#[unsafe(export_name = "backsweep.body._FortranAAllocatableApplyMold")]
unsafe extern "C" fn apply_mold(x: &mut Descriptor, source: &Descriptor, rank: i32) {
    if x.base.is_null() {
        unsafe { apply(x, source, rank) };
    }
}

#[unsafe(export_name = "backsweep.body._FortranAPointerApplyMold")]
unsafe extern "C" fn apply_mold_to_pointer(x: &mut Descriptor, source: &Descriptor, rank: i32) {
    x.base = core::ptr::null_mut();
    unsafe { apply(x, source, rank) };
}

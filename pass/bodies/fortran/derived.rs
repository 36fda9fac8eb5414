//! Objects of derived types. What has to be done for each component stands in flang's description of the type, a constant
//! of the module: the plugin reads it, and writes the code for the marks that are left here (`pass/src/derived_types`).

use super::descriptor::{
    DERIVED, Descriptor, RANKS, View, copy_dim, copy_elements, end_program, free, unknown,
};

unsafe extern "C" {
    /// Gives the components of an object their default values.
    #[link_name = "backsweep.fortran.initialize"]
    fn initialize(object: *mut u8, ty: *const u8);
    /// Whether there are FINAL procedures at all.
    #[link_name = "backsweep.fortran.finalizes"]
    fn finalizes() -> bool;
    /// Calls the FINAL procedures of an object that goes, and of what it holds.
    #[link_name = "backsweep.fortran.finalize"]
    fn finalize(object: *mut u8, ty: *const u8);
    /// The same for an element of an array, for which other procedures may be declared.
    #[link_name = "backsweep.fortran.finalize_each"]
    fn finalize_each(object: *mut u8, ty: *const u8);
    /// Gives back what the components of an object hold.
    #[link_name = "backsweep.fortran.destroy"]
    fn destroy(object: *mut u8, ty: *const u8);
    /// Intrinsic assignment, component by component.
    #[link_name = "backsweep.fortran.assign"]
    fn assign(to: *mut u8, from: *const u8, ty: *const u8);
    /// The same, where components lead to what those of the other lead to.
    #[link_name = "backsweep.fortran.share"]
    fn share(to: *mut u8, from: *const u8, ty: *const u8);
    /// The type that was read, where it is known; else the one that the descriptor which lies there was declared with.
    #[link_name = "backsweep.fortran.declared"]
    fn declared(descriptor: &Descriptor, place: usize, read: *const u8) -> *const u8;
}

const OTHER_TYPE: &[u8] =
    b"backsweep: an object is of another type than declared, which is not differentiated\0";

const EXTENDED_OFTEN: &[u8] =
    b"backsweep: an object is of a type that extends more than 11 others, which is not differentiated\0";

impl Descriptor {
    /// The description of the derived type, which stands behind the dimensions.
    fn derived(&self) -> *const u8 {
        if self.ty != DERIVED {
            unknown()
        }
        let place = self.dim(usize::from(self.rank));
        let read = unsafe { place.cast::<*const u8>().read() };
        let known = unsafe { declared(self, 24 + 24 * usize::from(self.rank), read) };
        if known != read {
            end_program(OTHER_TYPE)
        }
        known
    }
}

/// For elements that lie there, of the type that a descriptor names.
pub unsafe fn initialize_at(view: View, like: &Descriptor) {
    if like.ty == DERIVED {
        let ty = like.derived();
        view.visit(|index| unsafe { initialize(view.at(index), ty) });
    }
}

/// Where an object goes, or an array of them, and before it is given another value.
pub unsafe fn finalize_elements(x: &Descriptor) {
    if unsafe { finalizes() } && x.ty == DERIVED && !x.base.is_null() {
        unsafe { finalize_as(x.view(), x.rank, x.derived()) }
    }
}

/// For objects of a type that their descriptor does not name any more.
pub unsafe fn finalize_as(view: View, rank: u8, ty: *const u8) {
    if !unsafe { finalizes() } {
        return;
    }
    if rank == 0 {
        unsafe { finalize(view.base, ty) }
    } else {
        view.visit(|index| unsafe { finalize_each(view.at(index), ty) });
    }
}

pub unsafe fn destroy_at(view: View, like: &Descriptor) {
    if like.ty == DERIVED {
        let ty = like.derived();
        view.visit(|index| unsafe { destroy(view.at(index), ty) });
    }
}

/// Of what derived type an object is.
pub fn object_type(x: &Descriptor) -> *const u8 {
    x.derived()
}

/// For objects of a type that their descriptor does not name any more.
pub unsafe fn destroy_as(view: View, ty: *const u8) {
    view.visit(|index| unsafe { destroy(view.at(index), ty) });
}

pub unsafe fn initialize_elements(x: &Descriptor) {
    unsafe { initialize_at(x.view(), x) }
}

pub unsafe fn destroy_elements(x: &Descriptor) {
    unsafe { destroy_at(x.view(), x) }
}

/// Elements of a derived type from others of the same.
pub unsafe fn assign_elements(to: View, from: View, like: &Descriptor) {
    let ty = like.derived();
    to.visit(|index| unsafe { assign(to.at(index), from.at(index), ty) });
}

/// One object is given the value of another.
pub unsafe fn assign_one(like: &Descriptor, to: *mut u8, from: *mut u8) {
    unsafe { assign(to, from, like.derived()) }
}

pub unsafe fn share_elements(to: View, from: View, like: &Descriptor) {
    let ty = like.derived();
    to.visit(|index| unsafe { share(to.at(index), from.at(index), ty) });
}

/// Of the type of another object.
pub unsafe fn name_object(to: &mut Descriptor, from: &Descriptor) {
    let ty = from.derived();
    unsafe { to.dim(usize::from(from.rank)).cast::<*const u8>().write(ty) };
}

/// Whether an object is of a type or of one that extends it.
#[unsafe(export_name = "backsweep.body._FortranAClassIs")]
unsafe extern "C" fn is_of_class(x: &Descriptor, wanted: *const u8) -> bool {
    /// Where the description of a type says what its components are, and whether the first is what it extends; and
    /// where that of a component names its type.
    const COMPONENTS: usize = 232;
    const EXTENDS: usize = 428;
    const OF: usize = 56;
    const DEEPEST: usize = 12;
    let mut ty = x.derived();
    for _ in 0..DEEPEST {
        if ty == wanted {
            return true;
        }
        unsafe {
            if !ty.add(EXTENDS).cast::<bool>().read() {
                return false;
            }
            let first = ty.add(COMPONENTS).cast::<*const u8>().read();
            ty = first.add(OF).cast::<*const u8>().read();
        }
    }
    end_program(EXTENDED_OFTEN)
}

#[unsafe(export_name = "backsweep.body._FortranAInitialize")]
unsafe extern "C" fn initialize_object(x: &Descriptor, _file: *const u8, _line: i32) {
    unsafe { initialize_elements(x) }
}

#[unsafe(export_name = "backsweep.body._FortranADestroy")]
unsafe extern "C" fn destroy_object(x: &Descriptor) {
    unsafe {
        finalize_elements(x);
        destroy_elements(x);
    }
}

#[unsafe(export_name = "backsweep.body._FortranAFinalize")]
unsafe extern "C" fn finalize_object(x: &Descriptor, _file: *const u8, _line: i32) {
    unsafe { finalize_elements(x) }
}

/// What a component that is allocatable holds, about to go with the object.
#[unsafe(export_name = "backsweep.body._Fortran.component.finalize")]
unsafe extern "C" fn finalize_component(x: &mut Descriptor) {
    unsafe { finalize_elements(x) }
}

/// What is to be called when an object goes has been called before.
#[unsafe(export_name = "backsweep.body._FortranADestroyWithoutFinalization")]
unsafe extern "C" fn destroy_finalized_object(x: &Descriptor) {
    unsafe { destroy_elements(x) }
}

/// What a component that is allocatable holds, given back.
#[unsafe(export_name = "backsweep.body._Fortran.component.destroy")]
unsafe extern "C" fn destroy_component(x: &mut Descriptor) {
    if !x.base.is_null() {
        unsafe {
            destroy_elements(x);
            free(x.base);
        }
        x.base = core::ptr::null_mut();
    }
}

/// A component that is allocatable takes the shape and the elements of another, or is given back where that holds none.
#[unsafe(export_name = "backsweep.body._Fortran.component.assign")]
unsafe extern "C" fn assign_component(to: &mut Descriptor, from: &Descriptor) {
    unsafe {
        if from.base.is_null() {
            destroy_component(to);
        } else {
            take_along(to, from);
            super::assign::assign_value(to, from);
        }
    }
}

/// What is polymorphic and is assigned an object of another type takes that type: what it held goes. What was declared with a
/// type that nobody extends has it already.
pub unsafe fn take_along(to: &mut Descriptor, from: &Descriptor) {
    if to.ty == DERIVED && to.derived() != from.derived() {
        unsafe {
            destroy_component(to);
            to.bytes = from.bytes;
            name_object(to, from);
        }
    }
}

/// Many elements of an intrinsic type, one after the other.
#[unsafe(export_name = "backsweep.body._Fortran.component.copy")]
unsafe extern "C" fn copy_component(to: *mut u8, from: *mut u8, ty: i8, bytes: usize, count: i64) {
    let view = |base| View { base, extents: [count, 1, 1, 1], strides: [bytes as i64, 0, 0, 0] };
    unsafe { copy_elements(ty, bytes, view(to), view(from), |index| index) }
}

unsafe fn name_type(x: &mut Descriptor, ty: *const u8, rank: i32) {
    /// Where the size of an object stands in the description of its type.
    const BYTES: usize = 88;
    if x.rank != rank as u8 || x.ty != DERIVED {
        unknown()
    }
    x.base = core::ptr::null_mut();
    unsafe {
        x.bytes = ty.add(BYTES).cast::<usize>().read();
        x.dim(usize::from(x.rank)).cast::<*const u8>().write(ty);
    }
}

#[unsafe(export_name = "backsweep.body._FortranAPointerNullifyDerived")]
unsafe extern "C" fn nullify_object(x: &mut Descriptor, ty: *const u8, rank: i32, _corank: i32) {
    unsafe { name_type(x, ty, rank) }
}

/// What is allocated already stays: ALLOCATE then ends in an error.
#[unsafe(export_name = "backsweep.body._FortranAAllocatableInitDerivedForAllocate")]
unsafe extern "C" fn name_allocated(x: &mut Descriptor, ty: *const u8, rank: i32, _corank: i32) {
    if x.base.is_null() {
        unsafe { name_type(x, ty, rank) }
    }
}

/// An object that is gone is of the declared type again.
pub unsafe fn reset_type(x: &mut Descriptor, declared: *const u8) {
    if x.ty == DERIVED && !declared.is_null() && x.base.is_null() {
        let rank = i32::from(x.rank);
        unsafe { name_type(x, declared, rank) }
    }
}

/// The type and the extents of another object.
pub unsafe fn take_type(x: &mut Descriptor, source: &Descriptor) {
    unsafe {
        for d in 0..RANKS {
            if d < usize::from(x.rank) {
                copy_dim(x, source, d);
            }
        }
        if x.ty != source.ty {
            unknown()
        }
        if x.ty == DERIVED {
            let ty = source.derived();
            x.dim(usize::from(x.rank)).cast::<*const u8>().write(ty);
        }
    }
}

// Of an object whose type is known when the program runs: the plugin calls these for each type that it may be of.

#[unsafe(export_name = "backsweep.body._Fortran.object.if.initialize")]
unsafe extern "C" fn initialize_if(object: *mut u8, read: *const u8, ty: *const u8) {
    if read == ty {
        unsafe { initialize(object, ty) }
    }
}

#[unsafe(export_name = "backsweep.body._Fortran.object.if.finalize")]
unsafe extern "C" fn finalize_if(object: *mut u8, read: *const u8, ty: *const u8) {
    if read == ty {
        unsafe { finalize(object, ty) }
    }
}

#[unsafe(export_name = "backsweep.body._Fortran.object.if.finalize_each")]
unsafe extern "C" fn finalize_each_if(object: *mut u8, read: *const u8, ty: *const u8) {
    if read == ty {
        unsafe { finalize_each(object, ty) }
    }
}

#[unsafe(export_name = "backsweep.body._Fortran.object.if.destroy")]
unsafe extern "C" fn destroy_if(object: *mut u8, read: *const u8, ty: *const u8) {
    if read == ty {
        unsafe { destroy(object, ty) }
    }
}

#[unsafe(export_name = "backsweep.body._Fortran.object.if.assign")]
unsafe extern "C" fn assign_if(to: *mut u8, from: *const u8, read: *const u8, ty: *const u8) {
    if read == ty {
        unsafe { assign(to, from, ty) }
    }
}

#[unsafe(export_name = "backsweep.body._Fortran.object.if.share")]
unsafe extern "C" fn share_if(to: *mut u8, from: *const u8, read: *const u8, ty: *const u8) {
    if read == ty {
        unsafe { share(to, from, ty) }
    }
}

#[unsafe(export_name = "backsweep.body._Fortran.object.expect")]
unsafe extern "C" fn expect(known: bool) {
    if !known {
        end_program(OTHER_TYPE)
    }
}

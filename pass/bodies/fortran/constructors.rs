//! Array constructors `[a, b, …]` of a length that is known only as they are filled.

use super::assign::copy_each;
use super::derived::{destroy_at, initialize_at};
use super::descriptor::{Descriptor, Dim, Index, View, end_program, free, unknown};

const OTHER_TYPE: &[u8] = b"array constructor: elements of different types\0";
const TOO_LONG: &[u8] = b"array constructor: more elements than there is room for\0";

/// What flang keeps on the stack while it fills one; larger there than here.
#[repr(C)]
pub struct Filling {
    to: *mut Descriptor,
    next: i64,
    room: i64,
    /// Whether the elements go where the caller has room for all: on the stack maybe, where nothing grows.
    given: bool,
}

#[unsafe(export_name = "backsweep.body._FortranAInitArrayConstructorVector")]
unsafe extern "C" fn begin(
    filling: &mut Filling,
    to: &mut Descriptor,
    takes_length: bool,
    _file: *const u8,
    _line: i32,
) {
    if takes_length || to.rank != 1 {
        unknown()
    }
    let given = !to.base.is_null();
    let room = if given { to.view().extents[0] } else { 0 };
    *filling = Filling { to, next: 0, room, given };
}

/// Room for so many elements more. A length that was known before is kept where it suffices.
unsafe fn make_room(filling: &mut Filling, count: i64) {
    let to = unsafe { &mut *filling.to };
    let needed = filling.next + count;
    let known = to.view().extents[0];
    if to.base.is_null() {
        filling.room = if known < count { count } else { known };
        unsafe { to.allocate([filling.room, 1, 1, 1]) };
    } else if filling.room < needed {
        if filling.given {
            end_program(TOO_LONG)
        }
        let room = if needed < 2 * filling.room { 2 * filling.room } else { needed };
        let old = to.view();
        let taken = View { extents: [filling.next, 1, 1, 1], ..old };
        unsafe {
            let new = View { extents: taken.extents, ..View::packed([room, 1, 1, 1], to.bytes) };
            place_elements(to, new, taken);
            destroy_at(taken, to);
            free(old.base);
            to.base = new.base;
        }
        filling.room = room;
    }
    let extent = if known < needed { needed } else { known };
    unsafe { to.dim(0).write(Dim { lower: 1, extent, stride: to.bytes as i64 }) };
}

/// Elements where none were before.
unsafe fn place_elements(like: &Descriptor, to: View, from: View) {
    unsafe {
        initialize_at(to, like);
        copy_each(like, (like.ty, like.bytes), to, from);
    }
}

/// Where the next elements go.
fn tail(filling: &Filling, extents: Index) -> View {
    let to = unsafe { &*filling.to };
    let bytes = to.bytes as i64;
    let strides = [
        bytes,
        bytes * extents[0],
        bytes * extents[0] * extents[1],
        bytes * extents[0] * extents[1] * extents[2],
    ];
    View { base: to.base.wrapping_offset((filling.next * bytes) as isize), extents, strides }
}

#[unsafe(export_name = "backsweep.body._FortranAPushArrayConstructorValue")]
unsafe extern "C" fn push(filling: &mut Filling, from: &Descriptor) {
    let source = from.view();
    let e = source.extents;
    let count = e[0] * e[1] * e[2] * e[3];
    unsafe {
        make_room(filling, count);
        let to = &*filling.to;
        if to.ty != from.ty {
            end_program(OTHER_TYPE)
        }
        place_elements(to, tail(filling, e), source);
    }
    filling.next += count;
}

#[unsafe(export_name = "backsweep.body._FortranAPushArrayConstructorSimpleScalar")]
unsafe extern "C" fn push_scalar(filling: &mut Filling, from: *mut u8) {
    let one = [1; 4];
    unsafe {
        make_room(filling, 1);
        let to = &*filling.to;
        let source = View { base: from, extents: one, strides: [0; 4] };
        place_elements(to, tail(filling, one), source);
    }
    filling.next += 1;
}

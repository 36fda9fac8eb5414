//! What FORALL and WHERE keep until all of it is computed: flang puts the values away in one loop, and takes them by number in
//! another.

use super::assign::copy_each;
use super::descriptor::{
    DERIVED, Descriptor, Dim, Index, RANKS, View, end_program, free, known_type, malloc, unknown,
};

const TOO_FEW: &[u8] = b"a value is taken that was never put away\0";

/// Room for so many values at first.
const FIRST: i64 = 16;

/// One of the values.
#[repr(C)]
struct Kept {
    base: *mut u8,
    extents: Index,
}

/// All of them. They are of one type and rank.
#[repr(C)]
pub struct Values {
    all: *mut Kept,
    count: i64,
    room: i64,
    bytes: usize,
    rank: i8,
    ty: i8,
}

#[unsafe(export_name = "backsweep.body._FortranACreateValueStack")]
unsafe extern "C" fn create(_file: *const u8, _line: i32) -> *mut Values {
    unsafe {
        let values = malloc(size_of::<Values>()).cast::<Values>();
        (*values).all = make(FIRST);
        (*values).count = 0;
        (*values).room = FIRST;
        values
    }
}

unsafe fn make(room: i64) -> *mut Kept {
    unsafe { malloc(room as usize * size_of::<Kept>()).cast() }
}

unsafe fn make_room(values: &mut Values) {
    unsafe {
        let (old, all) = (values.all, make(2 * values.room));
        let mut i = 0;
        while i < values.count as usize {
            let (from, to) = (old.wrapping_add(i), all.wrapping_add(i));
            (*to).base = (*from).base;
            for d in 0..RANKS {
                (*to).extents[d] = (*from).extents[d];
            }
            i += 1;
        }
        free(old.cast());
        values.all = all;
        values.room *= 2;
    }
}

#[unsafe(export_name = "backsweep.body._FortranAPushValue")]
unsafe extern "C" fn push(values: &mut Values, value: &Descriptor) {
    if value.ty == DERIVED {
        unknown()
    }
    let from = value.view();
    unsafe {
        if values.count == values.room {
            make_room(values);
        }
        let to = View::packed(from.extents, value.bytes);
        copy_each(value, (value.ty, value.bytes), to, from);
        let place = values.all.wrapping_add(values.count as usize);
        (*place).base = to.base;
        for d in 0..RANKS {
            (*place).extents[d] = from.extents[d];
        }
    }
    values.bytes = value.bytes;
    values.rank = value.rank as i8;
    values.ty = value.ty;
    values.count += 1;
}

/// The value stays where it is: who takes it only reads it.
#[unsafe(export_name = "backsweep.body._FortranAValueAt")]
unsafe extern "C" fn take(values: &Values, number: i64, to: &mut Descriptor) {
    const VERSION: i32 = 20_240_719;
    if number < 0 || number >= values.count {
        end_program(TOO_FEW)
    }
    // Of what rank it is says what it is read as.
    let rank = known_type(to.rank as i8, values.rank) as u8;
    let place = values.all.wrapping_add(number as usize);
    to.bytes = values.bytes;
    to.version = VERSION;
    to.rank = rank;
    to.ty = values.ty;
    to.attribute = 0;
    to.extra = 0;
    let mut stride = values.bytes as i64;
    for d in 0..RANKS {
        if d < usize::from(rank) {
            unsafe {
                let extent = (*place).extents[d];
                to.dim(d).write(Dim { lower: 1, extent, stride });
                stride *= extent;
            }
        }
    }
    to.base = unsafe { (*place).base };
}

#[unsafe(export_name = "backsweep.body._FortranADestroyValueStack")]
unsafe extern "C" fn destroy(values: *mut Values) {
    unsafe {
        let all = (*values).all;
        let mut i = 0;
        while i < (*values).count as usize {
            free((*all.wrapping_add(i)).base);
            i += 1;
        }
        free(all.cast());
        free(values.cast());
    }
}

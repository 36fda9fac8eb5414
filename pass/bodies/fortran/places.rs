//! Where FORALL assigns to: flang puts the places away in one loop, before anything is assigned, and takes them by number in another.

use super::descriptor::{DERIVED, Descriptor, Dim, RANKS, end_program, free, known_type, malloc, unknown};

const TOO_FEW: &[u8] = b"a place is taken that was never put away\0";

/// Room for so many places at first.
const FIRST: i64 = 16;

/// One of the places: an element, or a section of an array.
#[repr(C)]
struct Kept {
    base: *mut u8,
    lower: [i64; RANKS],
    extents: [i64; RANKS],
    strides: [i64; RANKS],
}

/// All of them. They are of one type and rank.
#[repr(C)]
pub struct Places {
    all: *mut Kept,
    count: i64,
    room: i64,
    bytes: usize,
    rank: i8,
    ty: i8,
}

#[unsafe(export_name = "backsweep.body._FortranACreateDescriptorStack")]
unsafe extern "C" fn create(_file: *const u8, _line: i32) -> *mut Places {
    unsafe {
        let places = malloc(size_of::<Places>()).cast::<Places>();
        (*places).all = make(FIRST);
        (*places).count = 0;
        (*places).room = FIRST;
        places
    }
}

unsafe fn make(room: i64) -> *mut Kept {
    unsafe { malloc(room as usize * size_of::<Kept>()).cast() }
}

unsafe fn make_room(places: &mut Places) {
    unsafe {
        let (old, all) = (places.all, make(2 * places.room));
        let mut i = 0;
        while i < places.count as usize {
            let (from, to) = (old.wrapping_add(i), all.wrapping_add(i));
            (*to).base = (*from).base;
            for d in 0..RANKS {
                (*to).lower[d] = (*from).lower[d];
                (*to).extents[d] = (*from).extents[d];
                (*to).strides[d] = (*from).strides[d];
            }
            i += 1;
        }
        free(old.cast());
        places.all = all;
        places.room *= 2;
    }
}

#[unsafe(export_name = "backsweep.body._FortranAPushDescriptor")]
unsafe extern "C" fn push(places: &mut Places, place: &Descriptor) {
    if place.ty == DERIVED || usize::from(place.rank) > RANKS {
        unknown()
    }
    unsafe {
        if places.count == places.room {
            make_room(places);
        }
        let kept = places.all.wrapping_add(places.count as usize);
        (*kept).base = place.base;
        for d in 0..RANKS {
            if d < usize::from(place.rank) {
                let dim = place.dim(d);
                (*kept).lower[d] = (*dim).lower;
                (*kept).extents[d] = (*dim).extent;
                (*kept).strides[d] = (*dim).stride;
            }
        }
    }
    places.bytes = place.bytes;
    places.rank = place.rank as i8;
    places.ty = place.ty;
    places.count += 1;
}

#[unsafe(export_name = "backsweep.body._FortranADescriptorAt")]
unsafe extern "C" fn take(places: &Places, number: i64, to: &mut Descriptor) {
    const VERSION: i32 = 20_240_719;
    if number < 0 || number >= places.count {
        end_program(TOO_FEW)
    }
    // Of what rank it is says what it is written as.
    let rank = known_type(to.rank as i8, places.rank) as u8;
    let kept = places.all.wrapping_add(number as usize);
    to.bytes = places.bytes;
    to.version = VERSION;
    to.rank = rank;
    to.ty = places.ty;
    to.attribute = 0;
    to.extra = 0;
    for d in 0..RANKS {
        if d < usize::from(rank) {
            unsafe {
                let (lower, extent, stride) = ((*kept).lower[d], (*kept).extents[d], (*kept).strides[d]);
                to.dim(d).write(Dim { lower, extent, stride });
            }
        }
    }
    to.base = unsafe { (*kept).base };
}

#[unsafe(export_name = "backsweep.body._FortranADestroyDescriptorStack")]
unsafe extern "C" fn destroy(places: *mut Places) {
    unsafe {
        free((*places).all.cast());
        free(places.cast());
    }
}

//! MAXLOC, MINLOC, COUNT, ANY and ALL. None of them has a derivative; their bodies keep descriptors from being handed
//! to code that nobody sees, where they would lose what is known of them.

use super::descriptor::{
    DOUBLE, Descriptor, FLOAT, INTEGER, Index, View, inserted, is_true, is_wanted, removed, unknown,
};

#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    Largest,
    Smallest,
}

/// The best of some elements so far, and which one it is, counted from 1.
struct Best<T> {
    value: Option<T>,
    at: Index,
}

impl<T: PartialOrd + Copy> Best<T> {
    fn none() -> Best<T> {
        Best { value: None, at: [0; 4] }
    }

    /// With `back` the last of equal elements is taken, else the first.
    fn see(&mut self, wanted: Wanted, back: bool, value: T, index: Index) {
        let better = match (self.value, wanted) {
            (None, _) => true,
            (Some(best), Wanted::Largest) => value > best || back && value == best,
            (Some(best), Wanted::Smallest) => value < best || back && value == best,
        };
        if better {
            self.value = Some(value);
            self.at = [index[0] + 1, index[1] + 1, index[2] + 1, index[3] + 1];
        }
    }
}

unsafe fn write_integer(to: View, bytes: usize, index: Index, number: i64) {
    unsafe {
        match bytes {
            4 => to.at::<i32>(index).write(number as i32),
            8 => to.at::<i64>(index).write(number),
            _ => unknown(),
        }
    }
}

unsafe fn locate<T: PartialOrd + Copy>(
    result: &mut Descriptor,
    x: &Descriptor,
    mask: *const Descriptor,
    wanted: Wanted,
    back: bool,
) {
    let from = x.view();
    let mut best = Best::<T>::none();
    from.visit(|index| unsafe {
        if is_wanted(mask, index) {
            best.see(wanted, back, from.read(index), index);
        }
    });
    unsafe {
        let to = result.allocate([i64::from(x.rank), 1, 1, 1]);
        for d in 0..4 {
            if d < usize::from(x.rank) {
                write_integer(to, result.bytes, [d as i64, 0, 0, 0], best.at[d]);
            }
        }
    }
}

unsafe fn locate_along<T: PartialOrd + Copy>(
    result: &mut Descriptor,
    x: &Descriptor,
    dim: i32,
    mask: *const Descriptor,
    wanted: Wanted,
    back: bool,
) {
    let from = x.view();
    let to = unsafe { result.allocate(removed(from.extents, dim - 1)) };
    let bytes = result.bytes;
    to.visit(|index| unsafe {
        let mut best = Best::<T>::none();
        let mut k = 0;
        while k < from.length(dim - 1) {
            let at = inserted(index, dim - 1, k);
            if is_wanted(mask, at) {
                best.see(wanted, back, from.read(at), [k, 0, 0, 0]);
            }
            k += 1;
        }
        write_integer(to, bytes, index, best.at[0]);
    });
}

macro_rules! location {
    ($name:ident, $symbol:literal, $element:ty, $wanted:expr) => {
        #[unsafe(export_name = $symbol)]
        unsafe extern "C" fn $name(
            result: &mut Descriptor,
            x: &Descriptor,
            _kind: i32,
            _file: *const u8,
            _line: i32,
            mask: *const Descriptor,
            back: bool,
        ) {
            unsafe { locate::<$element>(result, x, mask, $wanted, back) }
        }
    };
}

location!(largest_8, "backsweep.body._FortranAMaxlocReal8", f64, Wanted::Largest);
location!(largest_4, "backsweep.body._FortranAMaxlocReal4", f32, Wanted::Largest);
location!(smallest_8, "backsweep.body._FortranAMinlocReal8", f64, Wanted::Smallest);
location!(smallest_4, "backsweep.body._FortranAMinlocReal4", f32, Wanted::Smallest);

macro_rules! location_along {
    ($name:ident, $symbol:literal, $wanted:expr) => {
        #[unsafe(export_name = $symbol)]
        unsafe extern "C" fn $name(
            result: &mut Descriptor,
            x: &Descriptor,
            _kind: i32,
            dim: i32,
            _file: *const u8,
            _line: i32,
            mask: *const Descriptor,
            back: bool,
        ) {
            unsafe {
                match x.ty {
                    DOUBLE => locate_along::<f64>(result, x, dim, mask, $wanted, back),
                    FLOAT => locate_along::<f32>(result, x, dim, mask, $wanted, back),
                    INTEGER => locate_along::<i32>(result, x, dim, mask, $wanted, back),
                    _ => unknown(),
                }
            }
        }
    };
}

location_along!(largest_along, "backsweep.body._FortranAMaxlocDim", Wanted::Largest);
location_along!(smallest_along, "backsweep.body._FortranAMinlocDim", Wanted::Smallest);

#[unsafe(export_name = "backsweep.body._FortranACount")]
unsafe extern "C" fn count(x: &Descriptor, _file: *const u8, _line: i32, dim: i32) -> i64 {
    // Without DIM=, 1 is passed for any rank.
    if dim > 1 {
        unknown()
    }
    let from = x.view();
    let mut number = 0;
    from.visit(|index| number += i64::from(unsafe { is_true(from, x.bytes, index) }));
    number
}

#[unsafe(export_name = "backsweep.body._FortranAAny")]
unsafe extern "C" fn any(x: &Descriptor, file: *const u8, line: i32, dim: i32) -> bool {
    unsafe { count(x, file, line, dim) > 0 }
}

#[unsafe(export_name = "backsweep.body._FortranAAll")]
unsafe extern "C" fn all(x: &Descriptor, file: *const u8, line: i32, dim: i32) -> bool {
    let e = x.view().extents;
    unsafe { count(x, file, line, dim) == e[0] * e[1] * e[2] * e[3] }
}

//! SUM, PRODUCT, MAXVAL and MINVAL of whole arrays of integers. Nothing in them is active; without bodies they would be calls of
//! what might look at the arrays of modules.

use super::descriptor::{Descriptor, View, is_wanted, unknown};

unsafe fn fold<T: Copy>(x: View, mask: *const Descriptor, start: T, combine: impl Fn(T, T) -> T) -> T {
    let mut result = start;
    x.visit(|index| unsafe {
        if is_wanted(mask, index) {
            result = combine(result, x.read::<T>(index));
        }
    });
    result
}

macro_rules! reduction {
    ($name:ident, $symbol:literal, $integer:ty, $start:expr, $combine:expr) => {
        #[unsafe(export_name = $symbol)]
        unsafe extern "C" fn $name(
            x: &Descriptor,
            _file: *const u8,
            _line: i32,
            dim: i32,
            mask: *const Descriptor,
        ) -> $integer {
            // A dimension that is asked for beside a scalar result is the only one there is.
            if dim > 1 || (dim == 1 && x.rank != 1) {
                unknown()
            }
            unsafe { fold::<$integer>(x.view(), mask, $start, $combine) }
        }
    };
}

reduction!(sum_4, "backsweep.body._FortranASumInteger4", i32, 0, |a, b| a.wrapping_add(b));
reduction!(sum_8, "backsweep.body._FortranASumInteger8", i64, 0, |a, b| a.wrapping_add(b));
reduction!(product_4, "backsweep.body._FortranAProductInteger4", i32, 1, |a, b| a.wrapping_mul(b));
reduction!(product_8, "backsweep.body._FortranAProductInteger8", i64, 1, |a, b| a.wrapping_mul(b));
reduction!(largest_4, "backsweep.body._FortranAMaxvalInteger4", i32, i32::MIN, |a, b| if b > a { b } else { a });
reduction!(largest_8, "backsweep.body._FortranAMaxvalInteger8", i64, i64::MIN, |a, b| if b > a { b } else { a });
reduction!(smallest_4, "backsweep.body._FortranAMinvalInteger4", i32, i32::MAX, |a, b| if b < a { b } else { a });
reduction!(smallest_8, "backsweep.body._FortranAMinvalInteger8", i64, i64::MAX, |a, b| if b < a { b } else { a });

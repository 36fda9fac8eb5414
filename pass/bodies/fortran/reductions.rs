//! SUM, PRODUCT, MAXVAL, MINVAL and NORM2, of whole arrays and along one dimension.

use core::ops::{Add, Mul};

use super::descriptor::{
    Complex, DOUBLE, DOUBLE_COMPLEX, Descriptor, FLOAT, FLOAT_COMPLEX, View, is_wanted, known_type, unknown,
};
use super::descriptor::{inserted, removed};

unsafe extern "C" {
    safe fn sqrt(x: f64) -> f64;
    safe fn sqrtf(x: f32) -> f32;
}

/// Elements are combined in double, whatever their format.
unsafe fn fold<T: Into<f64>>(
    x: View,
    mask: *const Descriptor,
    start: f64,
    combine: impl Fn(f64, f64) -> f64,
) -> f64 {
    let mut result = start;
    x.visit(|index| unsafe {
        if is_wanted(mask, index) {
            result = combine(result, x.read::<T>(index).into());
        }
    });
    result
}

/// A dimension that is asked for beside a scalar result is the only one there is.
fn view_of(x: &Descriptor, dim: i32) -> View {
    if dim > 1 || (dim == 1 && x.rank != 1) {
        unknown()
    }
    x.view()
}

const LARGEST: f64 = f64::MAX;
const LARGEST_SINGLE: f64 = f32::MAX as f64;

fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn multiply(a: f64, b: f64) -> f64 {
    a * b
}

fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

fn smaller(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

macro_rules! reduction {
    ($name:ident, $symbol:literal, $real:ty, $start:expr, $combine:ident) => {
        #[unsafe(export_name = $symbol)]
        unsafe extern "C" fn $name(
            x: &Descriptor,
            _file: *const u8,
            _line: i32,
            dim: i32,
            mask: *const Descriptor,
        ) -> $real {
            unsafe { fold::<$real>(view_of(x, dim), mask, $start, $combine) as $real }
        }
    };
}

reduction!(sum_8, "backsweep.body._FortranASumReal8", f64, 0.0, add);
reduction!(sum_4, "backsweep.body._FortranASumReal4", f32, 0.0, add);
reduction!(product_8, "backsweep.body._FortranAProductReal8", f64, 1.0, multiply);
reduction!(product_4, "backsweep.body._FortranAProductReal4", f32, 1.0, multiply);
reduction!(largest_8, "backsweep.body._FortranAMaxvalReal8", f64, -LARGEST, larger);
reduction!(largest_4, "backsweep.body._FortranAMaxvalReal4", f32, -LARGEST_SINGLE, larger);
reduction!(smallest_8, "backsweep.body._FortranAMinvalReal8", f64, LARGEST, smaller);
reduction!(smallest_4, "backsweep.body._FortranAMinvalReal4", f32, LARGEST_SINGLE, smaller);

#[unsafe(export_name = "backsweep.body._FortranANorm2_8")]
unsafe extern "C" fn norm_8(x: &Descriptor, _file: *const u8, _line: i32, dim: i32) -> f64 {
    sqrt(unsafe { fold::<f64>(view_of(x, dim), core::ptr::null(), 0.0, |sum, x| sum + x * x) })
}

#[unsafe(export_name = "backsweep.body._FortranANorm2_4")]
unsafe extern "C" fn norm_4(x: &Descriptor, _file: *const u8, _line: i32, dim: i32) -> f32 {
    sqrtf(unsafe { fold::<f32>(view_of(x, dim), core::ptr::null(), 0.0, |sum, x| sum + x * x) } as f32)
}

macro_rules! complex_sum {
    ($name:ident, $symbol:literal, $real:ty) => {
        #[unsafe(export_name = $symbol)]
        unsafe extern "C" fn $name(
            result: &mut Complex<$real>,
            x: &Descriptor,
            _file: *const u8,
            _line: i32,
            dim: i32,
            mask: *const Descriptor,
        ) {
            let x = view_of(x, dim);
            let (mut re, mut im) = (0.0, 0.0);
            x.visit(|index| unsafe {
                if is_wanted(mask, index) {
                    let z = x.read::<Complex<$real>>(index);
                    re += f64::from(z.re);
                    im += f64::from(z.im);
                }
            });
            *result = Complex { re: re as $real, im: im as $real };
        }
    };
}

complex_sum!(complex_sum_8, "backsweep.body._FortranACppSumComplex8", f64);
complex_sum!(complex_sum_4, "backsweep.body._FortranACppSumComplex4", f32);

unsafe fn fold_dim<T: Into<f64>>(
    result: View,
    x: View,
    dim: i32,
    mask: *const Descriptor,
    start: f64,
    combine: impl Fn(f64, f64) -> f64,
    write: impl Fn(*mut T, f64),
) {
    result.visit(|index| unsafe {
        let mut value = start;
        let mut k = 0;
        while k < x.length(dim - 1) {
            let at = inserted(index, dim - 1, k);
            if is_wanted(mask, at) {
                value = combine(value, x.read::<T>(at).into());
            }
            k += 1;
        }
        write(result.at(index), value);
    });
}

unsafe fn fold_complex_dim<R: Copy>(
    result: View,
    x: View,
    dim: i32,
    mask: *const Descriptor,
    (start, combine): (Complex<f64>, impl Fn(Complex<f64>, Complex<f64>) -> Complex<f64>),
    narrow: impl Fn(Complex<f64>) -> Complex<R>,
) where
    Complex<f64>: From<Complex<R>>,
{
    result.visit(|index| unsafe {
        let mut value = start;
        let mut k = 0;
        while k < x.length(dim - 1) {
            let at = inserted(index, dim - 1, k);
            if is_wanted(mask, at) {
                value = combine(value, Complex::<f64>::from(x.read::<Complex<R>>(at)));
            }
            k += 1;
        }
        result.at::<Complex<R>>(index).write(narrow(value));
    });
}

/// Sums and products of complex numbers; they are in no order, so none is the largest.
unsafe fn fold_complex(
    (to, ty): (View, i8),
    x: &Descriptor,
    dim: i32,
    mask: *const Descriptor,
    fold: Option<(Complex<f64>, fn(Complex<f64>, Complex<f64>) -> Complex<f64>)>,
) {
    let Some(fold) = fold else { unknown() };
    let single = |z: Complex<f64>| Complex { re: z.re as f32, im: z.im as f32 };
    unsafe {
        match ty {
            DOUBLE_COMPLEX => fold_complex_dim::<f64>(to, x.view(), dim, mask, fold, |z| z),
            FLOAT_COMPLEX => fold_complex_dim::<f32>(to, x.view(), dim, mask, fold, single),
            _ => unknown(),
        }
    }
}

const ZERO: Complex<f64> = Complex { re: 0.0, im: 0.0 };
const ONE: Complex<f64> = Complex { re: 1.0, im: 0.0 };

macro_rules! reduction_along {
    ($name:ident, $symbol:literal, $start:expr, $single:expr, $combine:ident, $complex:expr) => {
        #[unsafe(export_name = $symbol)]
        unsafe extern "C" fn $name(
            result: &mut Descriptor,
            x: &Descriptor,
            dim: i32,
            _file: *const u8,
            _line: i32,
            mask: *const Descriptor,
        ) {
            let from = x.view();
            let ty = known_type(result.ty, x.ty);
            unsafe {
                let to = result.allocate(removed(from.extents, dim - 1));
                match ty {
                    DOUBLE => fold_dim::<f64>(to, from, dim, mask, $start, $combine, |place, value| {
                        place.write(value)
                    }),
                    FLOAT => fold_dim::<f32>(to, from, dim, mask, $single, $combine, |place, value| {
                        place.write(value as f32)
                    }),
                    _ => fold_complex((to, ty), x, dim, mask, $complex),
                }
            }
        }
    };
}

reduction_along!(sum_along, "backsweep.body._FortranASumDim", 0.0, 0.0, add, Some((ZERO, Add::add)));
reduction_along!(
    product_along,
    "backsweep.body._FortranAProductDim",
    1.0,
    1.0,
    multiply,
    Some((ONE, Mul::mul))
);
reduction_along!(largest_along, "backsweep.body._FortranAMaxvalDim", -LARGEST, -LARGEST_SINGLE, larger, None);
reduction_along!(smallest_along, "backsweep.body._FortranAMinvalDim", LARGEST, LARGEST_SINGLE, smaller, None);

#[unsafe(export_name = "backsweep.body._FortranANorm2Dim")]
unsafe extern "C" fn norm_along(
    result: &mut Descriptor,
    x: &Descriptor,
    dim: i32,
    _file: *const u8,
    _line: i32,
) {
    let from = x.view();
    let none = core::ptr::null();
    let squares = |sum: f64, x: f64| sum + x * x;
    unsafe {
        let to = result.allocate(removed(from.extents, dim - 1));
        match x.ty {
            DOUBLE => fold_dim::<f64>(to, from, dim, none, 0.0, squares, |place, sum| place.write(sqrt(sum))),
            FLOAT => fold_dim::<f32>(to, from, dim, none, 0.0, squares, |place, sum| {
                place.write(sqrtf(sum as f32))
            }),
            _ => unknown(),
        }
    }
}

macro_rules! complex_product {
    ($name:ident, $symbol:literal, $real:ty) => {
        #[unsafe(export_name = $symbol)]
        unsafe extern "C" fn $name(
            result: &mut Complex<$real>,
            x: &Descriptor,
            _file: *const u8,
            _line: i32,
            dim: i32,
            mask: *const Descriptor,
        ) {
            let x = view_of(x, dim);
            let mut product = Complex { re: 1.0, im: 0.0 };
            x.visit(|index| unsafe {
                if is_wanted(mask, index) {
                    product = product * Complex::<f64>::from(x.read::<Complex<$real>>(index));
                }
            });
            *result = Complex { re: product.re as $real, im: product.im as $real };
        }
    };
}

complex_product!(complex_product_8, "backsweep.body._FortranACppProductComplex8", f64);
complex_product!(complex_product_4, "backsweep.body._FortranACppProductComplex4", f32);

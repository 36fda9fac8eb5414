//! MATMUL and DOT_PRODUCT.

use core::ops::{Add, Mul};

use super::descriptor::{
    Complex, DOUBLE, DOUBLE_COMPLEX, Descriptor, FLOAT, FLOAT_COMPLEX, INTEGER, Index, View, known_or_usual,
    unknown,
};

impl Add for Complex<f64> {
    type Output = Complex<f64>;
    fn add(self, other: Complex<f64>) -> Complex<f64> {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Mul for Complex<f64> {
    type Output = Complex<f64>;
    fn mul(self, other: Complex<f64>) -> Complex<f64> {
        let re = self.re * other.re - self.im * other.im;
        Complex { re, im: self.re * other.im + self.im * other.re }
    }
}

impl From<Complex<f32>> for Complex<f64> {
    fn from(z: Complex<f32>) -> Complex<f64> {
        Complex { re: f64::from(z.re), im: f64::from(z.im) }
    }
}

impl From<f64> for Complex<f64> {
    fn from(re: f64) -> Complex<f64> {
        Complex { re, im: 0.0 }
    }
}

impl From<f32> for Complex<f64> {
    fn from(re: f32) -> Complex<f64> {
        Complex::from(f64::from(re))
    }
}

fn single(x: f64) -> f32 {
    x as f32
}

fn double(x: f64) -> f64 {
    x
}

fn single_complex(z: Complex<f64>) -> Complex<f32> {
    Complex { re: z.re as f32, im: z.im as f32 }
}

fn double_complex(z: Complex<f64>) -> Complex<f64> {
    z
}

#[derive(Clone, Copy, PartialEq)]
enum Left {
    AsIs,
    Transposed,
}

/// `x y`, where one of them may be a vector.
unsafe fn multiply<X, Y, W, R>(
    result: &mut Descriptor,
    (x, y): (&Descriptor, &Descriptor),
    left: Left,
    zero: W,
    narrow: impl Fn(W) -> R,
) where
    W: From<X> + From<Y> + From<R> + Add<Output = W> + Mul<Output = W> + Copy,
{
    let (a, b): (View, View) = (x.view(), y.view());
    let extents = match (x.rank, y.rank, left) {
        (2, 2, Left::AsIs) => [a.extents[0], b.extents[1], 1, 1],
        (2, 2, Left::Transposed) => [a.extents[1], b.extents[1], 1, 1],
        (2, 1, Left::AsIs) => [a.extents[0], 1, 1, 1],
        (2, 1, Left::Transposed) => [a.extents[1], 1, 1, 1],
        (1, 2, Left::AsIs) => [b.extents[1], 1, 1, 1],
        _ => unknown(),
    };
    let to = unsafe { result.allocate(extents) };
    match (x.rank, left) {
        (2, Left::AsIs) => unsafe { add_columns::<X, Y, W, R>(to, (a, b), zero, narrow) },
        _ => unsafe { dot_columns::<X, Y, W, R>(to, (a, b), x.rank, zero, narrow) },
    }
}

/// Columns of `x`, as often as `y` says: what follows each other in memory is met in that order, in the reverse sweep as well. So does
/// flang's library.
unsafe fn add_columns<X, Y, W, R>(to: View, (a, b): (View, View), zero: W, narrow: impl Fn(W) -> R)
where
    W: From<X> + From<Y> + From<R> + Add<Output = W> + Mul<Output = W> + Copy,
{
    to.visit(|index| unsafe { to.at::<R>(index).write(narrow(zero)) });
    let mut j = 0;
    while j < to.extents[1] {
        let mut k = 0;
        while k < b.extents[0] {
            let times = unsafe { W::from(b.read::<Y>([k, j, 0, 0])) };
            let mut i = 0;
            while i < to.extents[0] {
                unsafe {
                    let sum = W::from(to.read::<R>([i, j, 0, 0]));
                    let part = W::from(a.read::<X>([i, k, 0, 0])) * times;
                    to.at::<R>([i, j, 0, 0]).write(narrow(sum + part));
                }
                i += 1;
            }
            k += 1;
        }
        j += 1;
    }
}

/// Columns of `x`, or `x` as such where it is a vector, times columns of `y`.
unsafe fn dot_columns<X, Y, W, R>(
    to: View,
    (a, b): (View, View),
    rank: u8,
    zero: W,
    narrow: impl Fn(W) -> R,
) where
    W: From<X> + From<Y> + Add<Output = W> + Mul<Output = W> + Copy,
{
    to.visit(|index| {
        let of_b = if rank == 1 { index[0] } else { index[1] };
        let mut sum = zero;
        let mut k = 0;
        while k < b.extents[0] {
            let of_a = if rank == 1 { [k, 0, 0, 0] } else { [k, index[0], 0, 0] };
            unsafe { sum = sum + W::from(a.read::<X>(of_a)) * W::from(b.read::<Y>([k, of_b, 0, 0])) };
            k += 1;
        }
        unsafe { to.at::<R>(index).write(narrow(sum)) };
    });
}

macro_rules! matmul {
    ($name:ident, $symbol:literal, $left:expr, $x:ty, $y:ty, $zero:expr, $narrow:ident) => {
        #[unsafe(export_name = $symbol)]
        unsafe extern "C" fn $name(
            result: &mut Descriptor,
            x: &Descriptor,
            y: &Descriptor,
            _file: *const u8,
            _line: i32,
        ) {
            unsafe { multiply::<$x, $y, _, _>(result, (x, y), $left, $zero, $narrow) }
        }
    };
}

const ZERO: Complex<f64> = Complex { re: 0.0, im: 0.0 };

matmul!(matmul_88, "backsweep.body._FortranAMatmulReal8Real8", Left::AsIs, f64, f64, 0.0f64, double);
matmul!(matmul_44, "backsweep.body._FortranAMatmulReal4Real4", Left::AsIs, f32, f32, 0.0f64, single);
matmul!(matmul_48, "backsweep.body._FortranAMatmulReal4Real8", Left::AsIs, f32, f64, 0.0f64, double);
matmul!(matmul_84, "backsweep.body._FortranAMatmulReal8Real4", Left::AsIs, f64, f32, 0.0f64, double);
matmul!(matmul_i8, "backsweep.body._FortranAMatmulInteger4Real8", Left::AsIs, i32, f64, 0.0f64, double);
matmul!(matmul_8i, "backsweep.body._FortranAMatmulReal8Integer4", Left::AsIs, f64, i32, 0.0f64, double);
matmul!(
    transposed_88,
    "backsweep.body._FortranAMatmulTransposeReal8Real8",
    Left::Transposed,
    f64,
    f64,
    0.0f64,
    double
);
matmul!(
    transposed_44,
    "backsweep.body._FortranAMatmulTransposeReal4Real4",
    Left::Transposed,
    f32,
    f32,
    0.0f64,
    single
);
matmul!(
    matmul_c8,
    "backsweep.body._FortranAMatmulComplex8Complex8",
    Left::AsIs,
    Complex<f64>,
    Complex<f64>,
    ZERO,
    double_complex
);
matmul!(
    matmul_c4,
    "backsweep.body._FortranAMatmulComplex4Complex4",
    Left::AsIs,
    Complex<f32>,
    Complex<f32>,
    ZERO,
    single_complex
);
matmul!(
    matmul_8c,
    "backsweep.body._FortranAMatmulReal8Complex8",
    Left::AsIs,
    f64,
    Complex<f64>,
    ZERO,
    double_complex
);
matmul!(
    matmul_c8r,
    "backsweep.body._FortranAMatmulComplex8Real8",
    Left::AsIs,
    Complex<f64>,
    f64,
    ZERO,
    double_complex
);

/// An element that is a real number, of the type that its array has.
unsafe fn real_at(x: View, ty: i8, index: Index) -> f64 {
    unsafe {
        match ty {
            DOUBLE => x.read::<f64>(index),
            FLOAT => f64::from(x.read::<f32>(index)),
            INTEGER => f64::from(x.read::<i32>(index)),
            _ => unknown(),
        }
    }
}

unsafe fn complex_at(x: View, ty: i8, index: Index) -> Complex<f64> {
    unsafe {
        match ty {
            DOUBLE_COMPLEX => x.read::<Complex<f64>>(index),
            FLOAT_COMPLEX => Complex::<f64>::from(x.read::<Complex<f32>>(index)),
            _ => Complex::<f64>::from(real_at(x, ty, index)),
        }
    }
}

/// The name says of what type the result is; one of the operands may be of a narrower one.
macro_rules! dot_product {
    ($name:ident, $symbol:literal, $real:ty, $usual:expr) => {
        #[unsafe(export_name = $symbol)]
        unsafe extern "C" fn $name(x: &Descriptor, y: &Descriptor, _file: *const u8, _line: i32) -> $real {
            let (of_x, of_y) = (known_or_usual(x.ty, $usual), known_or_usual(y.ty, $usual));
            let (x, y) = (x.view(), y.view());
            let mut sum = 0.0;
            x.visit(|index| unsafe { sum += real_at(x, of_x, index) * real_at(y, of_y, index) });
            sum as $real
        }
    };
}

dot_product!(dot_8, "backsweep.body._FortranADotProductReal8", f64, DOUBLE);
dot_product!(dot_4, "backsweep.body._FortranADotProductReal4", f32, FLOAT);

macro_rules! complex_dot_product {
    ($name:ident, $symbol:literal, $real:ty, $narrow:ident, $usual:expr) => {
        #[unsafe(export_name = $symbol)]
        unsafe extern "C" fn $name(
            result: &mut Complex<$real>,
            x: &Descriptor,
            y: &Descriptor,
            _file: *const u8,
            _line: i32,
        ) {
            let (of_x, of_y) = (known_or_usual(x.ty, $usual), known_or_usual(y.ty, $usual));
            let (x, y) = (x.view(), y.view());
            let mut sum = ZERO;
            x.visit(|index| unsafe {
                let z = complex_at(x, of_x, index);
                sum = sum + Complex { re: z.re, im: -z.im } * complex_at(y, of_y, index);
            });
            *result = $narrow(sum);
        }
    };
}

complex_dot_product!(
    complex_dot_8,
    "backsweep.body._FortranACppDotProductComplex8",
    f64,
    double_complex,
    DOUBLE_COMPLEX
);
complex_dot_product!(
    complex_dot_4,
    "backsweep.body._FortranACppDotProductComplex4",
    f32,
    single_complex,
    FLOAT_COMPLEX
);

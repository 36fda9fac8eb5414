//! Level 1: vectors.

use super::matrix::Vector;
use super::number::Number;

unsafe fn dot<T: Number>(x: Vector<T>, y: Vector<T>) -> T {
    let (mut sum, mut index) = (T::ZERO, 0);
    while index < x.length {
        unsafe { sum = sum + x.get(index) * y.get(index) };
        index += 1;
    }
    sum
}

unsafe fn axpy<T: Number>(factor: T, x: Vector<T>, y: Vector<T>) {
    let mut index = 0;
    while index < x.length {
        unsafe { y.set(index, y.get(index) + factor * x.get(index)) };
        index += 1;
    }
}

unsafe fn scal<T: Number>(factor: T, x: Vector<T>) {
    let mut index = 0;
    while index < x.length {
        unsafe { x.set(index, factor * x.get(index)) };
        index += 1;
    }
}

unsafe fn copy<T: Number>(x: Vector<T>, y: Vector<T>) {
    let mut index = 0;
    while index < x.length {
        unsafe { y.set(index, x.get(index)) };
        index += 1;
    }
}

unsafe fn swap<T: Number>(x: Vector<T>, y: Vector<T>) {
    let mut index = 0;
    while index < x.length {
        unsafe {
            let kept = x.get(index);
            x.set(index, y.get(index));
            y.set(index, kept);
        }
        index += 1;
    }
}

unsafe fn rot<T: Number>(x: Vector<T>, y: Vector<T>, cosine: T, sine: T) {
    let mut index = 0;
    while index < x.length {
        unsafe {
            let (a, b) = (x.get(index), y.get(index));
            x.set(index, cosine * a + sine * b);
            y.set(index, cosine * b - sine * a);
        }
        index += 1;
    }
}

unsafe fn asum<T: Number>(x: Vector<T>) -> T {
    let (mut sum, mut index) = (T::ZERO, 0);
    while index < x.length {
        unsafe { sum = sum + x.get(index).magnitude() };
        index += 1;
    }
    sum
}

/// Squares that are too large or too small for a number are those of parts of the largest element.
unsafe fn nrm2<T: Number>(x: Vector<T>) -> T {
    let squares = unsafe { dot(x, x) };
    if squares > T::SMALL && squares < T::LARGE {
        return squares.square_root();
    }
    let (mut most, mut index) = (T::ZERO, 0);
    while index < x.length {
        let here = unsafe { x.get(index) }.magnitude();
        most = if here > most { here } else { most };
        index += 1;
    }
    if most == T::ZERO {
        return squares.square_root();
    }
    let mut sum = T::ZERO;
    index = 0;
    while index < x.length {
        let part = unsafe { x.get(index) } / most;
        sum = sum + part * part;
        index += 1;
    }
    most * sum.square_root()
}

/// Where the first of the largest elements is, counted from zero.
unsafe fn iamax<T: Number>(x: Vector<T>) -> isize {
    let (mut most, mut at, mut index) = (T::ZERO, 0, 0);
    while index < x.length {
        let here = unsafe { x.get(index) }.magnitude();
        if index == 0 || here > most {
            (most, at) = (here, index);
        }
        index += 1;
    }
    at
}

/// Of a vector whose step is not positive these functions see nothing.
fn forward<T: Number>(x: *const T, length: i32, step: i32) -> Vector<T> {
    Vector::new(x, if step > 0 { length } else { 0 }, step)
}

macro_rules! of_two {
    ($t:ty, $result:ty, $f:ident, $c:literal, $fortran:literal) => {
        const _: () = {
            #[unsafe(export_name = $c)]
            unsafe extern "C" fn c(n: i32, x: *const $t, of_x: i32, y: *const $t, of_y: i32) -> $result {
                unsafe { $f(Vector::new(x, n, of_x), Vector::new(y, n, of_y)) }
            }
            #[unsafe(export_name = $fortran)]
            unsafe extern "C" fn fortran(
                n: &i32,
                x: *const $t,
                of_x: &i32,
                y: *const $t,
                of_y: &i32,
            ) -> $result {
                unsafe { c(*n, x, *of_x, y, *of_y) }
            }
        };
    };
}

of_two!(f64, f64, dot, "backsweep.body.cblas_ddot", "backsweep.body.ddot_");
of_two!(f32, f32, dot, "backsweep.body.cblas_sdot", "backsweep.body.sdot_");
of_two!(f64, (), copy, "backsweep.body.cblas_dcopy", "backsweep.body.dcopy_");
of_two!(f32, (), copy, "backsweep.body.cblas_scopy", "backsweep.body.scopy_");
of_two!(f64, (), swap, "backsweep.body.cblas_dswap", "backsweep.body.dswap_");
of_two!(f32, (), swap, "backsweep.body.cblas_sswap", "backsweep.body.sswap_");

macro_rules! of_one {
    ($t:ty, $f:ident, $c:literal, $fortran:literal) => {
        const _: () = {
            #[unsafe(export_name = $c)]
            unsafe extern "C" fn c(n: i32, x: *const $t, of_x: i32) -> $t {
                unsafe { $f(forward(x, n, of_x)) }
            }
            #[unsafe(export_name = $fortran)]
            unsafe extern "C" fn fortran(n: &i32, x: *const $t, of_x: &i32) -> $t {
                unsafe { c(*n, x, *of_x) }
            }
        };
    };
}

of_one!(f64, nrm2, "backsweep.body.cblas_dnrm2", "backsweep.body.dnrm2_");
of_one!(f32, nrm2, "backsweep.body.cblas_snrm2", "backsweep.body.snrm2_");
of_one!(f64, asum, "backsweep.body.cblas_dasum", "backsweep.body.dasum_");
of_one!(f32, asum, "backsweep.body.cblas_sasum", "backsweep.body.sasum_");

macro_rules! index_of {
    ($t:ty, $c:literal, $fortran:literal) => {
        const _: () = {
            #[unsafe(export_name = $c)]
            unsafe extern "C" fn c(n: i32, x: *const $t, of_x: i32) -> isize {
                unsafe { iamax(forward(x, n, of_x)) }
            }
            // There elements are counted from one, and zero says that there is none.
            #[unsafe(export_name = $fortran)]
            unsafe extern "C" fn fortran(n: &i32, x: *const $t, of_x: &i32) -> i32 {
                let x = forward(x, *n, *of_x);
                if x.length > 0 { unsafe { iamax(x) as i32 + 1 } } else { 0 }
            }
        };
    };
}

index_of!(f64, "backsweep.body.cblas_idamax", "backsweep.body.idamax_");
index_of!(f32, "backsweep.body.cblas_isamax", "backsweep.body.isamax_");

macro_rules! with_factors {
    ($t:ty, $axpy:literal, $axpy_:literal, $scal:literal, $scal_:literal, $rot:literal, $rot_:literal) => {
        const _: () = {
            #[unsafe(export_name = $axpy)]
            unsafe extern "C" fn c_axpy(n: i32, a: $t, x: *const $t, of_x: i32, y: *mut $t, of_y: i32) {
                unsafe { axpy(a, Vector::new(x, n, of_x), Vector::new(y, n, of_y)) }
            }
            #[unsafe(export_name = $axpy_)]
            unsafe extern "C" fn f_axpy(n: &i32, a: &$t, x: *const $t, of_x: &i32, y: *mut $t, of_y: &i32) {
                unsafe { c_axpy(*n, *a, x, *of_x, y, *of_y) }
            }
            #[unsafe(export_name = $scal)]
            unsafe extern "C" fn c_scal(n: i32, a: $t, x: *mut $t, of_x: i32) {
                unsafe { scal(a, forward(x, n, of_x)) }
            }
            #[unsafe(export_name = $scal_)]
            unsafe extern "C" fn f_scal(n: &i32, a: &$t, x: *mut $t, of_x: &i32) {
                unsafe { c_scal(*n, *a, x, *of_x) }
            }
            #[unsafe(export_name = $rot)]
            unsafe extern "C" fn c_rot(n: i32, x: *mut $t, of_x: i32, y: *mut $t, of_y: i32, c: $t, s: $t) {
                unsafe { rot(Vector::new(x, n, of_x), Vector::new(y, n, of_y), c, s) }
            }
            #[unsafe(export_name = $rot_)]
            unsafe extern "C" fn f_rot(
                n: &i32,
                x: *mut $t,
                of_x: &i32,
                y: *mut $t,
                of_y: &i32,
                c: &$t,
                s: &$t,
            ) {
                unsafe { c_rot(*n, x, *of_x, y, *of_y, *c, *s) }
            }
        };
    };
}

with_factors!(
    f64,
    "backsweep.body.cblas_daxpy",
    "backsweep.body.daxpy_",
    "backsweep.body.cblas_dscal",
    "backsweep.body.dscal_",
    "backsweep.body.cblas_drot",
    "backsweep.body.drot_"
);
with_factors!(
    f32,
    "backsweep.body.cblas_saxpy",
    "backsweep.body.saxpy_",
    "backsweep.body.cblas_sscal",
    "backsweep.body.sscal_",
    "backsweep.body.cblas_srot",
    "backsweep.body.srot_"
);

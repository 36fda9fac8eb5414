//! Levels 2 and 3: products of matrices that are whole or symmetric.
//!
//! Inner loops go down columns, so that they and their reverses walk through memory step by step.

use super::matrix::{
    BY_COLUMNS, Matrix, Triangle, Vector, half, is_left, is_transposed, is_upper, side, transposition,
};
use super::number::Number;

/// `y += factor a x`, of `rows` by `columns`.
unsafe fn times_vector<T: Number>(factor: T, a: Matrix<T>, rows: isize, x: Vector<T>, y: Vector<T>) {
    let mut column = 0;
    while column < x.length {
        let weight = factor * unsafe { x.get(column) };
        let mut row = 0;
        while row < rows {
            unsafe { y.set(row, y.get(row) + weight * a.get(row, column)) };
            row += 1;
        }
        column += 1;
    }
}

/// A matrix without columns leaves `y` as it is, unlike a product of matrices.
unsafe fn gemv<T: Number>(factor: T, a: Matrix<T>, x: Vector<T>, beta: T, y: Vector<T>) {
    if x.length > 0 {
        unsafe { scaled_and_times_vector(factor, a, x, beta, y) }
    }
}

/// `y = factor a x + beta y`.
unsafe fn scaled_and_times_vector<T: Number>(factor: T, a: Matrix<T>, x: Vector<T>, beta: T, y: Vector<T>) {
    unsafe {
        y.scale(beta);
        times_vector(factor, a, y.length, x, y);
    }
}

/// `y += factor a x` with a symmetric matrix.
unsafe fn symv<T: Number>(factor: T, a: Triangle<T>, x: Vector<T>, beta: T, y: Vector<T>) {
    unsafe { y.scale(beta) };
    let mut column = 0;
    while column < x.length {
        let weight = factor * unsafe { x.get(column) };
        let mut row = 0;
        while row < y.length {
            unsafe { y.set(row, y.get(row) + weight * a.mirrored(row, column)) };
            row += 1;
        }
        column += 1;
    }
}

/// `a += factor x yᵀ`.
unsafe fn ger<T: Number>(factor: T, x: Vector<T>, y: Vector<T>, a: Matrix<T>) {
    let mut column = 0;
    while column < y.length {
        let weight = factor * unsafe { y.get(column) };
        let mut row = 0;
        while row < x.length {
            unsafe { a.add(row, column, x.get(row) * weight) };
            row += 1;
        }
        column += 1;
    }
}

/// `c = factor a b + beta c`.
unsafe fn gemm<T: Number>(
    factor: T,
    (a, b, inner): (Matrix<T>, Matrix<T>, isize),
    beta: T,
    c: Matrix<T>,
    (rows, columns): (isize, isize),
) {
    let mut column = 0;
    while column < columns {
        unsafe { scaled_and_times_vector(factor, a, b.column(column, inner), beta, c.column(column, rows)) };
        column += 1;
    }
}

/// `c = factor a b + beta c` with a symmetric `a`.
unsafe fn symm<T: Number>(
    factor: T,
    a: Triangle<T>,
    b: Matrix<T>,
    beta: T,
    c: Matrix<T>,
    (rows, columns): (isize, isize),
) {
    let mut column = 0;
    while column < columns {
        unsafe { symv(factor, a, b.column(column, rows), beta, c.column(column, rows)) };
        column += 1;
    }
}

/// Half of `c = factor a aᵀ + beta c`.
unsafe fn syrk<T: Number>(factor: T, a: Matrix<T>, inner: isize, beta: T, c: Triangle<T>, order: isize) {
    let mut column = 0;
    while column < order {
        let (first, end) = c.rows(column, order);
        let mut row = first;
        while row < end {
            let before = if beta == T::ZERO { T::ZERO } else { beta * unsafe { c.of.get(row, column) } };
            unsafe { c.of.set(row, column, before) };
            row += 1;
        }
        let mut k = 0;
        while k < inner {
            let weight = factor * unsafe { a.get(column, k) };
            row = first;
            while row < end {
                unsafe { c.of.add(row, column, weight * a.get(row, k)) };
                row += 1;
            }
            k += 1;
        }
        column += 1;
    }
}

unsafe fn syr<T: Number>(factor: T, x: Vector<T>, a: Triangle<T>) {
    let mut column = 0;
    while column < x.length {
        let weight = factor * unsafe { x.get(column) };
        let (mut row, end) = a.rows(column, x.length);
        while row < end {
            unsafe { a.of.add(row, column, x.get(row) * weight) };
            row += 1;
        }
        column += 1;
    }
}

fn symmetric<T: Number>(order: i32, half: i32, start: *const T, leading: i32) -> Triangle<T> {
    Triangle { of: Matrix::new(order, start, leading), is_upper: is_upper(half), is_unit: false }
}

#[rustfmt::skip]
macro_rules! products {
    ($t:ty, $gemv:literal, $gemv_:literal, $ger:literal, $ger_:literal, $gemm:literal, $gemm_:literal) => {
        const _: () = {
            #[unsafe(export_name = $gemv)]
            unsafe extern "C" fn c_gemv(
                order: i32, trans: i32, m: i32, n: i32, alpha: $t, a: *const $t, lda: i32, x: *const $t, of_x: i32,
                beta: $t, y: *mut $t, of_y: i32,
            ) {
                let across = is_transposed(trans);
                let (rows, columns) = if across { (n, m) } else { (m, n) };
                let a = Matrix::new(order, a, lda).transposed_if(across);
                unsafe { gemv(alpha, a, Vector::new(x, columns, of_x), beta, Vector::new(y, rows, of_y)) }
            }
            #[unsafe(export_name = $gemv_)]
            unsafe extern "C" fn f_gemv(
                trans: &u8, m: &i32, n: &i32, alpha: &$t, a: *const $t, lda: &i32, x: *const $t, of_x: &i32,
                beta: &$t, y: *mut $t, of_y: &i32,
            ) {
                let trans = transposition(*trans);
                unsafe { c_gemv(BY_COLUMNS, trans, *m, *n, *alpha, a, *lda, x, *of_x, *beta, y, *of_y) }
            }
            #[unsafe(export_name = $ger)]
            unsafe extern "C" fn c_ger(
                order: i32, m: i32, n: i32, alpha: $t, x: *const $t, of_x: i32, y: *const $t, of_y: i32,
                a: *mut $t, lda: i32,
            ) {
                unsafe { ger(alpha, Vector::new(x, m, of_x), Vector::new(y, n, of_y), Matrix::new(order, a, lda)) }
            }
            #[unsafe(export_name = $ger_)]
            unsafe extern "C" fn f_ger(
                m: &i32, n: &i32, alpha: &$t, x: *const $t, of_x: &i32, y: *const $t, of_y: &i32, a: *mut $t,
                lda: &i32,
            ) {
                unsafe { c_ger(BY_COLUMNS, *m, *n, *alpha, x, *of_x, y, *of_y, a, *lda) }
            }
            #[unsafe(export_name = $gemm)]
            unsafe extern "C" fn c_gemm(
                order: i32, of_a: i32, of_b: i32, m: i32, n: i32, k: i32, alpha: $t, a: *const $t, lda: i32,
                b: *const $t, ldb: i32, beta: $t, c: *mut $t, ldc: i32,
            ) {
                let a = Matrix::new(order, a, lda).transposed_if(is_transposed(of_a));
                let b = Matrix::new(order, b, ldb).transposed_if(is_transposed(of_b));
                let c = Matrix::new(order, c, ldc);
                unsafe { gemm(alpha, (a, b, k as isize), beta, c, (m as isize, n as isize)) }
            }
            #[unsafe(export_name = $gemm_)]
            unsafe extern "C" fn f_gemm(
                of_a: &u8, of_b: &u8, m: &i32, n: &i32, k: &i32, alpha: &$t, a: *const $t, lda: &i32,
                b: *const $t, ldb: &i32, beta: &$t, c: *mut $t, ldc: &i32,
            ) {
                let (of_a, of_b) = (transposition(*of_a), transposition(*of_b));
                unsafe { c_gemm(BY_COLUMNS, of_a, of_b, *m, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, *ldc) }
            }
        };
    };
}

#[rustfmt::skip]
macro_rules! symmetric_products {
    (
        $t:ty, $symv:literal, $symv_:literal, $symm:literal, $symm_:literal, $syrk:literal, $syrk_:literal,
        $syr:literal, $syr_:literal
    ) => {
        const _: () = {
            #[unsafe(export_name = $symv)]
            unsafe extern "C" fn c_symv(
                order: i32, uplo: i32, n: i32, alpha: $t, a: *const $t, lda: i32, x: *const $t, of_x: i32, beta: $t,
                y: *mut $t, of_y: i32,
            ) {
                let a = symmetric(order, uplo, a, lda);
                unsafe { symv(alpha, a, Vector::new(x, n, of_x), beta, Vector::new(y, n, of_y)) }
            }
            #[unsafe(export_name = $symv_)]
            unsafe extern "C" fn f_symv(
                uplo: &u8, n: &i32, alpha: &$t, a: *const $t, lda: &i32, x: *const $t, of_x: &i32, beta: &$t,
                y: *mut $t, of_y: &i32,
            ) {
                unsafe { c_symv(BY_COLUMNS, half(*uplo), *n, *alpha, a, *lda, x, *of_x, *beta, y, *of_y) }
            }
            #[unsafe(export_name = $symm)]
            unsafe extern "C" fn c_symm(
                order: i32, at: i32, uplo: i32, m: i32, n: i32, alpha: $t, a: *const $t, lda: i32, b: *const $t,
                ldb: i32, beta: $t, c: *mut $t, ldc: i32,
            ) {
                let (a, b, c) = (symmetric(order, uplo, a, lda), Matrix::new(order, b, ldb), Matrix::new(order, c, ldc));
                let (m, n) = (m as isize, n as isize);
                unsafe {
                    match is_left(at) {
                        true => symm(alpha, a, b, beta, c, (m, n)),
                        false => symm(alpha, a, b.transposed(), beta, c.transposed(), (n, m)),
                    }
                }
            }
            #[unsafe(export_name = $symm_)]
            unsafe extern "C" fn f_symm(
                at: &u8, uplo: &u8, m: &i32, n: &i32, alpha: &$t, a: *const $t, lda: &i32, b: *const $t, ldb: &i32,
                beta: &$t, c: *mut $t, ldc: &i32,
            ) {
                let (at, uplo) = (side(*at), half(*uplo));
                unsafe { c_symm(BY_COLUMNS, at, uplo, *m, *n, *alpha, a, *lda, b, *ldb, *beta, c, *ldc) }
            }
            #[unsafe(export_name = $syrk)]
            unsafe extern "C" fn c_syrk(
                order: i32, uplo: i32, trans: i32, n: i32, k: i32, alpha: $t, a: *const $t, lda: i32, beta: $t,
                c: *mut $t, ldc: i32,
            ) {
                let a = Matrix::new(order, a, lda).transposed_if(is_transposed(trans));
                unsafe { syrk(alpha, a, k as isize, beta, symmetric(order, uplo, c, ldc), n as isize) }
            }
            #[unsafe(export_name = $syrk_)]
            unsafe extern "C" fn f_syrk(
                uplo: &u8, trans: &u8, n: &i32, k: &i32, alpha: &$t, a: *const $t, lda: &i32, beta: &$t,
                c: *mut $t, ldc: &i32,
            ) {
                let (uplo, trans) = (half(*uplo), transposition(*trans));
                unsafe { c_syrk(BY_COLUMNS, uplo, trans, *n, *k, *alpha, a, *lda, *beta, c, *ldc) }
            }
            #[unsafe(export_name = $syr)]
            unsafe extern "C" fn c_syr(
                order: i32, uplo: i32, n: i32, alpha: $t, x: *const $t, of_x: i32, a: *mut $t, lda: i32,
            ) {
                unsafe { syr(alpha, Vector::new(x, n, of_x), symmetric(order, uplo, a, lda)) }
            }
            #[unsafe(export_name = $syr_)]
            unsafe extern "C" fn f_syr(
                uplo: &u8, n: &i32, alpha: &$t, x: *const $t, of_x: &i32, a: *mut $t, lda: &i32,
            ) {
                unsafe { c_syr(BY_COLUMNS, half(*uplo), *n, *alpha, x, *of_x, a, *lda) }
            }
        };
    };
}

products!(
    f64,
    "backsweep.body.cblas_dgemv",
    "backsweep.body.dgemv_",
    "backsweep.body.cblas_dger",
    "backsweep.body.dger_",
    "backsweep.body.cblas_dgemm",
    "backsweep.body.dgemm_"
);
products!(
    f32,
    "backsweep.body.cblas_sgemv",
    "backsweep.body.sgemv_",
    "backsweep.body.cblas_sger",
    "backsweep.body.sger_",
    "backsweep.body.cblas_sgemm",
    "backsweep.body.sgemm_"
);
symmetric_products!(
    f64,
    "backsweep.body.cblas_dsymv",
    "backsweep.body.dsymv_",
    "backsweep.body.cblas_dsymm",
    "backsweep.body.dsymm_",
    "backsweep.body.cblas_dsyrk",
    "backsweep.body.dsyrk_",
    "backsweep.body.cblas_dsyr",
    "backsweep.body.dsyr_"
);
symmetric_products!(
    f32,
    "backsweep.body.cblas_ssymv",
    "backsweep.body.ssymv_",
    "backsweep.body.cblas_ssymm",
    "backsweep.body.ssymm_",
    "backsweep.body.cblas_ssyrk",
    "backsweep.body.ssyrk_",
    "backsweep.body.cblas_ssyr",
    "backsweep.body.ssyr_"
);

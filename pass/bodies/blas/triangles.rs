//! Levels 2 and 3: products with and solutions of triangular systems, in place.

use super::matrix::{
    BY_COLUMNS, Matrix, Triangle, Vector, diagonal, half, is_left, is_transposed, is_unit, is_upper, side,
    transposition,
};
use super::number::Number;

/// `x = a x`. From the end that nobody needs any more.
unsafe fn multiply<T: Number>(a: Triangle<T>, x: Vector<T>) {
    let mut step = 0;
    while step < x.length {
        let row = if a.is_upper { step } else { x.length - 1 - step };
        let own = unsafe { x.get(row) };
        let mut sum = own;
        if !a.is_unit {
            sum = own * unsafe { a.of.get(row, row) };
        }
        let (mut column, end) = if a.is_upper { (row + 1, x.length) } else { (0, row) };
        while column < end {
            unsafe { sum = sum + a.of.get(row, column) * x.get(column) };
            column += 1;
        }
        unsafe { x.set(row, sum) };
        step += 1;
    }
}

/// `a x = x`, solved.
pub unsafe fn solve<T: Number>(a: Triangle<T>, x: Vector<T>) {
    let mut step = 0;
    while step < x.length {
        let row = if a.is_upper { x.length - 1 - step } else { step };
        let mut rest = unsafe { x.get(row) };
        let (mut column, end) = if a.is_upper { (row + 1, x.length) } else { (0, row) };
        while column < end {
            unsafe { rest = rest - a.of.get(row, column) * x.get(column) };
            column += 1;
        }
        unsafe { x.set(row, if a.is_unit { rest } else { rest / a.of.get(row, row) }) };
        step += 1;
    }
}

/// One after the other for the columns of `b`, after they were scaled.
unsafe fn for_columns<T: Number>(
    factor: T,
    b: Matrix<T>,
    (rows, columns): (isize, isize),
    run: impl Fn(Vector<T>),
) {
    let mut column = 0;
    while column < columns {
        let x = b.column(column, rows);
        unsafe { x.scale(factor) };
        run(x);
        column += 1;
    }
}

fn triangle<T: Number>(order: i32, half: i32, diagonal: i32, start: *const T, leading: i32) -> Triangle<T> {
    Triangle { of: Matrix::new(order, start, leading), is_upper: is_upper(half), is_unit: is_unit(diagonal) }
}

#[rustfmt::skip]
macro_rules! of_vector {
    ($t:ty, $run:ident, $c:literal, $fortran:literal) => {
        const _: () = {
            #[unsafe(export_name = $c)]
            unsafe extern "C" fn c(
                order: i32, uplo: i32, trans: i32, diag: i32, n: i32, a: *const $t, lda: i32, x: *mut $t, of_x: i32,
            ) {
                let a = triangle(order, uplo, diag, a, lda).transposed_if(is_transposed(trans));
                unsafe { $run(a, Vector::new(x, n, of_x)) }
            }
            #[unsafe(export_name = $fortran)]
            unsafe extern "C" fn fortran(
                uplo: &u8, trans: &u8, diag: &u8, n: &i32, a: *const $t, lda: &i32, x: *mut $t, of_x: &i32,
            ) {
                let (uplo, trans, diag) = (half(*uplo), transposition(*trans), diagonal(*diag));
                unsafe { c(BY_COLUMNS, uplo, trans, diag, *n, a, *lda, x, *of_x) }
            }
        };
    };
}

#[rustfmt::skip]
macro_rules! of_matrix {
    ($t:ty, $run:ident, $c:literal, $fortran:literal) => {
        const _: () = {
            #[unsafe(export_name = $c)]
            unsafe extern "C" fn c(
                order: i32, at: i32, uplo: i32, trans: i32, diag: i32, m: i32, n: i32, alpha: $t, a: *const $t,
                lda: i32, b: *mut $t, ldb: i32,
            ) {
                let a = triangle(order, uplo, diag, a, lda).transposed_if(is_transposed(trans));
                let b = Matrix::new(order, b, ldb);
                let (m, n) = (m as isize, n as isize);
                unsafe {
                    match is_left(at) {
                        true => for_columns(alpha, b, (m, n), |x| $run(a, x)),
                        false => {
                            let a = a.transposed_if(true);
                            for_columns(alpha, b.transposed(), (n, m), |x| $run(a, x));
                        }
                    }
                }
            }
            #[unsafe(export_name = $fortran)]
            unsafe extern "C" fn fortran(
                at: &u8, uplo: &u8, trans: &u8, diag: &u8, m: &i32, n: &i32, alpha: &$t, a: *const $t, lda: &i32,
                b: *mut $t, ldb: &i32,
            ) {
                let (at, uplo, trans, diag) = (side(*at), half(*uplo), transposition(*trans), diagonal(*diag));
                unsafe { c(BY_COLUMNS, at, uplo, trans, diag, *m, *n, *alpha, a, *lda, b, *ldb) }
            }
        };
    };
}

of_vector!(f64, multiply, "backsweep.body.cblas_dtrmv", "backsweep.body.dtrmv_");
of_vector!(f32, multiply, "backsweep.body.cblas_strmv", "backsweep.body.strmv_");
of_vector!(f64, solve, "backsweep.body.cblas_dtrsv", "backsweep.body.dtrsv_");
of_vector!(f32, solve, "backsweep.body.cblas_strsv", "backsweep.body.strsv_");
of_matrix!(f64, multiply, "backsweep.body.cblas_dtrmm", "backsweep.body.dtrmm_");
of_matrix!(f32, multiply, "backsweep.body.cblas_strmm", "backsweep.body.strmm_");
of_matrix!(f64, solve, "backsweep.body.cblas_dtrsm", "backsweep.body.dtrsm_");
of_matrix!(f32, solve, "backsweep.body.cblas_strsm", "backsweep.body.strsm_");

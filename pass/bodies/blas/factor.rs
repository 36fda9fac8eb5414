//! POTRF, POTRS and POSV: a positive definite matrix as the product of a triangle and its transpose, and what that solves.

use super::matrix::{BY_COLUMNS, Matrix, Triangle, half, is_upper};
use super::number::Number;
use super::triangles::solve;

/// The column at which the matrix turns out not to be positive definite, or 0. `a` is the lower half.
unsafe fn factor<T: Number>(a: Matrix<T>, order: isize) -> i32 {
    let mut column = 0;
    while column < order {
        let mut k = 0;
        while k < column {
            let weight = unsafe { a.get(column, k) };
            let mut row = column;
            while row < order {
                unsafe { a.add(row, column, -(weight * a.get(row, k))) };
                row += 1;
            }
            k += 1;
        }
        let square = unsafe { a.get(column, column) };
        if !(square > T::ZERO) {
            return column as i32 + 1;
        }
        let root = square.square_root();
        unsafe { a.set(column, column, root) };
        let mut row = column + 1;
        while row < order {
            unsafe { a.set(row, column, a.get(row, column) / root) };
            row += 1;
        }
        column += 1;
    }
    0
}

macro_rules! factor {
    ($t:ty, $potrf:literal, $potrs:literal, $posv:literal) => {
        const _: () = {
            #[unsafe(export_name = $potrf)]
            unsafe extern "C" fn potrf(uplo: &u8, n: &i32, a: *mut $t, lda: &i32, info: &mut i32) {
                let a = Matrix::new(BY_COLUMNS, a, *lda).transposed_if(is_upper(half(*uplo)));
                *info = unsafe { factor(a, *n as isize) };
            }
            #[unsafe(export_name = $potrs)]
            unsafe extern "C" fn potrs(
                uplo: &u8,
                n: &i32,
                columns: &i32,
                a: *const $t,
                lda: &i32,
                b: *mut $t,
                ldb: &i32,
                info: &mut i32,
            ) {
                let of = Matrix::new(BY_COLUMNS, a, *lda).transposed_if(is_upper(half(*uplo)));
                let (lower, b) =
                    (Triangle { of, is_upper: false, is_unit: false }, Matrix::new(BY_COLUMNS, b, *ldb));
                let mut column = 0;
                while column < *columns as isize {
                    let x = b.column(column, *n as isize);
                    unsafe {
                        solve(lower, x);
                        solve(lower.transposed_if(true), x);
                    }
                    column += 1;
                }
                *info = 0;
            }
            #[unsafe(export_name = $posv)]
            unsafe extern "C" fn posv(
                uplo: &u8,
                n: &i32,
                columns: &i32,
                a: *mut $t,
                lda: &i32,
                b: *mut $t,
                ldb: &i32,
                info: &mut i32,
            ) {
                unsafe { potrf(uplo, n, a, lda, info) };
                if *info == 0 {
                    unsafe { potrs(uplo, n, columns, a, lda, b, ldb, info) };
                }
            }
        };
    };
}

factor!(f64, "backsweep.body.dpotrf_", "backsweep.body.dpotrs_", "backsweep.body.dposv_");
factor!(f32, "backsweep.body.spotrf_", "backsweep.body.spotrs_", "backsweep.body.sposv_");

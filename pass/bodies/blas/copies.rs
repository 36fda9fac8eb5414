//! LACPY: a matrix, or half of one, from one place to another.

use super::matrix::{BY_COLUMNS, Matrix};
use super::number::Number;

unsafe fn lacpy<T: Number>(half: u8, (rows, columns): (isize, isize), a: Matrix<T>, b: Matrix<T>) {
    let mut column = 0;
    while column < columns {
        let (mut row, end) = match half | 32 {
            b'u' => (0, if column < rows { column + 1 } else { rows }),
            b'l' => (column, rows),
            _ => (0, rows),
        };
        while row < end {
            unsafe { b.set(row, column, a.get(row, column)) };
            row += 1;
        }
        column += 1;
    }
}

macro_rules! copy {
    ($t:ty, $fortran:literal) => {
        const _: () = {
            #[unsafe(export_name = $fortran)]
            unsafe extern "C" fn fortran(
                uplo: &u8,
                m: &i32,
                n: &i32,
                a: *const $t,
                lda: &i32,
                b: *mut $t,
                ldb: &i32,
            ) {
                let (a, b) = (Matrix::new(BY_COLUMNS, a, *lda), Matrix::new(BY_COLUMNS, b, *ldb));
                unsafe { lacpy(*uplo, (*m as isize, *n as isize), a, b) }
            }
        };
    };
}

copy!(f64, "backsweep.body.dlacpy_");
copy!(f32, "backsweep.body.slacpy_");

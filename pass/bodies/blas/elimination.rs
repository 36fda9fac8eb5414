//! GETRF, GETRS and GESV: a matrix as the product of two triangles, with rows exchanged so that the largest divides, and what that
//! solves; GTSV, the same of three diagonals; TRTRS, which solves one triangle.

use super::matrix::{
    BY_COLUMNS, Matrix, Triangle, Vector, diagonal, half, is_transposed, is_unit, is_upper, transposition,
};
use super::number::Number;
use super::triangles::solve;

unsafe fn exchange<T: Number>(a: Matrix<T>, (one, other): (isize, isize), columns: isize) {
    let mut column = 0;
    while column < columns {
        unsafe {
            let kept = a.get(one, column);
            a.set(one, column, a.get(other, column));
            a.set(other, column, kept);
        }
        column += 1;
    }
}

/// The row from the diagonal on in which a column is largest, the first of several.
unsafe fn find_pivot<T: Number>(a: Matrix<T>, column: isize, rows: isize) -> isize {
    let mut found = column;
    let mut largest = unsafe { a.get(column, column) }.magnitude();
    let mut row = column + 1;
    while row < rows {
        let size = unsafe { a.get(row, column) }.magnitude();
        if size > largest {
            largest = size;
            found = row;
        }
        row += 1;
    }
    found
}

/// The first column in which nothing was left to divide by, or 0; the others are eliminated all the same.
unsafe fn eliminate<T: Number>(a: Matrix<T>, (rows, columns): (isize, isize), pivots: *mut i32) -> i32 {
    let (mut singular, mut column) = (0, 0);
    while column < rows && column < columns {
        let pivot = unsafe { find_pivot(a, column, rows) };
        unsafe { *pivots.offset(column) = pivot as i32 + 1 };
        if unsafe { a.get(pivot, column) } == T::ZERO {
            if singular == 0 {
                singular = column as i32 + 1;
            }
        } else {
            if pivot != column {
                unsafe { exchange(a, (column, pivot), columns) };
            }
            let divisor = unsafe { a.get(column, column) };
            let mut row = column + 1;
            while row < rows {
                unsafe { a.set(row, column, a.get(row, column) / divisor) };
                row += 1;
            }
        }
        let mut right = column + 1;
        while right < columns {
            let weight = unsafe { a.get(column, right) };
            let mut row = column + 1;
            while row < rows {
                unsafe { a.add(row, right, -(a.get(row, column) * weight)) };
                row += 1;
            }
            right += 1;
        }
        column += 1;
    }
    singular
}

/// The exchanges of an elimination in the right-hand sides, or undone there.
unsafe fn permute<T: Number>(b: Matrix<T>, (order, columns): (isize, isize), pivots: *const i32, undo: bool) {
    let mut step = 0;
    while step < order {
        let row = if undo { order - 1 - step } else { step };
        let pivot = unsafe { *pivots.offset(row) } as isize - 1;
        if pivot != row {
            unsafe { exchange(b, (row, pivot), columns) };
        }
        step += 1;
    }
}

unsafe fn solve_eliminated<T: Number>(
    a: Matrix<T>,
    (order, columns): (isize, isize),
    pivots: *const i32,
    b: Matrix<T>,
    is_transposed: bool,
) {
    let lower = Triangle { of: a, is_upper: false, is_unit: true };
    let upper = Triangle { of: a, is_upper: true, is_unit: false };
    if !is_transposed {
        unsafe { permute(b, (order, columns), pivots, false) };
    }
    let mut column = 0;
    while column < columns {
        let x = b.column(column, order);
        if is_transposed {
            unsafe {
                solve(upper.transposed_if(true), x);
                solve(lower.transposed_if(true), x);
            }
        } else {
            unsafe {
                solve(lower, x);
                solve(upper, x);
            }
        }
        column += 1;
    }
    if is_transposed {
        unsafe { permute(b, (order, columns), pivots, true) };
    }
}

/// The diagonals below, at and above the main one, which are overwritten.
struct Diagonals<T> {
    below: Vector<T>,
    main: Vector<T>,
    above: Vector<T>,
}

impl<T: Number> Diagonals<T> {
    /// Takes a row off the next, or the next off it where that begins with the larger number; whether there was one to divide by.
    /// Where rows are exchanged what comes to stand two right of the main diagonal is kept where it stood below.
    unsafe fn take_row(&self, row: isize, b: Matrix<T>, columns: isize) -> bool {
        let (main, below) = unsafe { (self.main.get(row), self.below.get(row)) };
        let next = unsafe { self.main.get(row + 1) };
        let is_last = row + 2 >= self.main.length;
        if !(main.magnitude() < below.magnitude()) {
            if main == T::ZERO {
                return false;
            }
            let weight = below / main;
            unsafe { self.main.set(row + 1, next - weight * self.above.get(row)) };
            let mut column = 0;
            while column < columns {
                unsafe { b.add(row + 1, column, -(weight * b.get(row, column))) };
                column += 1;
            }
            if !is_last {
                unsafe { self.below.set(row, T::ZERO) };
            }
            return true;
        }
        let weight = main / below;
        let above = unsafe { self.above.get(row) };
        unsafe {
            self.main.set(row, below);
            self.main.set(row + 1, above - weight * next);
            self.above.set(row, next);
        }
        if !is_last {
            let far = unsafe { self.above.get(row + 1) };
            unsafe {
                self.below.set(row, far);
                self.above.set(row + 1, -(weight * far));
            }
        }
        let mut column = 0;
        while column < columns {
            unsafe {
                let kept = b.get(row, column);
                b.set(row, column, b.get(row + 1, column));
                b.set(row + 1, column, kept - weight * b.get(row + 1, column));
            }
            column += 1;
        }
        true
    }

    /// What is left after that, solved from the last row on.
    unsafe fn substitute(&self, x: Vector<T>) {
        let order = self.main.length;
        let mut row = order - 1;
        while row >= 0 {
            let mut rest = unsafe { x.get(row) };
            if row + 1 < order {
                rest = rest - unsafe { self.above.get(row) * x.get(row + 1) };
            }
            if row + 2 < order {
                rest = rest - unsafe { self.below.get(row) * x.get(row + 2) };
            }
            unsafe { x.set(row, rest / self.main.get(row)) };
            row -= 1;
        }
    }

    /// The row in which nothing was left to divide by, or 0.
    unsafe fn solve(&self, b: Matrix<T>, columns: isize) -> i32 {
        let order = self.main.length;
        let mut row = 0;
        while row + 1 < order {
            if !unsafe { self.take_row(row, b, columns) } {
                return row as i32 + 1;
            }
            row += 1;
        }
        if order > 0 && unsafe { self.main.get(order - 1) } == T::ZERO {
            return order as i32;
        }
        let mut column = 0;
        while column < columns {
            unsafe { self.substitute(b.column(column, order)) };
            column += 1;
        }
        0
    }
}

#[rustfmt::skip]
macro_rules! elimination {
    ($t:ty, $getrf:literal, $getrs:literal, $gesv:literal, $gtsv:literal, $trtrs:literal) => {
        const _: () = {
            #[unsafe(export_name = $getrf)]
            unsafe extern "C" fn getrf(m: &i32, n: &i32, a: *mut $t, lda: &i32, pivots: *mut i32, info: &mut i32) {
                let a = Matrix::new(BY_COLUMNS, a, *lda);
                *info = unsafe { eliminate(a, (*m as isize, *n as isize), pivots) };
            }
            #[unsafe(export_name = $getrs)]
            unsafe extern "C" fn getrs(
                trans: &u8, n: &i32, columns: &i32, a: *const $t, lda: &i32, pivots: *const i32, b: *mut $t, ldb: &i32,
                info: &mut i32,
            ) {
                let (a, b) = (Matrix::new(BY_COLUMNS, a, *lda), Matrix::new(BY_COLUMNS, b, *ldb));
                let sizes = (*n as isize, *columns as isize);
                unsafe { solve_eliminated(a, sizes, pivots, b, is_transposed(transposition(*trans))) };
                *info = 0;
            }
            #[unsafe(export_name = $gesv)]
            unsafe extern "C" fn gesv(
                n: &i32, columns: &i32, a: *mut $t, lda: &i32, pivots: *mut i32, b: *mut $t, ldb: &i32, info: &mut i32,
            ) {
                let (a, b, order) =
                    (Matrix::new(BY_COLUMNS, a, *lda), Matrix::new(BY_COLUMNS, b, *ldb), *n as isize);
                *info = unsafe { eliminate(a, (order, order), pivots) };
                if *info == 0 {
                    unsafe { solve_eliminated(a, (order, *columns as isize), pivots, b, false) };
                }
            }
            #[unsafe(export_name = $gtsv)]
            unsafe extern "C" fn gtsv(
                n: &i32, columns: &i32, below: *mut $t, main: *mut $t, above: *mut $t, b: *mut $t, ldb: &i32,
                info: &mut i32,
            ) {
                let (below, main, above) =
                    (Vector::new(below, *n - 1, 1), Vector::new(main, *n, 1), Vector::new(above, *n - 1, 1));
                let b = Matrix::new(BY_COLUMNS, b, *ldb);
                *info = unsafe { Diagonals { below, main, above }.solve(b, *columns as isize) };
            }
            #[unsafe(export_name = $trtrs)]
            unsafe extern "C" fn trtrs(
                uplo: &u8, trans: &u8, diag: &u8, n: &i32, columns: &i32, a: *const $t, lda: &i32, b: *mut $t,
                ldb: &i32, info: &mut i32,
            ) {
                let (of, b) = (Matrix::new(BY_COLUMNS, a, *lda), Matrix::new(BY_COLUMNS, b, *ldb));
                let a = Triangle { of, is_upper: is_upper(half(*uplo)), is_unit: is_unit(diagonal(*diag)) };
                let (mut row, mut singular) = (0, 0);
                while row < *n as isize && !a.is_unit && singular == 0 {
                    if unsafe { of.get(row, row) } == <$t>::ZERO {
                        singular = row as i32 + 1;
                    }
                    row += 1;
                }
                *info = singular;
                let (a, mut column) = (a.transposed_if(is_transposed(transposition(*trans))), 0);
                while column < *columns as isize && singular == 0 {
                    unsafe { solve(a, b.column(column, *n as isize)) };
                    column += 1;
                }
            }
        };
    };
}

elimination!(
    f64,
    "backsweep.body.dgetrf_",
    "backsweep.body.dgetrs_",
    "backsweep.body.dgesv_",
    "backsweep.body.dgtsv_",
    "backsweep.body.dtrtrs_"
);
elimination!(
    f32,
    "backsweep.body.sgetrf_",
    "backsweep.body.sgetrs_",
    "backsweep.body.sgesv_",
    "backsweep.body.sgtsv_",
    "backsweep.body.strtrs_"
);

//! Vectors and matrices as BLAS describes them: an address, and how far apart neighbours are.

use super::number::Number;

#[derive(Clone, Copy)]
pub struct Vector<T> {
    start: *mut T,
    step: isize,
    pub length: isize,
}

impl<T: Number> Vector<T> {
    /// With a negative step the first element is the one with the highest address.
    pub fn new(start: *const T, length: i32, step: i32) -> Vector<T> {
        let (length, step) = (length as isize, step as isize);
        let first = if step < 0 && length > 0 { (1 - length) * step } else { 0 };
        Vector { start: unsafe { start.cast_mut().offset(first) }, step, length }
    }

    pub unsafe fn get(&self, index: isize) -> T {
        unsafe { *self.start.offset(index * self.step) }
    }

    pub unsafe fn set(&self, index: isize, value: T) {
        unsafe { *self.start.offset(index * self.step) = value }
    }

    /// What is there times a factor; nothing is read where the factor is zero.
    pub unsafe fn scale(&self, factor: T) {
        let mut index = 0;
        while index < self.length {
            unsafe { self.set(index, if factor == T::ZERO { T::ZERO } else { factor * self.get(index) }) };
            index += 1;
        }
    }
}

#[derive(Clone, Copy)]
pub struct Matrix<T> {
    start: *mut T,
    down: isize,
    across: isize,
}

/// Values of `CBLAS_ORDER`, and of the others of its kind.
const BY_ROWS: i32 = 101;
const AS_IS: i32 = 111;
const UPPER: i32 = 121;
const UNIT: i32 = 132;
const LEFT: i32 = 141;
/// What the Fortran names mean.
pub const BY_COLUMNS: i32 = 102;

impl<T: Number> Matrix<T> {
    pub fn new(order: i32, start: *const T, leading: i32) -> Matrix<T> {
        let (start, leading) = (start.cast_mut(), leading as isize);
        match order {
            BY_ROWS => Matrix { start, down: leading, across: 1 },
            _ => Matrix { start, down: 1, across: leading },
        }
    }

    pub fn transposed(self) -> Matrix<T> {
        Matrix { start: self.start, down: self.across, across: self.down }
    }

    pub fn transposed_if(self, is_transposed: bool) -> Matrix<T> {
        if is_transposed { self.transposed() } else { self }
    }

    pub fn column(self, column: isize, length: isize) -> Vector<T> {
        Vector { start: unsafe { self.start.offset(column * self.across) }, step: self.down, length }
    }

    pub unsafe fn get(&self, row: isize, column: isize) -> T {
        unsafe { *self.start.offset(row * self.down + column * self.across) }
    }

    pub unsafe fn set(&self, row: isize, column: isize, value: T) {
        unsafe { *self.start.offset(row * self.down + column * self.across) = value }
    }

    pub unsafe fn add(&self, row: isize, column: isize, value: T) {
        unsafe { self.set(row, column, self.get(row, column) + value) }
    }
}

/// Half a matrix.
#[derive(Clone, Copy)]
pub struct Triangle<T> {
    pub of: Matrix<T>,
    pub is_upper: bool,
    /// The diagonal is ones, whatever is stored there.
    pub is_unit: bool,
}

impl<T: Number> Triangle<T> {
    pub fn transposed_if(self, is_transposed: bool) -> Triangle<T> {
        let is_upper = self.is_upper != is_transposed;
        Triangle { of: self.of.transposed_if(is_transposed), is_upper, is_unit: self.is_unit }
    }

    /// An element of the symmetric matrix of which this half is stored.
    pub unsafe fn mirrored(&self, row: isize, column: isize) -> T {
        let is_stored = if self.is_upper { row <= column } else { row >= column };
        unsafe { if is_stored { self.of.get(row, column) } else { self.of.get(column, row) } }
    }

    /// The rows of a column that are stored: from the first to before the second.
    pub fn rows(&self, column: isize, order: isize) -> (isize, isize) {
        if self.is_upper { (0, column + 1) } else { (column, order) }
    }
}

pub fn is_transposed(code: i32) -> bool {
    code != AS_IS
}

pub fn is_upper(code: i32) -> bool {
    code == UPPER
}

pub fn is_unit(code: i32) -> bool {
    code == UNIT
}

pub fn is_left(code: i32) -> bool {
    code == LEFT
}

/// The letters of the Fortran names, as the codes of the C names.
pub fn transposition(letter: u8) -> i32 {
    if letter | 32 == b'n' { AS_IS } else { AS_IS + 1 }
}

pub fn half(letter: u8) -> i32 {
    if letter | 32 == b'u' { UPPER } else { UPPER + 1 }
}

pub fn diagonal(letter: u8) -> i32 {
    if letter | 32 == b'u' { UNIT } else { UNIT - 1 }
}

pub fn side(letter: u8) -> i32 {
    if letter | 32 == b'l' { LEFT } else { LEFT + 1 }
}

//! The bridge to the C side: values in double, partials in quad.

use std::ffi::{CString, c_char, c_int};

use backsweep_core::rules::{OperandKind, Row};

/// A partial by difference quotient, and how far rounding in quad may have moved it.
#[derive(Clone, Copy, Debug)]
pub struct Partial {
    pub value: f64,
    pub noise: f64,
}

unsafe extern "C" {
    fn rulecheck_value(name: *const c_char, x: *const f64, y: *mut f64) -> c_int;
    fn rulecheck_partial(
        name: *const c_char,
        x: *const f64,
        operands: c_int,
        operand: c_int,
        result: c_int,
        partial: *mut f64,
        noise: *mut f64,
    );
}

/// The results of a function in double.
pub fn value(name: &str, x: &[f64]) -> Vec<f64> {
    let text = CString::new(name).expect("a name");
    let mut y = [0.0; 4];
    // SAFETY: the name ends in NUL, x has as many values as the function reads, y room for the most it writes.
    let count = unsafe { rulecheck_value(text.as_ptr(), x.as_ptr(), y.as_mut_ptr()) };
    assert!(count > 0, "c/functions.inc does not know `{name}`");
    y[..count as usize].to_vec()
}

/// The partial of one result in one operand; zero where either is no real.
pub fn partial(row: &Row, x: &[f64], result: usize, operand: usize) -> Partial {
    if row.operands[operand] != OperandKind::Real || row.results[result] != OperandKind::Real {
        return Partial { value: 0.0, noise: 0.0 };
    }
    let text = CString::new(row.name).expect("a name");
    let (mut value, mut noise) = (0.0, 0.0);
    let (count, i, k) = (x.len() as c_int, operand as c_int, result as c_int);
    // SAFETY: as above, with `count` values behind x; both results are written through valid pointers.
    unsafe { rulecheck_partial(text.as_ptr(), x.as_ptr(), count, i, k, &mut value, &mut noise) };
    Partial { value, noise }
}

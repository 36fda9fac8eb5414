//! Functions that take no longer than a sum.
//!
//! Only used to choose between ways to compute the same thing.

const QUICK: [&str; 8] = ["fma", "fmuladd", "fabs", "copysign", "fmin", "fmax", "minimum", "maximum"];

/// Whether processors have an instruction or two for the function of this row.
pub fn is_quick(row: &str) -> bool {
    QUICK.contains(&row)
}

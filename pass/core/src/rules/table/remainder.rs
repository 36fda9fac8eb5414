//! Remainders: y = x0 - n x1 with a whole n that is constant between jumps.
//!
//! n is recovered as rint((x0 - y) / x1): the difference is n x1 but for rounding, so n comes out exact, where
//! trunc(x0 / x1) is off by one whenever the quotient rounds up to an integer.

use crate::rules::row::write::{INT, REAL, binary, edge, general};
use crate::rules::row::{EdgePoint, Entry};

const A: &[f64] = &[-1e6, -5.5, -0.3, 0.0, 0.2, 7.3, 12345.6];
const B: &[f64] = &[-3.1, -0.7, 0.9, 2.3, 1.1e4];

const QUOTIENT: &[&str] = &["d", "-(d * rint((x0 - y) / x1))"];
const POLICY: &str = "At a jump the n of the computed result counts. x1 = 0 gives NaN, as the function.";
const ZERO_DIVISOR: EdgePoint = edge(&[1.0, 0.0], &[1.0, f64::NAN]);

pub const ROWS: &[Entry] = &[
    binary("frem", "y = x0 - trunc(x0 / x1) x1", QUOTIENT)
        .at(&[A, B])
        .singular(POLICY, &[edge(&[6.0, 2.0], &[1.0, -3.0]), ZERO_DIVISOR]),
    binary("fmod", "y = x0 - trunc(x0 / x1) x1", QUOTIENT)
        .at(&[A, B])
        .singular(POLICY, &[edge(&[6.0, 2.0], &[1.0, -3.0]), ZERO_DIVISOR]),
    binary("remainder", "y = x0 - n x1, n nearest to x0 / x1, even at ties", QUOTIENT)
        .at(&[A, B])
        .singular(POLICY, &[edge(&[5.0, 2.0], &[1.0, -2.0]), ZERO_DIVISOR]),
    general(
        "remquo",
        "y0 = remainder(x0, x1), y1 = low bits of n: an integer, constant between jumps",
        &[REAL, REAL],
        &[REAL, INT],
        &["d0", "-(d0 * rint((x0 - y0) / x1))", "0", "0"],
    )
    .at(&[A, B])
    .singular(POLICY, &[edge(&[5.0, 2.0], &[1.0, -2.0, 0.0, 0.0])]),
];

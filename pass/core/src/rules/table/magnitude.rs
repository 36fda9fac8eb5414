//! Absolute value, sign, minimum and maximum, positive difference.

use crate::rules::row::write::{binary, edge, unary};
use crate::rules::row::{EdgePoint, Entry};

const NAN: f64 = f64::NAN;

const A: &[f64] = &[-1e5, -3.7, -1e-9, 1e-3, 0.8, 42.0];
const B: &[f64] = &[-77.0, -0.3, 1e-6, 1.9, 1e8];

// The result equals the operand that won. One comparison serves every variant, whatever it does with NaN.
const EXTREMUM: &[&str] = &["if(x0 == y, d, 0)", "if(x0 == y, 0, d)"];
const AT_TIES: &str = "Ties go to the first operand, whole.";
const AT_TIES_AND_NAN: &str = "Ties go to the first operand, whole. A NaN operand that loses gets 0.";
const TIES: &[EdgePoint] =
    &[edge(&[1.0, 1.0], &[1.0, 0.0]), edge(&[0.0, -0.0], &[1.0, 0.0]), edge(&[-0.0, 0.0], &[1.0, 0.0])];
const TIES_AND_NAN: &[EdgePoint] = &[
    edge(&[1.0, 1.0], &[1.0, 0.0]),
    edge(&[-0.0, 0.0], &[1.0, 0.0]),
    edge(&[NAN, 1.0], &[0.0, 1.0]),
    edge(&[1.0, NAN], &[1.0, 0.0]),
];

pub const ROWS: &[Entry] = &[
    unary("fabs", "|x|' = sign x", &["if(x == 0, 0, d * copysign(1, x))"])
        .at(&[A])
        .edge("0 at 0, the middle of the slopes -1 and 1.", &[edge(&[0.0], &[0.0]), edge(&[-0.0], &[0.0])]),
    binary(
        "copysign",
        "y = ±x0 with the sign of x1, ∂0 = whether the sign changed, ∂1 = 0",
        &["d * (copysign(1, x0) * copysign(1, x1))", "0"],
    )
    .at(&[A, B])
    .edge(
        "At x0 = ±0 the sign bits decide.",
        &[edge(&[0.0, -1.0], &[-1.0, 0.0]), edge(&[-0.0, -1.0], &[1.0, 0.0])],
    ),
    binary("fmin", "y = min(x0, x1); NaN loses", EXTREMUM).at(&[A, B]).edge(AT_TIES_AND_NAN, TIES_AND_NAN),
    binary("fmax", "y = max(x0, x1); NaN loses", EXTREMUM).at(&[A, B]).edge(AT_TIES_AND_NAN, TIES_AND_NAN),
    binary("minimum", "y = min(x0, x1); NaN wins, -0 < 0", EXTREMUM).at(&[A, B]).edge(AT_TIES, TIES),
    binary("maximum", "y = max(x0, x1); NaN wins, -0 < 0", EXTREMUM).at(&[A, B]).edge(AT_TIES, TIES),
    binary("minimumnum", "y = min(x0, x1); NaN loses, -0 < 0", EXTREMUM)
        .at(&[A, B])
        .edge(AT_TIES_AND_NAN, TIES_AND_NAN),
    binary("maximumnum", "y = max(x0, x1); NaN loses, -0 < 0", EXTREMUM)
        .at(&[A, B])
        .edge(AT_TIES_AND_NAN, TIES_AND_NAN),
    binary("fdim", "y = max(x0 - x1, 0)", &["if(x0 > x1, d, 0)", "if(x0 > x1, -d, 0)"])
        .at(&[A, B])
        .edge("0 at ties, where the function is 0.", &[edge(&[1.0, 1.0], &[0.0, 0.0])]),
];

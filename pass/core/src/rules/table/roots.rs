//! Roots and lengths.
//!
//! Policy of the family: where the function is finite and its slope infinite, the partial is 0. That is what
//! central differences give for norms, and it keeps the gradient of the norm of a zero vector finite.

use crate::rules::row::Entry;
use crate::rules::row::write::{binary, edge, unary};

const POSITIVE: &[f64] = &[1e-300, 1e-12, 0.3, 1.0, 2.0, 1e10, 1e300];
const BOTH: &[f64] = &[-1e9, -2.5, -1e-9, 1e-3, 1.0, 7.0];
const OTHERS: &[f64] = &[-3e200, -4.0, 0.0, 1e-7, 0.9, 1e4];

pub const ROWS: &[Entry] = &[
    unary("sqrt", "sqrt' x = 1 / (2 sqrt x)", &["if(y == 0, 0, d / (2 * y))"]).at(&[POSITIVE]).singular(
        "0 at x = 0, by the policy for infinite slopes. NaN below 0, as the function.",
        &[edge(&[0.0], &[0.0]), edge(&[-0.0], &[0.0]), edge(&[-1.0], &[f64::NAN])],
    ),
    unary("cbrt", "cbrt' x = 1 / (3 cbrt² x)", &["if(y == 0, 0, d / (3 * y * y))"])
        .at(&[BOTH])
        .edge("0 at x = 0, as for sqrt, and as for pow(x, 1/3).", &[edge(&[0.0], &[0.0])]),
    // The quotient is formed first: it is at most 1 where the product with d could overflow.
    binary(
        "hypot",
        "y = √(x0² + x1²), ∂i = xi / y",
        &["if(y == 0, 0, d * (x0 / y))", "if(y == 0, 0, d * (x1 / y))"],
    )
    .at(&[BOTH, OTHERS])
    .edge(
        "0 at the origin, where the slope depends on the direction.",
        &[
            edge(&[0.0, 0.0], &[0.0, 0.0]),
            edge(&[3e200, -4e200], &[0.6, -0.8]),
            edge(&[-3e-200, 4e-200], &[-0.6, 0.8]),
        ],
    ),
];

//! Hyperbolic functions and their inverses.

use crate::rules::row::Entry;
use crate::rules::row::write::{edge, unary};

const INF: f64 = f64::INFINITY;

const LINE: &[f64] = &[-30.0, -2.0, -1e-8, 0.0, 1e-3, 0.9, 5.0, 300.0];
// Beyond 3 the slope of tanh is what rounding leaves of 1 - y²: its error stays below 1e-16 absolutely.
const NEAR: &[f64] = &[-3.0, -0.7, -1e-8, 0.0, 1e-300, 0.2, 2.5];
const WIDE: &[f64] = &[-1e200, -50.0, -1e-5, 0.0, 0.3, 2.0, 1e160];
const ABOVE_ONE: &[f64] = &[1.0001, 1.5, 3.0, 1e8, 1e200];
const UNIT: &[f64] = &[-0.999999, -0.5, -1e-9, 0.0, 0.1, 0.75, 0.9999999];

pub const ROWS: &[Entry] = &[
    unary("sinh", "sinh' x = cosh x", &["d * cosh(x)"])
        .at(&[LINE])
        .singular("Overflows with the function.", &[edge(&[800.0], &[INF]), edge(&[-800.0], &[INF])]),
    unary("cosh", "cosh' x = sinh x", &["d * sinh(x)"])
        .at(&[LINE])
        .singular("Overflows with the function.", &[edge(&[800.0], &[INF]), edge(&[-800.0], &[-INF])]),
    unary("tanh", "tanh' x = 1 - tanh² x", &["d * (1 - y * y)"]).at(&[NEAR]),
    // hypot and the two roots do not overflow where x² would.
    unary("asinh", "asinh' x = 1 / √(x² + 1)", &["d / hypot(x, 1)"]).at(&[WIDE]),
    unary("acosh", "acosh' x = 1 / (√(x - 1) √(x + 1))", &["d / (sqrt(x - 1) * sqrt(x + 1))"])
        .at(&[ABOVE_ONE])
        .singular(
            "The slope is infinite at 1: the IEEE limit. NaN below 1, as the function.",
            &[edge(&[1.0], &[INF]), edge(&[0.0], &[f64::NAN])],
        ),
    unary("atanh", "atanh' x = 1 / (1 - x²)", &["d / ((1 - x) * (1 + x))"])
        .at(&[UNIT])
        .singular("Poles at ±1: the IEEE limit.", &[edge(&[1.0], &[INF]), edge(&[-1.0], &[INF])]),
];

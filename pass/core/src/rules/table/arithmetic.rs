//! Arithmetic instructions, fused multiply-add, select.

use crate::rules::row::Entry;
use crate::rules::row::write::{BOOL, REAL, binary, edge, general, unary};

const A: &[f64] = &[-1e5, -3.7, -1e-9, 1e-3, 0.8, 42.0];
const B: &[f64] = &[-77.0, -0.3, 1e-6, 1.9, 1e8];

pub const ROWS: &[Entry] = &[
    unary("fneg", "y = -x", &["-d"]).at(&[A]),
    binary("fadd", "y = x0 + x1", &["d", "d"]).at(&[A, B]),
    binary("fsub", "y = x0 - x1", &["d", "-d"]).at(&[A, B]),
    binary("fmul", "y = x0 x1, ∂0 = x1, ∂1 = x0", &["d * x1", "d * x0"]).at(&[A, B]),
    binary("fdiv", "y = x0 / x1, ∂0 = 1/x1, ∂1 = -y/x1", &["d / x1", "-(d / x1) * y"]).at(&[A, B]).singular(
        "x1 = 0 is a pole: the IEEE limit.",
        &[edge(&[1.0, 0.0], &[INF, -INF]), edge(&[-1.0, 0.0], &[INF, INF])],
    ),
    general("fma", "y = x0 x1 + x2", &[REAL, REAL, REAL], &[REAL], &["d * x1", "d * x0", "d"]).at(&[A, B, B]),
    general("fmuladd", "y = x0 x1 + x2", &[REAL, REAL, REAL], &[REAL], &["d * x1", "d * x0", "d"])
        .at(&[A, B, B]),
    general(
        "select",
        "y = x1 where x0 holds, else x2",
        &[BOOL, REAL, REAL],
        &[REAL],
        &["if(x0, d, 0)", "if(x0, 0, d)"],
    )
    .at(&[&[0.0, 1.0], A, B]),
];

const INF: f64 = f64::INFINITY;

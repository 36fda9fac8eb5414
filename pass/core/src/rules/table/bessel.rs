//! Bessel functions of the first (j) and second (y) kind.

use crate::rules::row::Entry;
use crate::rules::row::write::{INT, REAL, edge, general, unary};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

const LINE: &[f64] = &[-12.0, -1.5, -1e-3, 0.4, 1.0, 3.0, 20.0];
const POSITIVE: &[f64] = &[1e-3, 0.4, 1.0, 3.0, 20.0];
const ORDERS: &[f64] = &[-2.0, 0.0, 1.0, 2.0, 5.0];

pub const ROWS: &[Entry] = &[
    unary("j0", "j0' x = -j1(x)", &["-(d * j1(x))"]).at(&[LINE]),
    // Below 1e-30 the slope is 1/2 to every digit of every format, and y / x may be 0 / 0.
    unary("j1", "j1' x = j0(x) - j1(x)/x", &["if(fabs(x) < 1e-30, d / 2, d * (j0(x) - y / x))"])
        .at(&[LINE])
        .edge("The limit 1/2 at 0.", &[edge(&[0.0], &[0.5]), edge(&[1e-40], &[0.5])]),
    general(
        "jn",
        "jn' x = (j(n-1, x) - j(n+1, x)) / 2",
        &[INT, REAL],
        &[REAL],
        &["d * ((jn(x0 - 1, x1) - jn(x0 + 1, x1)) / 2)"],
    )
    .at(&[ORDERS, LINE]),
    unary("y0", "y0' x = -y1(x)", &["-(d * y1(x))"]).at(&[POSITIVE]).singular(
        "Pole at 0: the IEEE limit. NaN below, as the function.",
        &[edge(&[0.0], &[INF]), edge(&[-1.0], &[NAN])],
    ),
    unary("y1", "y1' x = y0(x) - y1(x)/x", &["d * (y0(x) - y / x)"]).at(&[POSITIVE]).singular(
        "Pole at 0, where two infinities meet: NaN. NaN below, as the function.",
        &[edge(&[0.0], &[NAN]), edge(&[-1.0], &[NAN])],
    ),
    general(
        "yn",
        "yn' x = (y(n-1, x) - y(n+1, x)) / 2",
        &[INT, REAL],
        &[REAL],
        &["d * ((yn(x0 - 1, x1) - yn(x0 + 1, x1)) / 2)"],
    )
    .at(&[ORDERS, POSITIVE])
    .singular(
        "Pole at 0, where two infinities meet: NaN. NaN below, as the function.",
        &[edge(&[1.0, 0.0], &[NAN]), edge(&[1.0, -1.0], &[NAN])],
    ),
];

//! Exponent and significand, scaling by powers of two, splitting off the whole part, stepping to a neighbour.

use crate::rules::row::write::{INT, REAL, binary, edge, general, unary};
use crate::rules::row::{EdgePoint, Entry};

const A: &[f64] = &[-1e5, -3.7, -1e-9, 1e-3, 0.8, 42.0];
const BETWEEN: &[f64] = &[-1e6 - 0.3, -2.7, -0.2, 0.4, 1.9, 33.1];
const POWERS: &[f64] = &[-20.0, -1.0, 0.0, 3.0, 12.0];
const OTHERS: &[f64] = &[-1e9, 0.5, 1e9];

const AT_POWERS: &str = "Constant between powers of two; at a jump 0 as beside it.";
const ONE: &[EdgePoint] = &[edge(&[1.0], &[0.0])];
const SCALE: &str = "y = x0 2^n, ∂0 = 2^n";

pub const ROWS: &[Entry] = &[
    general("ldexp", SCALE, &[REAL, INT], &[REAL], &["ldexp(d, x1)"]).at(&[A, POWERS]),
    general("scalbn", SCALE, &[REAL, INT], &[REAL], &["ldexp(d, x1)"]).at(&[A, POWERS]),
    general("scalbln", SCALE, &[REAL, INT], &[REAL], &["scalbln(d, x1)"]).at(&[A, POWERS]),
    general(
        "frexp",
        "x = y0 2^y1 with ½ ≤ |y0| < 1; y0' = 2^-y1, y1 an integer",
        &[REAL],
        &[REAL, INT],
        &["ldexp(d0, -y1)", "0"],
    )
    .at(&[A])
    .edge("At a power of two the exponent of the computed result counts.", &[edge(&[1.0], &[0.5, 0.0])]),
    general(
        "modf",
        "y0 = x - trunc x, y1 = trunc x; y0' = 1, y1' = 0: constant between integers",
        &[REAL],
        &[REAL, REAL],
        &["d0", "0"],
    )
    .at(&[BETWEEN])
    .edge("At an integer as beside it.", &[edge(&[2.0], &[1.0, 0.0]), edge(&[0.0], &[1.0, 0.0])]),
    unary("logb", "the exponent, constant between powers of two", &["0"]).at(&[A]).edge(AT_POWERS, ONE),
    general("ilogb", "the exponent, an integer constant between powers of two", &[REAL], &[INT], &["0"])
        .at(&[A])
        .edge(AT_POWERS, ONE),
    binary("nextafter", "y = the neighbour of x0 towards x1, taken as x0; ∂1 = 0", &["d", "0"])
        .at(&[A, OTHERS])
        .edge("At x0 = x1 as beside it.", &[edge(&[1.0, 1.0], &[1.0, 0.0])]),
    binary("nexttoward", "y = the neighbour of x0 towards x1, taken as x0; ∂1 = 0", &["d", "0"])
        .at(&[A, OTHERS])
        .edge("At x0 = x1 as beside it.", &[edge(&[1.0, 1.0], &[1.0, 0.0])]),
];

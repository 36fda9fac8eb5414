//! Fortran intrinsics that flang calls in its runtime library and C has no function for.

use crate::rules::row::Entry;
use crate::rules::row::write::{BOOL, INT, REAL, binary, edge, general, unary};

const INF: f64 = f64::INFINITY;

const A: &[f64] = &[-1e5, -3.7, -1e-9, 1e-3, 0.8, 42.0];
const B: &[f64] = &[-3.1, -0.73, 0.9, 2.3, 1.1e4];
const BASES: &[f64] = &[-2.5, -1e-3, 1e-9, 0.4, 1.0, 1.7, 30.0];
const WHOLE: &[f64] = &[-7.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 11.0];
const POWERS: &[f64] = &[-20.0, -1.0, 0.0, 3.0, 12.0];
// Further right 2 x y and 2/√π cancel: the relative error grows like x², the absolute one does not.
const NEAR: &[f64] = &[-2.0, -0.3, 0.0, 0.4, 1.0, 3.0];

const AT_ZERO: &str = "0 at 0, where the pieces accumulate. At a power of two as the computed result. The slope \
                       overflows at subnormal numbers.";

pub const ROWS: &[Entry] = &[
    binary("fortran_modulo", "y = x0 - floor(x0 / x1) x1", &["d", "-(d * rint((x0 - y) / x1))"])
        .at(&[A, B])
        .singular(
            "At a jump the quotient of the computed result counts. x1 = 0 gives NaN.",
            &[edge(&[6.0, 2.0], &[1.0, -3.0]), edge(&[1.0, 0.0], &[1.0, f64::NAN])],
        ),
    general(
        "fortran_powk",
        "y = x0^n with a 64-bit n, ∂0 = n x0^(n - 1)",
        &[REAL, INT],
        &[REAL],
        &["if(x1 == 0, 0, d * (real(x1) * fortran_powk(x0, x1 - 1)))"],
    )
    .at(&[BASES, WHOLE])
    .singular(
        "As powi.",
        &[edge(&[0.0, 0.0], &[0.0]), edge(&[0.0, 1.0], &[1.0]), edge(&[0.0, -1.0], &[-INF])],
    ),
    general(
        "fortran_scale",
        "y = x0 2^n with a 64-bit n, ∂0 = 2^n",
        &[REAL, INT],
        &[REAL],
        &["fortran_scale(d, x1)"],
    )
    .at(&[A, POWERS]),
    // The quotient of the significand and the number is a power of two, hence exact.
    unary("fortran_fraction", "y = x 2^-e, y' = 2^-e = y / x", &["if(x == 0, 0, d * (y / x))"])
        .at(&[A])
        .singular(AT_ZERO, &[edge(&[0.0], &[0.0]), edge(&[1.0], &[0.5])]),
    general(
        "fortran_set_exponent",
        "y = x0 2^(n - e), ∂0 = 2^(n - e) = y / x0",
        &[REAL, INT],
        &[REAL],
        &["if(x0 == 0, 0, d * (y / x0))"],
    )
    .at(&[A, POWERS])
    .singular(AT_ZERO, &[edge(&[0.0, 3.0], &[0.0]), edge(&[1.0, 3.0], &[4.0])]),
    general("fortran_nearest", "y = the neighbour of x0, taken as x0", &[REAL, BOOL], &[REAL], &["d"])
        .at(&[A, &[0.0, 1.0]]),
    unary("fortran_spacing", "the spacing of floats, constant between powers of two", &["0"]).at(&[A]),
    unary("fortran_rrspacing", "y = |x| / spacing, y' = y / x", &["if(x == 0, 0, d * (y / x))"])
        .at(&[A])
        .singular(AT_ZERO, &[edge(&[0.0], &[0.0])]),
    unary(
        "fortran_erfc_scaled",
        "y = exp(x²) erfc x, y' = 2 x y - 2/√π",
        &["d * (2 * (x * y) - two_over_sqrt_pi)"],
    )
    .at(&[NEAR])
    .singular("Overflows with the function, left of -26.", &[edge(&[-30.0], &[-INF])]),
];

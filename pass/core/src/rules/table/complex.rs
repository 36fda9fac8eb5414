//! Functions of complex numbers, each of which is two reals: an operand `z` is `x0, x1`, the result `y0, y1`.
//!
//! A function with the derivative `p + iq` has the forms `p d, -q d` for the real part of the result and `q d, p d`
//! for the imaginary part. Where the inverse function is simpler than the derivative, the forms read the result.

use crate::rules::row::Entry;
use crate::rules::row::write::{INT, REAL, edge, general};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

const PARTS: &[f64] = &[-1.3, -0.2, 0.4, 2.1];
const OTHERS: &[f64] = &[-1.7, 0.35, 0.9];
const WIDE: &[f64] = &[-3e5, -0.6, 1e-9, 1.0, 40.0];
const POWERS: &[f64] = &[-3.0, -1.0, 1.0, 2.0, 5.0];

/// A function of one complex number.
pub(super) const fn holomorphic(
    name: &'static str,
    equation: &'static str,
    forms: &'static [&'static str],
) -> Entry {
    general(name, equation, &[REAL, REAL], &[REAL, REAL], forms).at(&[PARTS, OTHERS])
}

const OVERFLOW: &str = "Overflows with the function.";
const POLES: &str = "At poles and branch points the IEEE arithmetic of the formula.";

pub const ROWS: &[Entry] = &[
    general(
        "complex_mul",
        "y = z w, dy = w dz + z dw",
        &[REAL, REAL, REAL, REAL],
        &[REAL, REAL],
        &["d0 * x2", "-(d0 * x3)", "d0 * x0", "-(d0 * x1)", "d1 * x3", "d1 * x2", "d1 * x1", "d1 * x0"],
    )
    .at(&[WIDE, PARTS, OTHERS, WIDE]),
    // The length of w is divided by twice: its square could overflow.
    general(
        "complex_div",
        "y = z / w, dy = (dz - y dw) / w",
        &[REAL, REAL, REAL, REAL],
        &[REAL, REAL],
        &[
            "d0 * (x2 / hypot(x2, x3) / hypot(x2, x3))",
            "d0 * (x3 / hypot(x2, x3) / hypot(x2, x3))",
            "-(d0 * ((y0 * (x2 / hypot(x2, x3)) + y1 * (x3 / hypot(x2, x3))) / hypot(x2, x3)))",
            "d0 * ((y1 * (x2 / hypot(x2, x3)) - y0 * (x3 / hypot(x2, x3))) / hypot(x2, x3))",
            "-(d1 * (x3 / hypot(x2, x3) / hypot(x2, x3)))",
            "d1 * (x2 / hypot(x2, x3) / hypot(x2, x3))",
            "d1 * ((y0 * (x3 / hypot(x2, x3)) - y1 * (x2 / hypot(x2, x3))) / hypot(x2, x3))",
            "-(d1 * ((y0 * (x2 / hypot(x2, x3)) + y1 * (x3 / hypot(x2, x3))) / hypot(x2, x3)))",
        ],
    )
    .at(&[PARTS, OTHERS, PARTS, OTHERS])
    .singular(POLES, &[edge(&[1.0, 0.0, 0.0, 0.0], &[NAN; 8])]),
    holomorphic("conj", "y = x0 - i x1, which is not holomorphic", &["d0", "0", "0", "-d1"]),
    holomorphic("cproj", "y = z, but for the one point at infinity", &["d0", "0", "0", "d1"]),
    general("creal", "y = x0", &[REAL, REAL], &[REAL], &["d", "0"]).at(&[PARTS, OTHERS]),
    general("cimag", "y = x1", &[REAL, REAL], &[REAL], &["0", "d"]).at(&[PARTS, OTHERS]),
    // As atan2(x1, x0).
    general(
        "carg",
        "∂0 = -x1 / (x0² + x1²), ∂1 = x0 / (x0² + x1²)",
        &[REAL, REAL],
        &[REAL],
        &[
            "if(x0 == 0 and x1 == 0, 0, -d / (x1 + x0 * (x0 / x1)))",
            "if(x0 == 0 and x1 == 0, 0, d / (x0 + x1 * (x1 / x0)))",
        ],
    )
    .at(&[WIDE, PARTS])
    .edge("As atan2.", &[edge(&[0.0, 0.0], &[0.0, 0.0]), edge(&[2.0, 0.0], &[0.0, 0.5])]),
    holomorphic("cexp", "cexp' z = y", &["d0 * y0", "-(d0 * y1)", "d1 * y1", "d1 * y0"])
        .singular(OVERFLOW, &[edge(&[800.0, 0.5], &[INF, -INF, INF, INF])]),
    holomorphic(
        "clog",
        "clog' z = 1 / z",
        &[
            "d0 * (x0 / hypot(x0, x1) / hypot(x0, x1))",
            "d0 * (x1 / hypot(x0, x1) / hypot(x0, x1))",
            "-(d1 * (x1 / hypot(x0, x1) / hypot(x0, x1)))",
            "d1 * (x0 / hypot(x0, x1) / hypot(x0, x1))",
        ],
    )
    .singular(POLES, &[edge(&[0.0, 0.0], &[NAN; 4]), edge(&[0.0, 2e200], &[0.0, 0.5e-200, -0.5e-200, 0.0])]),
    // The result is at most √max, so its square does not overflow.
    holomorphic(
        "csqrt",
        "csqrt' z = 1 / (2 y)",
        &[
            "if(y0 == 0 and y1 == 0, 0, d0 * y0 / (2 * (y0 * y0 + y1 * y1)))",
            "if(y0 == 0 and y1 == 0, 0, d0 * y1 / (2 * (y0 * y0 + y1 * y1)))",
            "if(y0 == 0 and y1 == 0, 0, -d1 * y1 / (2 * (y0 * y0 + y1 * y1)))",
            "if(y0 == 0 and y1 == 0, 0, d1 * y0 / (2 * (y0 * y0 + y1 * y1)))",
        ],
    )
    .edge("0 at 0, as for sqrt.", &[edge(&[0.0, 0.0], &[0.0; 4])]),
    general(
        "cpow",
        "y = z^w, ∂z = w y / z, ∂w = y log z",
        &[REAL, REAL, REAL, REAL],
        &[REAL, REAL],
        &[
            "d0 * (((x2 * y0 - x3 * y1) * (x0 / hypot(x0, x1)) + (x2 * y1 + x3 * y0) * (x1 / hypot(x0, x1))) / hypot(x0, x1))",
            "-(d0 * (((x2 * y1 + x3 * y0) * (x0 / hypot(x0, x1)) - (x2 * y0 - x3 * y1) * (x1 / hypot(x0, x1))) / hypot(x0, x1)))",
            "d0 * (y0 * log(hypot(x0, x1)) - y1 * atan2(x1, x0))",
            "-(d0 * (y1 * log(hypot(x0, x1)) + y0 * atan2(x1, x0)))",
            "d1 * (((x2 * y1 + x3 * y0) * (x0 / hypot(x0, x1)) - (x2 * y0 - x3 * y1) * (x1 / hypot(x0, x1))) / hypot(x0, x1))",
            "d1 * (((x2 * y0 - x3 * y1) * (x0 / hypot(x0, x1)) + (x2 * y1 + x3 * y0) * (x1 / hypot(x0, x1))) / hypot(x0, x1))",
            "d1 * (y1 * log(hypot(x0, x1)) + y0 * atan2(x1, x0))",
            "d1 * (y0 * log(hypot(x0, x1)) - y1 * atan2(x1, x0))",
        ],
    )
    .at(&[PARTS, OTHERS, PARTS, OTHERS])
    .singular("NaN at z = 0, as the function.", &[edge(&[0.0, 0.0, 2.0, 0.0], &[NAN; 8])]),
    general(
        "fortran_complex_powi",
        "y = z^n, ∂z = n y / z",
        &[REAL, REAL, INT],
        &[REAL, REAL],
        &[
            "if(x0 == 0 and x1 == 0, if(x2 == 1, d0, if(x2 == 0, 0, d0 * y0)), \
             d0 * (real(x2) * (y0 * (x0 / hypot(x0, x1)) + y1 * (x1 / hypot(x0, x1))) / hypot(x0, x1)))",
            "if(x0 == 0 and x1 == 0, d0 * y1, \
             d0 * (real(x2) * (y0 * (x1 / hypot(x0, x1)) - y1 * (x0 / hypot(x0, x1))) / hypot(x0, x1)))",
            "if(x0 == 0 and x1 == 0, d1 * y1, \
             d1 * (real(x2) * (y1 * (x0 / hypot(x0, x1)) - y0 * (x1 / hypot(x0, x1))) / hypot(x0, x1)))",
            "if(x0 == 0 and x1 == 0, if(x2 == 1, d1, if(x2 == 0, 0, d1 * y0)), \
             d1 * (real(x2) * (y0 * (x0 / hypot(x0, x1)) + y1 * (x1 / hypot(x0, x1))) / hypot(x0, x1)))",
        ],
    )
    .at(&[PARTS, OTHERS, POWERS])
    .singular(
        "At 0 as a power of a real: 1 for n = 1, 0 for larger n and for n = 0.",
        &[
            edge(&[0.0, 0.0, 1.0], &[1.0, 0.0, 0.0, 1.0]),
            edge(&[0.0, 0.0, 0.0], &[0.0; 4]),
            edge(&[0.0, 0.0, 2.0], &[0.0; 4]),
        ],
    ),
];

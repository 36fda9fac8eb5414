//! Trigonometric and hyperbolic functions of complex numbers. Forms are read as in `complex`.
//!
//! The slopes of tangents come from the squared length of the cosine, which neither overflows as early as the result
//! of a quotient nor cancels as 1 ± y² does far from the axis. Those of inverse functions are the reciprocals of the
//! function's slope at the result.

use super::complex::holomorphic;
use crate::rules::row::Entry;
use crate::rules::row::write::edge;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

const OVERFLOW: &str = "Overflows with the function.";
const POLES: &str = "At poles and branch points the IEEE arithmetic of the formula.";

pub const ROWS: &[Entry] = &[
    holomorphic(
        "csin",
        "csin' z = ccos z",
        &[
            "d0 * (cos(x0) * cosh(x1))",
            "d0 * (sin(x0) * sinh(x1))",
            "-(d1 * (sin(x0) * sinh(x1)))",
            "d1 * (cos(x0) * cosh(x1))",
        ],
    )
    .singular(OVERFLOW, &[edge(&[1.0, 800.0], &[INF, INF, -INF, INF])]),
    holomorphic(
        "ccos",
        "ccos' z = -csin z",
        &[
            "d0 * (-sin(x0) * cosh(x1))",
            "d0 * (cos(x0) * sinh(x1))",
            "-(d1 * (cos(x0) * sinh(x1)))",
            "d1 * (-sin(x0) * cosh(x1))",
        ],
    )
    .singular(OVERFLOW, &[edge(&[1.0, 800.0], &[-INF, INF, -INF, -INF])]),
    holomorphic(
        "ctan",
        "ctan' z = 1 / ccos² z",
        &[
            "d0 * (((cos(x0) * cosh(x1) / (cos(x0) * cos(x0) + sinh(x1) * sinh(x1))) - (sin(x0) * sinh(x1) / (cos(x0) * cos(x0) + sinh(x1) * sinh(x1)))) * ((cos(x0) * cosh(x1) / (cos(x0) * cos(x0) + sinh(x1) * sinh(x1))) + (sin(x0) * sinh(x1) / (cos(x0) * cos(x0) + sinh(x1) * sinh(x1)))))",
            "-(d0 * (2 * (cos(x0) * cosh(x1) / (cos(x0) * cos(x0) + sinh(x1) * sinh(x1))) * (sin(x0) * sinh(x1) / (cos(x0) * cos(x0) + sinh(x1) * sinh(x1)))))",
            "d1 * (2 * (cos(x0) * cosh(x1) / (cos(x0) * cos(x0) + sinh(x1) * sinh(x1))) * (sin(x0) * sinh(x1) / (cos(x0) * cos(x0) + sinh(x1) * sinh(x1))))",
            "d1 * (((cos(x0) * cosh(x1) / (cos(x0) * cos(x0) + sinh(x1) * sinh(x1))) - (sin(x0) * sinh(x1) / (cos(x0) * cos(x0) + sinh(x1) * sinh(x1)))) * ((cos(x0) * cosh(x1) / (cos(x0) * cos(x0) + sinh(x1) * sinh(x1))) + (sin(x0) * sinh(x1) / (cos(x0) * cos(x0) + sinh(x1) * sinh(x1)))))",
        ],
    )
    .singular(POLES, &[edge(&[1.0, 800.0], &[NAN; 4])]),
    holomorphic(
        "csinh",
        "csinh' z = ccosh z",
        &[
            "d0 * (cosh(x0) * cos(x1))",
            "-(d0 * (sinh(x0) * sin(x1)))",
            "d1 * (sinh(x0) * sin(x1))",
            "d1 * (cosh(x0) * cos(x1))",
        ],
    )
    .singular(OVERFLOW, &[edge(&[800.0, 1.0], &[INF, -INF, INF, INF])]),
    holomorphic(
        "ccosh",
        "ccosh' z = csinh z",
        &[
            "d0 * (sinh(x0) * cos(x1))",
            "-(d0 * (cosh(x0) * sin(x1)))",
            "d1 * (cosh(x0) * sin(x1))",
            "d1 * (sinh(x0) * cos(x1))",
        ],
    )
    .singular(OVERFLOW, &[edge(&[800.0, 1.0], &[INF, -INF, INF, INF])]),
    holomorphic(
        "ctanh",
        "ctanh' z = 1 / ccosh² z",
        &[
            "d0 * (((cosh(x0) * cos(x1) / (sinh(x0) * sinh(x0) + cos(x1) * cos(x1))) - (sinh(x0) * sin(x1) / (sinh(x0) * sinh(x0) + cos(x1) * cos(x1)))) * ((cosh(x0) * cos(x1) / (sinh(x0) * sinh(x0) + cos(x1) * cos(x1))) + (sinh(x0) * sin(x1) / (sinh(x0) * sinh(x0) + cos(x1) * cos(x1)))))",
            "d0 * (2 * (cosh(x0) * cos(x1) / (sinh(x0) * sinh(x0) + cos(x1) * cos(x1))) * (sinh(x0) * sin(x1) / (sinh(x0) * sinh(x0) + cos(x1) * cos(x1))))",
            "-(d1 * (2 * (cosh(x0) * cos(x1) / (sinh(x0) * sinh(x0) + cos(x1) * cos(x1))) * (sinh(x0) * sin(x1) / (sinh(x0) * sinh(x0) + cos(x1) * cos(x1)))))",
            "d1 * (((cosh(x0) * cos(x1) / (sinh(x0) * sinh(x0) + cos(x1) * cos(x1))) - (sinh(x0) * sin(x1) / (sinh(x0) * sinh(x0) + cos(x1) * cos(x1)))) * ((cosh(x0) * cos(x1) / (sinh(x0) * sinh(x0) + cos(x1) * cos(x1))) + (sinh(x0) * sin(x1) / (sinh(x0) * sinh(x0) + cos(x1) * cos(x1)))))",
        ],
    )
    .singular(POLES, &[edge(&[800.0, 1.0], &[NAN; 4])]),
    holomorphic(
        "casin",
        "casin' z = 1 / ccos y",
        &[
            "d0 * (cos(y0) * cosh(y1) / (cos(y0) * cos(y0) + sinh(y1) * sinh(y1)))",
            "-(d0 * (sin(y0) * sinh(y1) / (cos(y0) * cos(y0) + sinh(y1) * sinh(y1))))",
            "d1 * (sin(y0) * sinh(y1) / (cos(y0) * cos(y0) + sinh(y1) * sinh(y1)))",
            "d1 * (cos(y0) * cosh(y1) / (cos(y0) * cos(y0) + sinh(y1) * sinh(y1)))",
        ],
    )
    .singular(POLES, &[edge(&[0.0, 0.0], &[1.0, 0.0, 0.0, 1.0])]),
    holomorphic(
        "cacos",
        "cacos' z = -1 / csin y",
        &[
            "d0 * (-sin(y0) * cosh(y1) / (sin(y0) * sin(y0) + sinh(y1) * sinh(y1)))",
            "-(d0 * (cos(y0) * sinh(y1) / (sin(y0) * sin(y0) + sinh(y1) * sinh(y1))))",
            "d1 * (cos(y0) * sinh(y1) / (sin(y0) * sin(y0) + sinh(y1) * sinh(y1)))",
            "d1 * (-sin(y0) * cosh(y1) / (sin(y0) * sin(y0) + sinh(y1) * sinh(y1)))",
        ],
    )
    .singular(POLES, &[edge(&[1.0, 0.0], &[NAN; 4])]),
    holomorphic(
        "catan",
        "catan' z = 1 / (1 + z²)",
        &[
            "d0 * ((x0 * x0 + (1 - x1) * (1 + x1)) / ((x0 * x0 + (1 + x1) * (1 + x1)) * (x0 * x0 + (1 - x1) * (1 - x1))))",
            "d0 * (2 * x0 * x1 / ((x0 * x0 + (1 + x1) * (1 + x1)) * (x0 * x0 + (1 - x1) * (1 - x1))))",
            "-(d1 * (2 * x0 * x1 / ((x0 * x0 + (1 + x1) * (1 + x1)) * (x0 * x0 + (1 - x1) * (1 - x1)))))",
            "d1 * ((x0 * x0 + (1 - x1) * (1 + x1)) / ((x0 * x0 + (1 + x1) * (1 + x1)) * (x0 * x0 + (1 - x1) * (1 - x1))))",
        ],
    )
    .singular(POLES, &[edge(&[0.0, 1.0], &[NAN; 4])]),
    holomorphic(
        "casinh",
        "casinh' z = 1 / ccosh y",
        &[
            "d0 * (cosh(y0) * cos(y1) / (sinh(y0) * sinh(y0) + cos(y1) * cos(y1)))",
            "d0 * (sinh(y0) * sin(y1) / (sinh(y0) * sinh(y0) + cos(y1) * cos(y1)))",
            "-(d1 * (sinh(y0) * sin(y1) / (sinh(y0) * sinh(y0) + cos(y1) * cos(y1))))",
            "d1 * (cosh(y0) * cos(y1) / (sinh(y0) * sinh(y0) + cos(y1) * cos(y1)))",
        ],
    )
    .singular(POLES, &[edge(&[0.0, 0.0], &[1.0, 0.0, 0.0, 1.0])]),
    holomorphic(
        "cacosh",
        "cacosh' z = 1 / csinh y",
        &[
            "d0 * (sinh(y0) * cos(y1) / (sinh(y0) * sinh(y0) + sin(y1) * sin(y1)))",
            "d0 * (cosh(y0) * sin(y1) / (sinh(y0) * sinh(y0) + sin(y1) * sin(y1)))",
            "-(d1 * (cosh(y0) * sin(y1) / (sinh(y0) * sinh(y0) + sin(y1) * sin(y1))))",
            "d1 * (sinh(y0) * cos(y1) / (sinh(y0) * sinh(y0) + sin(y1) * sin(y1)))",
        ],
    )
    .singular(POLES, &[edge(&[1.0, 0.0], &[NAN; 4])]),
    holomorphic(
        "catanh",
        "catanh' z = 1 / (1 - z²)",
        &[
            "d0 * (((1 - x0) * (1 + x0) + x1 * x1) / (((1 - x0) * (1 - x0) + x1 * x1) * ((1 + x0) * (1 + x0) + x1 * x1)))",
            "-(d0 * (2 * x0 * x1 / (((1 - x0) * (1 - x0) + x1 * x1) * ((1 + x0) * (1 + x0) + x1 * x1))))",
            "d1 * (2 * x0 * x1 / (((1 - x0) * (1 - x0) + x1 * x1) * ((1 + x0) * (1 + x0) + x1 * x1)))",
            "d1 * (((1 - x0) * (1 + x0) + x1 * x1) / (((1 - x0) * (1 - x0) + x1 * x1) * ((1 + x0) * (1 + x0) + x1 * x1)))",
        ],
    )
    .singular(POLES, &[edge(&[1.0, 0.0], &[NAN; 4])]),
];

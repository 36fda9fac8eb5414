//! Exponentials, logarithms, powers.

use crate::rules::row::Entry;
use crate::rules::row::write::{INT, REAL, binary, edge, general, unary};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

const LINE: &[f64] = &[-40.0, -2.0, -1e-8, 0.0, 1e-3, 0.9, 5.0, 200.0];
const POSITIVE: &[f64] = &[1e-300, 1e-9, 0.3, 1.0, 1.0001, 2.0, 1e10, 1e300];
const ABOVE_MINUS_ONE: &[f64] = &[-0.999999, -0.5, -1e-9, 0.0, 1e-300, 0.2, 3.0, 1e12];
const BASES: &[f64] = &[-2.5, -1e-3, 1e-9, 0.4, 1.0, 1.7, 30.0, 1e5];
const EXPONENTS: &[f64] = &[-3.0, -0.5, 0.0, 0.3, 1.0, 2.0, 5.25];
const WHOLE: &[f64] = &[-7.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 11.0];

const OVERFLOW: &str = "Overflows with the function.";
const AT_ZERO: &str = "Pole at 0: the IEEE limit.";

const POWER: &[&str] = &[
    "if(x0 == 0 and x1 >= 0 and x1 < 1, 0, d * (x1 * pow(x0, x1 - 1)))",
    "if(x0 == 0, 0, d * (y * log(x0)))",
];

pub const ROWS: &[Entry] = &[
    unary("exp", "exp' x = exp x", &["d * y"]).at(&[LINE]).singular(OVERFLOW, &[edge(&[800.0], &[INF])]),
    unary("exp2", "y = 2^x, y' = y ln 2", &["d * (y * ln2)"])
        .at(&[LINE])
        .singular(OVERFLOW, &[edge(&[2000.0], &[INF])]),
    unary("exp10", "y = 10^x, y' = y ln 10", &["d * (y * ln10)"])
        .at(&[LINE])
        .singular(OVERFLOW, &[edge(&[800.0], &[INF])]),
    // y + 1 would be cheaper and lose every digit below -36.
    unary("expm1", "y = exp x - 1, y' = exp x", &["d * exp(x)"])
        .at(&[LINE])
        .singular(OVERFLOW, &[edge(&[800.0], &[INF])]),
    unary("log", "log' x = 1 / x", &["d / x"]).at(&[POSITIVE]).singular(AT_ZERO, &[edge(&[0.0], &[INF])]),
    unary("log2", "log2' x = 1 / (x ln 2)", &["d / (x * ln2)"])
        .at(&[POSITIVE])
        .singular(AT_ZERO, &[edge(&[0.0], &[INF])]),
    unary("log10", "log10' x = 1 / (x ln 10)", &["d / (x * ln10)"])
        .at(&[POSITIVE])
        .singular(AT_ZERO, &[edge(&[0.0], &[INF])]),
    unary("log1p", "y = log(1 + x), y' = 1 / (1 + x)", &["d / (1 + x)"])
        .at(&[ABOVE_MINUS_ONE])
        .singular("Pole at -1: the IEEE limit.", &[edge(&[-1.0], &[INF])]),
    // A second pow, not y / x0: y underflows long before its slope does, and constant exponents fold.
    binary("pow", "y = x0^x1, ∂0 = x1 x0^(x1 - 1), ∂1 = y log x0", POWER).at(&[BASES, EXPONENTS]).singular(
        "At x0 = 0 the partials that the formulas leave infinite or undefined are 0: ∂0 for 0 ≤ x1 < 1 (infinite \
         slope, as sqrt), ∂1 always. For x1 < 0 there is a pole at 0 and ∂0 is its IEEE limit, as for 1/x. For \
         x0 < 0 the function lives on whole exponents only, and ∂1 is NaN.",
        &[
            edge(&[0.0, 0.0], &[0.0, 0.0]),
            edge(&[0.0, 0.5], &[0.0, 0.0]),
            edge(&[0.0, 1.0], &[1.0, 0.0]),
            edge(&[0.0, 2.0], &[0.0, 0.0]),
            edge(&[0.0, -1.0], &[-INF, 0.0]),
            edge(&[-2.0, 3.0], &[12.0, NAN]),
        ],
    ),
    general(
        "powi",
        "y = x0^n, ∂0 = n x0^(n - 1)",
        &[REAL, INT],
        &[REAL],
        &["if(x1 == 0, 0, d * (real(x1) * powi(x0, x1 - 1)))"],
    )
    .at(&[BASES, WHOLE])
    .singular(
        "A negative power has a pole at 0: the IEEE limit. n = 0 is constant, at 0 too.",
        &[
            edge(&[0.0, 0.0], &[0.0]),
            edge(&[0.0, 1.0], &[1.0]),
            edge(&[0.0, 2.0], &[0.0]),
            edge(&[0.0, -1.0], &[-INF]),
        ],
    ),
];

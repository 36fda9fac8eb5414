//! Error functions and gamma functions. `digamma` is the logarithmic derivative of Γ, from our runtime.

use crate::rules::row::Entry;
use crate::rules::row::write::{INT, REAL, edge, general, unary};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

const LINE: &[f64] = &[-5.0, -1.3, -1e-8, 0.0, 0.4, 1.0, 2.5, 8.0];
const GAMMA: &[f64] = &[-10.3, -2.5, -0.5, -1e-3, 1e-5, 0.3, 1.0, 1.4616, 2.0, 7.7, 25.0, 100.0];

const AT_POLES: &str = "Poles at 0, -1, -2, …, where the two sides disagree: NaN.";

pub const ROWS: &[Entry] = &[
    unary("erf", "erf' x = 2/√π exp(-x²)", &["d * (two_over_sqrt_pi * exp(-(x * x)))"]).at(&[LINE]),
    unary("erfc", "erfc' x = -2/√π exp(-x²)", &["-(d * (two_over_sqrt_pi * exp(-(x * x))))"]).at(&[LINE]),
    unary("tgamma", "Γ' x = Γ(x) ψ(x)", &["d * (y * digamma(x))"]).at(&[GAMMA]).singular(
        "Poles at 0, -1, -2, …, where the two sides disagree: NaN. Overflows with the function.",
        &[edge(&[0.0], &[NAN]), edge(&[-1.0], &[NAN]), edge(&[200.0], &[INF])],
    ),
    unary("lgamma", "lgamma' x = ψ(x)", &["d * digamma(x)"])
        .at(&[GAMMA])
        .singular(AT_POLES, &[edge(&[0.0], &[NAN]), edge(&[-3.0], &[NAN])]),
    general(
        "lgamma_r",
        "y0 = lgamma x, y1 = the sign of Γ(x): an integer, constant between poles",
        &[REAL],
        &[REAL, INT],
        &["d0 * digamma(x)", "0"],
    )
    .at(&[GAMMA])
    .singular(AT_POLES, &[edge(&[0.0], &[NAN, 0.0])]),
];

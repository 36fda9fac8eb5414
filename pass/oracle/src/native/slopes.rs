//! Functions of one float: value and slope at a point.
//!
//! Written from the mathematics, in forms chosen to differ from the usual ones where another exists.
//! Singular points: sqrt and fabs have slope 0 at 0; elsewhere the limit IEEE arithmetic gives.

use std::f64::consts::{FRAC_2_SQRT_PI, LN_2, LN_10, PI};

use super::special::{cos_pi, digamma, sin_pi};

type Pair = [f64; 2];

pub fn sqrt(x: f64) -> Pair {
    let y = x.sqrt();
    [y, if x == 0.0 || x == f64::INFINITY { 0.0 } else { y / x * 0.5 }]
}

pub fn cbrt(x: f64) -> Pair {
    let y = libm::cbrt(x);
    let slope = if x == 0.0 { 0.0 } else { y / (3.0 * x) };
    [y, if x.is_infinite() { 0.0 } else { slope }]
}

pub fn fabs(x: f64) -> Pair {
    [x.abs(), if x == 0.0 { 0.0 } else { x.signum() }]
}

pub fn sin(x: f64) -> Pair {
    [x.sin(), x.cos()]
}

pub fn cos(x: f64) -> Pair {
    [x.cos(), -x.sin()]
}

pub fn tan(x: f64) -> Pair {
    [x.tan(), x.cos().powi(-2)]
}

pub fn asin(x: f64) -> Pair {
    [x.asin(), ((1.0 - x) * (1.0 + x)).sqrt().recip()]
}

pub fn acos(x: f64) -> Pair {
    [x.acos(), -((1.0 - x) * (1.0 + x)).sqrt().recip()]
}

pub fn atan(x: f64) -> Pair {
    [x.atan(), x.hypot(1.0).powi(-2)]
}

pub fn sinh(x: f64) -> Pair {
    [libm::sinh(x), libm::cosh(x)]
}

pub fn cosh(x: f64) -> Pair {
    [libm::cosh(x), libm::sinh(x)]
}

pub fn tanh(x: f64) -> Pair {
    [libm::tanh(x), libm::cosh(x).powi(-2)]
}

pub fn asinh(x: f64) -> Pair {
    [libm::asinh(x), x.hypot(1.0).recip()]
}

pub fn acosh(x: f64) -> Pair {
    [libm::acosh(x), ((x - 1.0).sqrt() * (x + 1.0).sqrt()).recip()]
}

pub fn atanh(x: f64) -> Pair {
    [libm::atanh(x), 0.5 / (1.0 - x) + 0.5 / (1.0 + x)]
}

pub fn sinpi(x: f64) -> Pair {
    [sin_pi(x), PI * cos_pi(x)]
}

pub fn cospi(x: f64) -> Pair {
    [cos_pi(x), -PI * sin_pi(x)]
}

pub fn tanpi(x: f64) -> Pair {
    [sin_pi(x) / cos_pi(x), PI * cos_pi(x).powi(-2)]
}

pub fn exp(x: f64) -> Pair {
    [x.exp(), x.exp()]
}

pub fn exp2(x: f64) -> Pair {
    [x.exp2(), LN_2 * x.exp2()]
}

pub fn exp10(x: f64) -> Pair {
    let y = libm::exp10(x);
    [y, LN_10 * y]
}

pub fn expm1(x: f64) -> Pair {
    [x.exp_m1(), x.exp()]
}

pub fn log(x: f64) -> Pair {
    [x.ln(), x.recip()]
}

pub fn log2(x: f64) -> Pair {
    [x.log2(), (LN_2 * x).recip()]
}

pub fn log10(x: f64) -> Pair {
    [x.log10(), (LN_10 * x).recip()]
}

pub fn log1p(x: f64) -> Pair {
    [x.ln_1p(), (1.0 + x).recip()]
}

pub fn erf(x: f64) -> Pair {
    [libm::erf(x), FRAC_2_SQRT_PI * (-x * x).exp()]
}

pub fn erfc(x: f64) -> Pair {
    [libm::erfc(x), -FRAC_2_SQRT_PI * (-x * x).exp()]
}

pub fn tgamma(x: f64) -> Pair {
    let y = libm::tgamma(x);
    [y, y * digamma(x)]
}

pub fn lgamma(x: f64) -> Pair {
    [libm::lgamma(x), digamma(x)]
}

pub fn j0(x: f64) -> Pair {
    [libm::j0(x), -libm::j1(x)]
}

pub fn j1(x: f64) -> Pair {
    [libm::j1(x), 0.5 * (libm::j0(x) - libm::jn(2, x))]
}

pub fn y0(x: f64) -> Pair {
    [libm::y0(x), -libm::y1(x)]
}

pub fn y1(x: f64) -> Pair {
    [libm::y1(x), 0.5 * (libm::y0(x) - libm::yn(2, x))]
}

pub fn jn(n: i64, x: f64) -> Pair {
    let n = n as i32;
    [libm::jn(n, x), 0.5 * (libm::jn(n - 1, x) - libm::jn(n + 1, x))]
}

pub fn yn(n: i64, x: f64) -> Pair {
    let n = n as i32;
    [libm::yn(n, x), 0.5 * (libm::yn(n - 1, x) - libm::yn(n + 1, x))]
}

pub fn powi(x: f64, n: i64) -> Pair {
    let slope = if n == 0 { 0.0 } else { n as f64 * x.powi((n - 1) as i32) };
    [x.powi(n as i32), slope]
}

pub fn ldexp(x: f64, n: i64) -> Pair {
    let n = n.clamp(-100_000, 100_000) as i32;
    [libm::ldexp(x, n), libm::ldexp(1.0, n)]
}

pub fn floor(x: f64) -> Pair {
    [x.floor(), 0.0]
}

pub fn ceil(x: f64) -> Pair {
    [x.ceil(), 0.0]
}

pub fn trunc(x: f64) -> Pair {
    [x.trunc(), 0.0]
}

pub fn round(x: f64) -> Pair {
    [x.round(), 0.0]
}

/// Also rint and nearbyint: the machine rounds to nearest.
pub fn roundeven(x: f64) -> Pair {
    [x.round_ties_even(), 0.0]
}

pub fn logb(x: f64) -> Pair {
    let y = if x == 0.0 {
        f64::NEG_INFINITY
    } else if x.is_finite() {
        f64::from(libm::ilogb(x))
    } else {
        x * x
    };
    [y, 0.0]
}

/// The exponent as an integer; what glibc gives for zero, infinity and NaN.
pub fn ilogb(x: f64) -> f64 {
    if x == 0.0 || x.is_nan() {
        f64::from(i32::MIN)
    } else if x.is_infinite() {
        f64::from(i32::MAX)
    } else {
        f64::from(libm::ilogb(x))
    }
}

//! The logarithmic derivative of the gamma function, which derivatives of `tgamma` and `lgamma` call: as code, it has derivatives of its own.
//!
//! The runtime computes it with a series at its root besides, where this is as exact as one.

use core::f64::consts::PI;

unsafe extern "C" {
    fn log(x: f64) -> f64;
    fn cos(x: f64) -> f64;
    fn sin(x: f64) -> f64;
    fn rint(x: f64) -> f64;
}

#[unsafe(export_name = "backsweep.body.bs_rt_digamma")]
unsafe extern "C" fn digamma(x: f64) -> f64 {
    if x > 0.0 {
        return unsafe { digamma_positive(x) };
    }
    // Every float at or below -2^52 is an integer, hence a pole; so is -∞, of no limit.
    let from_pole = x - unsafe { rint(x) };
    if from_pole == 0.0 || from_pole.is_nan() {
        return f64::NAN;
    }
    // ψ(x) = ψ(1 - x) - π cot πx; the cotangent has period 1, and from_pole is exact. It is no reciprocal of a tangent, whose second
    // derivative cancels where the tangent is large.
    let angle = PI * from_pole;
    unsafe { digamma_positive(1.0 - x) - PI * (cos(angle) / sin(angle)) }
}

#[unsafe(export_name = "backsweep.body.bs_rt_digammaf")]
unsafe extern "C" fn digamma_single(x: f32) -> f32 {
    unsafe { digamma(f64::from(x)) as f32 }
}

unsafe fn digamma_positive(x: f64) -> f64 {
    // ψ(x) = ψ(x + 1) - 1/x, up to where the asymptotic series has converged.
    let (mut shifted, mut steps) = (x, 0.0);
    while shifted < ASYMPTOTIC {
        steps += 1.0 / shifted;
        shifted += 1.0;
    }
    let square = 1.0 / (shifted * shifted);
    let tail = BERNOULLI.iter().rev().fold(0.0, |sum, term| (sum + term) * square);
    unsafe { (log(shifted) - 0.5 / shifted - tail) - steps }
}

/// From here on seven terms of the asymptotic series leave less than 1e-16, and not much more of its derivatives.
const ASYMPTOTIC: f64 = 10.0;

/// B(2k) / 2k.
const BERNOULLI: [f64; 7] =
    [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0];

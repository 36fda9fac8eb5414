//! Functions that neither std nor libm has.

use std::f64::consts::PI;

/// The logarithmic derivative of the gamma function: reflection below 1/2, recurrence up to 12, then the
/// asymptotic series in 1/x².
pub fn digamma(x: f64) -> f64 {
    if x < 0.5 {
        return digamma(1.0 - x) - PI * cos_pi(x) / sin_pi(x);
    }
    let mut at = x;
    let mut below = 0.0;
    while at < 12.0 {
        below += at.recip();
        at += 1.0;
    }
    let square = (at * at).recip();
    // Bernoulli numbers B(2k)/(2k).
    let series =
        [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0];
    let tail = series.iter().rev().fold(0.0, |sum, term| (sum + term) * square);
    at.ln() - 0.5 / at - tail - below
}

/// sin(πx), exact at multiples of a half.
pub fn sin_pi(x: f64) -> f64 {
    // The rest by 2 is exact, and lies in [-1, 1].
    let turn = libm::remainder(x, 2.0);
    let size = turn.abs();
    let folded = if size > 0.5 { 1.0 - size } else { size };
    let value = if folded <= 0.25 { (PI * folded).sin() } else { (PI * (0.5 - folded)).cos() };
    value.copysign(turn)
}

pub fn cos_pi(x: f64) -> f64 {
    let size = libm::remainder(x, 2.0).abs();
    if size <= 0.25 {
        (PI * size).cos()
    } else if size <= 0.75 {
        (PI * (0.5 - size)).sin()
    } else {
        -(PI * (1.0 - size)).cos()
    }
}

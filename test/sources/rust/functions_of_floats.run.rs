// What f64 and f32 offer, and integers made from them.
// RUN: %levels %s float 0.8 1.3 0.4 2.5
#![no_main]

fn single(x: f32, y: f32) -> f32 {
    (x * y).sin().mul_add(x, y.exp()) + x.atan2(y) + x.powf(y) - y.cbrt() + x.recip() + x.max(y) * y.min(x)
}

fn double(x: f64, y: f64) -> f64 {
    let (s, c) = x.sin_cos();
    let whole = (y * 3.0).floor() as i64;
    s * c + x.tanh() + y.ln_1p() + (x * y).exp_m1() + x.hypot(y) + y.log10() + x.abs() + y.powi(3) + whole as f64 * x
        + y.rem_euclid(0.7)
        + x.clamp(0.0, 1.0)
        + y.fract() * x.signum()
}

fn f(x: &[f64]) -> f64 {
    f64::from(single(x[0] as f32, x[1] as f32)) + double(x[2], x[3])
}

include!("../Inputs/requests.rs");

// Structs with counts beside numbers: counts and lengths that become numbers are no float's bits.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#![no_main]

struct Samples<'a> {
    values: &'a [f64],
    count: i64,
    scale: f64,
    weight: u32,
}

#[inline(never)]
fn mean(s: &Samples) -> f64 {
    let mut sum = 0.0;
    for v in s.values {
        sum += v * v * s.weight as f64;
    }
    s.scale * sum / s.values.len() as f64 / s.count as f64
}

fn f(x: &[f64]) -> f64 {
    let s = Samples { values: x, count: x.len() as i64 + 1, scale: x[0], weight: x.len() as u32 % 3 };
    mean(&s)
}

include!("../Inputs/requests.rs");

// Structs with counts beside numbers: counts and lengths that become numbers are no float's bits.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#![no_main]

struct Samples<'a> {
    values: &'a [f64],
    count: i64,
    scale: f64,
    weights: [u32; 3],
}

#[inline(never)]
fn mean(s: &Samples) -> f64 {
    let mut sum = 0.0;
    for (i, v) in s.values.iter().enumerate() {
        sum += v * v * s.weights[i % 3] as f64;
    }
    s.scale * sum / s.values.len() as f64 / s.count as f64
}

fn f(x: &[f64]) -> f64 {
    let s = Samples { values: x, count: x.len() as i64 + 1, scale: x[0], weights: [1, 2, x.len() as u32] };
    mean(&s)
}

include!("../Inputs/requests.rs");

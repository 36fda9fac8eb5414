// Slices with bounds checks, windows, chunks, and pairs of iterators.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#![no_main]

fn smooth(from: &[f64], to: &mut [f64]) {
    for i in 1..from.len() - 1 {
        to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
    }
}

fn f(x: &[f64]) -> f64 {
    let mut a = [0.0; 8];
    for i in 0..8 {
        a[i] = x[i % x.len()] * (i as f64 + 1.0);
    }
    let mut b = a;
    smooth(&a, &mut b);
    let dot: f64 = a.iter().zip(b.iter()).map(|(p, q)| p * q).sum();
    let pairs: f64 = b.windows(2).map(|w| w[0] * w[1]).sum();
    let chunks: f64 = a.chunks(3).map(|c| c.iter().product::<f64>()).sum();
    let top = b.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    dot.ln() + (pairs / 100.0).sin() + chunks / 1e3 + top
}

include!("../Inputs/requests.rs");

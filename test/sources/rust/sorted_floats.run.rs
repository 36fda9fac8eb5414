// Order statistics: thirty numbers, more than the library sorts by insertion, sorted by comparison.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#![no_main]
include!("../Inputs/requests.rs");

fn median(mut v: Vec<f64>) -> Option<f64> {
    if v.is_empty() {
        return None;
    }
    v.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let m = v.len() / 2;
    Some(if v.len() % 2 == 0 { (v[m - 1] + v[m]) / 2.0 } else { v[m] })
}

fn f(x: &[f64]) -> f64 {
    // Neighbours stay apart near the point.
    let sample = |i: usize| ((i * 7) % 30) as f64 + 0.1 * (x[i % x.len()] * i as f64).sin();
    let mut v: Vec<f64> = (0..30).map(sample).collect();
    v.sort_by(|a, b| b.partial_cmp(a).unwrap());
    let weighted: f64 = v.iter().enumerate().map(|(i, p)| p * p * i as f64).sum();
    weighted * 1e-3 + median((0..25).map(sample).collect()).unwrap_or(0.0)
}

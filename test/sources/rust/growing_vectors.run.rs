// Vectors that grow, alone and nested, records in a vector, and what `collect` makes.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#![no_main]
include!("../Inputs/requests.rs");

#[derive(Clone, Copy)]
struct Sample {
    weight: f64,
    value: f64,
    index: usize,
}

fn rows(values: &[f64], n: usize) -> f64 {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for i in 0..n {
        rows.push(values.iter().skip(i).step_by(n).copied().collect());
        let last = rows.len() - 1;
        let sum: f64 = rows[last].iter().sum();
        rows[last].push(sum * values[i]);
    }
    rows.iter().map(|row| (0.01 * row.iter().map(|a| a.sqrt()).sum::<f64>()).sin()).sum()
}

fn samples(x: &[f64]) -> f64 {
    let mut samples = Vec::with_capacity(1);
    for (index, v) in x.iter().enumerate() {
        samples.push(Sample { weight: v * v, value: 1.0 + v.sin(), index });
    }
    for i in 1..samples.len() {
        samples[i].value += samples[i - 1].weight;
    }
    samples.iter().map(|s| s.weight * s.value * (1.0 + s.index as f64)).sum()
}

pub fn f(x: &[f64]) -> f64 {
    let n = x.len();
    let mut grown = Vec::new();
    for i in 0..4 * n {
        grown.push(x[i % n] * (1.0 + i as f64));
    }
    let squares: Vec<f64> = grown.iter().map(|a| a * a + 0.1).collect();
    rows(&squares, n) + samples(x)
}

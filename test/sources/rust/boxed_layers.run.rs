// Layers behind pointers, with matrices as vectors of vectors that are cloned: what lies beside addresses are lengths by where they come from.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#![no_main]
include!("../Inputs/requests.rs");

trait Layer {
    fn forward(&self, x: &[f64]) -> Vec<f64>;
}

struct Dense {
    w: Vec<Vec<f64>>,
    b: Vec<f64>,
}

struct Act<F: Fn(f64) -> f64>(F);

impl Layer for Dense {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        self.w
            .iter()
            .zip(&self.b)
            .map(|(r, b)| r.iter().zip(x).map(|(p, q)| p * q).sum::<f64>() + b)
            .collect()
    }
}

impl<F: Fn(f64) -> f64> Layer for Act<F> {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        x.iter().map(|v| (self.0)(*v)).collect()
    }
}

pub fn f(x: &[f64]) -> f64 {
    let n = x.len();
    let w: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| x[(i + j) % n] * 0.3 + (i as f64 - j as f64) * 0.1).collect())
        .collect();
    let net: Vec<Box<dyn Layer>> = vec![
        Box::new(Dense { w: w.clone(), b: x.to_vec() }),
        Box::new(Act(|v| v.tanh())),
        Box::new(Dense { w, b: vec![0.1; n] }),
        Box::new(Act(|v| 1.0 / (1.0 + (-v).exp()))),
    ];
    let mut out = x.to_vec();
    for layer in &net {
        out = layer.forward(&out);
    }
    out.iter().enumerate().map(|(i, v)| v * v * (i + 1) as f64).sum()
}

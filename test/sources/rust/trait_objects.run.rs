// Calls through dyn and through closures.
// RUN: %levels %s double 0.8 1.3 0.4 2.1
#![no_main]

trait Term {
    fn at(&self, x: f64) -> f64;
}

struct Power(i32);
struct Wave(f64);

impl Term for Power {
    fn at(&self, x: f64) -> f64 {
        x.powi(self.0)
    }
}

impl Term for Wave {
    fn at(&self, x: f64) -> f64 {
        (self.0 * x).sin()
    }
}

fn twice(g: &dyn Fn(f64) -> f64, x: f64) -> f64 {
    g(g(x))
}

fn f(x: &[f64]) -> f64 {
    let wave = Wave(x[1]);
    let terms: [&dyn Term; 2] = [&Power(3), &wave];
    let sum: f64 = terms.iter().map(|term| term.at(x[0])).sum();
    sum + twice(&|v| v * x[2] + 0.1, x[3])
}

include!("../Inputs/requests.rs");

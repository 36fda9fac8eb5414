// Closures that keep active values, behind pointers of which only the program knows where they lead, and one that keeps none.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#![no_main]
include!("../Inputs/requests.rs");

fn chain(a: f64, b: f64) -> Vec<Box<dyn Fn(f64) -> f64>> {
    vec![Box::new(move |t| a * t + b), Box::new(|t: f64| t.sin()), Box::new(move |t| t * t * b + a)]
}

pub fn f(x: &[f64]) -> f64 {
    let first = chain(x[0], x[1]);
    first.iter().fold(x[2], |v, g| g(v)) * x[3]
}

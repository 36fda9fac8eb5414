// A Vec that grows while it is filled.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#![no_main]

fn f(x: &[f64]) -> f64 {
    let mut path = Vec::new();
    let mut value = x[0];
    for v in x {
        value = 0.5 * value * value + v;
        path.push(value);
    }
    path.iter().sum::<f64>() * path[path.len() - 1]
}

include!("../Inputs/requests.rs");

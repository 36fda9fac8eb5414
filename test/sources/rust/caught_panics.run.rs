// Panics that are caught on the way, with a text of the library's or one that was written down; what was changed until then stays.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#![no_main]
use std::panic::{self, AssertUnwindSafe};

fn at(x: &[f64], i: usize) -> f64 {
    assert!(i < 5, "index {i} is out of reason");
    x[i] * (i + 1) as f64
}

/// A number or, in the same words, the value that came with a panic.
fn careful(x: &[f64], i: usize) -> f64 {
    match panic::catch_unwind(|| at(x, i)) {
        Ok(v) => v * v,
        Err(_) => x[0] * x[1],
    }
}

/// What is left of a product when it stops.
fn stopped(x: &[f64], last: usize) -> f64 {
    let mut v = x.to_vec();
    let tried = panic::catch_unwind(AssertUnwindSafe(|| {
        for k in 0..x.len() {
            v[k] *= 1.1 + x[k];
            if k == last {
                panic!("stop");
            }
        }
    }));
    match tried {
        Ok(()) => v[1],
        Err(value) => {
            let sum: f64 = v.iter().sum();
            drop(value);
            sum.sin()
        }
    }
}

fn f(x: &[f64]) -> f64 {
    panic::set_hook(Box::new(|_| {}));
    let mut sum = 0.0;
    for i in 0..7 {
        sum += careful(x, i) * (1.0 + x[i % x.len()].sin()) + stopped(x, i);
    }
    sum
}

include!("../Inputs/requests.rs");

//! Option and Result with `?`, unwrap and expect, overflow checks, explicit panics, one of them caught.

use std::panic;

#[derive(Debug)]
enum Problem {
    Negative(f64),
    TooLong,
}

fn root(v: f64) -> Result<f64, Problem> {
    if v < 0.0 { Err(Problem::Negative(v)) } else { Ok(v.sqrt()) }
}

fn mean_root(values: &[f64]) -> Result<f64, Problem> {
    if values.len() > 100 {
        return Err(Problem::TooLong);
    }
    let mut sum = 0.0;
    for v in values {
        sum += root(*v)?;
    }
    Ok(sum / values.len() as f64)
}

fn at(values: &[f64], index: usize) -> f64 {
    assert!(index < 1000, "index {index} is out of reason");
    values[index]
}

/// # Safety
/// `x` points to `n` readable numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn f(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let squares: Vec<f64> = x.iter().map(|v| v * v + 0.1).collect();
    let good = mean_root(&squares).expect("squares are positive");
    let fallback = match mean_root(x) {
        Ok(value) => value,
        Err(Problem::Negative(v)) => v * v * 3.0,
        Err(problem) => panic!("{problem:?}"),
    };
    let mut index = x.len() - 2;
    index += 1;
    let caught = panic::catch_unwind(|| at(x, 1001)).unwrap_or(x[0] * x[1]);
    good + fallback + at(x, index) + caught + x.get(17).copied().unwrap_or(x[2])
}

fn main() {
    panic::set_hook(Box::new(|_| {}));
    let x = [0.5, -0.25, 0.75, 1.25];
    println!("{:.9}", unsafe { f(x.as_ptr(), 4) });
}

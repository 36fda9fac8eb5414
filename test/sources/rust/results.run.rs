// Results of which one alternative is a number and the other a text: whoever unwraps them moves either as the same integer.
// RUN: %levels %s double 0.8 1.3 0.4 2.1
#![no_main]

fn iterate(x: &[f64], most: f64) -> Result<f64, String> {
    if x.is_empty() {
        return Err("no numbers".to_string());
    }
    let mut t = x[0];
    for v in x {
        t = t * v + v.sin();
        if t > most {
            return Err(format!("diverged after {}", x.len()));
        }
    }
    Ok(t)
}

fn sum_of_roots(x: &[f64]) -> Result<f64, String> {
    let mut sum = 0.0;
    for k in 1..x.len() {
        let v = iterate(&x[k..], 1e6)?;
        sum += v.abs().sqrt();
    }
    Ok(sum)
}

fn f(x: &[f64]) -> f64 {
    let rejected = iterate(x, 0.5).unwrap_or(x[2] * x[3]);
    iterate(x, 1e6).unwrap_or(0.0) * iterate(x, 1e6).unwrap() + rejected + sum_of_roots(x).unwrap_or_else(|_| x[0])
}

include!("../Inputs/requests.rs");

// Vectors and numbers that are exchanged, taken and replaced: structs of pointers and lengths are moved word by word.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#![no_main]
fn f(x: &[f64]) -> f64 {
    let mut a = vec![x[0], x[1]];
    let mut b = vec![x[2] * x[2]];
    std::mem::swap(&mut a, &mut b);
    let c = std::mem::take(&mut a);
    let d = std::mem::replace(&mut b, vec![1.0]);
    let mut p = x[0]; let mut q = x[3];
    std::mem::swap(&mut p, &mut q);
    c.iter().sum::<f64>() * d[1] + b[0] + p * p * q
}
include!("../Inputs/requests.rs");

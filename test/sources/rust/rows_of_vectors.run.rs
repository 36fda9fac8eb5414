// A matrix that is a vector of vectors, solved with pivoting: rows change places, and every index is checked.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#![no_main]
include!("../Inputs/requests.rs");

fn solve(mut a: Vec<Vec<f64>>, b: &[f64]) -> Result<Vec<f64>, String> {
    let n = b.len();
    let mut x = b.to_vec();
    for k in 0..n {
        let size = |i: usize| a[i][k].abs();
        let p = (k..n).max_by(|&i, &j| size(i).partial_cmp(&size(j)).unwrap()).unwrap();
        if a[p][k].abs() < 1e-300 {
            return Err(format!("singular at {k}"));
        }
        if p != k {
            a.swap(p, k);
            x.swap(k, p);
        }
        for i in k + 1..n {
            let m = a[i][k] / a[k][k];
            for j in k..n {
                let v = a[k][j];
                a[i][j] -= m * v;
            }
            x[i] -= m * x[k];
        }
    }
    for i in (0..n).rev() {
        let s: f64 = (i + 1..n).map(|j| a[i][j] * x[j]).sum();
        x[i] = (x[i] - s) / a[i][i];
    }
    Ok(x)
}

fn f(x: &[f64]) -> f64 {
    let n = x.len();
    // The largest entry of each column is below the diagonal.
    let entry = |i: usize, j: usize| (x[i] * x[j] * (i + 2 * j) as f64).sin() + if (i + 1) % n == j { 3.0 } else { 0.0 };
    let a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
    match solve(a, x) {
        Ok(u) => u.iter().enumerate().map(|(i, v)| v * v * (i + 1) as f64).sum(),
        Err(message) => panic!("{message}"),
    }
}

// Vec: collected, pushed to, sorted by a loop, consumed.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#![no_main]

fn f(x: &[f64]) -> f64 {
    let mut squares: Vec<f64> = x.iter().map(|v| v * v - v).collect();
    for i in 1..squares.len() {
        let mut j = i;
        while j > 0 && squares[j - 1] > squares[j] {
            squares.swap(j - 1, j);
            j -= 1;
        }
    }
    let weights = vec![1.0, 2.0, 3.0, 4.0];
    squares.iter().zip(&weights).map(|(s, w)| s * s * w).sum()
}

include!("../Inputs/requests.rs");

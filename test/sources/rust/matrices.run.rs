// A matrix that owns its elements, with operators that make new ones.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#![no_main]
include!("../Inputs/requests.rs");

use std::ops::{Add, Mul};

#[derive(Clone)]
struct Matrix {
    order: usize,
    elements: Vec<f64>,
}

impl Matrix {
    fn zero(order: usize) -> Matrix {
        Matrix { order, elements: vec![0.0; order * order] }
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.elements[i * self.order + j]
    }
}

impl Mul for &Matrix {
    type Output = Matrix;
    fn mul(self, other: &Matrix) -> Matrix {
        let mut product = Matrix::zero(self.order);
        for i in 0..self.order {
            for j in 0..self.order {
                for k in 0..self.order {
                    product.elements[i * self.order + j] += self.at(i, k) * other.at(k, j);
                }
            }
        }
        product
    }
}

impl Add for Matrix {
    type Output = Matrix;
    fn add(mut self, other: Matrix) -> Matrix {
        for (a, b) in self.elements.iter_mut().zip(&other.elements) {
            *a += b;
        }
        self
    }
}

pub fn f(x: &[f64]) -> f64 {
    let n = x.len();
    let mut matrix = Matrix::zero(n);
    for i in 0..n {
        for j in 0..n {
            matrix.elements[i * n + j] = x[i] * (j as f64 + 1.0).sin() + x[j];
        }
    }
    let mut power = matrix.clone();
    for _ in 0..3 {
        power = &power * &matrix + matrix.clone();
    }
    (0..n).map(|i| power.at(i, i)).sum::<f64>() * 1e-3
}

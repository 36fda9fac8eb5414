//! Vec grown and nested, a struct that owns its data, operators by trait, Box and Rc.

use std::ops::{Index, IndexMut, Mul};
use std::rc::Rc;

#[derive(Clone)]
struct Matrix {
    order: usize,
    data: Vec<f64>,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.order + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.order + j]
    }
}

impl Mul for &Matrix {
    type Output = Matrix;
    fn mul(self, other: &Matrix) -> Matrix {
        let mut product = Matrix { order: self.order, data: vec![0.0; self.data.len()] };
        for i in 0..self.order {
            for j in 0..self.order {
                product[(i, j)] = (0..self.order).map(|k| self[(i, k)] * other[(k, j)]).sum();
            }
        }
        product
    }
}

/// # Safety
/// `x` points to `n` readable numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn f(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) }.to_vec();
    let mut m = Matrix { order: 4, data: Vec::new() };
    for i in 0..16 {
        m.data.push(x[i % x.len()] / (1.0 + i as f64));
    }
    let shared = Rc::new(m.clone());
    let mut power = Box::new(m);
    for _ in 0..4 {
        *power = &*power * &shared;
        power[(0, 0)] += 0.5;
    }
    let rows: Vec<Vec<f64>> = power.data.chunks(4).map(<[f64]>::to_vec).collect();
    rows.iter().map(|row| row.iter().map(|v| v.sin()).sum::<f64>().exp()).sum()
}

fn main() {
    let x = [0.5, -0.25, 0.75, 1.25];
    println!("{:.9}", unsafe { f(x.as_ptr(), 4) });
}

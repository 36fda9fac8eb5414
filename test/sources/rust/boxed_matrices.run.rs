// A struct on the heap with its sizes beside its Vec, assigned anew in a loop: sizes that are counted with and moved. Rows are cut off one by one.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#![no_main]

#[derive(Clone)]
struct Matrix {
    order: usize,
    data: Vec<f64>,
}

fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let mut product = Matrix { order: a.order, data: vec![0.0; a.data.len()] };
    for i in 0..a.order {
        for j in 0..a.order {
            product.data[i * a.order + j] =
                (0..a.order).map(|k| a.data[i * a.order + k] * b.data[k * b.order + j]).sum();
        }
    }
    product
}

fn f(x: &[f64]) -> f64 {
    let m = Matrix { order: 2, data: x.to_vec() };
    let mut power = Box::new(m.clone());
    for _ in 0..3 {
        *power = multiply(&power, &m);
        power.data[0] += 0.5;
    }
    let rows: Vec<Vec<f64>> = power.data.chunks(power.order).map(<[f64]>::to_vec).collect();
    rows.iter().map(|row| row.iter().map(|v| v.sin()).sum::<f64>().exp()).sum()
}

include!("../Inputs/requests.rs");

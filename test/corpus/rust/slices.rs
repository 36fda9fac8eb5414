//! Slices with bounds checks, windows, chunks, split borrows and sorting.

fn smooth(values: &mut [f64]) {
    for i in 1..values.len() - 1 {
        values[i] = 0.5 * values[i] + 0.25 * (values[i - 1] + values[i + 1]);
    }
    let (low, high) = values.split_at_mut(values.len() / 2);
    for (a, b) in low.iter_mut().zip(high) {
        std::mem::swap(a, b);
        *a += 0.1 * *b * *b;
    }
}

fn roughness(values: &[f64]) -> f64 {
    values.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum()
}

/// # Safety
/// `x` points to `n` readable numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn f(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut values = [0.0; 16];
    for (i, value) in values.iter_mut().enumerate() {
        *value = x[i % x.len()] * (1.0 + i as f64);
    }
    smooth(&mut values);
    let mut sorted = values;
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let blocks: f64 = values.chunks_exact(4).map(|c| c.iter().product::<f64>()).sum();
    roughness(&values) + 0.5 * roughness(&sorted) + 1e-3 * blocks
}

fn main() {
    let x = [0.5, -0.25, 0.75, 1.25];
    println!("{:.9}", unsafe { f(x.as_ptr(), 4) });
}

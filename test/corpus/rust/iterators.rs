//! Chains of iterator adaptors, closures that capture, fold, scan and flat_map.

fn series(z: f64) -> f64 {
    (1..12)
        .scan(1.0, |term, k| {
            *term *= z / f64::from(k);
            Some(*term)
        })
        .take_while(|term| term.abs() > 1e-12)
        .fold(1.0, |sum, term| sum + term)
}

/// # Safety
/// `x` points to `n` readable numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn f(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let shift = x[0];
    let pairs = x.iter().flat_map(|a| x.iter().rev().map(move |b| (a, b)));
    let products = pairs.filter(|(a, b)| *a != *b).map(|(a, b)| a * b + shift);
    let weighted: f64 = products.enumerate().map(|(i, v)| v * v / (1.0 + i as f64)).sum();
    let peak = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    weighted + series(peak) + x.iter().step_by(2).cycle().take(5).sum::<f64>()
}

fn main() {
    let x = [0.5, -0.25, 0.75, 1.25];
    println!("{:.9}", unsafe { f(x.as_ptr(), 4) });
}

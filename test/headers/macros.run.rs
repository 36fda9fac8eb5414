// The macros of the Rust crate: every kind of argument, against analytic derivatives.
// DEFINE: %{level} =
// DEFINE: %{check} = rm -rf %t.d && mkdir -p %t.d && \
// DEFINE:   %rustc_pass --crate-type rlib --crate-name backsweep --edition 2024 -C opt-level=%{level} --out-dir %t.d %root/rust/src/lib.rs && \
// DEFINE:   %rustc_pass --crate-name host --edition 2024 -C opt-level=%{level} --extern backsweep=%t.d/libbacksweep.rlib \
// DEFINE:     -C link-arg=%release/libbacksweep_rt.a %s -o %t && %t
// REDEFINE: %{level} = 0
// RUN: %{check}
// REDEFINE: %{level} = 1
// RUN: %{check}
// REDEFINE: %{level} = 3
// RUN: %{check}

use std::hint::black_box;

#[track_caller]
fn expect(found: f64, expected: f64) {
    // Written so that a NaN differs too.
    assert!(
        (found - expected).abs() <= 5e-13 * expected.abs().max(1.0),
        "found {found:?}, expected {expected:?}"
    );
}

fn misfit(k: &[f64], time: &[f64], scale: f64, steps: usize) -> f64 {
    let mut sum = 0.0;
    for t in &time[..steps] {
        sum += scale * k[0] * (k[1] * t).sin();
    }
    sum
}

fn double_all(x: &[f64], work: &mut [f64], y: &mut [f64]) {
    for i in 0..x.len() {
        work[i] = x[i] * x[i];
        y[i] = 2.0 * work[i];
    }
}

fn behind(p: &f64, q: f64) -> f64 {
    *p * *p * q
}

fn main() {
    let k = black_box([1.5, 0.5]);
    let time = black_box(vec![1.0, 2.0, 3.0]);
    let (scale, steps) = black_box((2.0, 2usize));
    let sines = 0.5f64.sin() + 1f64.sin();
    let slope = 3.0 * (0.5f64.cos() + 2.0 * 1f64.cos());

    let mut dk = vec![0.0; 2];
    let value = unsafe {
        backsweep::gradient!(misfit, primal, slice k => dk, data time, constant scale, constant steps)
    };
    expect(value, 3.0 * sines);
    expect(dk[0], 2.0 * sines);
    expect(dk[1], slope);

    // A number by value, a seed, and a comma at the end.
    let d_scale =
        unsafe { backsweep::gradient!(misfit, data k, data time, out scale, constant steps, seed 10.0,) };
    expect(d_scale, 15.0 * sines);

    let mut direction = [0.0, 1.0];
    let along = unsafe {
        backsweep::tangent!(misfit, slice k => direction, data time, along scale => 1.0, constant steps)
    };
    expect(along, slope + 1.5 * sines);

    let (x, mut dx) = (black_box([3.0, 4.0]), [0.0; 2]);
    let (mut work, mut dwork, mut y, mut dy) = ([0.0; 2], [0.0; 2], [0.0; 2], [1.0, 10.0]);
    unsafe { backsweep::gradient_void!(double_all, slice x => dx, noneed work => dwork, slice_mut y => dy) };
    expect(y[1], 32.0);
    expect(dx[0], 12.0);
    expect(dx[1], 160.0);

    let (p, mut dp) = (black_box(3.0), 0.0);
    let dq = unsafe { backsweep::gradient!(behind, dup &raw const p => &raw mut dp, out 5.0) };
    expect(dq, 9.0);
    expect(dp, 30.0);

    let mut short = [0.0; 1];
    let refused = std::panic::catch_unwind(move || unsafe {
        backsweep::gradient!(misfit, primal, slice k => short, data time, constant scale, constant steps)
    });
    assert!(refused.is_err());
}

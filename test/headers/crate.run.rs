// The Rust crate: every function of it, with functions and closures, in both precisions, against analytic derivatives.
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
use std::process::ExitCode;

struct Failures(u32);

impl Failures {
    #[track_caller]
    fn expect(&mut self, found: f64, expected: f64) {
        // Written so that a NaN differs too.
        if !((found - expected).abs() <= 5e-13 * expected.abs().max(1.0)) {
            println!("line {}: found {found:?}, expected {expected:?}", std::panic::Location::caller().line());
            self.0 += 1;
        }
    }
}

fn cube(x: f64) -> f64 {
    x * x * x
}

fn wave(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (i, v) in x.iter().enumerate() {
        sum += (i as f64 + 1.0) * v.sin() * x[0];
    }
    sum
}

fn model(x: &[f64], y: &mut [f64]) {
    y[0] = x[0] * x[1];
    y[1] = x[0].exp();
}

fn test_numbers(failures: &mut Failures) {
    let x = black_box(1.5);
    let scale = black_box(3.0);
    failures.expect(backsweep::derivative(cube, x), 3.0 * x * x);
    failures.expect(backsweep::derivative(|x: f64| scale * x.sin(), x), scale * x.cos());
    let (value, slope) = backsweep::value_and_derivative(cube, x);
    failures.expect(value, x * x * x);
    failures.expect(slope, 3.0 * x * x);
    failures.expect(f64::from(backsweep::derivative(|x: f32| x * x * x, x as f32)), 3.0 * x * x);
    failures.expect(backsweep::second_derivative(cube, x), 6.0 * x);
}

fn test_slices(failures: &mut Failures) {
    let x = black_box([0.5, 1.5, -1.0]);
    let (value, g) = backsweep::value_and_gradient(wave, &x);
    failures.expect(value, wave(&x));
    failures.expect(g[0], x[0].sin() + 2.0 * x[1].sin() + 3.0 * x[2].sin() + x[0].cos() * x[0]);
    failures.expect(g[1], 2.0 * x[1].cos() * x[0]);
    failures.expect(g[2], 3.0 * x[2].cos() * x[0]);
    let mut sum = backsweep::gradient(wave, &x);
    failures.expect(backsweep::accumulate_gradient(wave, &x, &mut sum), value);
    failures.expect(sum[1], 2.0 * g[1]);
    failures.expect(backsweep::directional_derivative(wave, &x, &[1.0, 2.0, 3.0]), g[0] + 2.0 * g[1] + 3.0 * g[2]);
    let weights = vec![2.0, 3.0, 5.0];
    let weighted = |x: &[f64]| x.iter().zip(&weights).map(|(x, w)| w * x * x).sum::<f64>();
    // Unoptimised, this calls functions through invokes, which are inlined into each other.
    failures.expect(backsweep::gradient(weighted, &x)[2], 10.0 * x[2]);
    failures.expect(f64::from(backsweep::gradient(|x: &[f32]| x[0] * x[1], &[2.0, 3.0])[0]), 3.0);
    failures.expect(backsweep::hvp(wave, &x, &[0.0, 1.0, 0.0])[0], 2.0 * x[1].cos());
    let h = backsweep::hessian(wave, &x);
    failures.expect(h[1][1], -2.0 * x[1].sin() * x[0]);
    failures.expect(h[1][2], 0.0);
    failures.expect(h[0][2], 3.0 * x[2].cos());
}

fn test_results(failures: &mut Failures) {
    let x = black_box([0.5, 1.5]);
    let (mut dx, mut y, mut dy) = ([0.0; 2], [0.0; 2], [1.0, 2.0]);
    backsweep::pull_back(model, &x, &mut dx, &mut y, &mut dy);
    failures.expect(y[0], x[0] * x[1]);
    failures.expect(dx[0], x[1] + 2.0 * x[0].exp());
    failures.expect(dx[1], x[0]);
    failures.expect(dy[1], 0.0);
    backsweep::push_forward(model, &x, &[1.0, 2.0], &mut y, &mut dy);
    failures.expect(dy[0], x[1] + 2.0 * x[0]);
    failures.expect(dy[1], x[0].exp());
    let wide = backsweep::jacobian(model, &x, 2);
    failures.expect(wide[0][1], x[0]);
    failures.expect(wide[1][0], x[0].exp());
    failures.expect(wide[1][1], 0.0);
    let tall = backsweep::jacobian(|x: &[f64], y: &mut [f64]| (y[0], y[1], y[2]) = (x[0], x[0] * x[1], x[1]), &x, 3);
    failures.expect(tall[1][0], x[1]);
    failures.expect(tall[2][1], 1.0);
    failures.expect(tall[2][0], 0.0);
}

fn main() -> ExitCode {
    let mut failures = Failures(0);
    test_numbers(&mut failures);
    test_slices(&mut failures);
    test_results(&mut failures);
    ExitCode::from(u8::from(failures.0 > 0))
}

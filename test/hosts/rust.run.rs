// rustc 1.95, whose own LLVM loads the same plugin.
// DEFINE: %{level} =
// DEFINE: %{check} = %clang -c %stub -o %t.stub.o && \
// DEFINE:   %rustc_pass --crate-name host --edition 2024 -C opt-level=%{level} %s -o %t.with && \
// DEFINE:   %rustc --crate-name host --edition 2024 -C opt-level=%{level} -C link-arg=%t.stub.o %s -o %t.without && \
// DEFINE:   %same_primal %t.with %t.without
// REDEFINE: %{level} = 0
// RUN: %{check}
// REDEFINE: %{level} = 1
// RUN: %{check}
// REDEFINE: %{level} = 2
// RUN: %{check}
// REDEFINE: %{level} = 3
// RUN: %{check}
// REDEFINE: %{level} = s
// RUN: %{check}

use std::ffi::c_void;
use std::hint::black_box;

#[repr(C)]
struct Pair {
    x: f64,
    y: f64,
}

unsafe extern "C" {
    #[link_name = "__backsweep_gradient_pair"]
    fn gradient(f: *const c_void, ...) -> Pair;
    #[link_name = "__backsweep_tangent"]
    fn tangent(f: *const c_void, ...) -> f64;
    static bs_const: i32;
    #[link_name = "__backsweep_gradient"]
    fn gradient_of_one(f: *const c_void, ...) -> f64;
}

fn f(x: f64, y: f64) -> f64 {
    let a = 1.0 - x;
    let b = y - x * x;
    let v = a * a + 100.0 * b * b;
    if b > 0.0 { v + (x * y).sin() / (1.0 + y * y) } else { v * (-0.5 * x).exp() + (1.5 + y * y).powf(x) }
}

fn analytic(x: f64, y: f64) -> Pair {
    let a = 1.0 - x;
    let b = y - x * x;
    let v = a * a + 100.0 * b * b;
    let (gx, gy) = (-2.0 * a - 400.0 * b * x, 200.0 * b);
    if b > 0.0 {
        let d = 1.0 + y * y;
        let (s, c) = (x * y).sin_cos();
        return Pair { x: gx + y * c / d, y: gy + x * c / d - 2.0 * y * s / (d * d) };
    }
    let e = (-0.5 * x).exp();
    let base = 1.5 + y * y;
    let p = base.powf(x);
    Pair { x: gx * e - 0.5 * v * e + p * base.ln(), y: gy * e + p * x / base * 2.0 * y }
}

fn differs(what: &str, found: f64, expected: f64) -> bool {
    let close = (found - expected).abs() <= 5e-13 * expected.abs().max(1.0);
    if !close {
        println!("{what}: found {found:?}, expected {expected:?}");
    }
    !close
}

fn check(x: f64, y: f64) -> bool {
    let address = f as *const c_void;
    let expected = analytic(x, y);
    let g = unsafe { gradient(address, x, y) };
    let along_x = unsafe { tangent(address, x, 1.0f64, y, 0.0f64) };
    let only_y = unsafe { gradient_of_one(address, bs_const, x, y) };
    let failed = [
        differs("reverse d/dx", g.x, expected.x),
        differs("reverse d/dy", g.y, expected.y),
        differs("forward d/dx", along_x, expected.x),
        differs("bs_const d/dy", only_y, expected.y),
    ];
    failed.contains(&true)
}

fn main() {
    let points = [(-1.2, 1.0), (0.5, 0.75), (2.0, 0.25), (-0.75, 1.75), (1.0 / 3.0, -0.6)];
    let mut failed = false;
    for (x, y) in points {
        // black_box: a compiler that knew the points could compute the whole test by itself.
        let (x, y) = (black_box(x), black_box(y));
        if std::env::args().len() > 1 {
            println!("{:016x}", f(x, y).to_bits());
        } else {
            failed |= check(x, y);
        }
    }
    std::process::exit(i32::from(failed));
}

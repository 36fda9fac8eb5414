//! Panics out of derivatives: caught by the caller, with the tape as it was.
// RUN: %rustc_pass --crate-name exceptions --edition 2024 -g %s -o %t -C link-args="%runtime" && %t
// RUN: %rustc_pass --crate-name exceptions --edition 2024 -Copt-level=3 %s -o %t -C link-args="%runtime" && %t

use std::panic::catch_unwind;

#[repr(C)]
struct Opaque(u8);

unsafe extern "C-unwind" {
    fn __backsweep_gradient_void(f: *const Opaque, ...);
}

unsafe extern "C" {
    fn bs_tape_of_thread() -> *const [usize; 8];
}

/// Behind 50 steps with records, a bounds check that fails where `limit` is too large.
fn f(x: *const f64, n: i32, limit: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut s = 1.0;
    for i in 0..50 {
        s = (s * x[i % x.len()]).sin() + x[0];
    }
    s * x[limit as usize]
}

fn gradient(x: &[f64; 3], limit: i32) -> [f64; 3] {
    let mut dx = [0.0; 3];
    unsafe { __backsweep_gradient_void(f as *const Opaque, x.as_ptr(), dx.as_mut_ptr(), 3i32, limit) };
    dx
}

fn held() -> usize {
    let tape = unsafe { &*bs_tape_of_thread() };
    tape[0] - tape[5]
}

fn main() {
    let x = [0.9, 1.1, 0.7];
    let first = gradient(&x, 2);
    for i in 0..3 {
        let at = |h: f64| {
            let mut x = x;
            x[i] += h;
            f(x.as_ptr(), 3, 2)
        };
        let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((first[i] - slope).abs() < 1e-8, "{} and {slope}", first[i]);
    }
    let before = held();
    for limit in 3..6 {
        assert!(catch_unwind(|| gradient(&x, limit)).is_err(), "the bounds check fails");
        assert_eq!(held(), before, "the tape is as it was");
    }
    assert_eq!(gradient(&x, 2), first);
}

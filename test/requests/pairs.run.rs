// Small structs as rustc returns them: two floats travel as one double.
// RUN: %rustc_pass --crate-name pairs -C opt-level=0 %s -o %t -C link-arg=%release/libbacksweep_rt.a && %t
// RUN: %rustc_pass --crate-name pairs -C opt-level=3 %s -o %t -C link-arg=%release/libbacksweep_rt.a && %t

use std::hint::black_box;

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct F2(f32, f32);
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct F3(f32, f32, f32);
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mixed(f64, f32);

unsafe extern "C" {
    fn __backsweep_gradient_f2(f: *const u8, ...) -> F2;
    fn __backsweep_gradient_f3(f: *const u8, ...) -> F3;
    fn __backsweep_gradient_mixed(f: *const u8, ...) -> Mixed;
}

fn f2(a: f32, b: f32) -> f32 {
    a * a * b
}
fn f3(a: f32, b: f32, c: f32) -> f32 {
    a * a * b * c
}
fn mixed(a: f64, b: f32) -> f64 {
    a * a * f64::from(b)
}
fn main() {
    let (a, b) = (black_box(2f64), black_box(3f64));
    unsafe {
        assert_eq!(__backsweep_gradient_f2(f2 as *const u8, a, b), F2(12.0, 4.0));
        assert_eq!(__backsweep_gradient_f3(f3 as *const u8, a, b, 5f64), F3(60.0, 20.0, 12.0));
        // Here the members have to be read: the call alone could be one that returns two doubles.
        let g = __backsweep_gradient_mixed(mixed as *const u8, a, b);
        assert_eq!((g.0, g.1), (12.0, 4.0));
    }
}

// Two floats travel as one double; a hook that is declared to return a double is not read as two floats.
// rustc stops at the first error, so each has a run of its own.
// RUN: %refused %t.o %rustc_pass --crate-name refused --crate-type=lib --emit=obj -g -C opt-level=0 --cfg returned %s | FileCheck %s --check-prefix=RETURNED
// RUN: %refused %t.o %rustc_pass --crate-name refused --crate-type=lib --emit=obj -g -C opt-level=3 --cfg returned %s | FileCheck %s --check-prefix=RETURNED
// RUN: %refused %t.o %rustc_pass --crate-name refused --crate-type=lib --emit=obj -g -C opt-level=0 --cfg kept %s | FileCheck %s --check-prefix=KEPT
// RUN: %refused %t.o %rustc_pass --crate-name refused --crate-type=lib --emit=obj -g -C opt-level=3 --cfg kept %s | FileCheck %s --check-prefix=KEPT
// RUN: %refused %t.o %rustc_pass --crate-name refused --crate-type=lib --emit=obj -g -C opt-level=0 --cfg two %s | FileCheck %s --check-prefix=TWO
// RUN: %refused %t.o %rustc_pass --crate-name refused --crate-type=lib --emit=obj -g -C opt-level=3 --cfg two %s | FileCheck %s --check-prefix=TWO
#![allow(dead_code, unexpected_cfgs)]

#[repr(C)]
#[derive(Clone, Copy)]
pub struct D2(f64, f64);

unsafe extern "C" {
    fn __backsweep_gradient(f: *const u8, ...) -> f64;
    fn __backsweep_gradient_d2(f: *const u8, ...) -> D2;
}

fn f2(a: f32, b: f32) -> f32 {
    a * a * b
}
fn mixed(a: f64, b: f32) -> f64 {
    a * a * f64::from(b)
}

#[cfg(returned)]
pub fn returned(a: f64, b: f64) -> f64 {
    // RETURNED: error: {{.*}}pairs.reject.rs:[[@LINE+1]]:{{.*}}mismatched return type: the hook is declared to return a double; expected the derivative of
    unsafe { __backsweep_gradient(f2 as *const u8, a, b) }
}

#[cfg(kept)]
pub fn kept_in_memory(a: f64, b: f64) -> f64 {
    // KEPT: error: {{.*}}pairs.reject.rs:[[@LINE+1]]:{{.*}}mismatched return type: the hook is declared to return a double; expected the derivative of
    let g = unsafe { __backsweep_gradient(f2 as *const u8, a, b) };
    let place = &g;
    *place + *place
}

#[cfg(two)]
pub fn two_doubles(a: f64, b: f64) -> f64 {
    // TWO: error: {{.*}}pairs.reject.rs:[[@LINE+1]]:{{.*}}mismatched return type: the hook is declared to return a struct of a double, a double; expected
    let g = unsafe { __backsweep_gradient_d2(mixed as *const u8, a, b) };
    g.0 + g.1
}

// A request that names a function without a body is refused by rustc too, at its line.
// RUN: %refused %t.o %rustc_pass --crate-name refused --crate-type=lib --emit=obj -g -C opt-level=0 %s | FileCheck %s
// RUN: %refused %t.o %rustc_pass --crate-name refused --crate-type=lib --emit=obj -g -C opt-level=2 %s | FileCheck %s
use std::ffi::c_void;

unsafe extern "C" {
    fn elsewhere(x: f64) -> f64;
    fn __backsweep_gradient(f: *const c_void, ...) -> f64;
}

pub fn request(x: f64) -> f64 {
    // CHECK: error: {{.*}}rust.reject.rs:[[@LINE+1]]:{{[0-9]+}}{{.*}}backsweep: {{.*}}elsewhere
    unsafe { __backsweep_gradient(elsewhere as *const c_void, x) }
}

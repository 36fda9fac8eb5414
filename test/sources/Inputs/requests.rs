// What a Rust program includes, which has `fn f(x: &[f64]) -> f64`: what `check.c` calls.

#[repr(C)]
pub struct Opaque(u8);

unsafe extern "C" {
    fn __backsweep_gradient_void(f: *const Opaque, ...);
    fn __backsweep_tangent(f: *const Opaque, ...) -> f64;
}

fn f_of_pointer(x: *const f64, n: i32) -> f64 {
    f(unsafe { std::slice::from_raw_parts(x, n as usize) })
}

#[unsafe(no_mangle)]
pub extern "C" fn primal(x: *const f64, n: i32) -> f64 {
    f_of_pointer(x, n)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn gradient(x: *const f64, dx: *mut f64, n: i32) {
    unsafe { __backsweep_gradient_void(f_of_pointer as *const Opaque, x, dx, n) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tangent(x: *const f64, dx: *const f64, n: i32) -> f64 {
    unsafe { __backsweep_tangent(f_of_pointer as *const Opaque, x, dx, n) }
}

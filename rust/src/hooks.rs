//! The hooks themselves, for requests that the functions of this crate do not cover: other argument lists, tokens, split mode.
//! `include/backsweep.h` explains each. Another return type needs a declaration of one's own, whose name contains the hook's:
//!
//! ```ignore
//! unsafe extern "C-unwind" { fn __backsweep_gradient_pair(f: *const u8, ...) -> Pair; }
//! let g = unsafe { __backsweep_gradient_pair(f as *const u8, x, y) };
//! ```

unsafe extern "C-unwind" {
    pub fn __backsweep_gradient(f: *const u8, ...) -> f64;
    pub fn __backsweep_gradient_void(f: *const u8, ...);
    pub fn __backsweep_tangent(f: *const u8, ...) -> f64;
    pub fn __backsweep_tangent_void(f: *const u8, ...);
    pub fn __backsweep_augmented(f: *const u8, ...) -> *mut u8;
    pub fn __backsweep_reverse(f: *const u8, ...) -> f64;
    pub fn __backsweep_reverse_void(f: *const u8, ...);

    pub static bs_dup: i32;
    pub static bs_dup_noneed: i32;
    pub static bs_dup_fresh: i32;
    pub static bs_out: i32;
    pub static bs_const: i32;
    pub static bs_seed: i32;
    pub static bs_primal_return: i32;
    pub static bs_width: i32;
}

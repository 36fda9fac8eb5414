//! Derivatives of Rust functions and closures, by the Backsweep compiler plugin.
//!
//! ```ignore
//! let x = [1.0, 2.0];
//! let g = backsweep::gradient(|x| x[0] * x[1].sin(), &x);
//! ```
//!
//! # Building
//!
//! The plugin is loaded into rustc 1.95 by `backsweep rustc`, which is used in place of `rustc`, or by cargo:
//!
//! ```toml
//! [dependencies]
//! backsweep = { path = "/usr/local/share/backsweep/rust" }
//! ```
//! ```sh
//! RUSTC_WRAPPER=backsweep-rustc cargo build --release
//! ```
//!
//! A linker that reports `__backsweep_…` or `bs_…` as undefined says that the plugin was not loaded.
//!
//! # What is differentiated
//!
//! The function or closure that is passed, for its argument; what a closure captures is constant. Every function here is
//! generic over it, so that the plugin knows it by its type: pass a function by its name and not as a `fn` pointer.
//! Numbers are `f32` or `f64`. A function that has several results writes them into a slice:
//!
//! ```ignore
//! fn model(x: &[f64], y: &mut [f64]) { y[0] = x[0] * x[1]; y[1] = x[0].exp(); }
//! let rows = backsweep::jacobian(model, &[1.0, 2.0], 2);
//! ```
//!
//! A function with other arguments (several slices, numbers among them, data that is not differentiated) needs no closure around it:
//! the macro [`gradient!`] takes it as it is.

pub mod hooks;
mod macros;

use hooks::{__backsweep_gradient_void, __backsweep_tangent_void, bs_const, bs_dup};
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// `f32` or `f64`.
pub trait Number: Copy + private::Sealed {
    const ZERO: Self;
    const ONE: Self;
}

mod private {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

impl Number for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
}

impl Number for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
}

/// The derivative of a function of one number.
pub fn derivative<T: Number>(f: impl Fn(T) -> T, x: T) -> T {
    value_and_derivative(f, x).1
}

pub fn value_and_derivative<T: Number>(f: impl Fn(T) -> T, x: T) -> (T, T) {
    let mut dx = [T::ZERO];
    let value = accumulate_gradient(|x: &[T]| f(x[0]), &[x], &mut dx);
    (value, dx[0])
}

pub fn second_derivative<T: Number>(f: impl Fn(T) -> T, x: T) -> T {
    hvp(|x: &[T]| f(x[0]), &[x], &[T::ONE])[0]
}

pub fn gradient<T: Number>(f: impl Fn(&[T]) -> T, x: &[T]) -> Vec<T> {
    value_and_gradient(f, x).1
}

pub fn value_and_gradient<T: Number>(f: impl Fn(&[T]) -> T, x: &[T]) -> (T, Vec<T>) {
    let mut dx = vec![T::ZERO; x.len()];
    let value = accumulate_gradient(f, x, &mut dx);
    (value, dx)
}

/// Returns `f(x)` and adds the gradient to `dx`; allocates nothing.
pub fn accumulate_gradient<T: Number>(f: impl Fn(&[T]) -> T, x: &[T], dx: &mut [T]) -> T {
    let (mut y, mut dy) = ([T::ZERO], [T::ONE]);
    pull_back(|x: &[T], y: &mut [T]| y[0] = f(x), x, dx, &mut y, &mut dy);
    y[0]
}

/// The derivative of `f` at `x` in the direction `v`, by forward mode.
pub fn directional_derivative<T: Number>(f: impl Fn(&[T]) -> T, x: &[T], v: &[T]) -> T {
    let (mut y, mut dy) = ([T::ZERO], [T::ZERO]);
    push_forward(|x: &[T], y: &mut [T]| y[0] = f(x), x, v, &mut y, &mut dy);
    dy[0]
}

/// The second derivative of `f` at `x` applied to `v`: reverse mode over forward mode, where the inner one needs no tape.
pub fn hvp<T: Number>(f: impl Fn(&[T]) -> T, x: &[T], v: &[T]) -> Vec<T> {
    gradient(|x: &[T]| directional_derivative(&f, x, v), x)
}

/// The rows of the matrix of second derivatives.
pub fn hessian<T: Number>(f: impl Fn(&[T]) -> T, x: &[T]) -> Vec<Vec<T>> {
    (0..x.len()).map(|i| hvp(&f, x, &unit(x.len(), i))).collect()
}

/// The rows of the matrix of first derivatives of a function with `results` results; the mode that needs fewer runs.
pub fn jacobian<T: Number>(f: impl Fn(&[T], &mut [T]), x: &[T], results: usize) -> Vec<Vec<T>> {
    let mut y = vec![T::ZERO; results];
    let mut rows = vec![vec![T::ZERO; x.len()]; results];
    if results <= x.len() {
        for (i, row) in rows.iter_mut().enumerate() {
            pull_back(&f, x, row, &mut y, &mut unit(results, i));
        }
        return rows;
    }
    let mut column = vec![T::ZERO; results];
    for j in 0..x.len() {
        push_forward(&f, x, &unit(x.len(), j), &mut y, &mut column);
        for (row, derivative) in rows.iter_mut().zip(&column) {
            row[j] = *derivative;
        }
    }
    rows
}

/// Reverse mode: runs `f`, adds to `dx` the transposed Jacobian applied to `dy`, and leaves zeros in `dy`.
pub fn pull_back<T: Number, F: Fn(&[T], &mut [T])>(f: F, x: &[T], dx: &mut [T], y: &mut [T], dy: &mut [T]) {
    check_lengths(x.len(), dx.len(), y.len(), dy.len());
    // SAFETY: the plugin replaces this call by a run of `call` and its reverse, which touch what `call` touches and, at
    // the same offsets, the shadows; those are as long, and borrowed for writing.
    unsafe {
        __backsweep_gradient_void(
            call::<T, F> as *const u8,
            bs_const,
            &raw const f,
            bs_dup,
            x.as_ptr(),
            dx.as_mut_ptr(),
            bs_const,
            x.len(),
            bs_dup,
            y.as_mut_ptr(),
            dy.as_mut_ptr(),
            bs_const,
            y.len(),
        );
    }
}

/// Forward mode: runs `f` and leaves in `dy` the Jacobian applied to `dx`.
pub fn push_forward<T: Number, F: Fn(&[T], &mut [T])>(f: F, x: &[T], dx: &[T], y: &mut [T], dy: &mut [T]) {
    check_lengths(x.len(), dx.len(), y.len(), dy.len());
    // SAFETY: as in `pull_back`; forward mode only reads the shadow of what `call` only reads.
    unsafe {
        __backsweep_tangent_void(
            call::<T, F> as *const u8,
            bs_const,
            &raw const f,
            bs_dup,
            x.as_ptr(),
            dx.as_ptr(),
            bs_const,
            x.len(),
            bs_dup,
            y.as_mut_ptr(),
            dy.as_mut_ptr(),
            bs_const,
            y.len(),
        );
    }
}

/// What the hooks are given: a function of its own for every type `F`, with arguments that are single values.
fn call<T, F: Fn(&[T], &mut [T])>(f: *const F, x: *const T, n: usize, y: *mut T, m: usize) {
    // SAFETY: only the hooks above call this, with the parts of a reference and of two slices.
    unsafe { (*f)(from_raw_parts(x, n), from_raw_parts_mut(y, m)) }
}

fn check_lengths(x: usize, dx: usize, y: usize, dy: usize) {
    assert!(x == dx, "{x} numbers are given with {dx} derivatives");
    assert!(y == dy, "{y} results are given with {dy} derivatives");
}

fn unit<T: Number>(n: usize, i: usize) -> Vec<T> {
    let mut unit = vec![T::ZERO; n];
    unit[i] = T::ONE;
    unit
}

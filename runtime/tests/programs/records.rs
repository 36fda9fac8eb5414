//! A Rust program that links the static library like any other language.

use std::ffi::{c_char, c_void};

unsafe extern "C" {
    fn bs_tape_of_thread() -> *mut c_void;
    fn bs_tape_push_slow(tape: *mut c_void, bytes: usize, function: *const c_char) -> *mut f64;
    fn bs_tape_pop_slow(tape: *mut c_void, bytes: usize, function: *const c_char) -> *mut f64;
}

fn main() {
    // SAFETY: one thread, one tape, matched pushes and pops.
    let back = std::thread::spawn(|| unsafe {
        let tape = bs_tape_of_thread();
        for i in 0..100_000 {
            *bs_tape_push_slow(tape, 8, c"main".as_ptr()) = f64::from(i);
        }
        (0..100_000).rev().all(|i| *bs_tape_pop_slow(tape, 8, c"main".as_ptr()) == f64::from(i))
    });
    assert!(back.join().expect("no panic"));
}

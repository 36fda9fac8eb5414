//! The other Rust library of `two_rust.c`: it allocates, panics and catches, so all of std is in it.

#[unsafe(no_mangle)]
pub extern "C" fn other_rust_sum(values: *const f64, count: usize) -> f64 {
    // SAFETY: the C program passes an array of `count` values.
    let values = unsafe { std::slice::from_raw_parts(values, count) }.to_vec();
    let caught = std::panic::catch_unwind(|| values[values.len()]);
    assert!(caught.is_err());
    std::thread::spawn(move || values.iter().sum()).join().expect("a sum does not panic")
}

// An iterator chain: among what rustc's pipeline leaves of it, something reads memory by its attributes and has no
// place in memory SSA. Asking for its clobber brought rustc down.
// RUN: %rustc_pass --crate-name iterator -C opt-level=2 %s -o %t -C link-arg=%release/libbacksweep_rt.a && %t
// RUN: %rustc_pass --crate-name iterator -C opt-level=s %s -o %t -C link-arg=%release/libbacksweep_rt.a && %t

unsafe extern "C" {
    fn __backsweep_gradient(f: *const u8, ...) -> f64;
}

fn series(x: f64) -> f64 {
    (1..6).map(|i| x.powi(i) / f64::from(i)).sum()
}

fn main() {
    let x = std::hint::black_box(2.0);
    let slope = unsafe { __backsweep_gradient(series as *const u8, x) };
    assert!((slope - 31.0).abs() < 1e-12, "{slope}");
}

//! Linker flags of the shared library.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A thread's end calls into the library: it must not be unloaded before the last thread.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libbacksweep_rt.so");
}

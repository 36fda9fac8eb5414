//! Bodies for functions of the languages' runtime libraries, of BLAS and of OpenMP: what they compute, as code that can be differentiated.
//! Compiled to LLVM IR when the plugin is built (see `build.rs`), never to machine code; the plugin puts a body into the
//! copy of a program that it differentiates, where the program has only a call.
#![no_std]

mod blas; // Linear algebra.
mod c; // What the C library computes beside its mathematics, and what that lacks.
mod cpp; // What libstdc++ keeps out of its headers.
mod fortran; // What flang's runtime computes.
mod openmp; // What one thread asks the OpenMP runtime.

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    fortran::descriptor::unknown()
}

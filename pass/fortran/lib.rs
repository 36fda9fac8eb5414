//! Bodies for the functions that flang calls in its runtime library: what they compute, as code that can be
//! differentiated. Compiled to LLVM IR when the plugin is built (see `build.rs`), never to machine code; the plugin puts
//! a body into the copy of a program that it differentiates, where the program has only a call.
//!
//! A body does what the Fortran standard says of the intrinsic, not how the runtime does it: sums are plain sums.
//! Invariant: whatever a body cannot do (a derived type, a rank beyond 4) ends in `unknown`, which the plugin refuses
//! unless it is gone after simplification: what stands in a descriptor is nearly always a constant by then.
#![no_std]

mod assign; // Array assignment.
mod descriptor; // What describes an array.
mod locations; // MAXLOC, MINLOC, COUNT, ANY, ALL.
mod products; // MATMUL, DOT_PRODUCT.
mod rearrange; // TRANSPOSE, RESHAPE, SPREAD, CSHIFT, PACK.
mod reductions; // SUM, PRODUCT, MAXVAL, MINVAL, NORM2.

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    descriptor::unknown()
}

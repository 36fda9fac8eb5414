//! What flang calls in its runtime library.
//!
//! A body does what the Fortran standard says of the intrinsic, not how the runtime does it: sums are plain sums.
//! Invariant: whatever a body cannot do (a derived type, a rank beyond 4) ends in `unknown`, which the plugin refuses
//! unless it is gone after simplification: what stands in a descriptor is nearly always a constant by then.

mod allocation; // ALLOCATE, DEALLOCATE, MOVE_ALLOC.
mod assign; // Array assignment.
mod characters; // Text.
mod constructors; // Array constructors.
mod derived; // Objects of derived types.
pub mod descriptor; // What describes an array.
mod integers; // SUM, PRODUCT, MAXVAL, MINVAL of integers.
mod locations; // MAXLOC, MINLOC, COUNT, ANY, ALL.
mod places; // Where FORALL assigns to.
mod products; // MATMUL, DOT_PRODUCT.
mod rearrange; // TRANSPOSE, RESHAPE, SPREAD, CSHIFT, PACK.
mod reductions; // SUM, PRODUCT, MAXVAL, MINVAL, NORM2.
mod temporaries; // Copies of what is passed on.
mod values; // What FORALL and WHERE put away.

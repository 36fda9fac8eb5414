//! The adjoint data-flow analyses: what a derivative needs of the primal, found on the primal before anything is derived.
//!
//! ```text
//! varied, useful ──▶ active ──▶ uses (I') ──▶ liveness (1.10) ──▶ recorded (1.8, 1.9) ──▶ write (1.12)
//! ```
//!
//! Invariant: in that order there is no circle; each analysis borrows those before it. Functions are studied in the
//! setting in which they are called, once for each.

pub mod active;
pub mod describe;
pub mod liveness;
pub mod recorded;
pub mod reload;
pub mod study;
pub mod useful;
pub mod uses;
pub mod varied;
pub mod write;

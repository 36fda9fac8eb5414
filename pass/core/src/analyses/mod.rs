//! Facts about a function, computed from the model alone.
//!
//! Invariant: knows nothing of LLVM and nothing of what will be emitted.

pub mod activity;
pub mod cycles;
pub mod flow;
pub mod meaning;

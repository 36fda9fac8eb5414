//! Facts about a function, computed from the model alone.
//!
//! Invariant: knows nothing of LLVM and nothing of what will be emitted.

pub mod activity;
pub mod carriers;
pub mod cycles;
pub mod effects;
pub mod flow;
pub mod followed;
mod global_activity;
pub mod globals;
mod hidden_access;
pub mod later;
pub mod meaning;
pub mod memory_calls;
pub mod overlap;
pub mod pointers;
pub mod refusals;
pub mod stale;
pub mod trips;

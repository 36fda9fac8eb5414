//! Finds hook calls and reads them as plain values.
//!
//! Invariant: reads only, but for `leftover`. What a call means is decided by `backsweep_core::request`.

mod leftover;
mod site;
mod targets;
mod tokens;

pub use leftover::define_leftover_markers;
pub use site::{HookSite, find_sites};
pub use targets::{Targets, find_targets, specialise};

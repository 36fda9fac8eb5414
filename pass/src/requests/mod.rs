//! Finds hook calls and reads them as plain values.
//!
//! Invariant: reads only. What a call means is decided by `backsweep_core::request`.

mod pairs;
mod site;
mod structs;
mod targets;
mod tokens;

pub use site::{HookSite, find_sites};
pub use structs::mark_structs;
pub use targets::{Targets, find_targets, specialise};
pub use tokens::{define_markers, read_token};

//! The stages of Backsweep that need no LLVM, in reading order.
//!
//! ```text
//! model ──analyses──▶ facts ──plan──▶ plan ──derive──▶ model of the derivative
//! ```

pub mod model;
pub mod rules;

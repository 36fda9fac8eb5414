//! The oracle: an interpreter of the model on dual numbers, and the programs to try it on.
//!
//! ```text
//! Program ──Machine──▶ values with tangents ──jacobian──▶ what a derivative must be
//! seed ──generate──▶ Program ──shrink──▶ the smallest Program that still fails
//! ```
//!
//! Invariant: depends on the model only. It shares no rule, plan or emission with what it checks.

mod access;
mod arrays;
mod atomic;
pub mod build;
mod cast;
mod code;
mod constant;
mod dual;
mod format;
pub mod generate;
mod integer;
mod jacobian;
mod lanes;
mod layout;
mod link;
mod machine;
mod memory;
mod native;
mod parts;
mod shrink;
mod step;
mod trap;
mod value;

pub use dual::{Dual, LANES, NO_TANGENT, Tangent, direction};
pub use jacobian::{Argument, Jacobian, directional, finite_differences, jacobian};
pub use machine::{Host, Limits, Machine};
pub use memory::{Kind, Memory};
pub use shrink::shrink;
pub use step::OnUndef;
pub use trap::{Fault, Trap};
pub use value::{Byte, Int, Pointer, Value};

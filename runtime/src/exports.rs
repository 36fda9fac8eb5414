//! The C ABI. Each function here only checks who calls and hands over; the header documents them.
//!
//! Invariant: a panic in any of them aborts (`extern "C"`), it never unwinds into the caller.

pub mod abi;
pub mod arrays;
pub mod blocks;
pub mod calls;
pub mod left;
pub mod objects;
pub mod put_off;
pub mod settings;
pub mod shadows;
pub mod snapshots;
pub mod stack;

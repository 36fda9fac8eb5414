//! The tape: the stack of bytes that the forward and the reverse sweep share, behind a C ABI.
//!
//! Question answered: where do the bytes of a sweep live, and what happens when they do not fit?
//! Input → output: calls named `bs_tape_*` and `bs_rt_*` (documented in `include/backsweep_rt.h`) → memory,
//! statistics, and one clear message on bad use.
//!
//! Invariant: `floor <= top <= limit` in every state block, so that the inlined fast path (a compare and a
//! bump) can never leave the memory it was given; every other case enters this crate.
//! Knows nothing of LLVM, of derivatives, or of what the bytes mean.
//!
//! The modules stand in reading order: what may go wrong, what was asked for, where memory comes from, how
//! the stack uses it, and who may use the stack.

mod failure;
mod function;
mod lock;

mod config;

mod cache;
mod chunk;
mod pager;
mod region;
mod residency;
mod spill_file;

mod quota;

mod allocation;
mod arrays;

mod gates;
mod stack;
mod state;
mod tag;

mod registry;
mod start;
mod thread;

/// What the primal leaves where the reverse sweep undoes its stores.
mod left;

/// Freed memory that the C library keeps.
mod room;

/// What the primal frees before the reverse sweep is done with it.
mod put_off;

/// How large the blocks are that may grow.
mod blocks;

mod fork;
mod stats;

/// Functions that derivative rules call and no library has.
mod special;

pub mod exports;

pub use registry::Figures;
pub use special::digamma;
pub use state::State;

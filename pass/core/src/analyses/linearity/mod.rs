//! How values depend on each other: not at all, linearly, or otherwise.
//!
//! ```text
//! function ──reaching, steering──▶ ground ──trace from sources──▶ classes ──▶ table, carried values, structure
//! ```
//!
//! The linearity paper's analysis, asked about chosen sources and not about all pairs. What an answer means: with all other
//! sources where they are, a value does not move with a source it is *independent* of, follows one that it is *linear* in
//! along a line, and is a polynomial or a quotient of two of at most the degrees given. Where rounding is left aside.

pub mod algebra;
pub mod callee;
pub mod carried;
pub mod class;
pub mod depends;
pub mod ends;
pub mod reaching;
pub mod separable;
pub mod steering;
pub mod structure;
pub mod table;
pub mod trace;
pub mod variables;

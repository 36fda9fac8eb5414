//! Which iterations of which loops touch the same memory?
//!
//! ```text
//! function ──nesting, accesses──▶ affine addresses ──pair──▶ problem ──solve──▶ finding ──nest──▶ verdicts
//! ```
//!
//! Pure: from the model alone, no other analysis, nothing of LLVM. Exact where the question is decidable within the
//! budget, and never wrong: all arithmetic is checked, what is not proved is "may depend".
//! [`describe_dependence`] prints, [`find_dependences`] answers, [`solve`](solve::solve) takes a problem by hand.

// Integers and problems.
pub mod linear;
pub mod problem;

// The tests of the literature, and how they are combined.
pub mod banerjee;
pub mod delta;
pub mod direction;
pub mod gcd;
pub mod omega;
pub mod partition;
pub mod rdiv;
pub mod refine;
pub mod siv;
pub mod solve;
pub mod verdict;
pub mod ziv;

// From the model to problems.
pub mod access;
pub mod affine;
pub mod atoms;
pub mod body_order;
pub mod condition;
pub mod delinearise;
pub mod drift;
pub mod guards;
pub mod induction;
pub mod nesting;
pub mod objects;
pub mod pair;
pub mod passage;
pub mod steady;
pub mod subscripts;
pub mod unchanging;

// From answers to verdicts.
pub mod breaking;
pub mod dot;
pub mod exchanged;
pub mod finding;
pub mod guarded;
pub mod indirect;
pub mod nest;
pub mod overwriting;
pub mod report;
pub mod runs;
pub mod split;
pub mod steps;

#[cfg(test)]
mod tests;

pub use dot::export_dot;
pub use nest::{Dependences, Verdict, find_dependences};
pub use report::describe_dependence;

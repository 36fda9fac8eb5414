//! The facts of the analyses against what programs do.
//!
//! ```text
//! choices ──generate──▶ Program ──machine──▶ trace of a run ──needs──▶ what the reverse sweep reads there
//!                          └──analyses──▶ facts ──sweep──▶ the same run, with only what the facts keep and save
//! ```
//!
//! Invariant: the machine and the needs share no code with what they check. The sweep is model 1.7 and 1.11 of the paper,
//! word by word: whatever the facts forget is not there when it is read.

pub mod choices;
pub mod generate;
pub mod machine;
pub mod needs;
pub mod provenance;
pub mod sweep;

mod shape;

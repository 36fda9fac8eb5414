//! The text form of the model: what `print<backsweep-model>` prints and what tests are written in.
//!
//! `README.md` beside the model shows the grammar by example.
//! Invariant: `parse_program(&program.to_string())` equals `program` for every program that the verifier accepts.

mod float;
mod parse;
mod print;
mod quote;
mod words;

pub use parse::{ParseError, parse_program};

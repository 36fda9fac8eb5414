//! Which rules does a file of this repository break?
//!
//! Input: a path relative to the root, and the text. Output: findings, one line each. `tests/tree.rs` runs this over
//! the whole repository. It knows nothing of the compiler; where a rule needs code without comments, `code_text` gives
//! an approximation that is exact for what rustfmt accepts.

mod code_text;
mod rules;

pub use rules::{Finding, check_file};

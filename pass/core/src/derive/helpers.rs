//! The functions that derived code calls and that come with it: written in the model's own text.

use crate::model::{Function, parse_program};

/// Names of the functions that [`helper_functions`] defines.
pub const HELPERS: [&str; 2] = ["backsweep.push", "backsweep.pop"];

/// The tape's inlined fast path.
pub fn helper_functions() -> Vec<Function> {
    match parse_program(include_str!("helpers.txt")) {
        Ok(program) => program.functions,
        Err(error) => unreachable!("the helpers are part of this build: {error}"),
    }
}

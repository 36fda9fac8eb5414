//! The functions that derived code calls and that come with it: the tape's fast path and the reverse of copying
//! memory, written in the model's own text.

use crate::model::{Function, parse_program};

/// Those that derived code calls by name; the others serve these.
pub const FAST_PATH: [&str; 14] = [
    "backsweep.push",
    "backsweep.pop",
    "backsweep.cursor.open",
    "backsweep.cursor.load",
    "backsweep.cursor.store",
    "backsweep.move.double",
    "backsweep.move.float",
    "backsweep.move.spaced.double",
    "backsweep.move.spaced.float",
    "backsweep.move.words",
    "backsweep.is_empty",
    "backsweep.end_numbers",
    "backsweep.belongs",
    "backsweep.has_shadow",
];

/// Their definitions, and declarations of what they call.
pub fn fast_path_functions() -> Vec<Function> {
    match parse_program(include_str!("fast_path.txt")) {
        Ok(program) => program.functions.to_vec(),
        Err(error) => unreachable!("the text is part of this build: {error}"),
    }
}

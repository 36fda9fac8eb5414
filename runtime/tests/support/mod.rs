//! What the tests share: the model of a tape, and compiling and running programs through the header.

#![allow(dead_code, reason = "each test binary uses its part")]

pub mod model;
pub mod program;

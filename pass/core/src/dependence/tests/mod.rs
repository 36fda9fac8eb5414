//! The paper's examples, and each test alone. See [`paper`] for the assumptions.

mod paper;
mod single;

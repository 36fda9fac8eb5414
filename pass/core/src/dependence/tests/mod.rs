//! The paper's examples, and each test alone. See [`paper`] for the assumptions.

mod drift;
mod paper;
mod single;

//! The local Jacobian of straight-line code, computed at once instead of swept through.
//!
//! ```text
//! function ──flatten──▶ graphs ──eliminate──▶ Jacobian, as a program of products and sums over local partials
//! ```

// What is computed with.
pub mod algebra;
pub mod cost;
pub mod graph;
pub mod tally;
pub mod terms;

mod registers;

// From a function to graphs.
pub mod flatten;

// From a graph to its Jacobian.
pub mod eliminate;
pub mod heuristic;
pub mod optimal;
pub mod portfolio;
pub mod reach;

mod cut;

// What a plan, or a person, sees of it.
pub mod attached;
pub mod contracted;
pub mod dot;
pub mod jacobian;
pub mod report;

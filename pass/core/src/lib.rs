//! The stages of Backsweep that need no LLVM, in reading order.
//!
//! ```text
//! model ──analyses──▶ facts ──plan──▶ plan ──derive──▶ model of the derivative
//! ```

pub mod model; // What the program is.

pub mod config; // What the user set.

pub mod refusal; // What we say no to.

pub mod rules; // What the derivative of each operation is.

pub mod request; // What the user asked for.

pub mod analyses; // What holds of the program.

pub mod kinds; // What bytes are that are moved without saying.

pub mod dependence; // Which iterations touch the same memory.

pub mod preaccumulation; // What straight-line code does to derivatives, all at once.

pub mod plan; // What will be done, and why.

pub mod check; // Proof that the plan is right.

pub mod derive; // The plan written out, as a function of the model.

pub mod elimination;
pub mod explain; // What the plan means for the lines of the source.

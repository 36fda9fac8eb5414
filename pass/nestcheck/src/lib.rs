//! Random loop nests, run by plain enumeration and compared with what the dependence test says of them.
//!
//! Invariant: shares no code with the test. A nest is data of its own ([`nest`]); [`run`] executes it with the
//! machine's wrapping arithmetic and notes every address; [`write`] writes the same nest as a function of the model,
//! with only such no-wrap flags as the run did not violate; [`compare`] holds one against the other.

pub mod compare;
pub mod nest;
pub mod random;
pub mod run;
pub mod shape;
pub mod write;

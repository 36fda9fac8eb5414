//! Backsweep, the pass plugin. The five stages, in reading order:
//!
//! ```text
//! LLVM IR ──extract──▶ Model ──analyses──▶ Facts ──plan──▶ Plan ──check──▶ ──derive, emit──▶ LLVM IR
//! ```
//!
//! Analyses, plan, checker and derivation live in `backsweep_core`, which knows nothing of LLVM.

mod plugin; // Where a host loads us and calls us.

mod stage; // Where in the host's pipeline we are.

mod requests; // Hook calls, read as plain values.

mod inactive; // What the user declared inactive.

mod prepare; // A private copy of the primal, in one canonical form.

mod canonicalise; // Library calls that store results, as values.

mod extract; // LLVM IR → model.

mod differentiate; // The stages for each request.

mod describe; // What printing passes say of each request.

mod emit; // Model → LLVM IR.

mod report; // Refusals, at the user's line.

mod llvm; // LLVM's C interface as plain Rust.

//! Backsweep, the pass plugin. The five stages, in reading order:
//!
//! ```text
//! LLVM IR ──extract──▶ Model ──analyses──▶ Facts ──plan──▶ Plan ──check──▶ ──derive, emit──▶ LLVM IR
//! ```

mod plugin; // Where a host loads us and calls us.

mod extract; // LLVM IR → model.

mod llvm; // LLVM's C interface as plain Rust.

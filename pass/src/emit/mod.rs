//! Model → LLVM IR: derived functions, instruction by instruction, and the call sites that asked for them.
//!
//! Invariant: decides nothing and refuses nothing. A derived instruction either copies a primal one, which is cloned
//! with its operands exchanged, or is one of the operations built here.

mod batch_calls;
mod call_site;
mod constants;
mod functions;
mod inactive_call;
mod instructions;
mod named;
mod types;

pub use batch_calls::replace_batch;
pub use call_site::replace_hook;
pub use functions::{declare_function, emit_callees, emit_function};
pub use inactive_call::call_inactive;
pub use types::write_type;

//! Facts about a function, computed from the model alone.
//!
//! Invariant: knows nothing of LLVM and nothing of what will be emitted.

// What has an order: equations over blocks, and their solver.
pub mod bits;
pub mod control;
pub mod copied;
mod covered;
pub mod slot_bounds;
pub mod solver;

// What memory is touched, and what calls do to it.
pub mod memory;
pub mod summarise;
pub mod summary;

// What a derivative needs.
pub mod adjoint;

mod accessed;
pub mod activity;
pub mod ahead;
pub mod atomic_counts;
pub mod bit_numbers;
mod by_value;
pub mod carriage;
pub mod carried;
pub mod carriers;
mod caught_panics;
pub mod cleared;
mod closed;
pub mod custom;
pub mod cycles;
pub mod demanded;
pub mod descriptors;
pub mod effects;
pub mod exceptions;
pub mod filled_outside;
pub mod finds;
pub mod flow;
pub mod followed;
mod global_activity;
pub mod globals;
pub mod held;
mod hidden_access;
pub mod kept_memory;
pub mod lasting;
pub mod later;
pub mod linearity;
pub mod looked;
pub mod low_bits;
pub mod meaning;
pub mod memory_calls;
pub mod newer;
mod number_addresses;
pub mod offsets;
mod origins;
mod otherwise;
pub mod overlap;
mod own_texts;
mod own_words;
pub mod ownership;
mod plain_callees;
pub mod pointers;
pub mod refusals;
mod refused_addresses;
mod refused_calls;
mod returned_bits;
pub mod revived;
mod scope;
pub mod shared_words;
pub mod spots;
mod spread;
pub mod stale;
mod standing;
pub mod tape_records;
pub mod trips;
mod unfollowed;
pub mod users;
pub mod whole_numbers;
pub mod whole_origins;

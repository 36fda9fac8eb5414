//! How large the blocks are that a differentiated program has made and may ask to grow.
//!
//! Question answered: how much does `realloc` copy? The C library knows only how much room there is, and a block and its shadow may
//! differ in that. So a program that finds in memory what it wants to grow tells of each block that it makes and frees.
//! Invariant: a block that is here was made with this size and has not been freed since by code that tells.

use std::collections::BTreeMap;

use crate::failure::{FailureKind, fail};
use crate::function::Function;
use crate::lock::Lock;

static BLOCKS: Lock<BTreeMap<usize, u64>> = Lock::new(BTreeMap::new());

pub fn note(address: usize, size: u64) {
    if address != 0 {
        BLOCKS.with(|blocks| blocks.insert(address, size));
    }
}

pub fn forget(address: usize) {
    BLOCKS.with(|blocks| blocks.remove(&address));
}

/// Ends the derivative where nobody has told of the block.
pub fn size_of(address: usize) -> u64 {
    if address == 0 {
        return 0;
    }
    BLOCKS.with(|blocks| blocks.get(&address).copied()).unwrap_or_else(|| {
        fail(
            FailureKind::Shadow,
            Function::unknown(),
            0,
            format_args!(
                "the differentiated function calls realloc for the block {address:#x}, which it has not allocated, so that it \
                 cannot be told how much of its derivative there is; allocate the block inside, or let it grow by malloc, \
                 memcpy and free"
            ),
        )
    })
}

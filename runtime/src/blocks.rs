//! How large the blocks are that a differentiated program has made and may ask to grow.
//!
//! Question answered: how much does `realloc` copy? The C library knows only how much room there is, and a block and its shadow may
//! differ in that. So a program that finds in memory what it wants to grow tells of each block that it makes and frees.
//! Invariant: a block that is here was made with this size, by this thread since its derivative began, and has not been freed since
//! by code that tells. What was made before then may have been freed by others, and its address used again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::c_void;

use crate::failure::{FailureKind, fail};
use crate::function::Function;

thread_local! {
    static BLOCKS: RefCell<BTreeMap<usize, u64>> = const { RefCell::new(BTreeMap::new()) };
}

/// A derivative begins.
pub fn begin() {
    BLOCKS.with_borrow_mut(BTreeMap::clear);
}

pub fn note(address: usize, size: u64) {
    if address != 0 {
        BLOCKS.with_borrow_mut(|blocks| blocks.insert(address, size));
    }
}

pub fn forget(address: usize) {
    BLOCKS.with_borrow_mut(|blocks| blocks.remove(&address));
}

/// How much room there is in a block without a shadow. It may have been made, or have grown, in code that is not differentiated and tells
/// of none, even where a block that was told of lay before.
pub fn room_of(block: *const c_void) -> u64 {
    // SAFETY: the program is about to give the block to `realloc`, so it is null or one of the C library's.
    unsafe { libc::malloc_usable_size(block.cast_mut()) as u64 }
}

/// Ends the derivative where nobody has told of the block.
pub fn size_of(address: usize) -> u64 {
    if address == 0 {
        return 0;
    }
    BLOCKS.with_borrow(|blocks| blocks.get(&address).copied()).unwrap_or_else(|| {
        fail(
            FailureKind::Shadow,
            Function::unknown(),
            0,
            format_args!(
                "the differentiated function calls realloc for the block {address:#x}, which this run of it has not allocated, so that it \
                 cannot be told how much of its derivative there is; allocate the block inside, or let it grow by malloc, \
                 memcpy and free"
            ),
        )
    })
}

//! What derived code tells and asks about blocks that may grow.

use std::ffi::c_void;

use crate::blocks;

/// A derivative begins that tells of blocks.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_blocks_begin() {
    blocks::begin();
}

/// The program has made a block, or has got none.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_block_made(block: *const c_void, size: u64) {
    blocks::note(block.addr(), size);
}

/// The program frees a block.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_block_gone(block: *const c_void) {
    blocks::forget(block.addr());
}

/// How much room there is in a block that has no shadow; nothing for null.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_block_room(block: *const c_void) -> u64 {
    blocks::room_of(block)
}

/// How much the program asked for when it made the block; nothing for null.
#[unsafe(no_mangle)]
pub extern "C" fn bs_rt_block_size(block: *const c_void) -> u64 {
    blocks::size_of(block.addr())
}

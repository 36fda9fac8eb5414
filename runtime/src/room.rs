//! How much freed memory the C library keeps for the next call.
//!
//! Question answered: why are further equal gradients fast? A fresh page costs more than the arithmetic on it. glibc
//! hands free memory back to the system as soon as there is more than twice the largest block that it ever freed; a primal
//! with one large array stays below, and its derivative, which makes a shadow of the array too, would meet fresh pages in
//! each call. glibc takes its measure from what is freed, so a block is freed to it, larger than the shadow, that nobody has
//! touched: no page of it was ever there.
//! Many small shadows are like a large one: the reverse sweep frees the newest first, from the end of the heap on, and glibc would
//! hand it back page by page, with a system call for each. So all shadows that a thread has asked for count; some were freed
//! long ago, but where the heap never was so large, nothing is kept that would not be.
//! Another library allocates and frees a block for nothing, once for each shadow larger than all before.

use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The array, its shadow, and as many of a second array.
const TIMES: usize = 4;

/// Below, glibc keeps what is freed in any case.
const SMALL: usize = 64 << 10;

/// The largest block that glibc learns from, less what it adds itself.
const LARGEST: usize = (32 << 20) - (64 << 10);

/// The largest block freed so far.
static FREED: AtomicUsize = AtomicUsize::new(SMALL * TIMES);

thread_local! {
    /// The bytes of all shadows that the thread has asked for.
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

/// Before a shadow of so many bytes is allocated.
pub fn make_room(bytes: usize) {
    let asked = ASKED.get().saturating_add(bytes);
    ASKED.set(asked);
    // Each time room is made for twice as much, so that it is seldom made.
    let all = if asked > FREED.load(Relaxed) { asked.saturating_mul(2) } else { 0 };
    let wanted = bytes.saturating_mul(TIMES).max(all).min(LARGEST);
    if wanted <= FREED.load(Relaxed) || FREED.fetch_max(wanted, Relaxed) >= wanted {
        return;
    }
    // SAFETY: any size may be asked for, and null may be freed. The compiler must not see that nobody uses the block.
    unsafe { libc::free(black_box(libc::malloc(wanted))) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_made_once_for_each_larger_shadow_and_for_many_small_ones() {
        make_room(1 << 10);
        assert_eq!(FREED.load(Relaxed), SMALL * TIMES, "small ones ask for nothing");
        for _ in 0..256 {
            make_room(1 << 10);
        }
        assert_eq!(FREED.load(Relaxed), (1 << 19) + (1 << 11), "but all together do, for twice as much");
        make_room(1 << 20);
        assert_eq!(FREED.load(Relaxed), 4 << 20);
        make_room(1 << 19);
        assert_eq!(FREED.load(Relaxed), 4 << 20);
        make_room(usize::MAX);
        assert_eq!(FREED.load(Relaxed), LARGEST, "glibc learns nothing from larger ones");
    }
}

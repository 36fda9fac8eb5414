//! The gates of the fast path: how far a stack may rise or fall before it must enter the runtime again.
//!
//! Input → output: a wanted rise or fall → memory, quota and residency for it, and new `floor` and `limit`.
//! Invariant: afterwards `floor <= top`, and `top + rise <= limit`; if that cannot be had, the failure is
//! reported before any record has moved. Under a limit or a spill file the gates lie close to the top, so that
//! what the stack leaves behind is handed back; otherwise they are the ends of the chunk.

use crate::config::config;
use crate::failure::{FailureKind, fail, fail_with_os_error};
use crate::pager;
use crate::quota;
use crate::region::Refusal;
use crate::stack::GRAIN;
use crate::state::Stack;

impl Stack<'_> {
    /// Makes room for `bytes` above the top.
    pub fn open_above(&mut self, bytes: usize) {
        self.take_quota(bytes);
        if self.room_in_chunk() < bytes {
            self.climb(bytes);
        }
        self.commit(bytes);
        self.set_gates();
    }

    /// Sees to it that a stack has a first chunk, so that a mark has an address.
    pub fn ensure_chunk(&mut self) {
        if self.inner.chunks.current().is_none() {
            self.climb(0);
            self.set_gates();
        }
    }

    /// Finds the newest `bytes` of the stack: afterwards they lie below the top in one chunk.
    pub fn reach_below(&mut self, bytes: usize) {
        let held = self.front.current_bytes();
        if held < bytes {
            self.refuse_pop(bytes, held);
        }
        while bytes > 0 && self.used_in_chunk() == 0 {
            self.descend();
        }
        if self.used_in_chunk() < bytes {
            self.refuse_pop(bytes, held);
        }
    }

    /// After the top has fallen: hands back what was left behind, and moves the gates after it.
    pub fn settle(&mut self) {
        self.return_quota();
        let used = self.used_in_chunk();
        if let (Some(chunk), Some(residency)) = (self.inner.chunks.current(), &mut self.inner.residency) {
            residency.fall_to(used, &chunk.region);
        }
        self.set_gates();
    }

    /// Goes down one chunk. The caller knows that the stack holds more than the current one.
    pub fn descend(&mut self) {
        let top = self.used_in_chunk();
        if let (Some(chunk), Some(residency)) = (self.inner.chunks.current(), &mut self.inner.residency) {
            residency.leave(top, &chunk.region);
        }
        if let Some(chunk) = self.inner.chunks.descend() {
            let base = chunk.region.base();
            self.front.note_peak();
            self.front.move_to(base, chunk.below, base.wrapping_add(chunk.used));
            if let Some(residency) = &mut self.inner.residency {
                residency.enter(chunk.used);
            }
        }
    }

    /// Goes up again to a chunk that the stack has come down from, and has a top in it.
    pub fn go_back_to(&mut self, index: usize, top: *mut u8) {
        let used = self.used_in_chunk();
        if let (Some(chunk), Some(residency)) = (self.inner.chunks.current(), &mut self.inner.residency) {
            residency.leave(used, &chunk.region);
        }
        if let Some(chunk) = self.inner.chunks.go_to(index) {
            let base = chunk.region.base();
            self.front.move_to(base, chunk.below, top);
            if let Some(residency) = &mut self.inner.residency {
                residency.enter(top.addr() - base.addr());
            }
        }
    }

    pub fn used_in_chunk(&mut self) -> usize {
        let top = self.front.top();
        self.inner.chunks.current().map_or(0, |chunk| top.addr() - chunk.region.base().addr())
    }

    fn room_in_chunk(&mut self) -> usize {
        let used = self.used_in_chunk();
        self.inner.chunks.current().map_or(0, |chunk| chunk.region.reserved() - used)
    }

    fn climb(&mut self, bytes: usize) {
        let (held, used) = (self.front.current_bytes(), self.used_in_chunk());
        if let (Some(chunk), Some(residency)) = (self.inner.chunks.current(), &mut self.inner.residency) {
            self.front.count_spilled(residency.leave(used, &chunk.region));
        }
        if let Err(refusal) = self.inner.chunks.climb(bytes, held, used) {
            self.refuse_memory(bytes, refusal);
        }
        if let Some(chunk) = self.inner.chunks.current() {
            if let Some(residency) = &mut self.inner.residency {
                residency.enter(0);
            }
            let base = chunk.region.base();
            self.front.move_to(base, held, base);
        }
    }

    fn commit(&mut self, bytes: usize) {
        let end = self.used_in_chunk() + bytes;
        let ahead = self.inner.residency.map_or(0, |residency| residency.step());
        let Some(chunk) = self.inner.chunks.current() else { return };
        if let Err(refusal) = chunk.region.commit(end, ahead) {
            self.refuse_memory(bytes, refusal);
        }
        if chunk.region.is_file_backed()
            && let Some(residency) = &mut self.inner.residency
        {
            self.front.count_spilled(residency.rise_to(end, &chunk.region));
            if pager::is_too_large(bytes) {
                chunk.region.watch();
            }
        }
    }

    fn set_gates(&mut self) {
        let held = self.front.current_bytes();
        let used = self.used_in_chunk();
        let Some(chunk) = self.inner.chunks.current() else { return };
        let base = chunk.region.base();
        let (mut floor, mut limit) = (0, chunk.region.committed());
        if let Some(most) = config().limit {
            // What is left of a limit that is no multiple of the grain holds no record.
            limit = limit.min(used + ((self.inner.granted - held) & !(GRAIN - 1)));
            floor = floor.max(used.saturating_sub(quota::granule(most)));
        }
        if chunk.region.is_file_backed()
            && let Some(residency) = &self.inner.residency
        {
            limit = limit.min(residency.high().max(used));
            floor = floor.max(residency.low().min(used));
        }
        debug_assert!(floor <= used && used <= limit, "the gates enclose the top");
        debug_assert!(floor % GRAIN == 0 && limit % GRAIN == 0, "the gates lie where records begin and end");
        self.front.set_gates(base.wrapping_add(floor), base.wrapping_add(limit));
    }

    pub fn take_quota(&mut self, bytes: usize) {
        let Some(limit) = config().limit else { return };
        let held = self.front.current_bytes();
        let free = self.inner.granted - held;
        if free < bytes {
            let needed = bytes - free;
            match quota::take(limit, needed, needed.saturating_add(quota::granule(limit))) {
                Some(taken) => self.inner.granted += taken,
                None => quota::refuse(limit, bytes, held, self.function),
            }
        }
    }

    /// Hands back what lies more than a granule above the top.
    pub fn return_quota(&mut self) {
        let Some(limit) = config().limit else { return };
        let keep = self.front.current_bytes() + quota::granule(limit);
        if self.inner.granted > keep {
            quota::give_back(self.inner.granted - keep);
            self.inner.granted = keep;
        }
    }

    pub fn refuse_pop(&self, bytes: usize, held: usize) -> ! {
        fail(
            FailureKind::UnmatchedPop,
            self.function,
            bytes,
            format_args!(
                "unmatched pop: {} takes {bytes} bytes from a tape that holds {held} in this place",
                self.function
            ),
        )
    }

    fn refuse_memory(&self, bytes: usize, refusal: Refusal) -> ! {
        let function = self.function;
        match refusal {
            Refusal::Memory(errno) => fail_with_os_error(
                FailureKind::Memory,
                function,
                bytes,
                errno,
                format_args!("the system refused memory for {bytes} bytes of {function}"),
            ),
            Refusal::Spill(errno) => fail_with_os_error(
                FailureKind::Spill,
                function,
                bytes,
                errno,
                format_args!("the spill file could not grow by {bytes} bytes for {function}"),
            ),
        }
    }
}

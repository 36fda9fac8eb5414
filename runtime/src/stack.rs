//! Push, pop, mark and release on one stack: the slow path, which is also the checked one.
//!
//! Input → output: sizes → places on the tape.
//! Invariant: sizes are rounded up to `GRAIN`, so the top is always aligned to it and a pop of the same size
//! finds the record. In a checked run both gates stay shut (`floor == top == limit`), so every record comes
//! through here and carries a tag.

use crate::config::{Checking, config};
use crate::failure::{FailureKind, fail};
use crate::region::round_up;
use crate::state::Stack;
use crate::tag::{RecordKind, Tag};

/// Every record is a multiple of this, and aligned to it.
pub const GRAIN: usize = 8;

/// The largest alignment a block may ask for.
pub const MAX_ALIGN: usize = 4096;

impl Stack<'_> {
    /// Takes `bytes` above the top for a record and returns its first byte.
    pub fn push(&mut self, bytes: usize, kind: RecordKind) -> *mut u8 {
        let Some(rounded) = round_up(bytes, GRAIN).filter(|r| *r <= isize::MAX as usize) else {
            self.refuse_size(bytes)
        };
        match config().checking {
            Checking::Off => self.rise(rounded),
            Checking::On if rounded == 0 => self.front.top(),
            Checking::On => self.push_tagged(rounded, kind),
        }
    }

    /// Takes the newest record off and returns its first byte; it stays readable until the next push.
    pub fn pop(&mut self, bytes: usize, kind: RecordKind) -> *mut u8 {
        let Some(rounded) = round_up(bytes, GRAIN) else { self.refuse_size(bytes) };
        match config().checking {
            Checking::Off => self.fall(rounded),
            Checking::On if rounded == 0 => self.front.top(),
            Checking::On => self.pop_tagged(rounded, kind),
        }
    }

    /// A block aligned beyond the grain. Behind it stands a word with the padding before it: a pop cannot
    /// know it otherwise.
    pub fn push_aligned(&mut self, bytes: usize, align: usize, kind: RecordKind) -> *mut u8 {
        self.check_alignment(align);
        if align <= GRAIN {
            return self.push(bytes, kind);
        }
        let most = round_up(bytes, GRAIN).and_then(|b| b.checked_add(align)).unwrap_or(usize::MAX);
        let start = self.push(most, kind);
        let padding = start.align_offset(align);
        // SAFETY: the padding word lies within the `most` bytes just pushed: its end is bytes + align, the
        // padding is at most align - GRAIN, and both the start and the end are aligned to GRAIN.
        unsafe { start.add(most - GRAIN).cast::<usize>().write(padding) };
        start.wrapping_add(padding)
    }

    pub fn pop_aligned(&mut self, bytes: usize, align: usize, kind: RecordKind) -> *mut u8 {
        self.check_alignment(align);
        if align <= GRAIN {
            return self.pop(bytes, kind);
        }
        let most = round_up(bytes, GRAIN).and_then(|b| b.checked_add(align)).unwrap_or(usize::MAX);
        let start = self.pop(most, kind);
        // SAFETY: written by `push_aligned` for a block of the same size and alignment.
        let padding = unsafe { start.add(most - GRAIN).cast::<usize>().read() };
        if padding >= align {
            self.refuse_order(bytes, format_args!("{} pops a block with another alignment", self.function));
        }
        start.wrapping_add(padding)
    }

    /// The newest record's first byte, without taking the record off.
    pub fn peek(&mut self, bytes: usize, kind: RecordKind) -> *mut u8 {
        let Some(rounded) = round_up(bytes, GRAIN) else { self.refuse_size(bytes) };
        let tag_bytes = match config().checking {
            Checking::On if rounded > 0 => {
                self.verify_newest(rounded, kind);
                Tag::BYTES
            }
            _ => 0,
        };
        self.front.note_peak();
        self.reach_below(rounded + tag_bytes);
        self.settle();
        self.shut_gates_if_checked();
        self.front.top().wrapping_sub(rounded + tag_bytes)
    }

    /// The place that `release` comes back to.
    pub fn mark(&mut self) -> *mut u8 {
        self.ensure_chunk();
        // The bottom of an empty chunk and the end of the one beneath are the same place; the lower name is the
        // one that stays valid, because a stack may step down without popping a record.
        while self.used_in_chunk() == 0 && self.inner.chunks.current_index() > 0 {
            self.descend();
        }
        self.settle();
        self.shut_gates_if_checked();
        self.front.top()
    }

    /// Cuts the stack back to a mark taken earlier.
    pub fn release(&mut self, mark: *mut u8) {
        self.front.note_peak();
        match config().checking {
            Checking::Off => self.cut_to(mark),
            Checking::On => self.cut_tags_to(mark),
        }
        self.settle();
        self.shut_gates_if_checked();
    }

    /// Puts back what was popped since the top was at `mark`; nothing was pushed since then.
    pub fn rewind(&mut self, mark: *mut u8) {
        let now = self.front.current_bytes();
        let Some((index, held)) = self.inner.chunks.locate(mark).filter(|(_, held)| *held >= now) else {
            self.refuse_mark()
        };
        self.front.note_peak();
        self.take_quota(held - now);
        self.go_back_to(index, mark);
        self.front.take_back_popped(held - now);
        self.settle();
        self.shut_gates_if_checked();
    }

    /// Gives the memory above the top back to the system.
    pub fn trim(&mut self) {
        self.front.note_peak();
        let used = self.used_in_chunk();
        self.inner.chunks.trim(used);
        if let Some(residency) = &mut self.inner.residency {
            residency.cut(used);
        }
        self.settle();
        self.shut_gates_if_checked();
    }

    fn rise(&mut self, bytes: usize) -> *mut u8 {
        if self.front.room() < bytes {
            self.open_above(bytes);
        }
        let start = self.front.top();
        self.front.set_top(start.wrapping_add(bytes));
        self.front.count_push();
        start
    }

    fn fall(&mut self, bytes: usize) -> *mut u8 {
        self.front.note_peak();
        let gate_is_near = self.front.depth() < bytes;
        if gate_is_near {
            self.reach_below(bytes);
        }
        let start = self.front.top().wrapping_sub(bytes);
        self.front.set_top(start);
        self.front.count_popped(bytes);
        if gate_is_near {
            self.settle();
        }
        start
    }

    fn push_tagged(&mut self, bytes: usize, kind: RecordKind) -> *mut u8 {
        let start = self.rise(bytes + Tag::BYTES);
        let at = start.wrapping_add(bytes);
        // SAFETY: `rise` gave bytes + Tag::BYTES from `start`, aligned to the grain.
        unsafe { at.cast::<Tag>().write(Tag::new(bytes, kind, self.function, at)) };
        self.shut_gates_if_checked();
        start
    }

    fn pop_tagged(&mut self, bytes: usize, kind: RecordKind) -> *mut u8 {
        self.verify_newest(bytes, kind);
        let start = self.fall(bytes + Tag::BYTES);
        self.shut_gates_if_checked();
        start
    }

    fn verify_newest(&mut self, bytes: usize, kind: RecordKind) {
        let tag = self.newest_tag(bytes);
        if tag.bytes != bytes || tag.kind.read() != Some(kind) {
            let (was, pusher) = (tag.kind.read().unwrap_or(kind), tag.pusher());
            self.refuse_order(
                bytes,
                format_args!(
                    "{} pops {kind} of {bytes} bytes, but the newest is {was} of {} bytes pushed by {pusher}",
                    self.function, tag.bytes
                ),
            );
        }
    }

    /// The tag behind the newest record, verified.
    fn newest_tag(&mut self, bytes: usize) -> Tag {
        self.front.note_peak();
        if self.front.current_bytes() < Tag::BYTES {
            self.refuse_pop(bytes, self.front.current_bytes());
        }
        self.reach_below(Tag::BYTES);
        let at = self.front.top().wrapping_sub(Tag::BYTES);
        // SAFETY: at least a tag's bytes lie below the top, in committed memory.
        let tag = unsafe { at.cast::<Tag>().read() };
        if !tag.is_intact(at) {
            fail(
                FailureKind::Corrupt,
                self.function,
                bytes,
                format_args!(
                    "corrupt: the end of the newest record was overwritten (found by {})",
                    self.function
                ),
            );
        }
        tag
    }

    fn cut_to(&mut self, mark: *mut u8) {
        let held = self.front.current_bytes();
        while !self.chunk_holds(mark) {
            self.descend_to_mark();
        }
        self.front.set_top(mark);
        self.front.count_popped(held - self.front.current_bytes());
        self.front.set_gates(mark, mark);
    }

    /// In a checked run the mark must be the end of a record.
    fn cut_tags_to(&mut self, mark: *mut u8) {
        while self.front.top() != mark {
            if self.used_in_chunk() == 0 {
                self.descend_to_mark();
                continue;
            }
            if self.chunk_holds_address(mark) && self.front.top() < mark {
                self.refuse_mark();
            }
            let tag = self.newest_tag(0);
            self.fall(tag.bytes + Tag::BYTES);
        }
    }

    fn descend_to_mark(&mut self) {
        if self.inner.chunks.current_index() == 0 {
            self.refuse_mark();
        }
        self.descend();
    }

    fn chunk_holds(&mut self, mark: *mut u8) -> bool {
        self.chunk_holds_address(mark) && mark <= self.front.top()
    }

    fn chunk_holds_address(&mut self, mark: *mut u8) -> bool {
        let Some(chunk) = self.inner.chunks.current() else { return false };
        let base = chunk.region.base();
        (base..=base.wrapping_add(chunk.region.reserved())).contains(&mark)
    }

    fn shut_gates_if_checked(&self) {
        if config().checking == Checking::On {
            self.front.set_gates(self.front.top(), self.front.top());
        }
    }

    fn check_alignment(&self, align: usize) {
        if !align.is_power_of_two() || align > MAX_ALIGN {
            self.refuse_order(align, format_args!("{} asks for an alignment of {align}", self.function));
        }
    }

    fn refuse_order(&self, bytes: usize, text: std::fmt::Arguments<'_>) -> ! {
        fail(FailureKind::Order, self.function, bytes, format_args!("wrong order: {text}"))
    }

    fn refuse_mark(&self) -> ! {
        fail(
            FailureKind::BadMark,
            self.function,
            0,
            format_args!("{} releases to a mark that is no longer on the tape", self.function),
        )
    }

    fn refuse_size(&self, bytes: usize) -> ! {
        fail(
            FailureKind::Memory,
            self.function,
            bytes,
            format_args!("{} asks for {bytes} bytes, more than there are addresses", self.function),
        )
    }
}

//! Tags of the checked build (`BACKSWEEP_TAPE_CHECK=1`): 32 bytes behind every record.
//!
//! Input → output: what is pushed → a tag; what is popped and the tag → fine, or the one thing that is wrong.
//! Invariant: the seal depends on the tag's own address and contents, so a tag that was overwritten, moved or
//! never written does not verify (up to chance 2⁻⁶⁴).

use crate::function::Function;
use std::ffi::c_char;
use std::fmt;

/// What a record was pushed as; it must be popped as the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum RecordKind {
    Record = 1,
    Block = 2,
    Snapshot = 3,
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RecordKind::Record => "a record",
            RecordKind::Block => "a block",
            RecordKind::Snapshot => "a snapshot",
        })
    }
}

/// The tag as it lies on the tape, 8-byte aligned.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Tag {
    pub bytes: usize,
    pub kind: RecordKindWord,
    pub function: *const c_char,
    seal: usize,
}

/// A kind as it may stand on a damaged tape: any word at all.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct RecordKindWord(usize);

impl RecordKindWord {
    pub fn read(self) -> Option<RecordKind> {
        [RecordKind::Record, RecordKind::Block, RecordKind::Snapshot]
            .into_iter()
            .find(|k| *k as usize == self.0)
    }
}

impl Tag {
    pub const BYTES: usize = size_of::<Tag>();

    /// The tag of a record of `bytes`, to be written at `at`.
    pub fn new(bytes: usize, kind: RecordKind, function: Function, at: *const u8) -> Tag {
        let mut tag =
            Tag { bytes, kind: RecordKindWord(kind as usize), function: function.as_ptr(), seal: 0 };
        tag.seal = tag.seal_at(at);
        tag
    }

    pub fn is_intact(&self, at: *const u8) -> bool {
        self.seal == self.seal_at(at) && self.kind.read().is_some()
    }

    pub fn pusher(&self) -> Function {
        Function::new(self.function)
    }

    fn seal_at(&self, at: *const u8) -> usize {
        let mut seal = 0x6261_636b_7377_6565_usize;
        for word in [self.bytes, self.kind.0, self.function.addr(), at.addr()] {
            seal = (seal ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
        seal
    }
}

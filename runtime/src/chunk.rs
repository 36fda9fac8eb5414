//! The regions a stack stands on, bottom first.
//!
//! Input → output: "I need n bytes more than this region has" → the next region.
//! Invariant: records never span two chunks, so a record's bytes are contiguous. A thread's first chunk is a
//! large reservation and normally the only one; where reserving is refused, chunks grow geometrically.
//! Chunks above the current one are kept for the next rise.

use crate::config::config;
use crate::region::{Backing, HUGE_PAGE, Refusal, Region};
use crate::registry::REGISTRY;
use crate::spill_file::SpillFile;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub struct Chunk {
    pub region: Region,
    /// Bytes held by the chunks beneath when this one was entered.
    pub below: usize,
    /// Where the stack stood when it left this chunk upwards.
    pub used: usize,
}

/// Whether a stack is a thread's, worth a large reservation, or an object of which there may be many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    Reserved,
    Chunks,
}

pub struct Chunks {
    chunks: Vec<Chunk>,
    current: usize,
    extent: Extent,
    /// Set while the list itself is being changed: a fork at that moment must not walk it in the child.
    changing: AtomicBool,
}

const MIN_RESERVATION: usize = 64 << 20;
const FIRST_CHUNK: usize = 64 << 10;
const MAX_CHUNK: usize = 64 << 20;

/// A tape smaller than this is not worth a file of its own.
const MIN_FILE: usize = 1 << 20;

impl Chunks {
    pub const fn new(extent: Extent) -> Self {
        Chunks { chunks: Vec::new(), current: 0, extent, changing: AtomicBool::new(false) }
    }

    pub fn current(&mut self) -> Option<&mut Chunk> {
        self.chunks.get_mut(self.current)
    }

    /// Goes up to a chunk with room for `bytes`; `held` is what the stack holds and `used` of it in this chunk.
    pub fn climb(&mut self, bytes: usize, held: usize, used: usize) -> Result<(), Refusal> {
        let mut next = 0;
        if let Some(chunk) = self.current() {
            chunk.used = used;
            next = self.current + 1;
        }
        if self.chunks.get(next).is_none_or(|c| c.region.reserved() < bytes) {
            let region = self.make_region(bytes, next)?;
            self.changing.store(true, Relaxed);
            self.chunks.truncate(next);
            self.chunks.push(Chunk { region, below: held, used: 0 });
            self.changing.store(false, Relaxed);
        }
        self.chunks[next].below = held;
        self.current = next;
        Ok(())
    }

    /// Goes down one chunk, if there is one.
    pub fn descend(&mut self) -> Option<&mut Chunk> {
        self.current = self.current.checked_sub(1)?;
        self.current()
    }

    /// The chunk of this height or above that a place lies in, and the bytes that the stack holds there.
    pub fn locate(&self, place: *mut u8) -> Option<(usize, usize)> {
        let above = self.chunks.iter().enumerate().skip(self.current);
        let mut holding = above.filter_map(|(index, chunk)| {
            let offset = place.addr().checked_sub(chunk.region.base().addr())?;
            (offset <= chunk.region.committed()).then_some((index, chunk.below + offset))
        });
        holding.next()
    }

    /// Goes to a chunk that is there.
    pub fn go_to(&mut self, index: usize) -> Option<&mut Chunk> {
        self.current = index;
        self.current()
    }

    /// Drops what lies above the current chunk, and in it above `used`.
    pub fn trim(&mut self, used: usize) {
        self.changing.store(true, Relaxed);
        self.chunks.truncate(self.current + 1);
        self.changing.store(false, Relaxed);
        if let Some(chunk) = self.current() {
            chunk.region.discard_from(used);
        }
    }

    /// All chunks, for the fork handlers and for handing regions to the cache.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Chunk> {
        self.chunks.iter_mut()
    }

    pub fn is_changing(&self) -> bool {
        self.changing.load(Relaxed)
    }

    pub fn current_index(&self) -> usize {
        self.current
    }

    pub fn take_regions(&mut self) -> Vec<Region> {
        self.current = 0;
        std::mem::take(&mut self.chunks).into_iter().map(|chunk| chunk.region).collect()
    }

    fn make_region(&self, bytes: usize, index: usize) -> Result<Region, Refusal> {
        if index == 0
            && self.extent == Extent::Reserved
            && let Some(region) = reserve_largest(bytes)?
        {
            return Ok(region);
        }
        let doubled = FIRST_CHUNK.checked_shl(index as u32).unwrap_or(MAX_CHUNK).min(MAX_CHUNK);
        let size = bytes.max(doubled);
        if self.extent == Extent::Chunks
            && let Some(region) = REGISTRY.with(|registry| registry.cache.take(size))
        {
            return Ok(region);
        }
        reserve_region(size)
    }
}

/// The configured reservation, halved until the system grants it; None means chunks.
fn reserve_largest(bytes: usize) -> Result<Option<Region>, Refusal> {
    let mut size = config().reserve;
    while size >= MIN_RESERVATION.max(bytes) {
        match reserve_region(size) {
            Err(Refusal::Memory(_)) => size /= 2,
            outcome => return outcome.map(Some),
        }
    }
    Ok(None)
}

/// A region of at least `bytes`, behind it a file if one was asked for and it pays.
pub fn reserve_region(bytes: usize) -> Result<Region, Refusal> {
    let backing = if config().spill.is_some() && bytes >= MIN_FILE {
        Backing::File(SpillFile::create().map_err(Refusal::Spill)?)
    } else {
        Backing::Anonymous
    };
    // A chunk that will be filled may as well begin on a huge page.
    let bytes =
        if bytes >= HUGE_PAGE { bytes.saturating_add(HUGE_PAGE - 1) & !(HUGE_PAGE - 1) } else { bytes };
    Region::reserve(bytes, backing)
}

//! Every stack of the process, and what the ended ones have left.
//!
//! Input → output: stacks that come and go → the list for statistics, the ledger for handles, the cache.
//! Invariant: a stack is listed from its creation until its memory is gone, so a sum over the list counts
//! every byte once; the list is touched only under `REGISTRY`.

use crate::cache::RegionCache;
use crate::lock::Lock;
use crate::state::State;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub static REGISTRY: Lock<Registry> = Lock::new(Registry::new());

/// A stack in the list. Only its front is read by threads that do not own it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listed(pub *mut State);

// SAFETY: the pointer is followed only under the lock, and only to fields that are atomic.
unsafe impl Send for Listed {}

/// A split-mode tape in the list.
#[derive(Clone, Copy)]
pub struct Allocation(pub *mut u8);

// SAFETY: the pointer is followed only under the lock, and only to the header.
unsafe impl Send for Allocation {}

/// The figures of one stack, of the ended ones, or of all.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Figures {
    pub current: usize,
    pub peak: usize,
    pub total: usize,
    pub pushes: usize,
    pub spilled: usize,
}

pub struct Registry {
    pub stacks: BTreeSet<Listed>,
    /// Sums over the stacks that have ended; `peak` here is the process-wide one seen so far.
    pub ended: Figures,
    pub cache: RegionCache,
    /// The allocations of `bs_rt_tape_alloc` that live, by address: all in a checked run, else those in a spill file.
    pub live: BTreeMap<usize, Allocation>,
    /// Freed ones whose addresses are not used again yet, so that a second free is recognised.
    pub quarantine: VecDeque<(usize, usize)>,
}

impl Registry {
    const fn new() -> Self {
        Registry {
            stacks: BTreeSet::new(),
            ended: Figures { current: 0, peak: 0, total: 0, pushes: 0, spilled: 0 },
            cache: RegionCache::new(),
            live: BTreeMap::new(),
            quarantine: VecDeque::new(),
        }
    }

    /// Takes a stack off the list and keeps its figures.
    pub fn retire(&mut self, stack: *mut State) {
        self.note_peak();
        if self.stacks.remove(&Listed(stack)) {
            // SAFETY: listed stacks are alive, and only atomic fields are read.
            let figures = Figures::of(unsafe { &(*stack).front });
            self.ended.total += figures.total;
            self.ended.pushes += figures.pushes;
            self.ended.spilled += figures.spilled;
        }
    }

    /// The sum of the peaks of the stacks that live at the same time: an upper bound of the true peak of the
    /// sum, and exact for one thread.
    pub fn note_peak(&mut self) {
        let living: usize = self.living().map(|figures| figures.peak).sum();
        self.ended.peak = self.ended.peak.max(living);
    }

    pub fn living(&self) -> impl Iterator<Item = Figures> {
        // SAFETY: as in `retire`.
        self.stacks.iter().map(|listed| Figures::of(unsafe { &(*listed.0).front }))
    }
}

impl Figures {
    pub fn of(front: &crate::state::Front) -> Figures {
        Figures {
            current: front.current_bytes(),
            peak: front.peak_bytes(),
            total: front.total_bytes(),
            pushes: front.pushes(),
            spilled: front.spilled(),
        }
    }
}

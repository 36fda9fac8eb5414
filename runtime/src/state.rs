//! The state block of one stack: what generated code sees of it, and what it does not.
//!
//! Invariant: `Front` is ABI: generated code and the C header read and write its fields by offset, on the
//! thread that uses the stack. Here the fields are atomics, used relaxed, because `bs_tape_stats` may read
//! them from another thread; its answer about a running thread is a snapshot, not a barrier.
//! `inner` is touched only by the thread that uses the stack.

use crate::chunk::{Chunks, Extent};
use crate::config::config;
use crate::function::Function;
use crate::put_off::PutOff;
use crate::region::page_size;
use crate::residency::Residency;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

/// The first 64 bytes of a state block; see `struct bs_tape_state` in the header.
#[repr(C)]
#[derive(Default)]
pub struct Front {
    top: AtomicPtr<u8>,
    limit: AtomicPtr<u8>,
    floor: AtomicPtr<u8>,
    peak: AtomicPtr<u8>,
    pushes: AtomicUsize,
    origin: AtomicPtr<u8>,
    popped: AtomicUsize,
    spilled: AtomicUsize,
}

/// Whose stack it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The stack of one thread: any other thread's use is an error.
    Thread,
    /// An object: whoever has the handle uses it, one thread at a time.
    Object,
}

#[repr(C, align(64))]
pub struct State {
    pub front: Front,
    pub owner: Owner,
    pub inner: UnsafeCell<Inner>,
}

/// What only the slow path needs.
pub struct Inner {
    pub chunks: Chunks,
    /// Bytes granted under `BACKSWEEP_TAPE_LIMIT`, counted from the bottom of the stack.
    pub granted: usize,
    /// Set while the current chunk has a file behind it.
    pub residency: Option<Residency>,
    /// What is freed when the sweeps over this tape are done.
    pub put_off: PutOff,
}

impl State {
    pub fn new(owner: Owner) -> Box<State> {
        let extent = match owner {
            Owner::Thread => Extent::Reserved,
            Owner::Object => Extent::Chunks,
        };
        let inner = Inner {
            chunks: Chunks::new(extent),
            granted: 0,
            residency: config().spill.as_ref().map(|spill| Residency::new(spill.resident, page_size())),
            put_off: PutOff::default(),
        };
        Box::new(State { front: Front::default(), owner, inner: UnsafeCell::new(inner) })
    }
}

impl Front {
    pub fn top(&self) -> *mut u8 {
        self.top.load(Relaxed)
    }

    pub fn set_top(&self, top: *mut u8) {
        self.top.store(top, Relaxed);
    }

    pub fn limit(&self) -> *mut u8 {
        self.limit.load(Relaxed)
    }

    pub fn floor(&self) -> *mut u8 {
        self.floor.load(Relaxed)
    }

    pub fn set_gates(&self, floor: *mut u8, limit: *mut u8) {
        self.floor.store(floor, Relaxed);
        self.limit.store(limit, Relaxed);
    }

    pub fn room(&self) -> usize {
        self.limit().addr() - self.top().addr()
    }

    pub fn depth(&self) -> usize {
        self.top().addr() - self.floor().addr()
    }

    pub fn count_push(&self) {
        self.pushes.store(self.pushes.load(Relaxed).wrapping_add(1), Relaxed);
    }

    pub fn count_popped(&self, bytes: usize) {
        self.popped.store(self.popped.load(Relaxed).wrapping_add(bytes), Relaxed);
    }

    /// What was popped and put back was pushed once.
    pub fn take_back_popped(&self, bytes: usize) {
        self.popped.store(self.popped.load(Relaxed).wrapping_sub(bytes), Relaxed);
    }

    pub fn count_spilled(&self, bytes: usize) {
        self.spilled.store(self.spilled.load(Relaxed) + bytes, Relaxed);
    }

    /// Must run before the top falls: only then is a peak lost.
    pub fn note_peak(&self) {
        if self.top() > self.peak.load(Relaxed) {
            self.peak.store(self.top(), Relaxed);
        }
    }

    /// Moves the stack to another chunk, whose first byte is the `below`-th byte of the stack.
    pub fn move_to(&self, base: *mut u8, below: usize, top: *mut u8) {
        let peak = self.peak_bytes();
        let origin = base.wrapping_sub(below);
        self.origin.store(origin, Relaxed);
        self.peak.store(origin.wrapping_add(peak), Relaxed);
        self.set_top(top);
        self.set_gates(top, top);
    }

    pub fn current_bytes(&self) -> usize {
        self.top().addr().wrapping_sub(self.origin.load(Relaxed).addr())
    }

    pub fn peak_bytes(&self) -> usize {
        let origin = self.origin.load(Relaxed).addr();
        self.peak.load(Relaxed).addr().wrapping_sub(origin).max(self.current_bytes())
    }

    /// What was pushed is what was popped and what is still held.
    pub fn total_bytes(&self) -> usize {
        self.popped.load(Relaxed).wrapping_add(self.current_bytes())
    }

    pub fn pushes(&self) -> usize {
        self.pushes.load(Relaxed)
    }

    pub fn spilled(&self) -> usize {
        self.spilled.load(Relaxed)
    }
}

/// What travels with every entry: the stack and the function that uses it.
pub struct Stack<'a> {
    pub front: &'a Front,
    pub inner: &'a mut Inner,
    pub function: Function,
}

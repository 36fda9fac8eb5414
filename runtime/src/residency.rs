//! Which part of a file-backed region stays in memory.
//!
//! Input → output: the place where a stack works → the window `[low, high)` of offsets that may be resident,
//! and the ranges to evict for it.
//! Invariant: `high - low <= cap` after every move, except that a move upwards keeps all of the newest block.
//! Evicting never loses bytes (the file has them), so an imprecise window costs time and not truth.
//! Unsuitable for: bounding a single block larger than the cap while the caller fills it; see `docs/runtime.md`.

use crate::region::Region;

#[derive(Clone, Copy, Debug)]
pub struct Residency {
    low: usize,
    high: usize,
    cap: usize,
    step: usize,
}

impl Residency {
    /// A window of at most `cap` bytes, in steps of a power of two of at least a page.
    pub fn new(cap: usize, page: usize) -> Self {
        let cap = cap.max(4 * page);
        let step = (cap / 8).max(page);
        let step = 1_usize << step.ilog2();
        Residency { low: 0, high: 0, cap, step }
    }

    pub fn step(&self) -> usize {
        self.step
    }

    pub fn low(&self) -> usize {
        self.low
    }

    pub fn high(&self) -> usize {
        self.high
    }

    /// The stack grows to `top`: windows fall out at the bottom. Returns the bytes evicted.
    pub fn rise_to(&mut self, top: usize, region: &Region) -> usize {
        let end = (top | (self.step - 1)).saturating_add(1).min(region.committed());
        self.high = self.high.max(end.max(top));
        if self.high - self.low <= self.cap {
            return 0;
        }
        // Rounded up: a stack may have entered this region in the middle of a step.
        let low = (self.high - self.cap).next_multiple_of(self.step);
        let (from, to) = (self.low, low);
        region.evict(from, to);
        self.low = low;
        to - from
    }

    /// The stack falls to `bottom`: windows come in from the file, and what was popped goes.
    pub fn fall_to(&mut self, bottom: usize, region: &Region) {
        if bottom >= self.low {
            return;
        }
        // One step ahead of the sweep is read while it works on this one.
        self.low = (bottom & !(self.step - 1)).saturating_sub(self.step);
        region.read_ahead(self.low, (bottom & !(self.step - 1)) + self.step);
        let high = self.high.min(self.low + self.cap);
        region.evict(high, self.high.min(region.committed()));
        self.high = high;
    }

    /// What lies above `top` has been given back to the system.
    pub fn cut(&mut self, top: usize) {
        self.high = self.high.min(top.max(self.low));
    }

    /// The stack leaves this region for another: nothing of it needs to stay. Returns the bytes evicted.
    pub fn leave(&mut self, top: usize, region: &Region) -> usize {
        region.evict(self.low, self.high.min(region.committed()));
        self.high.min(top).saturating_sub(self.low)
    }

    /// The stack stands at `top` of a region of which nothing is resident as far as we know.
    pub fn enter(&mut self, top: usize) {
        self.low = top;
        self.high = top;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::Backing;

    /// Found by random programs: the window is entered at any offset and moves in whole steps.
    #[test]
    fn a_window_entered_in_the_middle_of_a_step() {
        const CAP: usize = 64 << 10;
        const ALL: usize = CAP + 4096;
        let mut region = Region::reserve(ALL, Backing::Anonymous).expect("a few pages of addresses");
        region.commit(ALL, 0).expect("a few pages of memory");
        let mut window = Residency::new(CAP, 4096);
        window.enter(80);
        let evicted = window.rise_to(ALL - 8, &region);
        assert!(window.high() - window.low() <= CAP, "{window:?} is larger than the cap");
        assert_eq!(
            (window.high(), evicted),
            (ALL, window.low() - 80),
            "what is below {window:?} fell out once"
        );
    }
}

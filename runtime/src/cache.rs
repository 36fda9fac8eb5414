//! Regions of freed tape objects, kept for the next one.
//!
//! Input → output: a freed region → the same region for an equal request.
//! Invariant: at most `SLOTS` regions and only anonymous ones (a file's blocks belong to the disk).
//! A fresh page costs more than the arithmetic on it, so the second of two equal calls must not meet any.

use crate::region::Region;

const SLOTS: usize = 16;

pub struct RegionCache {
    regions: Vec<Region>,
}

impl RegionCache {
    pub const fn new() -> Self {
        RegionCache { regions: Vec::new() }
    }

    /// The smallest kept region that holds `bytes` and is not more than twice as large.
    pub fn take(&mut self, bytes: usize) -> Option<Region> {
        let best = (0..self.regions.len())
            .filter(|&i| (bytes..=bytes.saturating_mul(2)).contains(&self.regions[i].committed()))
            .min_by_key(|&i| self.regions[i].committed())?;
        Some(self.regions.swap_remove(best))
    }

    /// Keeps a region; returns one that must go instead, so that it is unmapped outside the lock.
    pub fn put(&mut self, region: Region) -> Option<Region> {
        if region.is_file_backed() {
            return Some(region);
        }
        self.regions.push(region);
        (self.regions.len() > SLOTS).then(|| self.regions.swap_remove(0))
    }

    /// Hands over all that is kept.
    pub fn take_all(&mut self) -> Vec<Region> {
        std::mem::take(&mut self.regions)
    }
}

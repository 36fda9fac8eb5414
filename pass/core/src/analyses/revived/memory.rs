//! What is known of memory: where floats lie, and where integers that are marked.

use std::collections::{BTreeMap, BTreeSet};

use super::Mark;
use super::objects::{Link, moved};
use crate::analyses::offsets::{Extent, Offset};
use crate::model::{Layout, Type};

/// Bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    pub object: usize,
    pub extent: Extent,
}

/// More parts than these of one memory are taken for all of it.
const MOST_PARTS: usize = 24;

const DOUBLE: u64 = 8;

#[derive(Default)]
pub struct Memory {
    floats: BTreeMap<usize, BTreeSet<Extent>>,
    marked: BTreeMap<(Mark, usize), BTreeSet<Extent>>,
    /// The objects in which active values may lie.
    active: BTreeSet<usize>,
    /// The objects to which pointers are found in memory.
    findable: BTreeSet<usize>,
    /// What was computed and put in some of them.
    found: BTreeSet<Extent>,
    /// Whether anything has become known.
    grew: bool,
}

impl Memory {
    pub fn new(findable: BTreeSet<usize>, active: BTreeSet<usize>) -> Memory {
        Memory { findable, active, ..Memory::default() }
    }

    /// Whether anything has become known since this was asked.
    pub fn has_grown(&mut self) -> bool {
        std::mem::take(&mut self.grew)
    }

    /// Floats of a type, or lanes of them.
    pub fn add_floats(&mut self, spot: &Spot, ty: &Type) {
        let (lanes, element) = match ty {
            Type::Vector(lanes, element) => (u64::from(lanes.count), &**element),
            one => (1, one),
        };
        let Some(bytes) = Layout::default().store_size(element) else { return };
        for lane in 0..lanes {
            let at = spot.extent.at.moved_by(i128::from(lane * bytes));
            self.add_float(spot.object, Extent { at, bytes });
        }
    }

    fn add_float(&mut self, object: usize, extent: Extent) {
        self.grew |= add(self.floats.entry(object).or_default(), extent);
    }

    pub fn mark(&mut self, mark: Mark, Spot { object, extent }: Spot) {
        if mark != Mark::Bits && self.findable.contains(&object) {
            self.grew |= add(&mut self.found, extent);
        }
        self.grew |= add(self.marked.entry((mark, object)).or_default(), extent);
    }

    /// Whether a float that may be active lies there for certain, and more of it is read than the lower half of a double: where a program reads that alone,
    /// it keeps an integer there, in one word with doubles that others keep there.
    pub fn holds_active_float(&self, spot: &Spot) -> bool {
        let extent = spot.extent;
        let is_half =
            |part: &Extent| part.bytes == DOUBLE && 2 * extent.bytes <= DOUBLE && part.meets_at_start(extent);
        let mut parts = self.floats.get(&spot.object).into_iter().flatten();
        self.active.contains(&spot.object)
            && parts.any(|part| part.meets(extent) && part.at.is_as_exact_as(extent.at) && !is_half(part))
    }

    pub fn is_marked(&self, mark: Mark, spot: &Spot) -> bool {
        let is_met = |part: &Extent| part.meets(spot.extent);
        self.marked.get(&(mark, spot.object)).into_iter().flatten().any(is_met)
            || mark == Mark::Perhaps && self.findable.contains(&spot.object) && self.found.iter().any(is_met)
    }

    /// Says of one object what is known of another, which has the same there.
    pub fn hand_on(&mut self, (from, to): &Link) {
        let apart = (from.0 == to.0, from.1, to.1);
        let floats = self.floats.get(&from.0).cloned().unwrap_or_default();
        floats.into_iter().for_each(|part| self.add_float(to.0, moved(part, apart)));
        for mark in super::MARKS {
            let parts = self.marked.get(&(mark, from.0)).cloned().unwrap_or_default();
            let moved = parts.into_iter().map(|part| Spot { object: to.0, extent: moved(part, apart) });
            moved.for_each(|spot| self.mark(mark, spot));
        }
    }
}

/// Whether it is new.
fn add(parts: &mut BTreeSet<Extent>, part: Extent) -> bool {
    if parts.iter().any(|known| known.bytes >= part.bytes && known.at.covers(part.at)) {
        return false;
    }
    if parts.len() == MOST_PARTS {
        let bytes = parts.iter().map(|known| known.bytes).max().unwrap_or(1).max(part.bytes);
        *parts = BTreeSet::from([Extent { at: Offset { start: 0, stride: 1 }, bytes }]);
    } else {
        parts.insert(part);
    }
    true
}

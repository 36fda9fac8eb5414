//! What is known of memory: where floats lie, and where integers that are marked.

use std::collections::{BTreeMap, BTreeSet};

use super::Mark;
use crate::analyses::offsets::{Extent, Offset, gcd};
use crate::analyses::pointers::Base;
use crate::model::{Layout, Type};

/// Memory by one of its names: that of a function, by the number of its body. Globals have one name for all.
pub type Name = (usize, Base);

/// More parts than these of one memory are taken for all of it.
const MOST_PARTS: usize = 24;

const DOUBLE: u64 = 8;

#[derive(Default)]
pub struct Memory {
    floats: BTreeMap<Name, BTreeSet<Extent>>,
    marked: BTreeMap<(Mark, Name), BTreeSet<Extent>>,
    /// What was computed and put behind some pointer that may be found in memory.
    found: BTreeSet<Extent>,
    /// Whether anything has become known.
    grew: bool,
}

impl Memory {
    /// Whether anything has become known since this was asked.
    pub fn has_grown(&mut self) -> bool {
        std::mem::take(&mut self.grew)
    }

    /// Floats of a type, or lanes of them.
    pub fn add_floats(&mut self, name: &Name, extent: Extent, ty: &Type) {
        let (lanes, element) = match ty {
            Type::Vector(lanes, element) => (u64::from(lanes.count), &**element),
            one => (1, one),
        };
        let Some(bytes) = Layout::default().store_size(element) else { return };
        for lane in 0..lanes {
            let start = extent.at.start + i128::from(lane * bytes);
            self.add_float(name, Extent { at: Offset { start, ..extent.at }, bytes });
        }
    }

    fn add_float(&mut self, name: &Name, extent: Extent) {
        self.grew |= add(self.floats.entry(name.clone()).or_default(), extent);
    }

    pub fn mark(&mut self, mark: Mark, name: &Name, extent: Extent) {
        if may_be_found(&name.1) && mark != Mark::Bits {
            self.grew |= add(&mut self.found, extent);
        }
        self.grew |= add(self.marked.entry((mark, name.clone())).or_default(), extent);
    }

    /// Whether a float lies there for certain, and more of it is read than the lower half of a double: where a program reads that alone,
    /// it keeps an integer there, in one word with doubles that others keep there.
    pub fn holds_float(&self, name: &Name, extent: Extent) -> bool {
        let is_half =
            |part: &Extent| part.bytes == DOUBLE && 2 * extent.bytes <= DOUBLE && part.meets_at_start(extent);
        let mut parts = self.floats.get(name).into_iter().flatten();
        parts.any(|part| part.meets(extent) && part.at.is_as_exact_as(extent.at) && !is_half(part))
    }

    pub fn is_marked(&self, mark: Mark, name: &Name, extent: Extent) -> bool {
        let mut parts = self.marked.get(&(mark, name.clone())).into_iter().flatten();
        parts.any(|part| part.meets(extent))
            || mark == Mark::Perhaps
                && may_be_found(&name.1)
                && self.found.iter().any(|part| part.meets(extent))
    }

    /// Says of one memory what is known of another, which is the same, or was copied from there, and begins so far from it.
    pub fn hand_on(&mut self, from: &Name, to: &Name, apart: (Offset, Offset)) {
        let floats = self.floats.get(from).cloned().unwrap_or_default();
        floats.into_iter().for_each(|part| self.add_float(to, moved(part, apart)));
        for mark in super::MARKS {
            let parts = self.marked.get(&(mark, from.clone())).cloned().unwrap_or_default();
            parts.into_iter().for_each(|part| self.mark(mark, to, moved(part, apart)));
        }
    }
}

/// Whether others may come to memory by pointers that they find.
fn may_be_found(base: &Base) -> bool {
    matches!(base, Base::Loaded(_) | Base::Returned(_) | Base::Unknown)
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

/// A part that is seen from a pointer to `from`, as seen from one to `to`.
fn moved(part: Extent, (from, to): (Offset, Offset)) -> Extent {
    let stride = gcd(part.at.stride, gcd(from.stride, to.stride));
    let start = part.at.start - from.start + to.start;
    let start = i128::try_from(stride).ok().filter(|s| *s > 0).map_or(start, |s| start.rem_euclid(s));
    Extent { at: Offset { start, stride }, bytes: part.bytes }
}

//! The members of data-flow states: values, and what touches saw or will see of memory.
//!
//! A touch runs many times, each time at another address perhaps. A state that holds it therefore also says of when:
//! *level* `k` stands for the runs in the present iteration of the innermost `k` loops around the touch's `k`th loop and
//! all outside it. Whatever was computed outside deeper loops has not been computed anew since (or will not be until
//! then, backwards), so that an address made of that is the same now. Taking the back edge of a loop of depth `k` brings
//! every touch inside it down to level `k - 1`.
//! Safe error: a lower level.

use std::ops::Range;

use super::body::Body;
use super::touch::{Kind, Touch, TouchId};
use crate::analyses::bits::Bits;
use crate::analyses::solver::Edge;
use crate::dependence::nesting::Nesting;
use crate::model::{BlockId, LoopId, ValueId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Element {
    Value(ValueId),
    Touch(TouchId, usize),
}

/// Which bit of a state stands for what.
#[derive(Debug)]
pub struct Elements {
    values: usize,
    /// The first bit of each touch, and the end of the last.
    firsts: Vec<usize>,
    /// The least level at which the address is known to be the same; `None` where that is never known.
    constancy: Vec<Option<usize>>,
}

/// What a write does to the bytes of a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    /// Overwrites some of them, perhaps.
    May,
    /// Overwrites all of them.
    Must,
}

impl Elements {
    pub fn of(nesting: &Nesting, touches: &[Touch]) -> Elements {
        let values = nesting.function.params.len() + nesting.function.insts.len();
        let mut firsts = vec![values];
        let mut constancy = Vec::new();
        for touch in touches {
            let home = touch.inst().and_then(|id| nesting.home(id));
            let depth = home.map_or(0, |home| depth_of(nesting, home));
            firsts.push(firsts[firsts.len() - 1] + depth + 1);
            let like = touch.like.map(|like| &touches[like.0 as usize]);
            constancy.push(match (home, like) {
                (Some(home), _) => constancy_of(nesting, touch, home),
                // A caller sees an address that is one and the same in the whole call.
                (None, Some(like)) => {
                    let home = like.inst().and_then(|id| nesting.home(id));
                    home.and_then(|home| constancy_of(nesting, like, home)).filter(|level| *level == 0)
                }
                (None, None) => None,
            });
        }
        Elements { values, firsts, constancy }
    }

    pub fn value(&self, id: ValueId) -> usize {
        id.0 as usize
    }

    /// All levels of a touch.
    pub fn levels(&self, touch: TouchId) -> Range<usize> {
        self.firsts[touch.0 as usize]..self.firsts[touch.0 as usize + 1]
    }

    /// The bit of a touch that runs now.
    pub fn fresh(&self, touch: TouchId) -> usize {
        self.levels(touch).end - 1
    }

    pub fn element(&self, bit: usize) -> Element {
        if bit < self.values {
            return Element::Value(ValueId(bit as u32));
        }
        let touch = self.firsts.partition_point(|first| *first <= bit) - 1;
        Element::Touch(TouchId(touch as u32), bit - self.firsts[touch])
    }

    /// The bits of all touches.
    pub fn touches(&self) -> Range<usize> {
        self.values..self.firsts[self.firsts.len() - 1]
    }

    pub fn values(&self) -> Range<usize> {
        0..self.values
    }

    pub fn has(&self, state: &Bits, touch: TouchId) -> bool {
        self.levels(touch).any(|bit| state.contains(bit))
    }

    pub fn constancy(&self, touch: TouchId) -> Option<usize> {
        self.constancy[touch.0 as usize]
    }
}

/// How deep in loops a block is; 0 where loops are not known.
fn depth_of(nesting: &Nesting, block: BlockId) -> usize {
    if nesting.is_wild() { 0 } else { nesting.chain(block).len() }
}

/// The depth of the deepest loop that computes part of the address anew. Every one of them has to be around the touch:
/// what a loop computed last is not what it computed before.
fn constancy_of(nesting: &Nesting, touch: &Touch, home: BlockId) -> Option<usize> {
    let address = touch.address.as_ref()?;
    let depths = address.values().map(|value| {
        let Some(at) = nesting.home(value) else { return Some(0) };
        if nesting.is_wild() {
            return (!nesting.flow.is_cyclic(at)).then_some(0);
        }
        let of = nesting.innermost(at);
        of.is_none_or(|of| nesting.encloses(of, home)).then(|| of.map_or(0, |of| nesting.depth(of)))
    });
    depths.collect::<Option<Vec<usize>>>().map(|depths| depths.into_iter().max().unwrap_or(0))
}

impl Body<'_> {
    /// What a write does to the bytes that a bit of a state stands for.
    pub fn effect(&self, write: TouchId, bit: usize) -> Effect {
        let Element::Touch(touch, level) = self.elements.element(bit) else { return Effect::None };
        match self.compare_now(write, touch, level) {
            Some(effect) => effect,
            None if self.may_meet(write, touch) => Effect::May,
            None => Effect::None,
        }
    }

    /// By their addresses, where both are the same sum of values that are what they were.
    fn compare_now(&self, write: TouchId, touch: TouchId, level: usize) -> Option<Effect> {
        self.elements.constancy(write)?;
        if self.elements.constancy(touch)? > level {
            return None;
        }
        let (writer, other) = (self.touch(write), self.touch(touch));
        let ahead = writer.address.as_ref()?.distance(other.address.as_ref()?)?;
        let (written, seen) = (writer.span.bytes.map(i128::from), other.span.bytes.map(i128::from));
        let (written, seen) = (written?, seen?);
        Some(if ahead >= written || ahead + seen <= 0 {
            Effect::None
        } else if writer.sure && ahead >= 0 && ahead + seen <= written {
            Effect::Must
        } else {
            Effect::May
        })
    }

    /// The bits of a state, among touches of a kind, that may have a byte in common with a touch that runs now.
    pub fn met<'b>(
        &'b self,
        touch: TouchId,
        kind: Kind,
        state: &'b Bits,
    ) -> impl Iterator<Item = usize> + 'b {
        let of_kind = move |bit: &usize| match self.elements.element(*bit) {
            Element::Touch(other, _) => self.touch(other).kind == kind,
            Element::Value(_) => false,
        };
        state
            .within(self.elements.touches())
            .filter(of_kind)
            .filter(move |bit| self.effect(touch, *bit) != Effect::None)
    }

    pub fn meets_any(&self, touch: TouchId, kind: Kind, state: &Bits) -> bool {
        self.met(touch, kind, state).next().is_some()
    }

    /// Takes away what a write overwrites as a whole.
    pub fn remove_overwritten(&self, write: TouchId, state: &mut Bits) {
        if !self.touch(write).sure {
            return;
        }
        let gone: Vec<usize> = state
            .within(self.elements.touches())
            .filter(|bit| self.effect(write, *bit) == Effect::Must)
            .collect();
        gone.into_iter().for_each(|bit| state.remove(bit));
        let covered = self.covers.iter().filter(|cover| cover.by == write && cover.whole.is_none());
        covered.for_each(|cover| self.remove_covered(cover.of, cover.level, state));
    }

    pub(super) fn remove_covered(&self, touch: TouchId, level: usize, state: &mut Bits) {
        self.elements.levels(touch).skip(level).for_each(|bit| state.remove(bit));
    }

    /// Lets the iterations go by that an edge ends or begins.
    pub fn pass_edge(&self, edge: Edge, state: &mut Bits) {
        if self.nesting.is_wild() {
            return;
        }
        let Some(of) = self.closed_by(edge) else { return };
        let floor = self.nesting.depth(of) - 1;
        for touch in self.touch_ids().filter(|touch| self.is_inside(*touch, of)) {
            let levels = self.elements.levels(touch);
            let lowered = levels.start + floor;
            let above: Vec<usize> = state.within(lowered + 1..levels.end).collect();
            if !above.is_empty() {
                above.into_iter().for_each(|bit| state.remove(bit));
                state.insert(lowered);
            }
        }
    }

    /// The loop whose back edge this is.
    pub fn closed_by(&self, edge: Edge) -> Option<LoopId> {
        let loops = self
            .function
            .loops
            .iter()
            .position(|at| at.header == edge.to && at.blocks.binary_search(&edge.from).is_ok())?;
        Some(LoopId(loops as u32))
    }

    pub fn is_inside(&self, touch: TouchId, of: LoopId) -> bool {
        self.home(touch).is_some_and(|home| self.nesting.encloses(of, home))
    }
}

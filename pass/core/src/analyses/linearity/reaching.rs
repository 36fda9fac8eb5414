//! Which writes may each read of memory find?
//!
//! Lattice: sets of writes whose content may still be there, by inclusion, each with the iterations it is of (see
//! `memory::element`). Bottom: none. Direction: forward. Boundary: what callers wrote. Transfer: a write takes away what it
//! surely overwrites and adds itself (*gen* and *kill* of reaching definitions).
//! Safe error: a write too many.

use std::collections::BTreeMap;

use crate::analyses::bits::Bits;
use crate::analyses::memory::body::Body;
use crate::analyses::memory::element::Element;
use crate::analyses::memory::touch::{Kind, Spot, TouchId};
use crate::analyses::solver::{Analysis, Direction, Edge, solve};
use crate::model::{Inst, ValueId};

pub struct Reaching {
    found: BTreeMap<TouchId, Vec<Found>>,
}

/// A write that a read may find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub write: TouchId,
    /// The runs it may be: those in the present iteration of so many loops around the write, see `memory::element`.
    pub level: usize,
}

impl Reaching {
    pub fn of(body: &Body) -> Reaching {
        let analysis = Writes { body };
        let solution = solve(&analysis, body.function, body.flow());
        let mut reaching = Reaching { found: BTreeMap::new() };
        for block in body.blocks() {
            solution.replay(&analysis, body.function, block, &mut |id, _, before, _| {
                body.touches_of(id, Kind::Read).for_each(|read| reaching.note(body, read, before));
            });
            if body.flow().successors(block).is_empty() {
                let state = solution.exit(&analysis, body.function, block);
                let last = body.touch_ids().filter(|touch| body.touch(*touch).spot == Spot::Exit);
                last.for_each(|read| reaching.note(body, read, &state));
            }
        }
        reaching
    }

    /// The writes that a read may find.
    pub fn found(&self, read: TouchId) -> &[Found] {
        self.found.get(&read).map_or(&[], Vec::as_slice)
    }

    fn note(&mut self, body: &Body, read: TouchId, state: &Bits) {
        let known = self.found.entry(read).or_default();
        for bit in body.met(read, Kind::Write, state) {
            let Element::Touch(write, level) = body.elements.element(bit) else { continue };
            let found = Found { write, level };
            if !known.contains(&found) {
                known.push(found);
            }
        }
    }
}

struct Writes<'b, 'a> {
    body: &'b Body<'a>,
}

impl Analysis for Writes<'_, '_> {
    type State = Bits;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> Bits {
        Bits::default()
    }

    fn boundary(&self) -> Bits {
        let body = self.body;
        let before = |touch: &TouchId| body.touch(*touch).spot == Spot::Entry;
        body.touch_ids().filter(before).map(|touch| body.elements.fresh(touch)).collect()
    }

    fn apply(&self, id: ValueId, _: &Inst, state: &mut Bits) {
        for write in self.body.touches_of(id, Kind::Write) {
            self.body.remove_overwritten(write, state);
            state.insert(self.body.elements.fresh(write));
        }
    }

    fn cross(&self, edge: Edge, state: &mut Bits) {
        self.body.remove_behind(edge, &|_| true, state);
        self.body.pass_edge(edge, state);
    }
}

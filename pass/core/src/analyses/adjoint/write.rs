//! Adjoint write: which memory is not what it was, once the derivative of everything from here on has run?
//!
//! Lattice: sets of writes to memory, by inclusion. Bottom: the empty set. Direction: backward. Boundary: the empty set.
//! Transfer (equation 1.12): `out(I;D) = (out(I) ∪ out(D)) \ (kill(I) ∩ use(U))` where `I` is live, `out(D)` otherwise: what
//! is saved before `I` overwrites it comes back with everything that later instructions did to it.
//! A call that is run again for its derivative overwrites, whether it is live or not.
//! Safe error: in the set (a snapshot too large).

use std::collections::BTreeSet;

use super::liveness::Live;
use super::recorded::Recorded;
use super::uses::Uses;
use crate::analyses::bits::Bits;
use crate::analyses::memory::body::Body;
use crate::analyses::memory::element::{Effect, Element};
use crate::analyses::memory::touch::{Kind, TouchId};
use crate::analyses::solver::{Analysis, Direction, Edge, Solution, solve};
use crate::model::{BlockId, Inst, ValueId};

struct Writing<'b, 'a> {
    body: &'b Body<'a>,
    uses: &'b Uses,
    live: &'b Live<'b, 'a>,
    recorded: &'b Recorded<'b, 'a>,
}

pub struct Written<'b, 'a> {
    analysis: Writing<'b, 'a>,
    solution: Solution<Bits>,
}

pub fn find_written<'b, 'a>(
    body: &'b Body<'a>,
    uses: &'b Uses,
    live: &'b Live<'b, 'a>,
    recorded: &'b Recorded<'b, 'a>,
) -> Written<'b, 'a> {
    let analysis = Writing { body, uses, live, recorded };
    let solution = solve(&analysis, body.function, body.flow());
    Written { analysis, solution }
}

impl Written<'_, '_> {
    /// What the derivative of the whole function leaves overwritten.
    pub fn at_entry(&self) -> Bits {
        self.solution.exit(&self.analysis, self.analysis.body.function, BlockId(0))
    }

    /// Visits the instructions of a block, each with what is overwritten from before and from behind it on.
    pub fn replay(&self, block: BlockId, visit: &mut dyn FnMut(ValueId, &Inst, &Bits, &Bits)) {
        self.solution.replay(&self.analysis, self.analysis.body.function, block, visit);
    }

    /// The snapshot of a call that is run again for its derivative (model 1.11): of what that reads, the part that the
    /// call itself or the derivative of what follows it overwrites.
    pub fn snapshot(&self, call: ValueId) -> BTreeSet<TouchId> {
        let Writing { body, uses, live, .. } = self.analysis;
        let mut over: Bits = Bits::default();
        if let Some(block) = body.nesting.home(call) {
            self.replay(block, &mut |id, _, _, after| {
                if id == call {
                    over = after.clone();
                }
            });
        }
        if live.is_live(call) {
            over.extend(body.touches_of(call, Kind::Write).map(|write| body.elements.fresh(write)));
        }
        uses.touches_of(call).filter(|read| body.meets_any(*read, Kind::Write, &over)).collect()
    }
}

impl Analysis for Writing<'_, '_> {
    type State = Bits;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self) -> Bits {
        Bits::default()
    }

    fn boundary(&self) -> Bits {
        Bits::default()
    }

    fn apply(&self, id: ValueId, _: &Inst, state: &mut Bits) {
        let body = self.body;
        let live = self.live.is_live(id);
        let again: BTreeSet<TouchId> = self.uses.overwrites(id).collect();
        for write in body.touches_of(id, Kind::Write).filter(|write| live || again.contains(write)) {
            if !self.recorded.is_restored(write) {
                state.insert(body.elements.fresh(write));
            } else if body.touch(write).sure {
                let back: Vec<usize> = state
                    .within(body.elements.touches())
                    .filter(|bit| body.effect(write, *bit) == Effect::Must)
                    .filter(|bit| matches!(body.elements.element(*bit), Element::Touch(..)))
                    .collect();
                back.into_iter().for_each(|bit| state.remove(bit));
            }
        }
    }

    fn cross(&self, edge: Edge, state: &mut Bits) {
        let body = self.body;
        body.remove_ahead(edge, &|write| self.recorded.is_restored(write), state);
        body.pass_edge(edge, state);
    }
}

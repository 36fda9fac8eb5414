//! Where can a value be read again from memory, instead of being remembered?
//!
//! Lattice: sets of loads that have run, each with the level of its address, or with the mark that its memory may have
//! been overwritten since; by inclusion. Bottom: the empty set. Direction: forward. Boundary: no load has run.
//! Transfer: a load that runs is fresh; a write marks every load whose bytes it may overwrite.
//! A load that ran and is not marked finds the same bytes again.
//! Safe error: marked.

use crate::analyses::bits::Bits;
use crate::analyses::memory::body::Body;
use crate::analyses::memory::element::{Effect, Element};
use crate::analyses::memory::touch::{Kind, TouchId};
use crate::analyses::solver::{Analysis, Direction, Edge, Solution, solve};
use crate::model::{BlockId, Inst, Op, Ordering, ValueId};

pub struct Reloading<'b, 'a> {
    body: &'b Body<'a>,
}

pub struct Reloads<'b, 'a> {
    analysis: Reloading<'b, 'a>,
    solution: Solution<Bits>,
}

pub fn find_reloads<'b, 'a>(body: &'b Body<'a>) -> Reloads<'b, 'a> {
    let analysis = Reloading { body };
    let solution = solve(&analysis, body.function, body.flow());
    Reloads { analysis, solution }
}

impl Reloads<'_, '_> {
    /// Visits the instructions of a block, each with what is known before it.
    pub fn replay(&self, block: BlockId, visit: &mut dyn FnMut(ValueId, &Inst, &Bits)) {
        let function = self.analysis.body.function;
        self.solution
            .replay(&self.analysis, function, block, &mut |id, inst, before, _| visit(id, inst, before));
    }

    /// What is known behind an instruction.
    pub fn behind(&self, id: ValueId, inst: &Inst, before: &Bits) -> Bits {
        let mut state = before.clone();
        self.analysis.apply(id, inst, &mut state);
        state
    }

    /// The bits that stand for what a load read, where it can be read again.
    pub fn bits(&self, load: ValueId, state: &Bits) -> Option<(TouchId, Vec<usize>)> {
        let body = self.analysis.body;
        let inst = body.function.inst(load)?;
        let Op::Load(access) = &inst.op else { return None };
        if access.volatile || access.ordering != Ordering::NotAtomic {
            return None;
        }
        let touch = body.touches_of(load, Kind::Read).next()?;
        let bits: Vec<usize> = state.within(body.elements.levels(touch)).collect();
        (!bits.is_empty() && !state.contains(self.analysis.mark(touch))).then_some((touch, bits))
    }
}

impl Reloading<'_, '_> {
    /// The bit that says that a load's memory may have been overwritten.
    fn mark(&self, touch: TouchId) -> usize {
        self.body.elements.touches().end + touch.0 as usize
    }
}

impl Analysis for Reloading<'_, '_> {
    type State = Bits;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> Bits {
        Bits::default()
    }

    fn boundary(&self) -> Bits {
        Bits::default()
    }

    fn apply(&self, id: ValueId, inst: &Inst, state: &mut Bits) {
        let body = self.body;
        for write in body.touches_of(id, Kind::Write) {
            let hit: Vec<usize> = state
                .within(body.elements.touches())
                .filter(|bit| body.effect(write, *bit) != Effect::None)
                .collect();
            for bit in hit {
                state.remove(bit);
                if let Element::Touch(touch, _) = body.elements.element(bit) {
                    state.insert(self.mark(touch));
                }
            }
        }
        if matches!(inst.op, Op::Load(_)) {
            for read in body.touches_of(id, Kind::Read) {
                body.elements.levels(read).for_each(|bit| state.remove(bit));
                state.remove(self.mark(read));
                state.insert(body.elements.fresh(read));
            }
        }
    }

    fn cross(&self, edge: Edge, state: &mut Bits) {
        self.body.pass_edge(edge, state);
    }
}

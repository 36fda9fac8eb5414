//! Adjoint liveness: which values and which memory does the derivative still need, and so, which instructions of the
//! primal have to run for it?
//!
//! Lattice: sets of values and of reads of memory, by inclusion. Bottom: the empty set. Direction: backward.
//! Boundary: what somebody looks at after the function; for a derivative alone, nothing.
//! Transfer (equation 1.10): `live(I;D) = live(I') ∪ (live(D) ⊗ Dep(I))`. An instruction is *live* where
//! `out(I) ∩ live(D)` is not empty. Without derivative instructions `I'` this is the paper's classical liveness (1.5),
//! by which *Dep* of functions is found.
//! A branch is live where it decides whether something runs that is live or has a derivative instruction.
//! Safe error: live (costs work, never truth). Unsuitable for: deleting what may not return.

use std::collections::BTreeSet;

use super::uses::Uses;
use crate::analyses::bits::Bits;
use crate::analyses::control::Control;
use crate::analyses::memory::body::Body;
use crate::analyses::memory::touch::{Kind, Spot};
use crate::analyses::pointers::Base;
use crate::analyses::solver::{Analysis, Direction, Edge, Solution, solve};
use crate::analyses::summary::{Input, Output};
use crate::model::{BlockId, Inst, Op, Operand, ValueId};

/// What is looked at when the function has returned.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kept {
    pub result: bool,
    pub memory: BTreeSet<Base>,
    /// Whether what it does beside computing (input and output) counts as looked at.
    pub effects: bool,
}

pub struct Liveness<'b, 'a> {
    body: &'b Body<'a>,
    uses: &'b Uses,
    kept: &'b Kept,
    branches: BTreeSet<ValueId>,
}

pub struct Live<'b, 'a> {
    analysis: Liveness<'b, 'a>,
    solution: Solution<Bits>,
    insts: BTreeSet<ValueId>,
}

pub fn find_live<'b, 'a>(body: &'b Body<'a>, uses: &'b Uses, kept: &'b Kept) -> Live<'b, 'a> {
    let control = Control::of(body.function, body.flow());
    let mut analysis = Liveness { body, uses, kept, branches: BTreeSet::new() };
    loop {
        let solution = solve(&analysis, body.function, body.flow());
        let (insts, branches) = analysis.find_running(&solution, &control);
        if branches == analysis.branches {
            return Live { analysis, solution, insts };
        }
        analysis.branches.extend(branches);
    }
}

impl Live<'_, '_> {
    /// The predicate *adj-live* of an instruction and what follows it.
    pub fn is_live(&self, id: ValueId) -> bool {
        self.insts.contains(&id)
    }

    /// What is live where the function is entered.
    pub fn at_entry(&self) -> Bits {
        self.solution.exit(&self.analysis, self.analysis.body.function, BlockId(0))
    }

    /// Visits the instructions of a block, each with what is live before and after it.
    pub fn replay(&self, block: BlockId, visit: &mut dyn FnMut(ValueId, &Inst, &Bits, &Bits)) {
        self.solution.replay(&self.analysis, self.analysis.body.function, block, visit);
    }
}

impl Liveness<'_, '_> {
    /// The instructions that are live, and the branches that are by what they decide.
    fn find_running(
        &self,
        solution: &Solution<Bits>,
        control: &Control,
    ) -> (BTreeSet<ValueId>, BTreeSet<ValueId>) {
        let (mut insts, mut blocks, mut branches) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for block in self.body.blocks() {
            solution.replay(self, self.body.function, block, &mut |id, inst, before, after| {
                let phi = matches!(inst.op, Op::Phi { .. });
                let state = if phi { before } else { after };
                let live = self.is_live(id, inst, state);
                if live {
                    insts.insert(id);
                }
                if phi && live {
                    // Which value it takes is decided on the way here.
                    for from in self.body.flow().predecessors(block) {
                        blocks.insert(*from);
                        self.note_branch(*from, &mut branches);
                    }
                }
                if live || self.uses.has_adjoint(id) {
                    blocks.insert(block);
                }
            });
        }
        let mut waiting: Vec<BlockId> = blocks.into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(block) = waiting.pop() {
            for by in control.deciders(block) {
                self.note_branch(*by, &mut branches);
                if seen.insert(*by) {
                    waiting.push(*by);
                }
            }
        }
        insts.extend(&branches);
        (insts, branches)
    }

    fn note_branch(&self, block: BlockId, branches: &mut BTreeSet<ValueId>) {
        if self.body.flow().successors(block).len() > 1 {
            branches.extend(self.body.function.terminator(block));
        }
    }

    /// `out(I) ∩ live(D) ≠ ∅`, or somebody looks at its effects.
    fn is_live(&self, id: ValueId, inst: &Inst, after: &Bits) -> bool {
        let body = self.body;
        let hits = |write| body.meets_any(write, Kind::Read, after);
        after.contains(body.elements.value(id))
            || self.branches.contains(&id)
            || self.uses.is_halved(id)
            || matches!(inst.op, Op::Ret) && self.kept.result
            || self.kept.effects && body.has_effects(inst)
            || body.touches_of(id, Kind::Write).any(hits)
    }

    /// `live(D) ⊗ Dep(I)` for the outputs of a live instruction.
    fn add_inputs(&self, id: ValueId, inst: &Inst, after: &Bits, state: &mut Bits) {
        let body = self.body;
        let whole = self.uses.is_halved(id);
        let summary = body.callee(inst).filter(|summary| !(whole || summary.effects && self.kept.effects));
        let Some(summary) = summary else {
            self.add_operands(&inst.operands, state);
            state.extend(body.touches_of(id, Kind::Read).map(|touch| body.elements.fresh(touch)));
            return;
        };
        let mut outputs: BTreeSet<Output> = BTreeSet::new();
        if after.contains(body.elements.value(id)) {
            outputs.insert(Output::Result);
        }
        for write in body.touches_of(id, Kind::Write) {
            if body.meets_any(write, Kind::Read, after) {
                outputs.extend(body.touch(write).place.map(Output::Place));
            }
        }
        for input in outputs.iter().flat_map(|output| summary.depends(output)).chain(&summary.steers) {
            match input {
                Input::Param(at) => {
                    self.add_operands(inst.arguments().get(*at..=*at).unwrap_or_default(), state)
                }
                Input::Place(at) => {
                    let reads = body.touches_of(id, Kind::Read);
                    let reads = reads.filter(|read| body.touch(*read).place == Some(*at));
                    state.extend(reads.map(|read| body.elements.fresh(read)));
                }
            }
        }
        // Where the outputs go is an input as well.
        let pointers = inst.arguments().iter().filter(|x| body.function.operand_type(x).holds_pointer());
        pointers.for_each(|pointer| self.add_operands(std::slice::from_ref(pointer), state));
    }

    fn add_operands(&self, operands: &[Operand], state: &mut Bits) {
        let values = operands.iter().filter_map(Operand::value);
        state.extend(values.map(|value| self.body.elements.value(value)));
    }
}

impl Analysis for Liveness<'_, '_> {
    type State = Bits;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self) -> Bits {
        Bits::default()
    }

    fn boundary(&self) -> Bits {
        let body = self.body;
        let looked_at = body.touch_ids().filter(|touch| {
            let touch = body.touch(*touch);
            touch.spot == Spot::Exit && touch.bases.iter().any(|base| self.kept.memory.contains(base))
        });
        looked_at.map(|touch| body.elements.fresh(touch)).collect()
    }

    fn apply(&self, id: ValueId, inst: &Inst, state: &mut Bits) {
        if matches!(inst.op, Op::Phi { .. }) {
            return;
        }
        let body = self.body;
        if self.uses.reads_result(id) {
            state.insert(body.elements.value(id));
        }
        let after = state.clone();
        let live = self.is_live(id, inst, &after);
        state.remove(body.elements.value(id));
        if live {
            body.touches_of(id, Kind::Write).for_each(|write| body.remove_overwritten(write, state));
            self.add_inputs(id, inst, &after, state);
        }
        state.extend(self.uses.values_of(id).map(|value| body.elements.value(value)));
        state.extend(self.uses.touches_of(id).map(|touch| body.elements.fresh(touch)));
    }

    fn cross(&self, edge: Edge, state: &mut Bits) {
        let body = self.body;
        let mut arriving = Vec::new();
        for id in &body.function.block(edge.to).insts {
            let Some(inst) = body.function.inst(*id) else { continue };
            let Op::Phi { from } = &inst.op else { break };
            if state.contains(body.elements.value(*id)) {
                state.remove(body.elements.value(*id));
                let here = from.iter().zip(&inst.operands).filter(|(block, _)| **block == edge.from);
                arriving.extend(here.filter_map(|(_, operand)| operand.value()));
            }
        }
        state.extend(arriving.into_iter().map(|value| body.elements.value(value)));
        body.remove_ahead(edge, &|_| true, state);
        body.pass_edge(edge, state);
    }
}

//! Which values influence an active output, and where memory holds such values.
//!
//! Lattice: sets of reads of memory whose result is useful and that are still to come, by inclusion; beside it one set of
//! values, which in SSA form need no order. Bottom: nothing is useful. Direction: backward. Boundary: what active outputs
//! are read from.
//! Transfer: the operands of a useful result are useful where a derivative passes; what is stored is useful where a
//! useful read may find it; a write takes away the reads that it surely overwrites.
//! Safe error: useful.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use super::varied::flows;
use crate::analyses::bits::Bits;
use crate::analyses::meaning::Meaning;
use crate::analyses::memory::body::Body;
use crate::analyses::memory::touch::{Kind, Spot};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::pointers::Base;
use crate::analyses::solver::{Analysis, Direction, Edge, Solution, solve};
use crate::analyses::summary::{Input, Output};
use crate::model::{BlockId, Inst, Op, Operand, ValueId};

/// Active outputs of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outputs {
    pub result: bool,
    pub memory: BTreeSet<Base>,
}

struct Using<'b, 'a> {
    body: &'b Body<'a>,
    outputs: &'b Outputs,
    values: RefCell<Bits>,
    grew: Cell<bool>,
}

pub struct Useful<'b, 'a> {
    analysis: Using<'b, 'a>,
    solution: Solution<Bits>,
}

pub fn find_useful<'b, 'a>(body: &'b Body<'a>, outputs: &'b Outputs) -> Useful<'b, 'a> {
    let analysis = Using { body, outputs, values: RefCell::default(), grew: Cell::new(false) };
    loop {
        analysis.grew.set(false);
        let solution = solve(&analysis, body.function, body.flow());
        if !analysis.grew.get() {
            return Useful { analysis, solution };
        }
    }
}

impl Useful<'_, '_> {
    pub fn is_useful(&self, id: ValueId) -> bool {
        self.analysis.is_useful(id)
    }

    /// The reads that find what was there when the function was entered, and are useful.
    pub fn at_entry(&self) -> Bits {
        self.solution.exit(&self.analysis, self.analysis.body.function, BlockId(0))
    }

    /// Visits the instructions of a block, each with the useful reads that come after its start and after its end.
    pub fn replay(&self, block: BlockId, visit: &mut dyn FnMut(ValueId, &Inst, &Bits, &Bits)) {
        self.solution.replay(&self.analysis, self.analysis.body.function, block, visit);
    }
}

impl Using<'_, '_> {
    fn is_useful(&self, id: ValueId) -> bool {
        self.values.borrow().contains(self.body.elements.value(id))
    }

    fn note(&self, operands: &[Operand]) {
        for id in operands.iter().filter_map(Operand::value) {
            if self.values.borrow_mut().insert(self.body.elements.value(id)) {
                self.grew.set(true);
            }
        }
    }

    /// The outputs of a called function that are useful after the call.
    fn useful_outputs(&self, id: ValueId, after: &Bits) -> BTreeSet<Output> {
        let body = self.body;
        let writes =
            body.touches_of(id, Kind::Write).filter(|write| body.meets_any(*write, Kind::Read, after));
        let places = writes.filter_map(|write| body.touch(write).place).map(Output::Place);
        places.chain(self.is_useful(id).then_some(Output::Result)).collect()
    }

    fn note_inputs(&self, id: ValueId, inst: &Inst, after: &Bits, state: &mut Bits) {
        let body = self.body;
        let Some(summary) = body.callee(inst) else { return };
        for input in self.useful_outputs(id, after).iter().flat_map(|output| summary.carries(output)) {
            match input {
                Input::Param(at) => self.note(inst.arguments().get(*at..=*at).unwrap_or_default()),
                Input::Place(at) => {
                    let reads = body.touches_of(id, Kind::Read);
                    let reads = reads.filter(|read| body.touch(*read).place == Some(*at));
                    state.extend(reads.map(|read| body.elements.fresh(read)));
                }
            }
        }
    }

    /// What the derivative of one instruction goes back to.
    fn use_inputs(&self, id: ValueId, inst: &Inst, after: &Bits, state: &mut Bits) {
        let body = self.body;
        let hit = || body.touches_of(id, Kind::Write).any(|write| body.meets_any(write, Kind::Read, after));
        let wanted = self.is_useful(id);
        let reads = || body.touches_of(id, Kind::Read).map(|read| body.elements.fresh(read));
        match (&inst.op, memory_call(inst)) {
            (Op::Ret, _) if self.outputs.result => return self.note(&inst.operands),
            (Op::Load(_), _) if wanted => return state.extend(reads()),
            (Op::Store(_), _) if hit() => return self.note(&inst.operands[..1]),
            (Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::VaArg, _) if wanted || hit() => {
                self.note(&inst.operands);
                return state.extend(reads());
            }
            (_, Some(MemoryCall::Copy)) if hit() => return state.extend(reads()),
            (Op::Ret | Op::Load(_) | Op::Store(_) | Op::AtomicRmw { .. } | Op::CompareExchange { .. }, _)
            | (Op::VaArg, _)
            | (_, Some(_)) => return,
            _ => {}
        }
        match body.meaning(inst) {
            Meaning::Row { row, operands, .. } if wanted || hit() => {
                let real = (0..row.operands.len()).filter(|i| row.is_real_operand(*i) && flows(row, *i));
                real.for_each(|i| self.note(std::slice::from_ref(&operands[i])));
            }
            Meaning::Move | Meaning::Bits | Meaning::Reduction(_) if wanted => self.note(&inst.operands),
            Meaning::Call(_) if body.callee(inst).is_some() => self.note_inputs(id, inst, after, state),
            // What unknown code does with a value is not followed.
            Meaning::Call(_) | Meaning::Foreign(_) | Meaning::Opaque(_) => {
                self.note(&inst.operands);
                state.extend(reads());
            }
            Meaning::Row { .. }
            | Meaning::Move
            | Meaning::Bits
            | Meaning::Reduction(_)
            | Meaning::Memory
            | Meaning::Inactive(_)
            | Meaning::Control => {}
        }
    }
}

impl Analysis for Using<'_, '_> {
    type State = Bits;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self) -> Bits {
        Bits::default()
    }

    fn boundary(&self) -> Bits {
        let body = self.body;
        let active = body.touch_ids().filter(|touch| {
            let touch = body.touch(*touch);
            touch.spot == Spot::Exit && touch.bases.iter().any(|base| self.outputs.memory.contains(base))
        });
        active.map(|touch| body.elements.fresh(touch)).collect()
    }

    fn apply(&self, id: ValueId, inst: &Inst, state: &mut Bits) {
        let after = state.clone();
        self.body.touches_of(id, Kind::Write).for_each(|write| self.body.remove_overwritten(write, state));
        self.use_inputs(id, inst, &after, state);
    }

    fn cross(&self, edge: Edge, state: &mut Bits) {
        self.body.remove_ahead(edge, &|_| true, state);
        self.body.pass_edge(edge, state);
    }
}

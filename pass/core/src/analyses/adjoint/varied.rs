//! Which values depend on an active input, and where memory holds such values.
//!
//! Lattice: sets of writes to memory whose content varies and is still there, by inclusion; beside it one set of values,
//! which in SSA form need no order. Bottom: nothing varies. Direction: forward. Boundary: what the active inputs lead to.
//! Transfer: a row passes a derivative where its form is not zero, moves pass everything, a load varies where a write
//! that it may read does; a write takes away what it surely overwrites. Unknown code passes everything on.
//! Safe error: varied.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use crate::analyses::bits::Bits;
use crate::analyses::carriers::find_carriers;
use crate::analyses::meaning::Meaning;
use crate::analyses::memory::body::Body;
use crate::analyses::memory::touch::{Kind, Spot, TouchId};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::pointers::Base;
use crate::analyses::solver::{Analysis, Direction, Edge, Solution, solve};
use crate::analyses::summary::{Input, Output};
use crate::model::{BlockId, Inst, Op, Operand, Type, ValueId};
use crate::rules::Row;

/// Active inputs of a function: values of parameters, and what lies in memory on entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Inputs {
    pub values: BTreeSet<ValueId>,
    pub memory: BTreeSet<Base>,
}

struct Varying<'b, 'a> {
    body: &'b Body<'a>,
    inputs: &'b Inputs,
    carriers: BTreeSet<ValueId>,
    values: RefCell<Bits>,
    grew: Cell<bool>,
}

pub struct Varied<'b, 'a> {
    analysis: Varying<'b, 'a>,
    solution: Solution<Bits>,
}

pub fn find_varied<'b, 'a>(body: &'b Body<'a>, inputs: &'b Inputs) -> Varied<'b, 'a> {
    let values = inputs.values.iter().map(|id| body.elements.value(*id)).collect();
    let analysis = Varying {
        body,
        inputs,
        carriers: find_carriers(body.function, body.program),
        values: RefCell::new(values),
        grew: Cell::new(false),
    };
    loop {
        analysis.grew.set(false);
        let solution = solve(&analysis, body.function, body.flow());
        if !analysis.grew.get() {
            return Varied { analysis, solution };
        }
    }
}

impl Varied<'_, '_> {
    pub fn is_varied(&self, id: ValueId) -> bool {
        self.analysis.is_varied(id)
    }

    /// Visits the instructions of a block, each with the writes whose content varies before and after it.
    pub fn replay(&self, block: BlockId, visit: &mut dyn FnMut(ValueId, &Inst, &Bits, &Bits)) {
        self.solution.replay(&self.analysis, self.analysis.body.function, block, visit);
    }
}

/// Whether a derivative passes from operand `i` of a row to any of its results.
pub fn flows(row: &Row, i: usize) -> bool {
    (0..row.results.len()).any(|k| !row.form(k, i).is_zero())
}

impl Varying<'_, '_> {
    fn is_varied(&self, id: ValueId) -> bool {
        self.values.borrow().contains(self.body.elements.value(id))
    }

    fn holds(&self, operand: &Operand) -> bool {
        operand.value().is_some_and(|id| self.is_varied(id))
    }

    /// Whether a touch may see varied content.
    fn sees(&self, touch: TouchId, state: &Bits) -> bool {
        self.body.meets_any(touch, Kind::Write, state)
    }

    fn sees_any(&self, id: ValueId, state: &Bits) -> bool {
        self.body.touches_of(id, Kind::Read).any(|read| self.sees(read, state))
    }

    /// Whether the result is made of varied content.
    fn varies(&self, id: ValueId, inst: &Inst, state: &Bits) -> bool {
        let any = || inst.operands.iter().any(|x| self.holds(x));
        match (&inst.op, self.body.meaning(inst)) {
            (Op::Load(_) | Op::AtomicRmw { .. } | Op::CompareExchange { .. }, _) => {
                any() || self.sees_any(id, state)
            }
            (_, Meaning::Row { row, operands, .. }) => (0..row.operands.len())
                .any(|i| row.is_real_operand(i) && self.holds(&operands[i]) && flows(row, i)),
            (_, Meaning::Move | Meaning::Reduction(_) | Meaning::Bits) => any(),
            (_, Meaning::Call(_)) if self.body.callee(inst).is_some() => {
                self.passes(id, inst, &Output::Result, state)
            }
            (_, Meaning::Call(_) | Meaning::Foreign(_) | Meaning::Opaque(_)) => {
                any() || self.sees_any(id, state)
            }
            (_, Meaning::Memory) => matches!(inst.op, Op::VaArg) && self.sees_any(id, state),
            (_, Meaning::Inactive(_) | Meaning::Control) => false,
        }
    }

    /// Whether an output of a called function gets varied content.
    fn passes(&self, id: ValueId, inst: &Inst, output: &Output, state: &Bits) -> bool {
        let Some(summary) = self.body.callee(inst) else { return true };
        summary.carries(output).any(|input| match input {
            Input::Param(at) => inst.arguments().get(*at).is_some_and(|x| self.holds(x)),
            Input::Place(at) => {
                let mut reads = self.body.touches_of(id, Kind::Read);
                reads.any(|read| self.body.touch(read).place == Some(*at) && self.sees(read, state))
            }
        })
    }

    /// Whether what a write leaves in memory varies.
    fn writes_varied(&self, id: ValueId, inst: &Inst, write: TouchId, state: &Bits) -> bool {
        let any = || inst.operands.iter().any(|x| self.holds(x));
        match (memory_call(inst), self.body.touch(write).place) {
            (Some(MemoryCall::Copy), _) => self.sees_any(id, state),
            (Some(_), _) => false,
            (None, Some(place)) => self.passes(id, inst, &Output::Place(place), state),
            (None, None) => match (&inst.op, self.body.meaning(inst)) {
                (Op::Store(_), _) => self.holds(&inst.operands[0]),
                (_, Meaning::Inactive(_)) => false,
                (_, Meaning::Row { .. }) => any(),
                _ => any() || self.sees_any(id, state),
            },
        }
    }

    /// Whether the type can carry a derivative: a float, or an integer that may be the bits of one.
    fn can_vary(&self, id: ValueId, ty: &Type) -> bool {
        ty.holds_float() || self.carriers.contains(&id)
    }
}

impl Analysis for Varying<'_, '_> {
    type State = Bits;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self) -> Bits {
        Bits::default()
    }

    fn boundary(&self) -> Bits {
        let body = self.body;
        let active = body.touch_ids().filter(|touch| {
            let touch = body.touch(*touch);
            touch.spot == Spot::Entry && touch.bases.iter().any(|base| self.inputs.memory.contains(base))
        });
        active.map(|touch| body.elements.fresh(touch)).collect()
    }

    fn apply(&self, id: ValueId, inst: &Inst, state: &mut Bits) {
        let body = self.body;
        if self.can_vary(id, &inst.ty) && !self.is_varied(id) && self.varies(id, inst, state) {
            self.values.borrow_mut().insert(body.elements.value(id));
            self.grew.set(true);
        }
        let before = state.clone();
        for write in body.touches_of(id, Kind::Write) {
            body.remove_overwritten(write, state);
            if self.writes_varied(id, inst, write, &before) {
                state.insert(body.elements.fresh(write));
            }
        }
    }

    fn cross(&self, edge: Edge, state: &mut Bits) {
        self.body.remove_behind(edge, &|_| true, state);
        self.body.pass_edge(edge, state);
    }
}

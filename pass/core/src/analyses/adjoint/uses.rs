//! What the derivative instruction `I'` of each instruction reads of the primal: the paper's `use(I')` and `live(I')`.
//!
//! Function + activity → [`Uses`]. For arithmetic it is read off the rule that the reverse sweep is made from; for memory
//! it is the address, from which that of the shadow follows. A call whose derivative runs it again reads what the
//! derivative of the called function reads on entry.
//! Control is not in it: how the way back is found is decided for each merge, not here.

use std::collections::{BTreeMap, BTreeSet};

use super::active::Active;
use crate::analyses::meaning::Meaning;
use crate::analyses::memory::body::Body;
use crate::analyses::memory::touch::{Kind, TouchId};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::summary::Input;
use crate::model::{Inst, IntOp, Op, Operand, ValueId};
use crate::rules::{Reduction, Row};

#[derive(Clone, Debug, Default)]
pub struct Uses {
    values: BTreeMap<ValueId, BTreeSet<ValueId>>,
    results: BTreeSet<ValueId>,
    touches: BTreeMap<ValueId, BTreeSet<TouchId>>,
    adjoints: BTreeSet<ValueId>,
    /// By each call that is run again, what that overwrites for good.
    reruns: BTreeMap<ValueId, BTreeSet<TouchId>>,
    halved: BTreeSet<ValueId>,
}

/// How the derivative of a call is made, and what of the primal it reads on the way back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CalleeUses {
    /// Its first half runs in place of the call and puts all that is needed aside (*split*).
    Halves,
    /// The callee is run again (*joint*).
    Rerun(Rerun),
    /// Nothing is known.
    Everything,
}

/// What the derivative of a callee reads on entry, and what it leaves overwritten.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rerun {
    pub params: BTreeSet<usize>,
    /// Places of its summary.
    pub reads: BTreeSet<usize>,
    pub overwrites: BTreeSet<usize>,
}

/// `callee` knows the derivatives of called functions.
pub fn find_uses(body: &Body, active: &Active, callee: &dyn Fn(ValueId, &Inst) -> CalleeUses) -> Uses {
    let mut uses = Uses::default();
    for (id, inst) in body.insts().filter(|(id, _)| active.has_adjoint(*id)) {
        uses.adjoints.insert(id);
        match body.meaning(inst) {
            Meaning::Call(_) if memory_call(inst).is_none() => {
                uses.read_call(body, id, inst, callee(id, inst))
            }
            Meaning::Foreign(_) | Meaning::Opaque(_) if memory_call(inst).is_none() => {
                uses.read_call(body, id, inst, CalleeUses::Everything);
            }
            meaning => uses.read(id, inst, &meaning, active),
        }
    }
    uses
}

fn pointers<'o>(body: &Body, inst: &'o Inst) -> Vec<&'o Operand> {
    inst.arguments().iter().filter(|x| body.function.operand_type(x).holds_pointer()).collect()
}

impl Uses {
    /// What instructions read to know where they go and which memory they touch, as if derivatives read it.
    pub fn of_steering(body: &Body) -> Uses {
        let mut uses = Uses::default();
        for (id, inst) in body.insts() {
            match (&inst.op, memory_call(inst)) {
                (Op::Load(_), _) => uses.read_values(id, &inst.operands[..1]),
                (Op::Store(_), _) => uses.read_values(id, &inst.operands[1..]),
                (_, Some(MemoryCall::Fill)) => uses.read_values(id, [&inst.operands[0], &inst.operands[2]]),
                (Op::Call(_), None) if body.callee(inst).is_some() => uses.read_steering(body, id, inst),
                // These divide, and division by what is not there may trap.
                (Op::Int(IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem), _) => {
                    uses.read_values(id, &inst.operands);
                }
                (Op::Float(_) | Op::FNeg | Op::Int(_) | Op::Cast(_) | Op::ICmp(_) | Op::FCmp(_), _)
                | (Op::Select | Op::Freeze | Op::Phi { .. } | Op::Gep(_) | Op::Ret, _)
                | (Op::ExtractElement | Op::InsertElement | Op::ShuffleVector { .. }, _)
                | (Op::ExtractValue { .. } | Op::InsertValue { .. }, _) => {}
                (Op::Call(_), None)
                    if matches!(body.meaning(inst), Meaning::Row { .. } | Meaning::Reduction(_)) =>
                {
                    uses.read_values(id, pointers(body, inst));
                }
                _ => {
                    uses.read_values(id, &inst.operands);
                    uses.touches.entry(id).or_default().extend(body.touches_of(id, Kind::Read));
                }
            }
        }
        uses
    }

    fn read_steering(&mut self, body: &Body, id: ValueId, inst: &Inst) {
        self.read_values(id, pointers(body, inst));
        let Some(summary) = body.callee(inst) else { return };
        for input in &summary.steers {
            match input {
                Input::Param(at) => self.read_values(id, inst.arguments().get(*at)),
                Input::Place(at) => {
                    let reads = body.touches_of(id, Kind::Read);
                    let reads = reads.filter(|read| body.touch(*read).place == Some(*at));
                    self.touches.entry(id).or_default().extend(reads);
                }
            }
        }
    }

    /// The primal values that `I'` reads, `I`'s own result excepted.
    pub fn values_of(&self, id: ValueId) -> impl Iterator<Item = ValueId> + '_ {
        self.values.get(&id).into_iter().flatten().copied()
    }

    pub fn reads_result(&self, id: ValueId) -> bool {
        self.results.contains(&id)
    }

    /// The reads of memory that `I'` does again.
    pub fn touches_of(&self, id: ValueId) -> impl Iterator<Item = TouchId> + '_ {
        self.touches.get(&id).into_iter().flatten().copied()
    }

    /// Whether there is an `I'`.
    pub fn has_adjoint(&self, id: ValueId) -> bool {
        self.adjoints.contains(&id)
    }

    /// Whether `I'` runs the called function again.
    pub fn reruns(&self, id: ValueId) -> bool {
        self.reruns.contains_key(&id)
    }

    /// What `I'` leaves overwritten.
    pub fn overwrites(&self, id: ValueId) -> impl Iterator<Item = TouchId> + '_ {
        self.reruns.get(&id).into_iter().flatten().copied()
    }

    /// Whether the first half of `I'` runs in place of `I`.
    pub fn is_halved(&self, id: ValueId) -> bool {
        self.halved.contains(&id)
    }

    fn read_values<'o>(&mut self, id: ValueId, operands: impl IntoIterator<Item = &'o Operand>) {
        let values: BTreeSet<ValueId> = operands.into_iter().filter_map(Operand::value).collect();
        self.values.entry(id).or_default().extend(values);
    }

    fn read(&mut self, id: ValueId, inst: &Inst, meaning: &Meaning, active: &Active) {
        match (&inst.op, memory_call(inst), meaning) {
            (Op::Load(_), ..) => self.read_values(id, &inst.operands[..1]),
            (Op::Store(_), ..) => self.read_values(id, &inst.operands[1..]),
            (Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::VaArg, ..) => {
                self.read_values(id, &inst.operands);
            }
            (_, Some(MemoryCall::Copy | MemoryCall::Fill), _) => self.read_values(id, &inst.arguments()[..3]),
            (_, Some(MemoryCall::Allocate { .. } | MemoryCall::Free { .. }), _) => {}
            (_, _, Meaning::Row { row, operands, .. }) => self.read_row(id, inst, row, operands, active),
            (_, _, Meaning::Reduction(Reduction::Mul | Reduction::Extremum)) => {
                self.read_values(id, inst.arguments());
                self.results.insert(id);
            }
            (Op::Select, ..) => self.read_values(id, &inst.operands[..1]),
            (Op::ExtractElement, ..) => self.read_values(id, &inst.operands[1..2]),
            (Op::InsertElement, ..) => self.read_values(id, &inst.operands[2..3]),
            _ => {}
        }
    }

    /// What the forms of a row read, for the operands whose adjoint is wanted.
    fn read_row(&mut self, id: ValueId, inst: &Inst, row: &Row, operands: &[Operand], active: &Active) {
        let wanted = |operand: &Operand| operand.value().is_some_and(|value| active.is_active(value));
        for i in (0..row.operands.len()).filter(|i| row.is_real_operand(*i) && wanted(&operands[*i])) {
            for k in 0..row.results.len() {
                let needs = row.needs(k, i);
                self.read_values(id, needs.operands.iter().map(|x| &operands[usize::from(x)]));
                if !needs.results.is_empty() {
                    self.results.insert(id);
                }
            }
        }
        // Where results go through pointers, so do their adjoints.
        self.read_values(id, inst.arguments().iter().skip(row.operands.len()));
    }

    fn read_call(&mut self, body: &Body, id: ValueId, inst: &Inst, callee: CalleeUses) {
        let reads = body.touches_of(id, Kind::Read);
        let pointer = |at: &usize| body.function.operand_type(&inst.arguments()[*at]).holds_pointer();
        let arguments = 0..inst.arguments().len();
        match callee {
            CalleeUses::Everything => {
                self.reruns.insert(id, body.touches_of(id, Kind::Write).collect());
                self.read_values(id, &inst.operands);
                self.touches.entry(id).or_default().extend(reads);
            }
            CalleeUses::Halves => {
                self.halved.insert(id);
                self.read_values(id, arguments.filter(pointer).map(|at| &inst.arguments()[at]));
            }
            CalleeUses::Rerun(rerun) => {
                let needed = arguments.filter(|at| rerun.params.contains(at) || pointer(at));
                self.read_values(id, needed.map(|at| &inst.arguments()[at]));
                let is_in = |touch: &TouchId, places: &BTreeSet<usize>| {
                    body.touch(*touch).place.is_none_or(|at| places.contains(&at))
                };
                let reads = reads.filter(|read| is_in(read, &rerun.reads));
                self.touches.entry(id).or_default().extend(reads);
                let writes = body.touches_of(id, Kind::Write);
                self.reruns.insert(id, writes.filter(|write| is_in(write, &rerun.overwrites)).collect());
            }
        }
    }
}

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
use crate::model::{Inst, Op, Operand, ValueId};
use crate::rules::{Reduction, Row};

#[derive(Clone, Debug, Default)]
pub struct Uses {
    values: BTreeMap<ValueId, BTreeSet<ValueId>>,
    results: BTreeSet<ValueId>,
    touches: BTreeMap<ValueId, BTreeSet<TouchId>>,
    adjoints: BTreeSet<ValueId>,
    reruns: BTreeSet<ValueId>,
}

/// What the derivative of a called function reads: parameters, and places of its summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CalleeUses {
    pub params: BTreeSet<usize>,
    pub places: BTreeSet<usize>,
}

/// `callee` knows the derivatives of called functions; what it does not know is taken to read everything.
pub fn find_uses(
    body: &Body,
    active: &Active,
    callee: &dyn Fn(ValueId, &Inst) -> Option<CalleeUses>,
) -> Uses {
    let mut uses = Uses::default();
    for (id, inst) in body.insts().filter(|(id, _)| active.has_adjoint(*id)) {
        uses.adjoints.insert(id);
        match body.meaning(inst) {
            Meaning::Call(_) if memory_call(inst).is_none() => {
                uses.read_call(body, id, inst, callee(id, inst))
            }
            Meaning::Foreign(_) | Meaning::Opaque(_) if memory_call(inst).is_none() => {
                uses.read_call(body, id, inst, None);
            }
            meaning => uses.read(id, inst, &meaning, active),
        }
    }
    uses
}

impl Uses {
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

    /// Whether `I'` runs the called function again, and so overwrites what that does.
    pub fn reruns(&self, id: ValueId) -> bool {
        self.reruns.contains(&id)
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

    fn read_call(&mut self, body: &Body, id: ValueId, inst: &Inst, callee: Option<CalleeUses>) {
        self.reruns.insert(id);
        let reads = body.touches_of(id, Kind::Read);
        let Some(callee) = callee else {
            self.read_values(id, &inst.operands);
            self.touches.entry(id).or_default().extend(reads);
            return;
        };
        let pointer = |at: usize| body.function.operand_type(&inst.arguments()[at]).holds_pointer();
        let needed = (0..inst.arguments().len()).filter(|at| callee.params.contains(at) || pointer(*at));
        self.read_values(id, needed.map(|at| &inst.arguments()[at]));
        let places =
            reads.filter(|read| body.touch(*read).place.is_none_or(|at| callee.places.contains(&at)));
        self.touches.entry(id).or_default().extend(places);
    }
}

//! The tape holds every kept value and recorded edge at a place of its own, the same in both halves.

use std::collections::BTreeMap;

use super::Derivative;
use super::cells::Cell;
use crate::check::Obligation::Tape;
use crate::model::{Constant, Layout, Op, Operand, Type, ValueId};
use crate::plan::Slot;
use crate::request::Mode;

impl Derivative<'_> {
    /// In the order of the plan, one behind the other, each aligned as its type is.
    pub fn check_layout(&mut self) {
        if self.plan.request.mode == Mode::Gradient {
            return;
        }
        let layout = Layout::parse(&self.program.layout);
        let (mut end, mut problems) = (0u64, Vec::new());
        let laid = self.find_laid_down();
        for (cell, uses) in self.find_uses() {
            let ty = match cell {
                Cell::Kept(value) => self.function.value_type(value).clone(),
                Cell::Tape => Type::PTR,
                Cell::Counter(_) => Type::I64,
                Cell::Edge(_) => Type::I32,
                Cell::Cursor | Cell::Returned | Cell::Adjoint(..) => continue,
            };
            let place = end.next_multiple_of(layout.align_of(&ty).unwrap_or(1).max(1));
            end = place + layout.size_of(&ty).unwrap_or(0);
            let places: Vec<u64> = match self.plan.request.mode {
                Mode::Reverse => {
                    let stored = uses.iter().filter_map(|place| place.stored.as_ref()?.value());
                    stored.filter_map(|id| self.tape_offset(id)).collect()
                }
                _ => uses.iter().flat_map(|place| laid.get(&place.at).cloned().unwrap_or_default()).collect(),
            };
            if places != [place] {
                problems.push(format!("{cell:?} does not lie at byte {place} of the tape"));
            }
        }
        if self.plan.request.mode == Mode::Augmented
            && end > 0
            && self.allocated_bytes() != Some(u128::from(end))
        {
            problems.push(format!("the tape holds {end} bytes, and another number is allocated"));
        }
        problems.into_iter().for_each(|problem| self.report(Tape, problem));
    }

    /// For each value that is stored to the tape: at which offsets.
    fn find_laid_down(&self) -> BTreeMap<ValueId, Vec<u64>> {
        let mut laid: BTreeMap<ValueId, Vec<u64>> = BTreeMap::new();
        for inst in self.derived.insts.iter().filter(|inst| matches!(inst.op, Op::Store(_))) {
            let [stored, pointer, ..] = inst.operands.as_slice() else { continue };
            if let (Some(value), Some(place)) = (stored.value(), self.place_of(pointer)) {
                laid.entry(value).or_default().push(place);
            }
        }
        laid
    }

    /// The offset on the tape that a load reads.
    pub fn tape_offset(&self, load: ValueId) -> Option<u64> {
        let inst = self.derived.inst(load).filter(|inst| matches!(inst.op, Op::Load(_)))?;
        self.place_of(inst.operands.first()?)
    }

    fn place_of(&self, pointer: &Operand) -> Option<u64> {
        let gep = self.derived.inst(pointer.value()?).filter(|inst| matches!(inst.op, Op::Gep(_)))?;
        let [base, Operand::Const(Constant::Int { value, .. })] = gep.operands.as_slice() else {
            return None;
        };
        self.is_tape(base).then(|| u64::try_from(*value).ok()).flatten()
    }

    fn is_tape(&self, base: &Operand) -> bool {
        let Some(value) = base.value() else { return false };
        match self.derived.inst(value) {
            None => self.plan.params.get(value.0 as usize) == Some(&Slot::Tape),
            Some(inst) => inst.callee_name() == Some("bs_rt_tape_alloc"),
        }
    }

    fn allocated_bytes(&self) -> Option<u128> {
        let mut calls =
            self.derived.insts.iter().filter(|inst| inst.callee_name() == Some("bs_rt_tape_alloc"));
        match calls.next()?.operands.first()? {
            Operand::Const(Constant::Int { value, .. }) => Some(*value),
            _ => None,
        }
    }
}

//! The pointers found in memory behind which anything lies that may be derived, or that go where they are found again.

use std::collections::{BTreeMap, BTreeSet};

use super::Proof;
use super::memory_calls::memory_call;
use super::places::Place;
use crate::model::{Inst, Op, Operand, Type, ValueId};

impl Proof<'_> {
    pub fn leads_on(&self, load: ValueId) -> bool {
        self.leading.get_or_init(|| self.find_leading()).contains(&load)
    }

    fn find_leading(&self) -> BTreeSet<ValueId> {
        let insts = self.function.inst_ids().filter_map(|id| Some((id, self.function.inst(id)?)));
        self.loads_before(insts, &|id, inst| self.taken(id, inst))
    }

    /// The loads of pointers that some instruction reaches something through, at the operands that are told of it, and those
    /// through which such pointers were found.
    pub fn loads_before<'b>(
        &self,
        insts: impl Iterator<Item = (ValueId, &'b Inst)>,
        reached: &dyn Fn(ValueId, &'b Inst) -> Vec<&'b Operand>,
    ) -> BTreeSet<ValueId> {
        let mut waiting = Vec::new();
        // Through which pointers each pointer was found.
        let mut found_through: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
        for (id, inst) in insts {
            if matches!(inst.op, Op::Load(_)) && inst.ty.holds_pointer() {
                found_through.insert(id, self.found(&inst.operands[0]));
            }
            waiting.extend(reached(id, inst).into_iter().flat_map(|x| self.found(x)));
        }
        let mut before = BTreeSet::new();
        while let Some(load) = waiting.pop() {
            if before.insert(load) {
                waiting.extend(found_through.get(&load).into_iter().flatten());
            }
        }
        before
    }

    /// What an instruction touches or hands on, as far as that may be derived.
    fn taken<'b>(&self, id: ValueId, inst: &'b Inst) -> Vec<&'b Operand> {
        match &inst.op {
            Op::Load(_) if matches!(inst.ty.scalar(), Type::Int(_)) && !self.may_carry(id) => Vec::new(),
            Op::Load(_) if inst.ty.is_pointer() => Vec::new(),
            Op::Load(_) => vec![&inst.operands[0]],
            Op::ICmp(_) | Op::Gep(_) | Op::Phi { .. } | Op::Select | Op::Freeze => Vec::new(),
            Op::Call(_) if memory_call(inst).is_none() => self.looked_behind(inst),
            Op::Call(_) | Op::Invoke { .. } => inst.arguments().iter().collect(),
            _ => inst.operands.iter().collect(),
        }
    }

    /// The loads that found a pointer.
    fn found(&self, pointer: &Operand) -> Vec<ValueId> {
        let found = |place: Place| if let Place::Found(load) = place { Some(load) } else { None };
        self.places.lead(pointer).into_iter().filter_map(found).collect()
    }
}

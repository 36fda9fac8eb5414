//! What the reverse sweep computes again, from values and from shadows of pointers.

use std::collections::{BTreeMap, BTreeSet};

use super::Proof;
use crate::model::{Function, Operand, ValueId};
use crate::plan::{Decision, Plan, Storage};

/// For each value what is computed again from it.
#[derive(Default)]
pub struct Repeated {
    values: BTreeMap<ValueId, Vec<ValueId>>,
    pointers: BTreeMap<ValueId, Vec<ValueId>>,
}

impl Repeated {
    fn of(plan: &Plan, function: &Function) -> Repeated {
        Repeated { values: readers(&plan.storage, function), pointers: readers(&plan.shadows, function) }
    }
}

fn readers(
    decisions: &BTreeMap<ValueId, Decision<Storage>>,
    function: &Function,
) -> BTreeMap<ValueId, Vec<ValueId>> {
    let mut readers: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
    let again = decisions.iter().filter(|(_, decision)| decision.choice == Storage::Recompute);
    for (id, inst) in again.filter_map(|(id, _)| Some((*id, function.inst(*id)?))) {
        for operand in inst.operands.iter().filter_map(Operand::value) {
            readers.entry(operand).or_default().push(id);
        }
    }
    readers
}

impl Proof<'_> {
    /// What the reverse sweep computes again from values and shadows of pointers: both kinds, with what it began with.
    pub fn find_repeated(
        &self,
        mut values: BTreeSet<ValueId>,
        mut pointers: BTreeSet<ValueId>,
    ) -> (BTreeSet<ValueId>, BTreeSet<ValueId>) {
        let repeated = self.repeated.get_or_init(|| Repeated::of(self.plan, self.function));
        let from =
            |readers: &BTreeMap<ValueId, Vec<ValueId>>, id| readers.get(&id).cloned().unwrap_or_default();
        let mut waiting: Vec<ValueId> = values.iter().copied().collect();
        let mut shadows: Vec<ValueId> = pointers.iter().copied().collect();
        while let Some(id) = waiting.pop() {
            waiting.extend(from(&repeated.values, id).into_iter().filter(|reader| values.insert(*reader)));
            shadows
                .extend(from(&repeated.pointers, id).into_iter().filter(|reader| pointers.insert(*reader)));
        }
        while let Some(id) = shadows.pop() {
            shadows
                .extend(from(&repeated.pointers, id).into_iter().filter(|reader| pointers.insert(*reader)));
        }
        (values, pointers)
    }
}

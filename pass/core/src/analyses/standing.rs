//! Which pointers stand in which memory, and so what else a pointer may lead to that was found there: memory made here has a name of its
//! own, and that of whatever pointer to it is found.
//!
//! Function → that. Direction: none, whatever is stored stays. Safe error: too many names. What is handed to others, who leave it
//! elsewhere, is not followed.

use std::collections::{BTreeMap, BTreeSet};

use super::memory_calls::{MemoryCall, memory_call};
use super::pointers::{Base, Pointers};
use crate::model::{Function, Inst, Op, ValueId};

#[derive(Default)]
pub struct Standing {
    /// For each place what pointers that stand there lead to.
    held: BTreeMap<Base, BTreeSet<Base>>,
    /// For each pointer that is found the other names of what it leads to.
    named: BTreeMap<ValueId, BTreeSet<Base>>,
}

impl Standing {
    pub fn of(function: &Function, pointers: &Pointers) -> Standing {
        let mut standing = Standing::default();
        loop {
            let mut grew = false;
            for id in function.inst_ids() {
                grew |= standing.read(id, function, pointers);
            }
            if !grew {
                return standing;
            }
        }
    }

    /// Adds what one instruction finds or puts somewhere.
    fn read(&mut self, id: ValueId, function: &Function, pointers: &Pointers) -> bool {
        let Some(inst) = function.inst(id) else { return false };
        let places = |at: usize| self.with_names(pointers.of_operand(&inst.operands[at]));
        match &inst.op {
            Op::Load(_) if inst.ty.holds_pointer() => {
                let mut found = self.with_names(self.held_at(&places(0)));
                found.remove(&Base::Loaded(id));
                grow(self.named.entry(id).or_default(), &found)
            }
            Op::Store(_) if function.operand_type(&inst.operands[0]).holds_pointer() => {
                self.put(&places(0), &places(1))
            }
            Op::Call(_) if is_copy(inst) => self.put(&self.held_at(&places(1)), &places(0)),
            _ => false,
        }
    }

    fn put(&mut self, stored: &BTreeSet<Base>, places: &BTreeSet<Base>) -> bool {
        let mut grew = false;
        for place in places.iter().filter(|_| !stored.is_empty()) {
            grew |= grow(self.held.entry(place.clone()).or_default(), stored);
        }
        grew
    }

    fn held_at(&self, places: &BTreeSet<Base>) -> BTreeSet<Base> {
        places.iter().filter_map(|place| self.held.get(place)).flatten().cloned().collect()
    }

    /// These places under all names that they have.
    pub fn with_names(&self, mut places: BTreeSet<Base>) -> BTreeSet<Base> {
        let found = |place: &Base| if let Base::Loaded(load) = place { self.named.get(load) } else { None };
        let others: Vec<Base> = places.iter().filter_map(found).flatten().cloned().collect();
        places.extend(others);
        places
    }

    /// What can be found from these places.
    pub fn reached_from(&self, places: BTreeSet<Base>) -> BTreeSet<Base> {
        let mut reached = self.with_names(places);
        let mut waiting: Vec<Base> = reached.iter().cloned().collect();
        while let Some(place) = waiting.pop() {
            let held = self.with_names(self.held.get(&place).cloned().unwrap_or_default());
            waiting.extend(held.into_iter().filter(|base| reached.insert(base.clone())));
        }
        reached
    }
}

fn is_copy(inst: &Inst) -> bool {
    memory_call(inst) == Some(MemoryCall::Copy) && inst.operands.len() > 1
}

fn grow(known: &mut BTreeSet<Base>, more: &BTreeSet<Base>) -> bool {
    let before = known.len();
    known.extend(more.iter().cloned());
    known.len() > before
}

//! What pointers that are found may lead to, by what is stored in the function: the checker's own reckoning. Whoever writes or reads
//! through a pointer from memory writes or reads what somebody else knows by its name.

use std::collections::{BTreeMap, BTreeSet};

use super::Proof;
use super::places::Place;
use crate::model::{Inst, Op, Operand, ValueId};

#[derive(Default)]
pub struct Standing {
    /// For each place the places to which pointers were stored there.
    stored: BTreeMap<Place, BTreeSet<Place>>,
    /// For each pointer that is found what was stored where it is found.
    found: BTreeMap<Place, BTreeSet<Place>>,
}

impl<'a> Proof<'a> {
    pub fn find_standing(&self, insts: &[(ValueId, &'a Inst)]) -> Standing {
        let pointer = |x: &Operand| self.function.operand_type(x).holds_pointer();
        let (mut stores, mut loads) = (Vec::new(), Vec::new());
        for (id, inst) in insts {
            match inst.op {
                Op::Store(_) if pointer(&inst.operands[0]) => {
                    stores.push((self.places.lead(&inst.operands[1]), self.places.lead(&inst.operands[0])));
                }
                Op::Load(_) if inst.ty.holds_pointer() => {
                    loads.push((Place::Found(*id), self.places.lead(&inst.operands[0])));
                }
                _ => {}
            }
        }
        let mut standing = Standing::default();
        loop {
            let before = standing.size();
            for (to, what) in &stores {
                let what = standing.under_all_names(what.clone());
                for place in standing.under_all_names(to.clone()) {
                    standing.stored.entry(place).or_default().extend(what.iter().cloned());
                }
            }
            for (found, from) in &loads {
                let there = standing.stored_in(&standing.under_all_names(from.clone()));
                let there = standing.under_all_names(there);
                standing.found.entry(found.clone()).or_default().extend(there);
            }
            if standing.size() == before {
                return standing;
            }
        }
    }
}

impl Standing {
    fn size(&self) -> usize {
        self.stored.values().chain(self.found.values()).map(BTreeSet::len).sum()
    }

    fn stored_in(&self, places: &BTreeSet<Place>) -> BTreeSet<Place> {
        places.iter().flat_map(|place| self.stored.get(place)).flatten().cloned().collect()
    }

    /// These places, and those that pointers to them may lead to which were found.
    pub fn under_all_names(&self, mut places: BTreeSet<Place>) -> BTreeSet<Place> {
        let more: Vec<Place> =
            places.iter().flat_map(|place| self.found.get(place)).flatten().cloned().collect();
        places.extend(more);
        places
    }

    /// What can be reached from these places by pointers that stand there.
    pub fn reach(&self, places: BTreeSet<Place>) -> BTreeSet<Place> {
        let mut reached = self.under_all_names(places);
        loop {
            let before = reached.len();
            reached.extend(self.under_all_names(self.stored_in(&reached)));
            if reached.len() == before {
                return reached;
            }
        }
    }
}

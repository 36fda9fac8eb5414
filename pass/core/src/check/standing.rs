//! What pointers that are found may lead to, by what is stored in the function: the checker's own reckoning. Whoever writes or reads
//! through a pointer from memory writes or reads what somebody else knows by its name.
//!
//! All stores to the same places are one, and so are all loads from the same: of generic code there are many of each.

use std::collections::{BTreeMap, BTreeSet};

use super::Proof;
use super::numbered::{Numbers, Set};
use super::places::Place;
use crate::model::{Inst, Op, Operand, ValueId};

#[derive(Default)]
pub struct Standing {
    numbers: Numbers,
    puts: Vec<Put>,
    finds: Vec<Find>,
    /// For each place the stores that may put a pointer there.
    put_at: Vec<Set>,
    /// For each pointer that is found where it is found.
    found_by: BTreeMap<usize, usize>,
}

/// All stores to some places.
struct Put {
    to: Set,
    what: Set,
}

/// All loads from some places, and what may stand there.
struct Find {
    from: Set,
    there: Set,
}

impl<'a> Proof<'a> {
    pub fn find_standing(&self, insts: &[(ValueId, &'a Inst)]) -> Standing {
        let pointer = |x: &Operand| self.function.operand_type(x).holds_pointer();
        let mut standing = Standing::default();
        let (mut stores, mut loads) = (BTreeMap::<Set, Set>::new(), BTreeMap::<Set, Vec<usize>>::new());
        for (id, inst) in insts {
            let mut behind = |at: usize| standing.numbers.number_all(&self.places.lead(&inst.operands[at]));
            match inst.op {
                Op::Store(_) if pointer(&inst.operands[0]) => {
                    let (to, what) = (behind(1), behind(0));
                    stores.entry(to).or_default().unite(&what);
                }
                Op::Load(_) if inst.ty.holds_pointer() => {
                    let from = behind(0);
                    let found = standing.numbers.number(&Place::Found(*id));
                    loads.entry(from).or_default().push(found);
                }
                _ => {}
            }
        }
        for (to, what) in stores {
            standing.mark(standing.puts.len(), &to);
            standing.puts.push(Put { to, what });
        }
        for (from, found) in loads {
            standing.found_by.extend(found.into_iter().map(|found| (found, standing.finds.len())));
            standing.finds.push(Find { from, there: Set::default() });
        }
        while standing.grow() {}
        standing
    }
}

impl Standing {
    /// Whether more is stored or found where what was found has other names.
    fn grow(&mut self) -> bool {
        let mut grew = false;
        for at in 0..self.puts.len() {
            let (to, what) = (self.under(&self.puts[at].to), self.under(&self.puts[at].what));
            if self.puts[at].to.unite(&to) {
                self.mark(at, &to);
                grew = true;
            }
            grew |= self.puts[at].what.unite(&what);
        }
        for at in 0..self.finds.len() {
            let from = self.under(&self.finds[at].from);
            let there = self.under(&self.stored_in(&from));
            grew |= self.finds[at].from.unite(&from);
            grew |= self.finds[at].there.unite(&there);
        }
        grew
    }

    fn mark(&mut self, put: usize, to: &Set) {
        for place in to.iter() {
            if self.put_at.len() <= place {
                self.put_at.resize_with(place + 1, Set::default);
            }
            self.put_at[place].insert(put);
        }
    }

    fn stored_in(&self, places: &Set) -> Set {
        let (mut puts, mut stored) = (Set::default(), Set::default());
        for there in places.iter().filter_map(|place| self.put_at.get(place)) {
            puts.unite(there);
        }
        for put in puts.iter() {
            stored.unite(&self.puts[put].what);
        }
        stored
    }

    fn under(&self, places: &Set) -> Set {
        let mut finds = Set::default();
        for find in places.iter().filter_map(|place| self.found_by.get(&place)) {
            finds.insert(*find);
        }
        let mut all = places.clone();
        for find in finds.iter() {
            all.unite(&self.finds[find].there);
        }
        all
    }

    /// These places, and those that pointers to them may lead to which were found.
    pub fn under_all_names(&mut self, places: &BTreeSet<Place>) -> Set {
        let places = self.numbers.number_all(places);
        self.under(&places)
    }

    /// What can be reached from these places by pointers that stand there.
    pub fn reach(&mut self, places: &BTreeSet<Place>) -> Set {
        let mut reached = self.under_all_names(places);
        while reached.unite(&self.under(&self.stored_in(&reached))) {}
        reached
    }

    pub fn may_meet(&self, a: &Set, b: &Set) -> bool {
        self.numbers.may_meet(a, b)
    }
}

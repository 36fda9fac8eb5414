//! Which pointers stand in which memory, and so what else a pointer may lead to that was found there: memory made here has a name of its
//! own, and that of whatever pointer to it is found.
//!
//! Function → that. Direction: none, whatever is stored stays. Safe error: too many names. What is handed to others, who leave it
//! elsewhere, is not followed.

use std::collections::{BTreeMap, BTreeSet};

use super::bits::Bits;
use super::memory_calls::{MemoryCall, memory_call};
use super::pointers::{Base, Pointers};
use super::solver::Lattice;
use crate::model::{Function, Inst, Op, ValueId};

/// Places are numbers and sets of them bits: where thousands of pointers are found in memory, each of which may lead to any of thousands,
/// sets of names take minutes to unite.
#[derive(Default)]
pub struct Standing {
    numbering: Numbering,
    /// For each place what pointers that stand there lead to.
    held: BTreeMap<usize, Bits>,
    /// For each pointer that is found the other names of what it leads to, by the number of the memory behind it.
    named: BTreeMap<usize, Bits>,
}

/// The places that were met, each with its number.
#[derive(Default)]
struct Numbering {
    numbers: BTreeMap<Base, usize>,
    bases: Vec<Base>,
}

/// What one instruction does with pointers in memory.
enum Step {
    /// The memory behind the pointer that is found, and where it is found.
    Find(usize, Bits),
    /// What is put, and where.
    Put(Bits, Bits),
    /// From where pointers are copied, and where to.
    Copy(Bits, Bits),
}

impl Standing {
    pub fn of(function: &Function, pointers: &Pointers) -> Standing {
        let mut standing = Standing::default();
        let steps: Vec<Step> =
            function.inst_ids().filter_map(|id| standing.step(id, function, pointers)).collect();
        loop {
            let mut grew = false;
            for step in &steps {
                grew |= standing.take(step);
            }
            if !grew {
                return standing;
            }
        }
    }

    fn step(&mut self, id: ValueId, function: &Function, pointers: &Pointers) -> Option<Step> {
        let inst = function.inst(id)?;
        let mut places = |at: usize| {
            let bases = pointers.of_operand(&inst.operands[at]).into_iter();
            bases.map(|base| self.numbering.number(base)).collect::<Bits>()
        };
        match &inst.op {
            Op::Load(_) if inst.ty.holds_pointer() => {
                let from = places(0);
                Some(Step::Find(self.numbering.number(Base::Loaded(id)), from))
            }
            Op::Store(_) if function.operand_type(&inst.operands[0]).holds_pointer() => {
                Some(Step::Put(places(0), places(1)))
            }
            Op::Call(_) if is_copy(inst) => Some(Step::Copy(places(1), places(0))),
            _ => None,
        }
    }

    /// Adds what one instruction finds or puts somewhere.
    fn take(&mut self, step: &Step) -> bool {
        match step {
            Step::Find(behind, from) => {
                let mut found = self.all_names(&self.held_at(&self.all_names(from)));
                found.remove(*behind);
                self.named.entry(*behind).or_default().join(&found)
            }
            Step::Put(stored, places) => self.put(&self.all_names(stored), &self.all_names(places)),
            Step::Copy(from, places) => {
                self.put(&self.held_at(&self.all_names(from)), &self.all_names(places))
            }
        }
    }

    fn put(&mut self, stored: &Bits, places: &Bits) -> bool {
        let mut grew = false;
        for place in places.iter().filter(|_| !stored.is_empty()) {
            grew |= self.held.entry(place).or_default().join(stored);
        }
        grew
    }

    fn held_at(&self, places: &Bits) -> Bits {
        let mut held = Bits::default();
        for there in places.iter().filter_map(|place| self.held.get(&place)) {
            held.join(there);
        }
        held
    }

    /// These places under all names that they have.
    fn all_names(&self, places: &Bits) -> Bits {
        let mut named = places.clone();
        for others in places.iter().filter_map(|place| self.named.get(&place)) {
            named.join(others);
        }
        named
    }

    /// These places under all names that they have; one that was never met has no other.
    pub fn with_names(&self, mut places: BTreeSet<Base>) -> BTreeSet<Base> {
        let named = self.all_names(&self.known(&places));
        places.extend(self.numbering.bases(&named));
        places
    }

    /// What can be found from these places.
    pub fn reached_from(&self, mut places: BTreeSet<Base>) -> BTreeSet<Base> {
        let mut met = self.known(&places);
        let mut reached = Bits::default();
        // Each place is asked once for its names, and once for what is held there.
        let (mut nameless, mut closed): (Vec<usize>, Vec<usize>) = (met.iter().collect(), Vec::new());
        loop {
            if let Some(place) = nameless.pop() {
                closed.extend(reached.insert(place).then_some(place));
                closed.extend(self.named.get(&place).into_iter().flat_map(|named| reached.take_in(named)));
            } else if let Some(place) = closed.pop() {
                nameless.extend(self.held.get(&place).into_iter().flat_map(|held| met.take_in(held)));
            } else {
                break;
            }
        }
        places.extend(self.numbering.bases(&reached));
        places
    }

    fn known(&self, places: &BTreeSet<Base>) -> Bits {
        places.iter().filter_map(|place| self.numbering.numbers.get(place)).copied().collect()
    }
}

impl Numbering {
    fn number(&mut self, base: Base) -> usize {
        let bases = &mut self.bases;
        *self.numbers.entry(base).or_insert_with_key(|base| {
            bases.push(base.clone());
            bases.len() - 1
        })
    }

    fn bases(&self, numbers: &Bits) -> impl Iterator<Item = Base> {
        numbers.iter().map(|number| self.bases[number].clone())
    }
}

fn is_copy(inst: &Inst) -> bool {
    memory_call(inst) == Some(MemoryCall::Copy) && inst.operands.len() > 1
}

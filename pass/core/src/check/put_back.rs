//! Memory that is put back holds at each instruction's reverse what it held when the instruction ran, as far as it is read.
//!
//! Of what may overwrite a load that is done again, everything that runs after the load saves what it overwrites. And
//! between the load and each place in the reverse sweep where its value is read nothing of that kind ran, for there it is
//! not undone yet. Nobody looks at such memory after the function, since it is left as it was before, or as the first stores into
//! it left it; or the runtime is told of what was left there (`left`).

use std::collections::BTreeSet;
use std::ops::Range;

use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use super::reads::{Moment, Read, Reads};
use super::writers::Counted;
use super::{Obligation, Proof};
use crate::model::{BlockId, Inst, Op, Ordering, ValueId};
use crate::plan::Storage;
use crate::request::Mode;

impl Proof<'_> {
    /// Whether whatever may overwrite what was loaded is undone.
    pub fn is_put_back(&self, load: ValueId, inst: &Inst) -> bool {
        let Op::Load(access) = &inst.op else { return false };
        let Some((home, at)) = self.paths.place(load) else { return false };
        let ordinary = !access.volatile && access.ordering == Ordering::NotAtomic;
        let one = self.plan.request.mode == Mode::Gradient && !self.plan.request.nested;
        let read = self.places.lead(&inst.operands[0]);
        ordinary
            && one
            && !read.is_empty()
            && read.iter().all(|place| self.is_alive_at_the_end(place))
            && !self.writers(Counted::Lasting, inst).follow(home, at)
    }

    pub fn check_put_back(&mut self, reads: &Reads, shadows: &Reads) {
        let mut problems = Vec::new();
        for store in &self.plan.restored {
            if let Some(problem) = self.find_unsaved(*store) {
                problems.push(format!("{} {problem}", self.describe(*store)));
            }
        }
        for (load, decision) in &self.plan.storage {
            let Some(inst) = self.function.inst(*load).filter(|inst| matches!(inst.op, Op::Load(_))) else {
                continue;
            };
            if decision.choice == Storage::Recompute
                && !self.is_found_again(*load, inst)
                && let Some(why) = self.find_stale_read(*load, reads, shadows)
            {
                let name = self.describe(*load);
                problems.push(format!("{name} is read again after it was overwritten, in {why}"));
            }
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Storage, problem));
    }

    /// What keeps a store from saving what it overwrites, and putting it back.
    fn find_unsaved(&self, store: ValueId) -> Option<&'static str> {
        let Some(inst) = self.function.inst(store) else { return Some("is undone, and no instruction") };
        let Op::Store(access) = &inst.op else { return Some("is undone, and no store") };
        if access.volatile || access.ordering != Ordering::NotAtomic {
            return Some("is undone, and no ordinary store");
        }
        if self.plan.request.mode != Mode::Gradient || self.plan.request.nested {
            return Some("is undone, though others may look between the halves");
        }
        if self.function.operand_type(&inst.operands[0]).holds_pointer() {
            return Some("is undone, and what it stores has a shadow");
        }
        if self.plan.omitted.contains_key(&store) {
            return Some("is undone, and was left out");
        }
        let written = self.places.lead(&inst.operands[1]);
        if written.is_empty() || !self.is_told(store) && !written.iter().all(|place| self.is_given_up(place))
        {
            return Some("is undone, and somebody may look at it afterwards");
        }
        if self.is_freed_before_reverse(store, &written) {
            return Some("is undone in memory that may be freed by then");
        }
        let lost = inst.operands[1].value().filter(|place| !self.plan.storage.contains_key(place));
        lost.map(|_| "is undone at an address that is not at hand")
    }

    /// Whether a place may be freed behind an instruction, and not only behind all that the reverse sweep does with it.
    fn is_freed_before_reverse(&self, store: ValueId, written: &BTreeSet<Place>) -> bool {
        let frees = |id: &ValueId| {
            let inst = self.function.inst(*id);
            inst.is_some_and(|inst| {
                memory_call(inst) == Some(MemoryCall::Free) && self.may_overwrite(inst, written)
            })
        };
        self.writers_from(store).iter().any(frees)
    }

    /// Where a value is read in the reverse sweep that may have been overwritten since it was loaded.
    fn find_stale_read<'r>(&self, load: ValueId, reads: &'r Reads, shadows: &'r Reads) -> Option<&'r str> {
        let (values, pointers) = self.find_repeated(BTreeSet::from([load]), BTreeSet::new());
        let read: Vec<&Read> = reads.among(&values).chain(shadows.among(&pointers)).collect();
        let addresses: BTreeSet<ValueId> = self
            .plan
            .restored
            .iter()
            .copied()
            .filter(|store| {
                let place = self.function.inst(*store).and_then(|inst| inst.operands[1].value());
                place.is_some_and(|place| values.contains(&place))
            })
            .collect();
        let stale = self.find_stale_moments(load);
        if addresses.iter().any(|store| stale.holds(self.paths.place(*store))) {
            return Some("the address where it is put back");
        }
        let is_stale = |read: &&&Read| match read.moment {
            Moment::Reverse(id) => stale.holds(self.paths.place(id)),
            Moment::Leaving(block) => stale.before.contains(&block),
            Moment::End => stale.at_end,
        };
        read.iter().find(is_stale).map(|read| read.why.as_str())
    }

    /// Every moment that control may come to from the load over something that may have overwritten it, the load not done
    /// once more in between.
    fn find_stale_moments(&self, load: ValueId) -> Stale {
        let mut stale = Stale::default();
        let Some((home, at)) = self.paths.place(load) else { return stale };
        let Some(inst) = self.function.inst(load) else { return stale };
        let writers = self.writers(Counted::Running, inst);
        let mut waiting = vec![(home, at + 1, false)];
        let mut seen: BTreeSet<(BlockId, bool)> = BTreeSet::new();
        while let Some((block, from, old)) = waiting.pop() {
            if from == 0 && old {
                stale.before.insert(block);
            }
            // Control that comes back to the load ends there.
            let again = block == home && from <= at;
            let end = if again { at } else { self.function.block(block).insts.len() };
            let first = if old { Some(from) } else { writers.first_from(block, from) };
            let first = first.filter(|first| *first < end);
            stale.at.extend(first.map(|first| (block, first..end)));
            if again {
                continue;
            }
            let old = old || first.is_some();
            stale.at_end |= old && self.paths.returns().contains(&block);
            for next in self.paths.successors(block) {
                if seen.insert((*next, old)) {
                    waiting.push((*next, 0, old));
                }
            }
        }
        stale
    }
}

/// Moments of the reverse sweep, by those of the forward sweep that they match.
#[derive(Default)]
struct Stale {
    at: Vec<(BlockId, Range<usize>)>,
    before: BTreeSet<BlockId>,
    at_end: bool,
}

impl Stale {
    fn holds(&self, place: Option<(BlockId, usize)>) -> bool {
        place.is_some_and(|(home, at)| {
            self.at.iter().any(|(block, range)| *block == home && range.contains(&at))
        })
    }
}

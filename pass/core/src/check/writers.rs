//! Who may overwrite a set of places, and where: found once for all loads that read the same places.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Proof;
use super::memory_calls::memory_call;
use super::places::Place;
use super::regions::Region;
use crate::model::{BlockId, Inst, Op, ValueId};

/// Which instructions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counted {
    All,
    /// Those that run in the forward sweep.
    Running,
    /// Those of them that are not undone in the reverse sweep.
    Lasting,
}

/// An instruction that writes to some memory, and what it writes, where that is known.
pub struct Writer {
    block: BlockId,
    /// Its place in its block.
    at: usize,
    id: ValueId,
    region: Option<Region>,
}

#[derive(Default)]
pub struct Writers {
    /// Where in their blocks they stand, in order.
    at: BTreeMap<BlockId, Vec<usize>>,
    /// The blocks behind whose end one of them may run.
    ahead: BTreeSet<BlockId>,
}

/// What was found, as far as was asked.
pub type Found = BTreeMap<(Counted, BTreeSet<Place>, Option<Region>), Rc<Writers>>;

impl Writers {
    /// Whether one of them may run after the instruction that stands there.
    pub fn follow(&self, block: BlockId, at: usize) -> bool {
        let here = self.at.get(&block).and_then(|all| all.last());
        here.is_some_and(|last| *last > at) || self.ahead.contains(&block)
    }

    /// The first of them in a block, from some place on.
    pub fn first_from(&self, block: BlockId, from: usize) -> Option<usize> {
        let all = self.at.get(&block)?;
        all.get(all.partition_point(|at| *at < from)).copied()
    }
}

impl Proof<'_> {
    /// Who may overwrite what a load reads.
    pub fn writers(&self, counted: Counted, load: &Inst) -> Rc<Writers> {
        let key = (counted, self.places.lead(&load.operands[0]), self.region_of(load));
        if let Some(known) = self.writers.borrow().get(&key) {
            return known.clone();
        }
        let found = Rc::new(self.find_writers(counted, &key.1, key.2.as_ref()));
        self.writers.borrow_mut().insert(key, found.clone());
        found
    }

    fn find_writers(&self, counted: Counted, places: &BTreeSet<Place>, region: Option<&Region>) -> Writers {
        let mut writers = Writers::default();
        for writer @ Writer { block, at, id, .. } in self.all_writers() {
            let counts = match counted {
                Counted::All => true,
                Counted::Running => !self.plan.omitted.contains_key(id),
                Counted::Lasting => !self.plan.omitted.contains_key(id) && !self.plan.restored.contains(id),
            };
            if counts && self.may_meet_at(writer, places, region) {
                writers.at.entry(*block).or_default().push(*at);
            }
        }
        let mut waiting: Vec<BlockId> = writers.at.keys().copied().collect();
        while let Some(block) = waiting.pop() {
            for before in self.paths.predecessors(block) {
                if writers.ahead.insert(*before) {
                    waiting.push(*before);
                }
            }
        }
        writers
    }

    fn all_writers(&self) -> &[Writer] {
        self.all_writers.get_or_init(|| self.find_all_writers())
    }

    fn may_meet_at(&self, writer: &Writer, places: &BTreeSet<Place>, region: Option<&Region>) -> bool {
        let beside = match (region, &writer.region) {
            (Some(read), Some(written)) => read.is_apart_from(written),
            _ => false,
        };
        !beside && self.function.inst(writer.id).is_some_and(|inst| self.may_overwrite(inst, places))
    }

    /// Whatever may run after a load, and write to the memory that it reads.
    pub fn writers_behind(&self, load: ValueId, inst: &Inst) -> Vec<ValueId> {
        let Some((home, place)) = self.paths.place(load) else { return Vec::new() };
        let (places, region) = (self.places.lead(&inst.operands[0]), self.region_of(inst));
        let behind = |writer: &&Writer| {
            writer.block == home && writer.at > place || self.paths.leads(home, writer.block)
        };
        let met = |writer: &&Writer| self.may_meet_at(writer, &places, region.as_ref());
        self.all_writers().iter().filter(behind).filter(met).map(|writer| writer.id).collect()
    }

    /// Whatever writes and may run from an instruction on, this one included.
    pub fn writers_from(&self, id: ValueId) -> Vec<ValueId> {
        let Some((home, place)) = self.paths.place(id) else { return Vec::new() };
        let behind = |writer: &&Writer| {
            writer.block == home && writer.at >= place || self.paths.leads(home, writer.block)
        };
        self.all_writers().iter().filter(behind).map(|writer| writer.id).collect()
    }

    /// Whatever writes to some memory, in the order of blocks and in that of each. Where control does not come to a return any
    /// more, nothing is read in reverse.
    fn find_all_writers(&self) -> Vec<Writer> {
        let of_block = |block: BlockId| self.function.block(block).insts.iter().enumerate();
        let returning = self.paths.returning();
        let all = self
            .function
            .block_ids()
            .filter(|block| returning.contains(block))
            .flat_map(|b| of_block(b).map(move |(at, id)| (b, at, *id)));
        let read = |(block, at, id): (BlockId, usize, ValueId)| {
            let inst = self.function.inst(id).filter(|inst| self.may_write(inst))?;
            Some(Writer { block, at, id, region: self.region_of(inst) })
        };
        all.filter_map(read).collect()
    }

    fn may_write(&self, inst: &Inst) -> bool {
        let stores = matches!(
            inst.op,
            Op::Store(_) | Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::VaArg | Op::Opaque { .. }
        );
        // Whether a call threw, what was caught and that it goes on to the caller are words of the model's, not calls.
        let word = || {
            matches!(inst.callee_name(), Some("backsweep.threw" | "backsweep.caught" | "backsweep.resume"))
        };
        let alone = || memory_call(inst).is_none() && (word() || self.leaves_memory_alone(inst));
        stores || inst.op.call().is_some() && !alone()
    }
}

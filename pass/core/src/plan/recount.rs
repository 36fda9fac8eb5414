//! Loops of which the reverse sweep records nothing to find its way: how often such a loop ran follows from what is at
//! hand where the reverse sweep comes to it, and so does where its counters stood at the end. A loop that is entered once
//! has nothing to record, and is counted anew only to run in its own order (`order`).
//!
//! The loop is left at its header alone, for one block that is entered from nowhere else. On the way back from there the
//! count of passes is computed from the loop's bounds, and each counter from its start. Outside of the loop nobody reads
//! such a counter: there its cell holds what some other run has left.
//! Safe error: not counted anew (costs tape, never truth).

use std::collections::{BTreeMap, BTreeSet};

use super::merges::distinct_predecessors;
use super::restored::Consumers;
use super::storage::Stored;
use super::{Decision, Merge, Rerun, Storage};
use crate::analyses::cycles::find_cycle;
use crate::analyses::flow::{Flow, blocks_of_values};
use crate::analyses::trips::{Trips, find_trips};
use crate::model::{BlockId, Function, Op, Operand, ValueId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recount {
    /// The block behind the loop.
    pub exit: BlockId,
    pub trips: Trips,
    /// The counters of its header that are computed anew, too.
    pub counters: BTreeSet<ValueId>,
    /// In which order the reverses of the iterations run.
    pub order: Order,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Backwards,
    Forwards,
}

pub type Recounts = BTreeMap<BlockId, Recount>;

/// The loops whose passes are known each time. Their counters come later.
pub fn find_recounts(
    function: &Function,
    flow: &Flow,
    merges: &BTreeMap<BlockId, Decision<Merge>>,
) -> Recounts {
    let home = blocks_of_values(function);
    let mut recounts = Recounts::new();
    for (header, decision) in merges {
        let Merge::Count { .. } = decision.choice else { continue };
        let Some(cycle) = find_cycle(flow, *header, &distinct_predecessors(flow, *header)) else { continue };
        let behind = flow.successors(*header).iter().copied().find(|to| !cycle.blocks.contains(to));
        let Some(exit) = behind.filter(|exit| distinct_predecessors(flow, *exit) == [*header]) else {
            continue;
        };
        if let Some(trips) = find_trips(function, flow, &home, &cycle) {
            recounts
                .insert(*header, Recount { exit, trips, counters: BTreeSet::new(), order: Order::Backwards });
        }
    }
    recounts
}

impl Recount {
    /// What has to be at hand where the reverse sweep comes to the loop.
    pub fn operands(&self) -> impl Iterator<Item = ValueId> {
        [&self.trips.start, &self.trips.bound].into_iter().filter_map(Operand::value)
    }
}

/// The block from which a counted loop is entered.
pub fn entry_of(merges: &BTreeMap<BlockId, Decision<Merge>>, header: BlockId) -> Option<BlockId> {
    match merges.get(&header)?.choice {
        Merge::Count { entry, .. } => Some(entry),
        Merge::Record { .. } | Merge::Reevaluate { .. } => None,
    }
}

/// What a counter of a header holds in the first pass.
pub fn start_of(function: &Function, counter: ValueId, latch: BlockId) -> Option<&Operand> {
    let inst = function.inst(counter)?;
    let Op::Phi { from } = &inst.op else { return None };
    from.iter().position(|block| *block != latch).map(|at| &inst.operands[at])
}

/// Finds the counters that nobody reads outside of their loop.
pub fn choose_counters(
    function: &Function,
    flow: &Flow,
    (storage, shadows): (&Stored, &Stored),
    reruns: &BTreeMap<BlockId, Rerun>,
    consumers: &Consumers,
    recounts: &mut Recounts,
) {
    let readers = Readers::of(function, (storage, shadows), reruns, consumers);
    for (counter, decision) in storage {
        let Storage::Invert { header, .. } = &decision.choice else { continue };
        let Some(recount) = recounts.get_mut(header) else { continue };
        let cycle = find_cycle(flow, *header, &distinct_predecessors(flow, *header));
        if cycle.is_some_and(|cycle| readers.are_within(*counter, &cycle.blocks)) {
            recount.counters.insert(*counter);
        }
    }
}

/// Who reads what in the reverse sweep.
struct Readers {
    /// What is computed again from each value.
    made: BTreeMap<ValueId, Vec<ValueId>>,
    /// The blocks in whose reverse it is read; none stands for the end of the forward sweep.
    blocks: BTreeMap<ValueId, BTreeSet<Option<BlockId>>>,
}

impl Readers {
    fn of(
        function: &Function,
        (storage, shadows): (&Stored, &Stored),
        reruns: &BTreeMap<BlockId, Rerun>,
        consumers: &Consumers,
    ) -> Readers {
        let home = blocks_of_values(function);
        let mut readers = Readers { made: BTreeMap::new(), blocks: BTreeMap::new() };
        for (value, decision) in storage.iter().chain(shadows) {
            if decision.choice == Storage::Recompute {
                let operands = function.inst(*value).into_iter().flat_map(|inst| &inst.operands);
                for operand in operands.filter_map(Operand::value) {
                    readers.made.entry(operand).or_default().push(*value);
                }
            }
        }
        let in_insts = consumers.at.iter().map(|(at, values)| (home.get(at).copied(), values));
        let between = consumers.before.iter().map(|(block, values)| (Some(*block), values));
        let anew = reruns.values().map(|rerun| (Some(rerun.exit), &rerun.operands));
        for (block, values) in in_insts.chain(between).chain(anew).chain([(None, &consumers.at_end)]) {
            for value in values {
                readers.blocks.entry(*value).or_default().insert(block);
            }
        }
        readers
    }

    fn are_within(&self, value: ValueId, blocks: &BTreeSet<BlockId>) -> bool {
        let (mut seen, mut waiting) = (BTreeSet::from([value]), vec![value]);
        while let Some(value) = waiting.pop() {
            let mut readers = self.blocks.get(&value).into_iter().flatten();
            if !readers.all(|block| block.is_some_and(|block| blocks.contains(&block))) {
                return false;
            }
            let made = self.made.get(&value).into_iter().flatten();
            waiting.extend(made.copied().filter(|made| seen.insert(*made)));
        }
        true
    }
}

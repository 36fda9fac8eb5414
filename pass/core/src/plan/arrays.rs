//! Records of loops whose number of passes is known before they begin: one array for each run of the loop.
//!
//! The array is laid where the loop is entered and taken back when its reverse is left, so nothing inside compares with
//! the tape's end or moves its top. A block takes part that runs once in each pass, with one record a pass.

use std::collections::{BTreeMap, BTreeSet};

use super::{Decision, Fused, Item, Merge};
use crate::analyses::cycles::{Cycle, find_cycle};
use crate::analyses::flow::{Flow, blocks_of_values};
use crate::analyses::trips::{Trips, find_trips};
use crate::model::{BlockId, Function};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordArray {
    /// The block from which the loop is entered, and only the loop.
    pub entry: BlockId,
    /// The block that every pass ends with, so that the reverse of a pass begins there.
    pub latch: BlockId,
    /// The blocks whose records lie in the array.
    pub blocks: Vec<BlockId>,
    pub trips: Trips,
    /// Where each run of the loop is reversed before the next begins, and is so short that its records lie in the
    /// stack frame: how many passes there are.
    pub in_frame: Option<u64>,
}

/// Longer loops have their records on the tape.
const MOST_IN_FRAME: u64 = 64;

pub fn plan_arrays(
    function: &Function,
    flow: &Flow,
    merges: &BTreeMap<BlockId, Decision<Merge>>,
    records: &mut BTreeMap<BlockId, Vec<Item>>,
) -> BTreeMap<BlockId, RecordArray> {
    let home = blocks_of_values(function);
    let mut arrays = BTreeMap::new();
    let mut taken: BTreeSet<BlockId> = BTreeSet::new();
    // Inner loops have fewer blocks, and a block belongs to the innermost.
    let mut cycles: Vec<Cycle> = merges
        .iter()
        .filter(|(_, decision)| matches!(decision.choice, Merge::Count { .. }))
        .filter_map(|(header, _)| find_cycle(flow, *header, &super::distinct_predecessors(flow, *header)))
        .collect();
    cycles.sort_by_key(|cycle| cycle.blocks.len());
    for cycle in cycles {
        let free: Vec<BlockId> = cycle.blocks.iter().copied().filter(|block| taken.insert(*block)).collect();
        let alone = flow.successors(cycle.entry) == [cycle.header];
        let once = |block: &BlockId| flow.dominates(*block, cycle.latch) && !comes_back(flow, &cycle, *block);
        let blocks: Vec<BlockId> =
            free.into_iter().filter(|block| records.contains_key(block) && once(block)).collect();
        if blocks.is_empty() || !alone {
            continue;
        }
        if let Some(trips) = find_trips(function, flow, &home, &cycle) {
            let array = RecordArray { entry: cycle.entry, latch: cycle.latch, blocks, trips, in_frame: None };
            arrays.insert(cycle.header, array);
        }
    }
    // Where the loop is entered again, the place of the array before is saved.
    for (header, array) in &arrays {
        if flow.is_cyclic(array.entry) {
            let items = records.entry(array.entry).or_default();
            items.push(Item::Array { header: *header });
            items.sort();
        }
    }
    arrays
}

/// Finds the arrays that may lie in the stack frame: of loops that run once in a pass of a loop that reverses each pass at once.
pub fn keep_in_frame(
    arrays: &mut BTreeMap<BlockId, RecordArray>,
    fused: &BTreeMap<BlockId, Fused>,
    flow: &Flow,
) {
    let inside = |entry: &BlockId| fused.values().any(|fused| fused.blocks.contains(entry));
    for array in arrays.values_mut().filter(|array| inside(&array.entry) && !flow.is_cyclic(array.entry)) {
        array.in_frame = array.trips.passes().filter(|passes| *passes <= MOST_IN_FRAME);
    }
}

/// Whether control can come back to a block of a loop within one pass.
pub fn comes_back(flow: &Flow, cycle: &Cycle, block: BlockId) -> bool {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![block]);
    while let Some(at) = waiting.pop() {
        for next in flow.successors(at) {
            if *next == block && block != cycle.header {
                return true;
            }
            if *next != cycle.header && cycle.blocks.contains(next) && seen.insert(*next) {
                waiting.push(*next);
            }
        }
    }
    false
}

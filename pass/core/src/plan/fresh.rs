//! What a block records as it ends.
//!
//! A record holds what cells held before the block overwrites them, since somebody may read there what an earlier pass
//! left. Where only the reverse of the block itself reads a cell, what this pass has put there is recorded instead, and
//! comes back where the reverse of the block begins. Then nothing passes from one iteration to the next, and both loops
//! can be vectorised.
//!
//! Where others read it whose reverse belongs to the same pass, as a merge that asks which way the block has gone, it comes
//! back where the reverse of the pass begins. Only loops that have no other in them are vectorised, so elsewhere it is not worth
//! to have it at hand for so long.
//!
//! Only for records in arrays: those on top of the tape are out of reach where the reverse of the block begins.
//! Safe error: not as it ends.

use std::collections::BTreeMap;

use super::restored::Consumers;
use super::storage::Stored;
use super::{Item, RecordArray, Storage, distinct_predecessors};
use crate::analyses::cycles::{Cycle, find_cycle};
use crate::analyses::flow::{Flow, blocks_of_values};
use crate::model::{BlockId, Function, Operand, ValueId};

/// Where what a block has recorded as it ended comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fetch {
    /// Where the reverse of the block begins.
    WithBlock,
    /// Where the reverse of the pass begins.
    WithPass,
}

pub fn find_fresh(
    function: &Function,
    flow: &Flow,
    (storage, shadows): (&Stored, &Stored),
    consumers: &Consumers,
    records: &BTreeMap<BlockId, Vec<Item>>,
    arrays: &BTreeMap<BlockId, RecordArray>,
) -> BTreeMap<Item, Fetch> {
    if arrays.is_empty() {
        return BTreeMap::new();
    }
    let passes = find_passes(function, flow, arrays);
    let readers = find_readers(function, &passes, storage, shadows, consumers);
    let fetch = |stored: &Stored, value: &ValueId, block: BlockId, header: BlockId| {
        if stored.get(value)?.choice != Storage::SaveOnOverwrite {
            return None;
        }
        match readers.get(value) {
            None => Some(Fetch::WithBlock),
            Some(Reader::Block(reader)) if *reader == block => Some(Fetch::WithBlock),
            // The header of a loop that lies in another has its record in its own array, and is a part of the other's passes.
            Some(reader) => {
                let of_pass = passes.get(&block) == Some(&header) && reader.pass(&passes) == Some(header);
                of_pass.then_some(Fetch::WithPass)
            }
        }
    };
    let mut fresh = BTreeMap::new();
    for (header, block) in
        arrays.iter().flat_map(|(header, array)| array.blocks.iter().map(move |block| (header, block)))
    {
        let items = records.get(block).into_iter().flatten();
        fresh.extend(items.filter_map(|item| {
            let fetch = match item {
                // Read where the store is undone, and nowhere else.
                Item::Old(_) => Some(Fetch::WithBlock),
                Item::Value(value) => fetch(storage, value, *block, *header),
                Item::Shadow(value) => fetch(shadows, value, *block, *header),
                Item::Edge | Item::Counter { .. } | Item::Array { .. } => None,
            };
            fetch.map(|fetch| (*item, fetch))
        }));
    }
    fresh
}

/// For each block of an innermost loop with an array, the loop by its header. The header itself runs once more than its passes.
type Passes = BTreeMap<BlockId, BlockId>;

fn find_passes(function: &Function, flow: &Flow, arrays: &BTreeMap<BlockId, RecordArray>) -> Passes {
    let cycle = |header: &BlockId| find_cycle(flow, *header, &distinct_predecessors(flow, *header));
    let innermost = |cycle: &Cycle| function.is_innermost(cycle.header, |block| cycle.blocks.contains(block));
    let mut passes = Passes::new();
    for cycle in arrays.keys().filter_map(cycle).filter(innermost) {
        let inside = cycle.blocks.iter().filter(|block| **block != cycle.header);
        passes.extend(inside.map(|block| (*block, cycle.header)));
    }
    passes
}

/// Who reads a cell in the reverse sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    /// The reverse of one block.
    Block(BlockId),
    /// The reverse of a pass, or where it leaves one of its blocks for another.
    Pass(BlockId),
    Others,
}

impl Reader {
    fn pass(self, passes: &Passes) -> Option<BlockId> {
        match self {
            Reader::Block(block) => passes.get(&block).copied(),
            Reader::Pass(header) => Some(header),
            Reader::Others => None,
        }
    }

    fn join(self, other: Reader, passes: &Passes) -> Reader {
        match (self.pass(passes), other.pass(passes)) {
            _ if self == other => self,
            (Some(one), Some(another)) if one == another => Reader::Pass(one),
            _ => Reader::Others,
        }
    }
}

/// The readers of each value that has any, of its shadow, and of what is computed again from them.
fn find_readers(
    function: &Function,
    passes: &Passes,
    storage: &Stored,
    shadows: &Stored,
    consumers: &Consumers,
) -> BTreeMap<ValueId, Reader> {
    let home = blocks_of_values(function);
    let mut readers = BTreeMap::new();
    let in_block = consumers.at.iter().flat_map(|(at, values)| {
        let reader = home.get(at).map_or(Reader::Others, |block| Reader::Block(*block));
        values.iter().map(move |value| (*value, reader))
    });
    let between = consumers.before.iter().flat_map(|(block, values)| {
        let reader = passes.get(block).map_or(Reader::Others, |header| Reader::Pass(*header));
        values.iter().map(move |value| (*value, reader))
    });
    let at_end = consumers.at_end.iter().map(|value| (*value, Reader::Others));
    let mut waiting: Vec<(ValueId, Reader)> = in_block.chain(between).chain(at_end).collect();
    let is_again = |stored: &Stored, value: &ValueId| {
        stored.get(value).is_some_and(|decision| decision.choice == Storage::Recompute)
    };
    while let Some((value, reader)) = waiting.pop() {
        let known: Option<Reader> = readers.get(&value).copied();
        let joined = known.map_or(reader, |known| known.join(reader, passes));
        if known == Some(joined) {
            continue;
        }
        readers.insert(value, joined);
        if is_again(storage, &value) || is_again(shadows, &value) {
            let operands = function.inst(value).into_iter().flat_map(|inst| &inst.operands);
            waiting.extend(operands.filter_map(Operand::value).map(|operand| (operand, joined)));
        }
    }
    readers
}

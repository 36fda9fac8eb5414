//! What a block records as it ends.
//!
//! A record holds what cells held before the block overwrites them, since somebody may read there what an earlier pass
//! left. Where only the reverse of the block itself reads a cell, what this pass has put there is recorded instead, and
//! comes back where the reverse of the block begins. Then nothing passes from one iteration to the next, and both loops
//! can be vectorised.
//!
//! Only for records in arrays: those on top of the tape are out of reach where the reverse of the block begins.
//! Safe error: not as it ends.

use std::collections::{BTreeMap, BTreeSet};

use super::restored::Consumers;
use super::storage::Stored;
use super::{Item, RecordArray, Storage};
use crate::analyses::flow::blocks_of_values;
use crate::model::{BlockId, Function, Operand, ValueId};

pub fn find_fresh(
    function: &Function,
    storage: &Stored,
    shadows: &Stored,
    consumers: &Consumers,
    records: &BTreeMap<BlockId, Vec<Item>>,
    arrays: &BTreeMap<BlockId, RecordArray>,
) -> BTreeSet<Item> {
    if arrays.is_empty() {
        return BTreeSet::new();
    }
    let readers = find_readers(function, storage, shadows, consumers);
    let stays = |stored: &Stored, value: &ValueId, block: BlockId| {
        stored.get(value).is_some_and(|decision| decision.choice == Storage::SaveOnOverwrite)
            && readers.get(value).is_none_or(|reader| *reader == Reader::Block(block))
    };
    let mut fresh = BTreeSet::new();
    for block in arrays.values().flat_map(|array| &array.blocks) {
        let items = records.get(block).into_iter().flatten();
        fresh.extend(items.filter(|item| match item {
            // Read where the store is undone, and nowhere else.
            Item::Old(_) => true,
            Item::Value(value) => stays(storage, value, *block),
            Item::Shadow(value) => stays(shadows, value, *block),
            Item::Edge | Item::Counter { .. } | Item::Array { .. } => false,
        }));
    }
    fresh
}

/// Who reads a cell in the reverse sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    /// The reverse of one block.
    Block(BlockId),
    Others,
}

/// The readers of each value that has any, of its shadow, and of what is computed again from them.
fn find_readers(
    function: &Function,
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
    let between = consumers.before.values().chain([&consumers.at_end]).flatten();
    let mut waiting: Vec<(ValueId, Reader)> =
        in_block.chain(between.map(|value| (*value, Reader::Others))).collect();
    let is_again = |stored: &Stored, value: &ValueId| {
        stored.get(value).is_some_and(|decision| decision.choice == Storage::Recompute)
    };
    while let Some((value, reader)) = waiting.pop() {
        let known = readers.get(&value).copied();
        let joined = if known.is_none_or(|known| known == reader) { reader } else { Reader::Others };
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

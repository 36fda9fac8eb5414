//! What a block records as it ends is read in the reverse of that block and nowhere else.
//!
//! Anybody else would find what some other pass has left in the cell. And such a record lies in an array: the reverse of
//! the block reads it before it takes anything off the tape.

use std::collections::{BTreeMap, BTreeSet};

use super::reads::{Moment, Read};
use super::{Obligation, Proof};
use crate::model::{BlockId, ValueId};
use crate::plan::Item;

impl Proof<'_> {
    pub fn check_fresh(&mut self, reads: &[Read], shadows: &[Read]) {
        let mut problems = Vec::new();
        let in_arrays: BTreeSet<BlockId> =
            self.plan.arrays.values().flat_map(|array| &array.blocks).copied().collect();
        let mut by_block: BTreeMap<BlockId, Vec<Item>> = BTreeMap::new();
        for item in &self.plan.fresh {
            let holds = |items: &Vec<Item>| items.contains(item);
            let block = in_arrays.iter().find(|block| self.plan.records.get(block).is_some_and(holds));
            match block {
                Some(block) => by_block.entry(*block).or_default().push(*item),
                None => problems.push(format!("{item:?} is recorded as a block ends, and in no array")),
            }
        }
        for (block, items) in by_block {
            if let Some(why) = self.find_reader_elsewhere(block, &items, reads, shadows) {
                problems.push(format!("^{} records as it ends what is read in {why}", block.0));
            }
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Records, problem));
    }

    pub fn find_reader_elsewhere(
        &self,
        block: BlockId,
        items: &[Item],
        reads: &[Read],
        shadows: &[Read],
    ) -> Option<String> {
        let (mut values, mut pointers) = (BTreeSet::new(), BTreeSet::new());
        for item in items {
            match item {
                Item::Value(value) => drop(values.insert(*value)),
                Item::Shadow(pointer) => drop(pointers.insert(*pointer)),
                Item::Old(_) => {}
                Item::Edge | Item::Counter { .. } | Item::Array { .. } => {
                    return Some(format!("every reverse: {item:?}"));
                }
            }
        }
        let (values, pointers) = self.find_repeated(values, pointers);
        let here = |id: ValueId| self.paths.home(id) == Some(block);
        let elsewhere = |read: &&Read| match read.moment {
            Moment::Reverse(id) => !here(id),
            Moment::Leaving(_) | Moment::End => true,
        };
        let of_values = reads.iter().filter(|read| values.contains(&read.value));
        let of_pointers = shadows.iter().filter(|read| pointers.contains(&read.value));
        let undone = self.plan.restored.iter().filter(|store| {
            let address = self.function.inst(**store).and_then(|inst| inst.operands[1].value());
            address.is_some_and(|address| values.contains(&address)) && !here(**store)
        });
        let read = of_values.chain(of_pointers).find(elsewhere).map(|read| read.why.clone());
        read.or_else(|| undone.map(|store| format!("the undoing of {}", self.describe(*store))).next())
    }
}

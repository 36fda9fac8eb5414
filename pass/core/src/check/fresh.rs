//! What a block records as it ends is read in the reverse of that block and nowhere else, or, where it comes back earlier, in the
//! reverse of that pass.
//!
//! Anybody else would find what some other pass has left in the cell. And such a record lies in an array: the reverse of
//! the block reads it before it takes anything off the tape.

use std::collections::{BTreeMap, BTreeSet};

use super::reads::{Moment, Read, Reads};
use super::{Obligation, Proof};
use crate::model::{BlockId, ValueId};
use crate::plan::{Fetch, Item};

/// Who may read a cell: the reverses of blocks, and perhaps also where one of these is left.
pub struct Readers {
    blocks: BTreeSet<BlockId>,
    between: bool,
}

impl Readers {
    pub fn block(block: BlockId) -> Readers {
        Readers { blocks: BTreeSet::from([block]), between: false }
    }
}

impl Proof<'_> {
    pub fn check_fresh(&mut self, reads: &Reads, shadows: &Reads) {
        let mut problems = Vec::new();
        let mut arrays: BTreeMap<BlockId, BlockId> = BTreeMap::new();
        for (header, array) in &self.plan.arrays {
            for block in &array.blocks {
                arrays.entry(*block).or_insert(*header);
            }
        }
        let mut blocks: BTreeMap<Item, BlockId> = BTreeMap::new();
        for block in arrays.keys() {
            for item in self.plan.records.get(block).into_iter().flatten() {
                blocks.entry(*item).or_insert(*block);
            }
        }
        let mut together: BTreeMap<(BlockId, bool), Vec<Item>> = BTreeMap::new();
        for (item, fetch) in &self.plan.fresh {
            let early = *fetch == Fetch::WithPass;
            match blocks.get(item) {
                Some(block) => together.entry((*block, early)).or_default().push(*item),
                None => problems.push(format!("{item:?} is recorded as a block ends, and in no array")),
            }
        }
        for ((block, early), items) in together {
            let readers = match early {
                false => Readers::block(block),
                true => Readers { blocks: self.find_behind(block, arrays[&block]), between: true },
            };
            if let Some(why) = self.find_reader_elsewhere(&readers, &items, reads, shadows) {
                problems.push(format!("^{} records as it ends what is read in {why}", block.0));
            }
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Records, problem));
    }

    /// The blocks of a pass to which control comes through one of them only. All passes of such a loop end with its latch.
    fn find_behind(&self, block: BlockId, header: BlockId) -> BTreeSet<BlockId> {
        let array = self.plan.arrays.get(&header);
        if !array.is_some_and(|array| self.ends_with(header, array.latch)) {
            return BTreeSet::new();
        }
        let body = self.body_of(header);
        let behind = body.iter().filter(|at| **at != header && self.paths.dominates(block, **at));
        behind.copied().collect()
    }

    /// Whether control comes round from that block alone, and leaves the loop from its header alone.
    fn ends_with(&self, header: BlockId, latch: BlockId) -> bool {
        let body = self.body_of(header);
        let inside = |at: &BlockId| body.contains(at);
        let round = self.paths.predecessors(header).iter().filter(|from| inside(from));
        let mut leaving = body.iter().filter(|at| !self.paths.successors(**at).iter().all(inside));
        round.eq([&latch]) && leaving.all(|at| *at == header)
    }

    /// Who else reads items.
    pub fn find_reader_elsewhere(
        &self,
        readers: &Readers,
        items: &[Item],
        reads: &Reads,
        shadows: &Reads,
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
        let here = |id: ValueId| self.paths.home(id).is_some_and(|home| readers.blocks.contains(&home));
        let elsewhere = |read: &&Read| match read.moment {
            Moment::Reverse(id) => !here(id),
            Moment::Leaving(block) => !readers.between || !readers.blocks.contains(&block),
            Moment::End => true,
        };
        let undone = self.plan.restored.iter().filter(|store| {
            let address = self.function.inst(**store).and_then(|inst| inst.operands[1].value());
            address.is_some_and(|address| values.contains(&address)) && !here(**store)
        });
        let read =
            reads.among(&values).chain(shadows.among(&pointers)).find(elsewhere).map(|read| read.why.clone());
        read.or_else(|| undone.map(|store| format!("the undoing of {}", self.describe(*store))).next())
    }
}

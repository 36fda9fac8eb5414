//! What a loop computes anew is on the tape before it is lost.
//!
//! A cell that is overwritten each time its block runs, the number of an edge into a block that control enters again,
//! and the count of a loop that is itself entered again: each is recorded, once, at the block that overwrites it.
//! Nothing else is, since what is taken back is written to a cell.

use std::collections::{BTreeMap, BTreeSet};

use super::{Obligation, Proof};
use crate::model::BlockId;
use crate::plan::{EXIT, Item, Merge, Storage};

impl Proof<'_> {
    pub fn check_records(&mut self) {
        let mut expected: BTreeMap<BlockId, BTreeSet<Item>> = BTreeMap::new();
        for (value, decision) in &self.plan.storage {
            let overwritten = match &decision.choice {
                Storage::SaveOnOverwrite => self.paths.home(*value).filter(|home| self.must_be_saved(*home)),
                // Counted back within one run of its loop; another run starts where the loop is entered.
                Storage::Invert { header, .. } | Storage::Uncompute { header } => {
                    let recount = self.plan.recounts.get(header);
                    let anew = recount.is_some_and(|recount| recount.counters.contains(value));
                    self.entry_of(*header).filter(|entry| self.comes_again(*entry) && !anew)
                }
                Storage::Argument | Storage::Keep | Storage::Recompute | Storage::Rerun => None,
            };
            // What has room in a shadow is kept there: `check_rooms`.
            if let Some(block) = overwritten.filter(|_| !self.plan.rooms.contains_key(value)) {
                expected.entry(block).or_default().insert(Item::Value(*value));
            }
        }
        for (value, decision) in &self.plan.shadows {
            if let (Storage::SaveOnOverwrite, Some(home)) = (&decision.choice, self.paths.home(*value))
                && self.must_be_saved(home)
            {
                expected.entry(home).or_default().insert(Item::Shadow(*value));
            }
        }
        for store in &self.plan.restored {
            if let Some(home) = self.paths.home(*store).filter(|home| self.comes_again(*home)) {
                expected.entry(home).or_default().insert(Item::Old(*store));
            }
        }
        for (block, decision) in &self.plan.merges {
            match decision.choice {
                Merge::Record { .. } if *block != EXIT && self.comes_again(*block) => {
                    expected.entry(*block).or_default().insert(Item::Edge);
                }
                Merge::Count { entry, .. }
                    if self.comes_again(entry) && !self.plan.recounts.contains_key(block) =>
                {
                    expected.entry(entry).or_default().insert(Item::Counter { header: *block });
                }
                Merge::Record { .. } | Merge::Count { .. } | Merge::Reevaluate { .. } => {}
            }
        }
        for (header, array) in &self.plan.arrays {
            if self.comes_again(array.entry) {
                expected.entry(array.entry).or_default().insert(Item::Array { header: *header });
            }
        }
        let blocks: BTreeSet<BlockId> = expected.keys().chain(self.plan.records.keys()).copied().collect();
        for block in blocks {
            let wanted = expected.remove(&block).unwrap_or_default();
            let listed = self.plan.records.get(&block).map_or(&[][..], Vec::as_slice);
            let found: BTreeSet<Item> = listed.iter().copied().collect();
            if found != wanted || listed.len() != found.len() {
                let message = format!("^{} records {listed:?}; what it overwrites is {wanted:?}", block.0);
                self.report(Obligation::Records, message);
            }
        }
    }

    /// Whether a block overwrites what its reverse has not read: only in a pass that is reversed at once it does not.
    fn must_be_saved(&self, home: BlockId) -> bool {
        let fused = self.plan.fused.values().any(|fused| fused.blocks.contains(&home));
        !fused || self.comes_again(home)
    }

    fn entry_of(&self, header: BlockId) -> Option<BlockId> {
        match self.plan.merges.get(&header)?.choice {
            Merge::Count { entry, .. } => Some(entry),
            Merge::Record { .. } | Merge::Reevaluate { .. } => None,
        }
    }
}

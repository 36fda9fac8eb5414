//! What goes on the tape at each entry of a block that control may enter again.

use std::collections::{BTreeMap, BTreeSet};

use super::recount::{Recounts, entry_of};
use super::storage::Stored;
use super::{Decision, EXIT, Item, Merge, Storage};
use crate::analyses::flow::{Flow, blocks_of_values};
use crate::model::{BlockId, Function, ValueId};

/// Saved values with the block that computes them, what memory held with the block that overwrites it, edges with the block they lead to, counters with the block from
/// which the loop is entered. In a fixed order: the reverse sweep takes the record back as it was laid.
pub fn plan_records(
    function: &Function,
    flow: &Flow,
    (storage, shadows): (&Stored, &Stored),
    restored: &BTreeSet<ValueId>,
    merges: &BTreeMap<BlockId, Decision<Merge>>,
    recounts: &Recounts,
) -> BTreeMap<BlockId, Vec<Item>> {
    let block_of = blocks_of_values(function);
    let mut records: BTreeMap<BlockId, Vec<Item>> = BTreeMap::new();
    for (value, decision) in storage {
        let block = match &decision.choice {
            Storage::SaveOnOverwrite => block_of.get(value).copied().filter(|block| flow.is_cyclic(*block)),
            // Counting back undoes the passes of one run of the loop; between runs the old value is saved.
            Storage::Invert { header, .. } | Storage::Uncompute { header } => {
                let anew = recounts.get(header).is_some_and(|recount| recount.counters.contains(value));
                entry_of(merges, *header).filter(|entry| flow.is_cyclic(*entry) && !anew)
            }
            Storage::Argument | Storage::Keep | Storage::Recompute | Storage::Rerun => None,
        };
        if let Some(block) = block {
            records.entry(block).or_default().push(Item::Value(*value));
        }
    }
    for (value, decision) in shadows {
        if let (Storage::SaveOnOverwrite, Some(block)) = (&decision.choice, block_of.get(value))
            && flow.is_cyclic(*block)
        {
            records.entry(*block).or_default().push(Item::Shadow(*value));
        }
    }
    for store in restored {
        if let Some(block) = block_of.get(store).filter(|block| flow.is_cyclic(**block)) {
            records.entry(*block).or_default().push(Item::Old(*store));
        }
    }
    for (block, decision) in merges {
        match decision.choice {
            Merge::Record { .. } if *block != EXIT && flow.is_cyclic(*block) => {
                records.entry(*block).or_default().push(Item::Edge);
            }
            Merge::Count { entry, .. } if flow.is_cyclic(entry) && !recounts.contains_key(block) => {
                records.entry(entry).or_default().push(Item::Counter { header: *block });
            }
            Merge::Record { .. } | Merge::Count { .. } | Merge::Reevaluate { .. } => {}
        }
    }
    records.values_mut().for_each(|items| items.sort());
    records
}

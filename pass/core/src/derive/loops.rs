//! The loops of a plan by their blocks: what is asked of each block of a function must not go through all its loops.

use std::collections::BTreeMap;

use super::Source;
use crate::model::BlockId;
use crate::plan::{Fused, Merge, Plan, RecordArray};

/// The headers of loops, in order, by one of their blocks.
type Headers = BTreeMap<BlockId, Vec<BlockId>>;

/// Each is by the block that enters the loop, the one that ends its passes, or one of all.
pub struct Loops {
    arrays_entered: Headers,
    arrays_ended: Headers,
    arrays_around: Headers,
    fused_entered: Headers,
    fused_ended: Headers,
    counted: Headers,
}

impl Loops {
    pub fn of(plan: &Plan) -> Loops {
        let arrays = || plan.arrays.iter();
        let fused = || plan.fused.iter();
        let counted = plan.merges.iter().filter_map(|(header, decision)| match decision.choice {
            Merge::Count { entry, .. } => Some((*header, entry)),
            Merge::Record { .. } | Merge::Reevaluate { .. } => None,
        });
        let around = arrays().flat_map(|(header, array)| array.blocks.iter().map(|block| (*header, *block)));
        Loops {
            arrays_entered: by_block(arrays().map(|(header, array)| (*header, array.entry))),
            arrays_ended: by_block(arrays().map(|(header, array)| (*header, array.latch))),
            arrays_around: by_block(around),
            fused_entered: by_block(fused().map(|(header, fused)| (*header, fused.entry))),
            fused_ended: by_block(fused().map(|(header, fused)| (*header, fused.latch))),
            counted: by_block(counted),
        }
    }
}

fn by_block(pairs: impl Iterator<Item = (BlockId, BlockId)>) -> Headers {
    let mut headers = Headers::new();
    pairs.for_each(|(header, block)| headers.entry(block).or_default().push(header));
    headers
}

impl<'a> Source<'a> {
    fn loops(&self) -> &Loops {
        self.loops.get_or_init(|| Loops::of(self.plan))
    }

    fn arrays_in<'b>(
        &'b self,
        headers: &'b Headers,
        block: BlockId,
    ) -> impl Iterator<Item = (BlockId, &'a RecordArray)> + 'b {
        let plan = self.plan;
        headers.get(&block).into_iter().flatten().map(|header| (*header, &plan.arrays[header]))
    }

    /// The arrays of the loops that are entered from a block.
    pub fn arrays_entered(&self, from: BlockId) -> impl Iterator<Item = (BlockId, &'a RecordArray)> {
        self.arrays_in(&self.loops().arrays_entered, from)
    }

    /// The arrays of the loops whose passes end with a block.
    pub fn arrays_ended(&self, latch: BlockId) -> impl Iterator<Item = (BlockId, &'a RecordArray)> {
        self.arrays_in(&self.loops().arrays_ended, latch)
    }

    /// The array that the records of a block lie in.
    pub fn array_around(&self, block: BlockId) -> Option<(BlockId, &'a RecordArray)> {
        self.arrays_in(&self.loops().arrays_around, block).next()
    }

    /// The loops that are entered from a block and reversed as they run.
    pub fn fused_entered(&self, from: BlockId) -> impl Iterator<Item = (BlockId, &'a Fused)> {
        let plan = self.plan;
        let headers = self.loops().fused_entered.get(&from);
        headers.into_iter().flatten().map(|header| (*header, &plan.fused[header]))
    }

    /// The loop whose passes end with a block and are reversed as they run.
    pub fn fused_ended(&self, latch: BlockId) -> Option<BlockId> {
        self.loops().fused_ended.get(&latch)?.first().copied()
    }

    /// The loops that are entered from a block and count their passes.
    pub fn counted_from(&self, from: BlockId) -> &[BlockId] {
        self.loops().counted.get(&from).map_or(&[], Vec::as_slice)
    }
}

//! Loops that are entered by one edge and continued by one: those whose passes can be counted.
//!
//! Found from control flow alone, so that plans do not depend on what a host's analyses happened to see.

use std::collections::BTreeSet;

use super::flow::Flow;
use crate::model::BlockId;

/// A loop with one way in and one way round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    pub header: BlockId,
    /// The block that control enters the header from.
    pub entry: BlockId,
    /// The block that control comes round from.
    pub latch: BlockId,
    pub blocks: BTreeSet<BlockId>,
}

/// The loop of which this block is the header, if its passes can be counted: two predecessors, one of them inside,
/// and nothing inside that control can reach but through the header.
pub fn find_cycle(flow: &Flow, header: BlockId, predecessors: &[BlockId]) -> Option<Cycle> {
    let [first, second] = predecessors else { return None };
    let inside = |block: BlockId| flow.dominates(header, block);
    let (entry, latch) = match (inside(*first), inside(*second)) {
        (false, true) => (*first, *second),
        (true, false) => (*second, *first),
        _ => return None,
    };
    let blocks = body(flow, header, latch);
    blocks.iter().all(|block| inside(*block)).then_some(Cycle { header, entry, latch, blocks })
}

impl Cycle {
    /// The block behind a loop that is left at its header alone, if control comes there from nowhere else.
    pub fn only_exit(&self, flow: &Flow) -> Option<BlockId> {
        let outside = |block: &&BlockId| !self.blocks.contains(block);
        let leaves = |block: &BlockId| flow.successors(*block).iter().any(|to| outside(&to));
        let elsewhere = self.blocks.iter().any(|block| *block != self.header && leaves(block));
        let exits: Vec<&BlockId> = flow.successors(self.header).iter().filter(outside).collect();
        let [exit] = exits[..] else { return None };
        let mut others = flow.predecessors(*exit).iter().filter(|from| **from != self.header);
        (!elsewhere && !others.any(|from| flow.is_reachable(*from))).then_some(*exit)
    }
}

/// The blocks from which the latch can be reached without passing the header.
fn body(flow: &Flow, header: BlockId, latch: BlockId) -> BTreeSet<BlockId> {
    let mut blocks = BTreeSet::from([header]);
    let mut waiting = vec![latch];
    while let Some(block) = waiting.pop() {
        if blocks.insert(block) {
            waiting.extend(flow.predecessors(block).iter().filter(|from| flow.is_reachable(**from)));
        }
    }
    blocks
}

//! How the reverse sweep retraces control: for each block with several predecessors, which one it came from.
//!
//! A branch is re-evaluated where its outcome alone tells the edge, and recorded elsewhere. Only shape is used, so
//! any graph is covered, reducible or not.

use std::collections::{BTreeMap, BTreeSet};

use super::{Decision, EXIT, Merge};
use crate::analyses::cycles::find_cycle;
use crate::analyses::flow::{Flow, returning_blocks};
use crate::config::Switch;
use crate::model::{BlockId, Function, Op};

/// Decides for every block that control can reach and leave towards a return, and for the exit.
pub fn plan_merges(
    function: &Function,
    flow: &Flow,
    reevaluate: Switch,
) -> BTreeMap<BlockId, Decision<Merge>> {
    let returns = returning_blocks(function, flow);
    let mut merges = BTreeMap::new();
    for block in function.block_ids().filter(|block| flow.is_reachable(*block)) {
        let predecessors = distinct_predecessors(flow, block);
        if predecessors.len() > 1 {
            let decision = match reevaluate {
                Switch::On => decide(function, flow, block, predecessors),
                Switch::Off => record(predecessors, "re-evaluation is disabled"),
            };
            merges.insert(block, decision);
        }
    }
    if returns.len() > 1 {
        merges.insert(EXIT, record(returns, "several returns"));
    }
    merges
}

/// Reachable predecessors, each once, in order.
pub fn distinct_predecessors(flow: &Flow, block: BlockId) -> Vec<BlockId> {
    let mut blocks: Vec<BlockId> =
        flow.predecessors(block).iter().copied().filter(|from| flow.is_reachable(*from)).collect();
    blocks.sort();
    blocks.dedup();
    blocks
}

fn decide(function: &Function, flow: &Flow, block: BlockId, predecessors: Vec<BlockId>) -> Decision<Merge> {
    if let Some(cycle) = find_cycle(flow, block, &predecessors) {
        let choice = Merge::Count { entry: cycle.entry, latch: cycle.latch };
        return Decision { choice, reason: "a loop, whose passes are counted".into() };
    }
    let Some(at) = flow.immediate_dominator(block) else {
        return record(predecessors, "no branch dominates this block");
    };
    let branch = function.terminator(at).and_then(|id| function.inst(id));
    if !branch.is_some_and(|inst| matches!(inst.op, Op::CondBr { .. } | Op::Switch { .. })) {
        return record(predecessors, "the block above does not branch");
    }
    // Then the branch tells the first entry only: an irreducible region, or a loop with several latches.
    let region = find_between(flow, at, block);
    if region.contains(&block) {
        return record(predecessors, "control comes back here without passing the branch above");
    }
    let mut from = Vec::new();
    for successor in flow.successors(at) {
        match entering_edges(flow, at, *successor, block, &predecessors, &region).as_slice() {
            [] => from.push(None),
            [only] => from.push(Some(*only)),
            _ => return record(predecessors, "one arm of the branch above leads here by several edges"),
        }
    }
    Decision { choice: Merge::Reevaluate { at, from }, reason: "the branch above tells the edge".into() }
}

/// The blocks from which control can come to `block` without passing `at`, which dominates it: those between the two. It is
/// one of them where control comes round.
fn find_between(flow: &Flow, at: BlockId, block: BlockId) -> BTreeSet<BlockId> {
    let mut between = BTreeSet::new();
    let mut waiting = flow.predecessors(block).to_vec();
    while let Some(from) = waiting.pop() {
        if from != at && flow.is_reachable(from) && between.insert(from) {
            waiting.extend(flow.predecessors(from));
        }
    }
    between
}

/// The predecessors by which control can enter `block` after leaving `at` by this successor, without coming through
/// `at` again: the last execution of `at` is the one that decides. What lies between them tells all ways.
fn entering_edges(
    flow: &Flow,
    at: BlockId,
    successor: BlockId,
    block: BlockId,
    predecessors: &[BlockId],
    between: &BTreeSet<BlockId>,
) -> Vec<BlockId> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![successor];
    while let Some(next) = waiting.pop() {
        if between.contains(&next) && reached.insert(next) {
            waiting.extend(flow.successors(next));
        }
    }
    let enters = |from: &BlockId| reached.contains(from) || *from == at && successor == block;
    predecessors.iter().copied().filter(enters).collect()
}

fn record(predecessors: Vec<BlockId>, reason: &str) -> Decision<Merge> {
    Decision { choice: Merge::Record { predecessors }, reason: reason.into() }
}

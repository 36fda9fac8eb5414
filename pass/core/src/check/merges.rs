//! The reverse sweep goes back by the edge that was taken.
//!
//! Every block that control may enter from several blocks, and the end of the function where it may come from
//! several returns, has a decision. A loop's header that counts is entered from one block before it and one behind.
//! A record lists exactly those blocks. A branch that is evaluated again tells the
//! edge: on every path that leaves it by successor `i` and does not come through it again, the block is entered by
//! `from[i]` only, however often. That is found by following all those paths.

use std::collections::BTreeSet;

use super::{Obligation, Proof};
use crate::model::{BlockId, Op};
use crate::plan::{EXIT, Merge};

impl Proof<'_> {
    pub fn check_merges(&mut self) {
        let plan = self.plan;
        let mut arrivals = self.paths.arrivals().clone();
        arrivals.insert(EXIT, self.paths.returns().iter().copied().collect());
        arrivals.retain(|_, from| from.len() > 1);
        for block in arrivals.keys().filter(|block| !plan.merges.contains_key(block)) {
            let message = format!("{} is entered by several edges and has no decision", name(*block));
            self.report(Obligation::Merges, message);
        }
        for (block, decision) in &plan.merges {
            let problem = match (arrivals.get(block), &decision.choice) {
                (None, _) => Some("is entered by one edge at most, and has a decision".into()),
                (Some(from), Merge::Count { entry, latch }) => self.check_count(*block, *entry, *latch, from),
                (Some(from), Merge::Record { predecessors }) => check_record(from, predecessors),
                (Some(_), Merge::Reevaluate { .. }) if *block == EXIT => {
                    Some("is not entered by a branch that could be evaluated again".into())
                }
                (Some(_), Merge::Reevaluate { at, from }) => self.check_branch(*block, *at, from),
            };
            if let Some(problem) = problem {
                self.report(Obligation::Merges, format!("{} {problem}", name(*block)));
            }
        }
    }

    /// The count of passes is zero when control leaves `entry`, and one more each time it comes to the header. It is
    /// one exactly when control has come from `entry`, since a way from the header to the latch that led through
    /// `entry` would be a way to the latch around the header, which dominates it.
    fn check_count(
        &self,
        header: BlockId,
        entry: BlockId,
        latch: BlockId,
        from: &BTreeSet<BlockId>,
    ) -> Option<String> {
        if entry == latch || *from != BTreeSet::from([entry, latch]) {
            return Some(format!(
                "counts between ^{} and ^{}, and is entered from {}",
                entry.0,
                latch.0,
                list(from)
            ));
        }
        if !self.paths.dominates(header, latch) {
            return Some(format!("is no loop that ^{} comes round", latch.0));
        }
        let inside = self.paths.dominates(header, entry);
        inside.then(|| format!("is entered anew from ^{}, which lies behind it", entry.0))
    }

    fn check_branch(&self, block: BlockId, at: BlockId, from: &[Option<BlockId>]) -> Option<String> {
        let last = self.function.blocks.get(at.0 as usize).and_then(|block| block.insts.last());
        let branch = last.and_then(|last| self.function.inst(*last));
        if !branch.is_some_and(|inst| matches!(inst.op, Op::CondBr { .. } | Op::Switch { .. })) {
            return Some(format!("is decided by the end of ^{}, which is no branch on a value", at.0));
        }
        if at == block || !self.paths.dominates(at, block) {
            return Some(format!("can be entered without coming through the branch of ^{}", at.0));
        }
        let successors = self.paths.successors(at);
        if successors.len() != from.len() {
            return Some(format!("has not one edge for each successor of ^{}", at.0));
        }
        let between = self.paths.walk_back(block, at);
        for (i, (successor, promised)) in successors.iter().zip(from).enumerate() {
            let found = self.find_entries(block, at, *successor, &between);
            let promised: BTreeSet<BlockId> = promised.iter().copied().collect();
            if found != promised {
                return Some(format!(
                    "is said to be entered from {} after successor {i} of ^{}, and can be entered from {}",
                    list(&promised),
                    at.0,
                    list(&found)
                ));
            }
        }
        None
    }

    /// The blocks from which control can enter `block` after leaving `at` by this successor, before it comes
    /// through `at` again. It may enter several times: each time has to be told apart.
    fn find_entries(
        &self,
        block: BlockId,
        at: BlockId,
        successor: BlockId,
        between: &BTreeSet<BlockId>,
    ) -> BTreeSet<BlockId> {
        // What does not lead to the block without coming through `at` leads to nothing that does.
        let mut passed = self.paths.walk_within(&[successor], between);
        passed.retain(|from| self.paths.successors(*from).contains(&block));
        if successor == block {
            passed.insert(at);
        }
        passed
    }
}

/// Both sweeps count the predecessors in ascending order.
fn check_record(arrivals: &BTreeSet<BlockId>, listed: &[BlockId]) -> Option<String> {
    let expected: Vec<BlockId> = arrivals.iter().copied().collect();
    (expected != listed).then(|| {
        let listed: Vec<String> = listed.iter().map(|block| name(*block)).collect();
        format!("records one of {}, and is entered from {}", listed.join(", "), list(arrivals))
    })
}

fn name(block: BlockId) -> String {
    if block == EXIT { "the exit".into() } else { format!("^{}", block.0) }
}

fn list(blocks: &BTreeSet<BlockId>) -> String {
    let names: Vec<String> = blocks.iter().map(|block| name(*block)).collect();
    if names.is_empty() { "nowhere".into() } else { names.join(", ") }
}

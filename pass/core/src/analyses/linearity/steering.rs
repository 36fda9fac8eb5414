//! Which conditions decide whether a block runs, and which of its predecessors a phi takes its value from?
//!
//! Function → for each block the values that branches read. Whatever depends on such a value, and only so, is constant
//! between jumps, and not linear.
//! Safe error: a value too many.

use std::collections::BTreeSet;

use crate::analyses::control::Control;
use crate::analyses::flow::Flow;
use crate::model::{BlockId, Function, Operand, ValueId};

pub struct Steering {
    running: Vec<BTreeSet<ValueId>>,
    choosing: Vec<BTreeSet<ValueId>>,
}

impl Steering {
    pub fn of(function: &Function, flow: &Flow) -> Steering {
        let control = Control::of(function, flow);
        let reader = Reader { function, flow, control: &control };
        let running = function.block_ids().map(|block| reader.values(reader.deciders([block], None)));
        let choosing = function.block_ids().map(|block| reader.choosing(block));
        Steering { running: running.collect(), choosing: choosing.collect() }
    }

    /// What decides whether, and how often, a block runs.
    pub fn of_running(&self, block: BlockId) -> &BTreeSet<ValueId> {
        &self.running[block.0 as usize]
    }

    /// What decides by which edge a block is entered, and of a loop's header, how often.
    pub fn of_entering(&self, block: BlockId) -> &BTreeSet<ValueId> {
        &self.choosing[block.0 as usize]
    }
}

struct Reader<'r> {
    function: &'r Function,
    flow: &'r Flow,
    control: &'r Control,
}

impl Reader<'_> {
    /// The blocks whose branches decide whether some blocks run, directly or not; only those that another dominates.
    fn deciders(
        &self,
        blocks: impl IntoIterator<Item = BlockId>,
        within: Option<BlockId>,
    ) -> BTreeSet<BlockId> {
        let mut found = BTreeSet::new();
        let mut waiting: Vec<BlockId> = blocks.into_iter().collect();
        while let Some(block) = waiting.pop() {
            for decider in self.control.deciders(block) {
                let inside = within.is_none_or(|top| self.flow.dominates(top, *decider));
                if inside && found.insert(*decider) {
                    waiting.push(*decider);
                }
            }
        }
        found
    }

    /// Between the immediate dominator and a block control meets only what the dominator dominates.
    fn choosing(&self, block: BlockId) -> BTreeSet<ValueId> {
        let before = self.flow.predecessors(block);
        if before.len() < 2 {
            return BTreeSet::new();
        }
        let top = self.flow.immediate_dominator(block);
        let mut deciders = self.deciders(before.iter().copied(), top);
        deciders.extend(before.iter().filter(|from| self.flow.successors(**from).len() > 1));
        self.values(deciders)
    }

    fn values(&self, deciders: BTreeSet<BlockId>) -> BTreeSet<ValueId> {
        let ends = deciders.into_iter().filter_map(|block| self.function.terminator(block));
        let read = ends.filter_map(|end| Some((end, self.function.inst(end)?)));
        // An invoke decides by whether it throws: by all that it is given, and all that it does.
        read.flat_map(|(end, inst)| inst.operands.iter().filter_map(Operand::value).chain([end])).collect()
    }
}

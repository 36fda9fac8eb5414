//! Which parts of a function one run of it may pass both.
//!
//! Memory may hold one thing or another, and a branch may ask which: what is counted with in one arm does not say that an
//! integer is moved in the other. An arm from which nobody returns, as one that goes on with an exception, is never gone back through, so
//! that no derivative depends on what is moved there: everybody may say what that is.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use crate::analyses::flow::{Flow, blocks_of_values, returning_blocks};
use crate::model::{BlockId, Function, ValueId};

pub struct Arms<'a> {
    function: &'a Function,
    /// Asked for seldom.
    shape: OnceCell<(Flow, BTreeMap<ValueId, BlockId>)>,
}

impl<'a> Arms<'a> {
    pub fn of(function: &'a Function) -> Arms<'a> {
        Arms { function, shape: OnceCell::new() }
    }

    /// For each block, by its number, whether a run may pass it that passes one of these instructions.
    pub fn beside(&self, movers: &[ValueId]) -> Vec<bool> {
        let (flow, blocks) =
            self.shape.get_or_init(|| (Flow::of(self.function), blocks_of_values(self.function)));
        let starts = || movers.iter().filter_map(|id| blocks.get(id).copied()).collect();
        let mut passed = self.walk(starts(), |block| flow.successors(block));
        if !returning_blocks(self.function, flow).iter().any(|block| passed[block.0 as usize]) {
            return vec![true; passed.len()];
        }
        for (block, before) in self.walk(starts(), |block| flow.predecessors(block)).into_iter().enumerate() {
            passed[block] |= before;
        }
        passed
    }

    fn walk<'b>(&self, mut waiting: Vec<BlockId>, next: impl Fn(BlockId) -> &'b [BlockId]) -> Vec<bool> {
        let mut seen = vec![false; self.function.blocks.len()];
        while let Some(block) = waiting.pop() {
            if !std::mem::replace(&mut seen[block.0 as usize], true) {
                waiting.extend(next(block));
            }
        }
        seen
    }
}

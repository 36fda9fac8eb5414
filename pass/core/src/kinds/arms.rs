//! Which parts of a function one run of it may pass both.
//!
//! Memory may hold one thing or another, and a branch may ask which: what is counted with in one arm does not say that an
//! integer is moved in the other. An arm from which nobody returns, as one that goes on with an exception, is never gone back through, so
//! that no derivative depends on what is moved there: everybody may say what that is.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::analyses::flow::{Flow, blocks_of_values, returning_blocks};
use crate::model::{BlockId, Function, ValueId};

/// The blocks that were asked about, and for each block of the function whether it is beside them.
type Answer = (Vec<BlockId>, Rc<[bool]>);

pub struct Arms<'a> {
    function: &'a Function,
    /// Asked for seldom.
    shape: OnceCell<(Flow, BTreeMap<ValueId, BlockId>)>,
    /// What was answered last: who asks, asks again and again about one block.
    last: RefCell<Option<Answer>>,
}

impl<'a> Arms<'a> {
    pub fn of(function: &'a Function) -> Arms<'a> {
        Arms { function, shape: OnceCell::new(), last: RefCell::default() }
    }

    /// For each block, by its number, whether a run may pass it that passes one of these instructions.
    pub fn beside(&self, movers: &[ValueId]) -> Rc<[bool]> {
        let (flow, blocks) =
            self.shape.get_or_init(|| (Flow::of(self.function), blocks_of_values(self.function)));
        let mut starts: Vec<BlockId> = movers.iter().filter_map(|id| blocks.get(id).copied()).collect();
        starts.sort_unstable();
        starts.dedup();
        if let Some((_, passed)) = self.last.borrow().as_ref().filter(|(asked, _)| *asked == starts) {
            return passed.clone();
        }
        let passed: Rc<[bool]> = self.find_beside(&starts, flow).into();
        *self.last.borrow_mut() = Some((starts, passed.clone()));
        passed
    }

    fn find_beside(&self, starts: &[BlockId], flow: &Flow) -> Vec<bool> {
        let mut passed = self.walk(starts.to_vec(), |block| flow.successors(block));
        if !returning_blocks(self.function, flow).iter().any(|block| passed[block.0 as usize]) {
            return vec![true; passed.len()];
        }
        let before = self.walk(starts.to_vec(), |block| flow.predecessors(block));
        for (block, before) in before.into_iter().enumerate() {
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

//! What a call that runs twice need not save, because it has written all of it itself before it reads any.
//!
//! Asked of the ways that control takes: without running the loop, or the call, that fills a place, nothing is read there; and the
//! loop leaves no byte out. Whether what is read lies between its ends is asked when the program runs.

use std::collections::BTreeSet;

use super::Proof;
use super::joint::counters_of;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use crate::model::{BlockId, LoopId, Op, Operand, Scev, ValueId};
use crate::plan::joint::{Runs, Touch, Way};

impl Proof<'_> {
    /// What is wrong with saying that one of the touches behind a parameter comes before all that is read there.
    pub(super) fn find_unfilled(&self, param: ValueId, touches: &[Touch], fill: usize) -> Option<String> {
        let Some((touch, place)) = touches.get(fill).and_then(|x| Some((x, self.paths.place(x.id)?))) else {
            return Some("there is no touch that fills it".into());
        };
        if touch.way != Way::Write || touch.runs == Runs::Perhaps {
            return Some("what should fill it only reads, or may not run".into());
        }
        let around = match (&self.function.inst(touch.id)?.op, &touch.address) {
            (Op::Store(_), Scev::Rec { of, .. }) => match self.find_gap(touch, place.0, *of) {
                None => Some(*of),
                gap => return gap,
            },
            (Op::Call(_), Scev::Value(start)) if self.fills(touch, start) => None,
            _ => return Some("what should fill it is no loop and no copy".into()),
        };
        let early = self.list_reads(param).into_iter().find(|read| self.may_be_early(*read, place, around));
        early.map(|read| format!("{} may read before it is filled", self.describe(read)))
    }

    /// Whether a copy, or a fill, begins at its pointer and is as long in all passes.
    fn fills(&self, touch: &Touch, start: &Operand) -> bool {
        let Some(inst) = self.function.inst(touch.id) else { return false };
        let call = memory_call(inst);
        let still = counters_of(self.function, &touch.length).is_some_and(|loops| loops.is_empty());
        matches!(call, Some(MemoryCall::Copy | MemoryCall::Fill)) && inst.operands[0] == *start && still
    }

    /// Where a loop would leave bytes out.
    fn find_gap(&self, touch: &Touch, home: BlockId, of: LoopId) -> Option<String> {
        let Scev::Rec { start, step, .. } = &touch.address else { return Some("it does not move".into()) };
        let bytes = match (&**step, &touch.length) {
            (Scev::Const { value: step, .. }, Scev::Const { value: bytes, .. }) if step.abs() == *bytes => {
                *bytes
            }
            _ => return Some("a pass does not go on where the one before has ended".into()),
        };
        let around = &self.function.loops[of.0 as usize];
        let still = |scev: &Scev| counters_of(self.function, scev).is_some_and(|loops| loops.is_empty());
        if bytes <= 0 || !still(start) || !around.back_edges.as_ref().is_some_and(still) {
            return Some("it does not fill the same bytes each time".into());
        }
        let inside: BTreeSet<BlockId> = around.blocks.iter().copied().collect();
        let leaves = |block: &BlockId| self.function.successors(*block).iter().any(|to| !inside.contains(to));
        let past = self.reach_past(around.header, home, (&[], &[]), Some(&inside));
        let asks = |block: &BlockId| *block == around.header && touch.asked.contains(&of);
        let short = past.iter().any(|block| around.latches.contains(block) || leaves(block) && !asks(block));
        let ways = inside.iter().filter(|block| leaves(block)).count();
        (short || ways != 1).then(|| "some pass does not come there".into())
    }

    fn list_reads(&self, param: ValueId) -> Vec<ValueId> {
        let leads = |pointer: &Operand| self.places.lead(pointer).contains(&Place::Param(param));
        let reads = self.live_insts().into_iter().filter(|(_, inst)| match &inst.op {
            Op::Load(_) => leads(&inst.operands[0]),
            Op::Call(_) if memory_call(inst) == Some(MemoryCall::Copy) => leads(&inst.operands[1]),
            _ => false,
        });
        reads.map(|(id, _)| id).collect()
    }

    fn may_be_early(&self, read: ValueId, (home, at): (BlockId, usize), around: Option<LoopId>) -> bool {
        let Some((block, place)) = self.paths.place(read) else { return true };
        let around = around.map(|of| &self.function.loops[of.0 as usize]);
        match around {
            Some(around) => {
                let past = self.reach_past(BlockId(0), around.header, (&[], &[]), None);
                around.blocks.contains(&block) || past.contains(&block)
            }
            None if block == home => place <= at,
            None => self.reach_past(BlockId(0), home, (&[], &[]), None).contains(&block),
        }
    }
}

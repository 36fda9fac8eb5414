//! What a loop adds up is taken back on the way, in place of being recorded.
//!
//! A value of a loop's header that each pass changes by adding, subtracting or an exclusive or has before the pass what undoing
//! that gives. For integers that is exact. For floats it is so up to rounding, which adds up over the passes, so the user has to
//! ask for it. What is added has to be computable again by itself: from counters, from memory that is not overwritten, and from
//! outside the loop, so that nothing that is taken back depends on what is taken back.
//! Safe error: recorded (costs tape, never truth).

use std::collections::BTreeSet;

use super::storage::StoragePlanner;
use super::{Merge, distinct_predecessors};
use crate::analyses::cycles::{Cycle, find_cycle};
use crate::config::Invert;
use crate::model::{BlockId, FloatOp, Inst, IntOp, Op, Operand, ValueId};

impl StoragePlanner<'_> {
    /// The header of the loop that changes a value by what can be computed again, and what that is.
    pub fn find_update(&self, value: ValueId, inst: &Inst) -> Option<(BlockId, Vec<ValueId>)> {
        let Op::Phi { from } = &inst.op else { return None };
        let header = *self.block_of.get(&value)?;
        let Merge::Count { latch, .. } = self.merges.get(&header)?.choice else { return None };
        // Of functions on scalars alone the checker follows the derived code one by one.
        if self.analyses.invert == Invert::Off || self.activity.memory().next().is_none() {
            return None;
        }
        let at = from.iter().position(|block| *block == latch)?;
        let next = self.function.inst(inst.operands[at].value()?)?;
        let by = changed_by(next, value, self.analyses.invert)?;
        let cycle = find_cycle(self.flow, header, &distinct_predecessors(self.flow, header))?;
        let by: Vec<ValueId> = by.iter().filter_map(Operand::value).collect();
        self.are_had_alone(by.clone(), &cycle).then_some((header, by))
    }

    /// Whether values can be computed again without anything that a pass of a loop hands on, but its counters.
    fn are_had_alone(&self, mut waiting: Vec<ValueId>, cycle: &Cycle) -> bool {
        let mut seen = BTreeSet::new();
        while let Some(value) = waiting.pop() {
            let inside = self.block_of.get(&value).is_some_and(|home| cycle.blocks.contains(home));
            if !inside || !seen.insert(value) {
                continue;
            }
            let Some(inst) = self.function.inst(value) else { return false };
            match self.counted_step(value, inst) {
                Some((header, _)) if header == cycle.header => {}
                None if self.is_recomputable(value, inst) => {
                    waiting.extend(inst.number_operands().iter().filter_map(Operand::value));
                }
                _ => return false,
            }
        }
        true
    }

    /// What the values of a header are changed by that could be taken back.
    pub fn find_updates_of(&self, header: BlockId) -> Vec<ValueId> {
        let insts = self.function.block(header).insts.iter();
        let updates = insts.filter_map(|id| {
            let inst = self.function.inst(*id)?;
            self.counted_step(*id, inst).is_none().then(|| self.find_update(*id, inst))?
        });
        updates.flat_map(|(_, by)| by).collect()
    }
}

/// What an instruction changes a value by, if that can be undone: one term, or the factors of one.
fn changed_by(next: &Inst, value: ValueId, invert: Invert) -> Option<&[Operand]> {
    let is = |at: usize| next.operands.get(at) == Some(&Operand::Value(value));
    let number = next.ty.is_real();
    let (place, others) = match &next.op {
        Op::Int(IntOp::Add | IntOp::Xor) if is(1) => (1, 0..1),
        Op::Int(IntOp::Add | IntOp::Xor | IntOp::Sub) => (0, 1..2),
        Op::Float(FloatOp::Add) if is(1) => (1, 0..1),
        Op::Float(FloatOp::Add | FloatOp::Sub) => (0, 1..2),
        Op::Call(_) if next.callee_name().is_some_and(is_fused) => (2, 0..2),
        _ => return None,
    };
    let by = &next.operands[others];
    let once = is(place) && !by.contains(&Operand::Value(value));
    (once && (!number || invert == Invert::Floats)).then_some(by)
}

fn is_fused(name: &str) -> bool {
    name.starts_with("llvm.fmuladd.") || name.starts_with("llvm.fma.")
}

//! Memory without a shadow that is freed behind the reverse sweep, because that reads it again: the columns of a sparse matrix, a table that
//! was computed here.
//!
//! Function + activity → pointers. Where what is behind them were freed as the primal says, whatever the reverse sweep wants of it would be
//! recorded, once for each time it was read. It wants what is in the way of derivatives: what they are multiplied by, where they lie, and
//! which way control went. Nobody sees that something is freed later; only what is freed outside of loops is, so that what a loop makes
//! anew each time, as a vector that grows, does not pile up.
//! Safe error: less is kept.

use std::collections::{BTreeMap, BTreeSet};

use super::activity::{Activity, Pass};
use super::flow::blocks_of_values;
use super::memory_calls::{MemoryCall, is_freed_by_size, memory_call, release_of};
use super::pointers::Base;
use crate::model::{Function, Inst, Op, Operand, ValueId};
use crate::request::Mode;

pub(super) fn find_kept(pass: &Pass, activity: &Activity) -> BTreeSet<ValueId> {
    // Where no memory is active all of the derivative is proved from the plan, step by step: nothing is put off there.
    let is_active = activity.memory().next().is_some();
    let whole = pass.request.mode == Mode::Gradient && !pass.request.nested && is_active;
    let frees = if whole { find_frees(pass.function) } else { BTreeMap::new() };
    if frees.is_empty() {
        return BTreeSet::new();
    }
    let homes = blocks_of_values(pass.function);
    let repeats = |id: &ValueId| homes.get(id).is_none_or(|block| pass.flow.is_cyclic(*block));
    let wanted = find_wanted(pass.function, activity, &repeats);
    let is_bare = |base: &Base| match base {
        Base::Null => true,
        Base::Heap(_) => !activity.has_shadow(base),
        _ => false,
    };
    let is_kept = |pointer: &ValueId, frees: &[ValueId]| {
        let behind = activity.allocations(&Operand::Value(*pointer));
        let by_address = |id: &ValueId| {
            let free = pass.function.inst(*id);
            free.is_some_and(|free| release_of(free).is_some() && !is_freed_by_size(free))
        };
        behind.iter().all(is_bare)
            && behind.iter().filter_map(Base::made_by).any(|made| wanted.contains(&made))
            && frees.iter().all(|id| !repeats(id) && by_address(id))
    };
    frees.iter().filter(|(pointer, frees)| is_kept(pointer, frees)).map(|(pointer, _)| *pointer).collect()
}

/// The calls that free what is behind each pointer.
fn find_frees(function: &Function) -> BTreeMap<ValueId, Vec<ValueId>> {
    let mut frees: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
    for (id, inst) in function.inst_ids().filter_map(|id| Some((id, function.inst(id)?))) {
        let freed = matches!(memory_call(inst), Some(MemoryCall::Free { .. }));
        if let Some(pointer) = inst.operands.first().and_then(Operand::value).filter(|_| freed) {
            frees.entry(pointer).or_default().push(id);
        }
    }
    frees
}

impl Activity {
    /// Whether a call frees memory without a shadow that is kept for the reverse sweep.
    pub fn frees_kept(&self, inst: &Inst) -> bool {
        let kept = || inst.operands[0].value().is_some_and(|pointer| self.lasting().kept.contains(&pointer));
        matches!(memory_call(inst), Some(MemoryCall::Free { .. })) && kept()
    }

    /// Whether what a call frees holds what it held until the reverse sweep is over.
    pub fn frees_later(&self, inst: &Inst) -> bool {
        self.frees_shadowed(inst) || self.frees_kept(inst)
    }
}

/// The allocations of which something that is read in a loop is in the way of derivatives.
fn find_wanted(
    function: &Function,
    activity: &Activity,
    repeats: &dyn Fn(&ValueId) -> bool,
) -> BTreeSet<ValueId> {
    let insts = function.inst_ids().filter_map(|id| Some((id, function.inst(id)?)));
    let mut waiting: Vec<ValueId> = insts.flat_map(|(id, inst)| asked_by(id, inst, activity)).collect();
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    while let Some(id) = waiting.pop() {
        let Some(inst) = function.inst(id).filter(|_| seen.insert(id)) else { continue };
        if matches!(inst.op, Op::Load(_)) && repeats(&id) {
            found.extend(activity.allocations(&inst.operands[0]).iter().filter_map(Base::made_by));
        }
        waiting.extend(inst.operands.iter().filter_map(Operand::value));
    }
    found
}

/// What the derivative of an instruction may have to know.
fn asked_by<'a>(
    id: ValueId,
    inst: &'a Inst,
    activity: &'a Activity,
) -> Box<dyn Iterator<Item = ValueId> + 'a> {
    let moves = |pointer: &Operand| activity.is_shadowed(pointer);
    let asks = match &inst.op {
        Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. } => true,
        Op::Load(_) => activity.is_active(id),
        Op::Store(_) => moves(&inst.operands[1]),
        _ => activity.is_active(id),
    };
    Box::new(inst.operands.iter().filter(move |_| asks).filter_map(Operand::value))
}

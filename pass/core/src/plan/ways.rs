//! How each value can be had in the reverse sweep without storing it.

use std::collections::{BTreeMap, BTreeSet};

use super::effort::is_integer_function;
use super::recount::start_of;
use super::rerun::Rerun;
use super::storage::{StoragePlanner, decision};
use super::{Decision, Merge, Storage};
use crate::analyses::later::is_pure;
use crate::analyses::meaning::{Meaning, meaning};
use crate::config::Switch;
use crate::model::{BlockId, CastOp, Constant, FloatOp, Inst, IntOp, Op, Operand, ValueId};
use crate::rules::Shape;

/// How a value can be had in the reverse sweep without storing it.
pub enum Way {
    Free(Decision<Storage>),
    /// Computed again from these.
    Again(Vec<ValueId>),
    Never,
}

impl StoragePlanner<'_> {
    /// Needed values and whatever they could be computed again from, operands first.
    pub fn find_operands(
        &self,
        needed: &BTreeSet<ValueId>,
        reread: &BTreeSet<ValueId>,
        reruns: &BTreeMap<ValueId, Rerun>,
    ) -> BTreeSet<ValueId> {
        let mut reached = BTreeSet::new();
        let mut waiting: Vec<ValueId> = needed.iter().copied().collect();
        while let Some(value) = waiting.pop() {
            if reached.insert(value)
                && let Way::Again(operands) = self.find_way(value, reread, reruns)
            {
                waiting.extend(operands);
            }
        }
        reached
    }

    /// How each value can be had without storing it, if at all.
    pub fn find_ways(
        &self,
        reached: &BTreeSet<ValueId>,
        reread: &BTreeSet<ValueId>,
        reruns: &BTreeMap<ValueId, Rerun>,
    ) -> BTreeMap<ValueId, Way> {
        reached.iter().map(|value| (*value, self.find_way(*value, reread, reruns))).collect()
    }

    fn find_way(&self, value: ValueId, reread: &BTreeSet<ValueId>, reruns: &BTreeMap<ValueId, Rerun>) -> Way {
        let Some(inst) = self.function.inst(value) else {
            return Way::Free(decision(Storage::Argument, "both sweeps are given it"));
        };
        if let Some(rerun) = reruns.get(&value) {
            return Way::Again(rerun.operands.iter().copied().collect());
        }
        if let Some(start) = self.start_of_counter(value) {
            return Way::Again(start.into_iter().collect());
        }
        if self.counted_step(value, inst).is_some() {
            return Way::Free(self.again(value, reruns));
        }
        if let Some((_, by)) = self.find_update(value, inst) {
            return Way::Again(by);
        }
        match reread.contains(&value) || self.is_recomputable(value, inst) {
            true => Way::Again(inst.number_operands().iter().filter_map(Operand::value).collect()),
            false => Way::Never,
        }
    }

    pub fn again(&self, value: ValueId, reruns: &BTreeMap<ValueId, Rerun>) -> Decision<Storage> {
        let counter = self.function.inst(value).and_then(|inst| self.counted_step(value, inst));
        let update = self.function.inst(value).and_then(|inst| self.find_update(value, inst));
        match (reruns.contains_key(&value), counter, update) {
            (true, ..) => decision(Storage::Rerun, "the loop before runs again, not in the forward sweep"),
            (_, Some((header, step)), _) => {
                let choice = Storage::Invert { header, step };
                decision(choice, "counts by a constant, so it is counted back")
            }
            (_, None, Some((header, _))) => {
                decision(Storage::Uncompute { header }, "changed by what can be undone, so it is taken back")
            }
            _ => decision(Storage::Recompute, self.why_again(value)),
        }
    }

    fn why_again(&self, value: ValueId) -> &'static str {
        match self.function.inst(value).map(|inst| &inst.op) {
            Some(Op::Load(_)) if !self.lasts(value) => "what overwrites it is undone, so it is read again",
            Some(Op::Load(_)) => "nothing overwrites it, so it is read again",
            _ => "follows from what is at hand",
        }
    }

    /// What a counter starts from, if its loop counts anew and it starts from a value.
    pub fn start_of_counter(&self, value: ValueId) -> Option<Option<ValueId>> {
        let (header, _) = self.counted_step(value, self.function.inst(value)?)?;
        let Merge::Count { latch, .. } = self.merges.get(&header)?.choice else { return None };
        self.recounts.get(&header)?;
        start_of(self.function, value, latch).map(Operand::value)
    }

    /// The header and step of an integer that a counted loop advances by a constant.
    pub fn counted_step(&self, value: ValueId, inst: &Inst) -> Option<(BlockId, Constant)> {
        let Op::Phi { from } = &inst.op else { return None };
        let header = *self.block_of.get(&value)?;
        let Merge::Count { latch, .. } = self.merges.get(&header)?.choice else { return None };
        let at = from.iter().position(|block| *block == latch)?;
        let next = self.function.inst(inst.operands[at].value()?)?;
        let (Op::Int(IntOp::Add), [start, Operand::Const(step @ Constant::Int { .. })]) =
            (&next.op, next.operands.as_slice())
        else {
            return None;
        };
        (*start == Operand::Value(value)).then(|| (header, step.clone()))
    }

    /// Cheap arithmetic, and loads of what is still there. It is done again only where it was done before.
    pub fn is_recomputable(&self, value: ValueId, inst: &Inst) -> bool {
        if self.decisive.contains(&value) {
            return false;
        }
        match &inst.op {
            // A division that did not trap does not trap on the same numbers.
            Op::Int(_) => true,
            Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt) => true,
            Op::Cast(CastOp::FpExt | CastOp::FpTrunc | CastOp::SiToFp | CastOp::UiToFp) => true,
            // The place in a table. What no integer holds gave nothing that anybody may use, the first time as well.
            Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => true,
            Op::ICmp(_) | Op::FCmp(_) | Op::Gep(_) | Op::Select | Op::FNeg | Op::Attach(_) => true,
            Op::Float(op) => !matches!(op, FloatOp::Rem),
            Op::Load(_) => self.lasts(value),
            Op::Call(_) if is_integer_function(inst) => true,
            Op::Call(_) => {
                // Without effort: then the forward sweep leaves it out.
                let free = self.analyses.notape == Switch::On || self.unneeded.contains(&value);
                free && self.is_one_number(inst)
            }
            _ => false,
        }
    }

    /// A function of numbers that gives one.
    fn is_one_number(&self, inst: &Inst) -> bool {
        let row = matches!(
            meaning(inst, self.function, self.program, self.rules),
            Meaning::Row { shape: Shape::Value, .. }
        );
        row && is_pure(inst, self.program, self.rules)
    }
}

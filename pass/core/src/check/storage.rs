//! Each storage holds, where it is read, the value it names.
//!
//! An argument is a parameter. A cell is written once at most between two reads: the value of an instruction that
//! may run again goes there only with the old one saved, and its definition dominates every block that reads it, so
//! that no cell is read unwritten.

use std::collections::BTreeMap;

use super::memory_calls::memory_call;
use super::reads::Read;
use super::role::{Role, numbers_of};
use super::{Obligation, Proof};
use crate::model::{BlockId, CastOp, Constant, FloatOp, Inst, IntOp, Op, Operand, Type, ValueId};
use crate::plan::{Merge, Storage};
use crate::rules::Shape;

impl<'a> Proof<'a> {
    pub fn check_storage(&mut self, reads: &[Read]) {
        let plan = self.plan;
        let mut repeats = BTreeMap::new();
        for (value, decision) in &plan.storage {
            if let Some(problem) = self.find_misuse(*value, &decision.choice, &mut repeats) {
                let message = format!("{} {problem}", self.describe(*value));
                self.report(Obligation::Storage, message);
            }
        }
        for (value, problem) in self.find_unsteady() {
            let message = format!("{} {problem}", self.describe(value));
            self.report(Obligation::Storage, message);
        }
        for read in reads.iter().filter(|read| plan.storage.contains_key(&read.value)) {
            let Some(home) = self.paths.home(read.value) else { continue };
            if !self.paths.dominates(home, read.at) {
                let message = format!(
                    "{} need not have been computed when the reverse of ^{} reads it, in {}",
                    self.describe(read.value),
                    read.at.0,
                    read.why
                );
                self.report(Obligation::Storage, message);
            }
        }
    }

    fn find_misuse(
        &self,
        value: ValueId,
        storage: &Storage,
        repeats: &mut BTreeMap<BlockId, bool>,
    ) -> Option<&'static str> {
        if (value.0 as usize) < self.function.params.len() {
            return match storage {
                Storage::Argument => None,
                Storage::Keep
                | Storage::SaveOnOverwrite
                | Storage::Recompute
                | Storage::Rerun
                | Storage::Uncompute { .. }
                | Storage::Invert { .. } => Some("is a parameter, which no instruction writes to a cell"),
            };
        }
        let Some(inst) = self.function.inst(value) else { return Some("is stored and no value") };
        let home = self.paths.home(value).filter(|home| self.paths.is_live(*home));
        let Some(home) = home else { return Some("is stored and never computed") };
        if inst.ty == Type::Void || inst.op.is_terminator() {
            return Some("gives nothing that could be kept behind it");
        }
        match storage {
            Storage::Argument => Some("is computed, and stored as an argument"),
            // What runs again is proved as a whole.
            Storage::SaveOnOverwrite | Storage::Rerun | Storage::Uncompute { .. } => None,
            Storage::Recompute => self.find_lost_operand(value, inst),
            Storage::Invert { header, step } => self.find_miscount(value, inst, *header, step),
            Storage::Keep => {
                let again = *repeats.entry(home).or_insert_with(|| self.paths.repeats(home));
                again.then_some("is kept in one cell, and computed again in a loop")
            }
        }
    }

    /// What is computed again gives the same from the same, and all it is computed from is at hand.
    fn find_lost_operand(&self, value: ValueId, inst: &'a Inst) -> Option<&'static str> {
        if !self.is_repeatable(value, inst, false) {
            return Some("is computed again, and may trap or read what has changed");
        }
        let lost =
            numbers_of(inst).iter().filter_map(Operand::value).any(|x| !self.plan.storage.contains_key(&x));
        lost.then_some("is computed again from what is not at hand")
    }

    /// Whether an instruction gives the same from the same operands, and does nothing else.
    pub fn is_repeatable(&self, value: ValueId, inst: &'a Inst, anywhere: bool) -> bool {
        match &inst.op {
            // Each read is dominated by the definition: a division ran on these numbers before, and did not trap.
            Op::Int(_) => true,
            Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt) | Op::ICmp(_) | Op::Gep(_) => true,
            Op::Cast(CastOp::FpExt | CastOp::FpTrunc | CastOp::SiToFp | CastOp::UiToFp) => true,
            // Poison where no integer holds it, both times: as with additions that must not wrap, nothing hangs on it.
            Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => true,
            Op::Float(op) => *op != FloatOp::Rem,
            Op::FNeg | Op::FCmp(_) | Op::Select | Op::Attach(_) => true,
            Op::Load(_) => self.is_found_again(value, inst) || !anywhere && self.is_put_back(value, inst),
            Op::Call(_) if self.is_between_integers(inst) => true,
            Op::Call(_) => {
                let one = matches!(self.role(inst), Role::Row { shape: Shape::Value, .. });
                one && memory_call(inst).is_none() && self.leaves_memory_alone(inst)
            }
            _ => false,
        }
    }

    /// An intrinsic that gives one integer for its operands, whenever it is asked: the smaller or larger of two, an absolute value,
    /// which of two comes first, a sum or a number from a float that stays within its range, bits counted.
    fn is_between_integers(&self, inst: &Inst) -> bool {
        let Some(name) = inst.callee_name().and_then(|name| name.strip_prefix("llvm.")) else { return false };
        let words: Vec<&str> = name.split('.').collect();
        let whole = matches!(inst.ty, Type::Int(_)) && !self.program.is_followed(&format!("llvm.{name}"));
        let first = ["abs", "smax", "smin", "umax", "umin", "scmp", "ucmp", "ctpop"];
        let within_range = ["sadd", "ssub", "uadd", "usub", "fptosi", "fptoui"];
        let is_among = |names: &[&str]| words.first().is_some_and(|word| names.contains(word));
        whole && (is_among(&first) || is_among(&within_range) && words.get(1) == Some(&"sat"))
    }

    /// What is counted back goes up by that constant on each way round the loop, and by nothing else.
    fn find_miscount(
        &self,
        value: ValueId,
        inst: &Inst,
        header: BlockId,
        step: &Constant,
    ) -> Option<&'static str> {
        let Op::Phi { from } = &inst.op else { return Some("is counted back and is no phi") };
        let Some(Merge::Count { latch, .. }) = self.plan.merges.get(&header).map(|merge| &merge.choice)
        else {
            return Some("is counted back in a loop whose passes are not counted");
        };
        let at = from.iter().position(|block| block == latch);
        let next = at.and_then(|at| inst.operands[at].value()).and_then(|next| self.function.inst(next));
        let adds = next.is_some_and(|next| {
            next.op == Op::Int(IntOp::Add)
                && next.operands == [Operand::Value(value), Operand::Const(step.clone())]
        });
        (self.paths.home(value) != Some(header) || !adds).then_some("is counted back by what was not added")
    }
}

//! A strip that runs again lays the records that it laid.
//!
//! The loop is entered at its header alone, left there alone, and comes round by one branch; each of its records holds numbers
//! of its own block, of that pass or of the one before, and nothing else, so that what the run lays is all that is read. What a
//! cell held before the first pass no run lays, so nobody may ask for that: it was written in no earlier run of the loop, or
//! the block records what it has put there itself. The run begins with
//! what the header handed on where the strip began: laid down there, or counted back to there. All that runs gives the same
//! from the same, whatever decides its way runs with it, and what it takes from outside is at hand where the reverse of a
//! pass begins.

use std::collections::BTreeSet;

use super::reads::{Moment, Read};
use super::role::numbers_of;
use super::{Obligation, Proof};
use crate::model::{BlockId, Op, Operand, ValueId};
use crate::plan::{Item, Merge, Storage, Strip};
use crate::request::Mode;

impl Proof<'_> {
    /// What the runs take from outside of their loops.
    pub fn find_strip_reads(&self) -> Vec<Read> {
        let mut reads = Vec::new();
        for (header, strip) in &self.plan.strips {
            let why = format!("the run of a strip of ^{}", header.0);
            let taken = self.taken_by_strip(*header, strip);
            reads.extend(taken.into_iter().map(|value| {
                let (at, moment) = (*header, Moment::Leaving(*header));
                Read { value, at, moment, why: why.clone() }
            }));
        }
        reads
    }

    pub fn check_strips(&mut self) {
        let mut problems = Vec::new();
        for (header, strip) in &self.plan.strips {
            let problem = self
                .find_other_shape(*header, strip)
                .map(str::to_owned)
                .or_else(|| self.find_other_record(*header, strip))
                .or_else(|| self.find_unlike(*header, strip));
            problems.extend(problem.map(|problem| format!("^{} is in strips, and {problem}", header.0)));
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Strips, problem));
    }

    fn find_other_shape(&self, header: BlockId, strip: &Strip) -> Option<&'static str> {
        if self.plan.request.mode != Mode::Gradient || self.plan.request.nested {
            return Some("others may run before its reverse");
        }
        let latch = match self.plan.merges.get(&header).map(|merge| &merge.choice) {
            Some(Merge::Count { latch, .. }) if self.plan.arrays.contains_key(&header) => *latch,
            _ => return Some("its records lie in no array"),
        };
        if !strip.passes.is_power_of_two() || strip.passes > 1 << 32 {
            return Some("the passes of a strip are no power of two");
        }
        let body = self.body_of(header);
        let arrivals = self.paths.arrivals();
        let from_outside = |block: &BlockId| {
            *block != header && arrivals.get(block).is_some_and(|from| !from.is_subset(&body))
        };
        let leaves = |block: &BlockId| {
            *block != header && self.paths.successors(*block).iter().any(|to| !body.contains(to))
        };
        if strip.blocks != *body || body.iter().any(from_outside) || body.iter().any(leaves) {
            return Some(
                "its blocks are not all of the loop, or are entered and left elsewhere than at the header",
            );
        }
        let inside = self.paths.successors(header).iter().filter(|to| body.contains(to)).count();
        let round = self.function.terminator(latch).and_then(|id| self.function.inst(id));
        let plain = round.is_some_and(|inst| matches!(inst.op, Op::Br { .. }));
        (latch == header || !plain || inside != 1).then_some("it does not go round by one way")
    }

    /// Records that hold something that the run does not lay.
    fn find_other_record(&self, header: BlockId, strip: &Strip) -> Option<String> {
        let array = self.plan.arrays.get(&header)?;
        let once = !self.paths.repeats(array.entry);
        for block in &strip.blocks {
            for item in self.plan.records.get(block).into_iter().flatten() {
                let laid = match item {
                    Item::Value(value) => {
                        strip.insts.contains(value) && self.paths.home(*value) == Some(*block)
                    }
                    Item::Old(_) | Item::Shadow(_) | Item::Edge => false,
                    Item::Counter { .. } | Item::Array { .. } => false,
                };
                let known = once || self.plan.fresh.contains_key(item);
                if !laid || !known || !array.blocks.contains(block) {
                    return Some(format!("^{} records {item:?}, which its run does not lay", block.0));
                }
            }
        }
        None
    }

    /// Whatever runs, and does not give what it gave.
    fn find_unlike(&self, header: BlockId, strip: &Strip) -> Option<String> {
        for id in &strip.insts {
            let home = self.paths.home(*id).filter(|home| strip.blocks.contains(home));
            let inst = self.function.inst(*id);
            let fits = match (inst, home) {
                (Some(inst), Some(home)) if matches!(inst.op, Op::Phi { .. }) => {
                    home != header || self.begins_as_it_did(header, strip, *id)
                }
                (Some(inst), Some(_)) => !inst.op.is_terminator() && self.is_repeatable(*id, inst, true),
                _ => false,
            };
            if !fits {
                return Some(format!("{} does not give what it gave", self.describe(*id)));
            }
        }
        for block in strip.blocks.iter().filter(|block| **block != header) {
            let branch = self.function.terminator(*block).and_then(|id| self.function.inst(id));
            let known = |op: &Op| matches!(op, Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. });
            if !branch.is_some_and(|inst| known(&inst.op)) {
                return Some(format!("^{} does not end in a branch", block.0));
            }
        }
        let taken = self.taken_by_strip(header, strip);
        let inside =
            |value: &&ValueId| self.paths.home(**value).is_some_and(|home| strip.blocks.contains(&home));
        if let Some(missing) = taken.iter().find(inside) {
            return Some(format!("{} does not run with it", self.describe(*missing)));
        }
        if let Some(omitted) = strip.state.iter().find(|value| self.plan.omitted.contains_key(value)) {
            return Some(format!("{} is laid down, and left out", self.describe(*omitted)));
        }
        (taken != strip.operands).then(|| "takes something else than was planned".into())
    }

    /// Whether what a header hands on is laid down as a strip begins, or counted back to where it began.
    fn begins_as_it_did(&self, header: BlockId, strip: &Strip, phi: ValueId) -> bool {
        let choice = self.plan.storage.get(&phi).map(|decision| &decision.choice);
        let counted = matches!(choice, Some(Storage::Invert { header: of, .. }) if *of == header);
        strip.state.contains(&phi) || strip.counters.contains(&phi) && counted
    }

    /// Operands of what runs and of the branches, beside that of the header, that do not run with it. What the header begins
    /// with as the loop is entered is none of them.
    fn taken_by_strip(&self, header: BlockId, strip: &Strip) -> BTreeSet<ValueId> {
        let others = strip.blocks.iter().filter(|block| **block != header);
        let ends = others.filter_map(|block| self.function.terminator(*block));
        let mut taken = BTreeSet::new();
        for id in strip.insts.iter().copied().chain(ends) {
            let Some(inst) = self.function.inst(id) else { continue };
            let round = |at: usize| match &inst.op {
                Op::Phi { from } if self.paths.home(id) == Some(header) => strip.blocks.contains(&from[at]),
                _ => true,
            };
            let operands = numbers_of(inst).iter().enumerate().filter(|(at, _)| round(*at));
            taken.extend(operands.filter_map(|(_, operand)| Operand::value(operand)));
        }
        taken.retain(|value| !strip.insts.contains(value));
        taken
    }
}

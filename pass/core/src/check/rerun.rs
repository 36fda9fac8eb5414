//! A loop that runs again in the reverse sweep gives the number that it gave, and its run is seen by nobody.
//!
//! It is left by one edge, to a block that is entered by no other, and entered by one: so what the block behind it finds is
//! what the last run has left. All that runs gives the same from the same: it computes, or reads what was not overwritten
//! since; what it takes from outside the loop is at hand where the reverse of the block behind begins, and whatever decides
//! its way runs with it. The cell of the number is written there, and read before the reverse of that block has ended.

use std::collections::BTreeSet;

use super::fresh::Readers;
use super::reads::{Moment, Read, Reads};
use super::role::numbers_of;
use super::{Obligation, Proof};
use crate::model::{BlockId, FloatOp, Inst, Op, Operand, Type, ValueId};
use crate::plan::{Item, Rerun, Storage};

impl<'a> Proof<'a> {
    /// What the runs take from outside of their loops.
    pub fn find_rerun_reads(&self) -> Vec<Read> {
        let mut reads = Vec::new();
        for (header, rerun) in &self.plan.reruns {
            let Some(last) = self.function.terminator(rerun.exit) else { continue };
            let why = format!("the run of ^{} in the reverse sweep", header.0);
            let read = |value: ValueId| Read {
                value,
                at: rerun.exit,
                moment: Moment::Reverse(last),
                why: why.clone(),
            };
            reads.extend(self.taken_from_outside(rerun).into_iter().map(read));
        }
        reads
    }

    pub fn check_reruns(&mut self, reads: &Reads, shadows: &Reads) {
        let mut problems = Vec::new();
        for (header, rerun) in &self.plan.reruns {
            let problem = self.find_other_way(*header, rerun).or_else(|| self.find_unrepeatable(rerun));
            problems.extend(problem.map(|problem| format!("^{} runs again, and {problem}", header.0)));
        }
        for (value, decision) in &self.plan.storage {
            if decision.choice != Storage::Rerun {
                continue;
            }
            let home = self.paths.home(*value);
            let rerun = self.plan.reruns.values().find(|rerun| Some(rerun.exit) == home);
            let problem = match (rerun, home) {
                (Some(rerun), Some(home)) => self.find_misread(*value, home, rerun, reads, shadows),
                _ => Some("is left by no loop that runs again".into()),
            };
            problems.extend(problem.map(|problem| format!("{} {problem}", self.describe(*value))));
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Reruns, problem));
    }

    fn find_misread(
        &self,
        value: ValueId,
        home: BlockId,
        rerun: &Rerun,
        reads: &Reads,
        shadows: &Reads,
    ) -> Option<String> {
        let phi = self.function.inst(value).filter(|inst| matches!(inst.op, Op::Phi { .. }));
        let left = phi.and_then(|phi| phi.operands.first());
        let runs =
            |x: &Operand| x.value().is_none_or(|x| rerun.insts.contains(&x) || !self.is_inside(x, rerun));
        if !left.is_some_and(runs) {
            return Some("is not what the loop leaves that runs again".into());
        }
        let elsewhere =
            self.find_reader_elsewhere(&Readers::block(home), &[Item::Value(value)], reads, shadows);
        elsewhere.map(|why| format!("is computed for the reverse of ^{} and read in {why}", home.0))
    }

    /// The blocks are those of one loop, with one edge in and one out.
    fn find_other_way(&self, header: BlockId, rerun: &Rerun) -> Option<String> {
        let arrivals = self.paths.arrivals();
        let from = |block: &BlockId| arrivals.get(block).cloned().unwrap_or_default();
        if from(&rerun.exit) != BTreeSet::from([header]) || rerun.blocks.contains(&rerun.exit) {
            return Some(format!("^{} is not behind it alone", rerun.exit.0));
        }
        let outside = from(&header).difference(&rerun.blocks).count();
        if outside != 1 || !rerun.blocks.contains(&header) {
            return Some("it is entered by more than one edge".into());
        }
        for block in &rerun.blocks {
            if *block != header && !from(block).is_subset(&rerun.blocks) {
                return Some(format!("^{} is entered from outside", block.0));
            }
            let leaves = |to: &BlockId| !(rerun.blocks.contains(to) || *block == header && *to == rerun.exit);
            if self.paths.successors(*block).iter().any(leaves) {
                return Some(format!("^{} leads out of it", block.0));
            }
        }
        None
    }

    /// Whether a number comes round in the loop to be added to, and nothing else there depends on it: then any order of its
    /// terms gives what is behind the loop, but for rounding.
    fn only_goes_round(&self, addition: ValueId, rerun: &Rerun) -> bool {
        let Some(inst) = self.function.inst(addition) else { return false };
        let (added_to, others) = match &inst.op {
            Op::Float(FloatOp::Add | FloatOp::Sub) => (&inst.operands[..], &[][..]),
            Op::Call(_) if inst.callee_name().is_some_and(|name| name.starts_with("llvm.fmuladd.")) => {
                (&inst.operands[2..3], &inst.operands[..2])
            }
            _ => return false,
        };
        let inside = rerun.blocks.iter().flat_map(|block| &self.function.block(*block).insts);
        let inside: Vec<(ValueId, &Inst)> =
            inside.filter_map(|id| Some((*id, self.function.inst(*id)?))).collect();
        let depends = |inst: &Inst, on: ValueId| inst.operands.iter().any(|x| x.value() == Some(on));
        let mut around =
            inside.iter().filter(|(_, inst)| matches!(inst.op, Op::Phi { .. })).filter(|(phi, inst)| {
                depends(inst, addition) && added_to.iter().any(|x| x.value() == Some(*phi))
            });
        let (Some((phi, _)), None) = (around.next(), around.next()) else { return false };
        let subtracted = matches!(inst.op, Op::Float(FloatOp::Sub)) && inst.operands[1].value() == Some(*phi);
        let twice = added_to.iter().filter(|x| x.value() == Some(*phi)).count() != 1;
        !subtracted
            && !twice
            && !others.iter().any(|x| x.value() == Some(*phi))
            && inside.iter().all(|(id, inst)| {
                (*id == addition || !depends(inst, *phi)) && (id == phi || !depends(inst, addition))
            })
    }

    /// Whatever runs gives what it gave.
    fn find_unrepeatable(&self, rerun: &Rerun) -> Option<String> {
        for id in &rerun.insts {
            let inst = self.function.inst(*id).filter(|inst| inst.ty != Type::Void);
            let is_phi = |inst: &Inst| matches!(inst.op, Op::Phi { .. });
            let fits = inst.is_some_and(|inst| is_phi(inst) || self.is_repeatable(*id, inst, true));
            if !fits || !self.is_inside(*id, rerun) {
                return Some(format!("{} does not give what it gave", self.describe(*id)));
            }
        }
        for block in &rerun.blocks {
            let branch = self.function.terminator(*block).and_then(|id| self.function.inst(id));
            if !branch
                .is_some_and(|inst| matches!(inst.op, Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. }))
            {
                return Some(format!("^{} does not end in a branch", block.0));
            }
        }
        if let Some(ordered) = rerun.sums.iter().find(|id| !self.only_goes_round(**id, rerun)) {
            return Some(format!("the order of the sum {} is seen", self.describe(*ordered)));
        }
        let taken = self.taken_from_outside(rerun);
        if let Some(missing) = taken.iter().find(|value| self.is_inside(**value, rerun)) {
            return Some(format!("{} does not run with it", self.describe(*missing)));
        }
        (taken != rerun.operands).then(|| "takes something else than was planned".into())
    }

    /// Operands of what runs, of the branches, and of what is left behind, that do not run with it.
    fn taken_from_outside(&self, rerun: &Rerun) -> BTreeSet<ValueId> {
        let ends = rerun.blocks.iter().filter_map(|block| self.function.terminator(*block));
        let left = self.function.blocks.get(rerun.exit.0 as usize).into_iter().flat_map(|block| &block.insts);
        let is_left = |id: &&ValueId| {
            self.plan.storage.get(id).is_some_and(|decision| decision.choice == Storage::Rerun)
        };
        let readers = rerun.insts.iter().copied().chain(ends).chain(left.filter(is_left).copied());
        let operands = readers.filter_map(|id| self.function.inst(id)).flat_map(numbers_of);
        operands.filter_map(Operand::value).filter(|value| !rerun.insts.contains(value)).collect()
    }

    fn is_inside(&self, value: ValueId, rerun: &Rerun) -> bool {
        self.paths.home(value).is_some_and(|home| rerun.blocks.contains(&home))
    }
}

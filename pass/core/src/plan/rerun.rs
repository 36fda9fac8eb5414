//! Loops that run once more in the reverse sweep, for a number that they leave behind.
//!
//! What an inner loop sums up is needed where the iteration around it is reversed. Where the forward sweep has no use for
//! the sum it leaves the loop out, and the reverse of the block behind the loop begins with running it, all of it or as
//! much as the number takes: whatever decides its way, and what the number is computed from. Nothing is recorded, and
//! nothing is computed more often than before. The loop reads only what is at hand there and memory that is not
//! overwritten, and it writes nothing. The number is read in the reverse of that block alone: anywhere else its cell holds
//! what some other run has left.
//!
//! What the program computes for itself keeps the order in which it was written. Here only a derivative reads the sum, so its
//! terms may be added in any order, several at once.
//! Safe error: not run again (costs tape, never truth).

use std::collections::{BTreeMap, BTreeSet};

use super::Storage;
use super::effort::{effort_of, find_computations};
use super::merges::distinct_predecessors;
use super::restored::Consumers;
use super::storage::{StoragePlanner, Stored};
use crate::analyses::cycles::{Cycle, find_cycle};
use crate::analyses::flow::{Flow, blocks_of_values};
use crate::config::Switch;
use crate::model::{BlockId, FloatOp, Function, Inst, Op, Operand, ValueId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rerun {
    /// The block behind the loop, in whose reverse it runs.
    pub exit: BlockId,
    /// The blocks of the loop.
    pub blocks: BTreeSet<BlockId>,
    /// The instructions that run, beside the branches.
    pub insts: BTreeSet<ValueId>,
    /// What they take from outside the loop.
    pub operands: BTreeSet<ValueId>,
    /// The additions among them that the loop only sums up by.
    pub sums: BTreeSet<ValueId>,
}

/// The loops of a function that could run again, by the block behind them.
pub struct Reruns<'a> {
    function: &'a Function,
    home: BTreeMap<ValueId, BlockId>,
    loops: BTreeMap<BlockId, Cycle>,
}

impl<'a> Reruns<'a> {
    pub fn of(function: &'a Function, flow: &Flow) -> Reruns<'a> {
        let mut loops = BTreeMap::new();
        for header in function.block_ids().filter(|block| flow.is_reachable(*block)) {
            let Some(cycle) = find_cycle(flow, header, &distinct_predecessors(flow, header)) else {
                continue;
            };
            // A block that runs once has room for the number in a cell of its own.
            if let Some(to) = cycle.only_exit(flow).filter(|to| flow.is_cyclic(*to)) {
                loops.insert(to, cycle);
            }
        }
        Reruns { function, home: blocks_of_values(function), loops }
    }

    /// What has to run for a value that a loop leaves behind, where that may run again.
    pub fn find(
        &self,
        value: ValueId,
        inst: &Inst,
        repeats: &dyn Fn(ValueId, &Inst) -> bool,
    ) -> Option<Rerun> {
        let exit = *self.home.get(&value)?;
        let cycle = self.loops.get(&exit)?;
        let number = matches!(inst.op, Op::Phi { .. }) && inst.ty.is_real();
        let (insts, operands, sums) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut rerun = Rerun { exit, blocks: cycle.blocks.clone(), insts, operands, sums };
        let mut waiting: Vec<ValueId> = inst.operands.iter().filter_map(Operand::value).collect();
        for block in &cycle.blocks {
            let branch = self.function.terminator(*block).and_then(|id| self.function.inst(id))?;
            if !matches!(branch.op, Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. }) {
                return None;
            }
            waiting.extend(branch.operands.iter().filter_map(Operand::value));
        }
        while let Some(value) = waiting.pop() {
            if !self.home.get(&value).is_some_and(|home| cycle.blocks.contains(home)) {
                rerun.operands.insert(value);
            } else if rerun.insts.insert(value) {
                let inst = self.function.inst(value)?;
                if !matches!(inst.op, Op::Phi { .. }) && !repeats(value, inst) {
                    return None;
                }
                waiting.extend(inst.number_operands().iter().filter_map(Operand::value));
            }
        }
        rerun.sums = self.find_sums(&rerun.blocks);
        rerun.sums.retain(|id| rerun.insts.contains(id));
        number.then_some(rerun)
    }

    /// Additions to a number that goes round in a loop, where nothing in the loop reads either but for that.
    fn find_sums(&self, blocks: &BTreeSet<BlockId>) -> BTreeSet<ValueId> {
        let mut readers: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
        for id in blocks.iter().flat_map(|block| &self.function.block(*block).insts) {
            let operands = self.function.inst(*id).into_iter().flat_map(|inst| &inst.operands);
            operands.filter_map(Operand::value).for_each(|value| readers.entry(value).or_default().push(*id));
        }
        let only_reader = |value: &ValueId| match readers.get(value).map(Vec::as_slice) {
            Some([reader]) => Some(*reader),
            _ => None,
        };
        let is_phi =
            |id: &ValueId| self.function.inst(*id).is_some_and(|inst| matches!(inst.op, Op::Phi { .. }));
        let goes_round = |id: &ValueId| {
            let mut so_far =
                self.function.inst(*id).map_or(&[][..], sums_so_far).iter().filter_map(Operand::value);
            so_far.any(|sum| is_phi(&sum) && only_reader(&sum) == Some(*id) && only_reader(id) == Some(sum))
        };
        let all = blocks.iter().flat_map(|block| &self.function.block(*block).insts);
        all.copied().filter(goes_round).collect()
    }
}

/// What an addition may add to.
fn sums_so_far(inst: &Inst) -> &[Operand] {
    let is_product = |inst: &Inst| inst.callee_name().is_some_and(|name| name.starts_with("llvm.fmuladd."));
    match &inst.op {
        Op::Float(FloatOp::Add) => &inst.operands[..2],
        Op::Float(FloatOp::Sub) => &inst.operands[..1],
        Op::Call(_) if is_product(inst) => &inst.operands[2..3],
        _ => &[],
    }
}

impl StoragePlanner<'_> {
    /// The values that are needed, and for which a loop could run in the reverse sweep that does not run in the forward
    /// sweep.
    pub fn find_reruns(&self, needed: &BTreeSet<ValueId>, consumers: &Consumers) -> BTreeMap<ValueId, Rerun> {
        let mut found = BTreeMap::new();
        // Of functions on scalars alone the checker follows the derived code one by one.
        if self.analyses.notape == Switch::Off || self.activity.memory().next().is_none() {
            return found;
        }
        let reruns = Reruns::of(self.function, self.flow);
        let phis = reruns.loops.keys().flat_map(|exit| &self.function.block(*exit).insts);
        for id in phis.filter(|id| self.unneeded.contains(id)) {
            let Some(inst) = self.function.inst(*id) else { continue };
            let rerun = reruns.find(*id, inst, &|id, inst| self.is_recomputable(id, inst));
            let idle = |id: &ValueId| {
                let effort = self.function.inst(*id).map_or(0, |inst| effort_of(inst, None));
                effort == 0 || self.unneeded.contains(id)
            };
            if let Some(rerun) = rerun.filter(|rerun| rerun.insts.iter().all(idle)) {
                found.insert(*id, rerun);
            }
        }
        if !found.is_empty() {
            let blocks = self.find_all_computations(needed, consumers, &found);
            found.retain(|id, rerun| {
                blocks.get(id).is_some_and(|blocks| *blocks == BTreeSet::from([rerun.exit]))
            });
        }
        found
    }

    /// In the reverse of which blocks each value is read, whatever is computed again and not stored.
    fn find_all_computations(
        &self,
        needed: &BTreeSet<ValueId>,
        consumers: &Consumers,
        reruns: &BTreeMap<ValueId, Rerun>,
    ) -> BTreeMap<ValueId, BTreeSet<BlockId>> {
        let from = |value: ValueId| -> Vec<ValueId> {
            let Some(inst) = self.function.inst(value) else { return Vec::new() };
            let passed = matches!(inst.op, Op::Load(_) | Op::Freeze | Op::Cast(_) | Op::Select | Op::Gep(_));
            match reruns.get(&value) {
                Some(rerun) => rerun.operands.iter().copied().collect(),
                None if passed || self.is_recomputable(value, inst) => {
                    inst.number_operands().iter().filter_map(Operand::value).collect()
                }
                None => Vec::new(),
            }
        };
        let read = consumers.at.values().chain(consumers.before.values()).chain([&consumers.at_end]);
        let mut reached = BTreeSet::new();
        let mut waiting: Vec<ValueId> = needed.iter().chain(read.flatten()).copied().collect();
        while let Some(value) = waiting.pop() {
            if reached.insert(value) {
                waiting.extend(from(value));
            }
        }
        find_computations(self.function, consumers, &self.in_order(&reached), &from)
    }

    /// The loops that run again for what was decided, by their headers.
    pub fn join_reruns(
        &self,
        storage: &Stored,
        mut found: BTreeMap<ValueId, Rerun>,
    ) -> BTreeMap<BlockId, Rerun> {
        let mut reruns: BTreeMap<BlockId, Rerun> = BTreeMap::new();
        found.retain(|id, _| storage.get(id).is_some_and(|decision| decision.choice == Storage::Rerun));
        for rerun in found.into_values() {
            let Some(header) = self.flow.predecessors(rerun.exit).first() else { continue };
            match reruns.get_mut(header) {
                Some(known) => known.join(rerun),
                None => drop(reruns.insert(*header, rerun)),
            }
        }
        reruns
    }
}

impl Rerun {
    /// One run for several numbers.
    fn join(&mut self, other: Rerun) {
        self.insts.extend(other.insts);
        self.operands.extend(other.operands);
        self.sums.extend(other.sums);
    }
}

//! One loop in place of two: each pass is reversed as soon as it has run.
//!
//! Where passes have nothing of each other but sums, and what the sums say is known before the loop begins, the reverse of a pass need
//! not wait: it runs behind the pass, in the forward sweep, in the order of the passes. What the pass has computed is
//! still in registers, and nothing of it goes on the tape; what loops inside lay there, the same pass takes off. The reverse
//! sweep passes by.
//!
//! What has to hold: the loop carries counters and sums; from it on nothing is written, so that the shadows it adds to
//! are only added to by whatever comes later; the adjoints of the sums go through instructions that run once, and whose
//! factors are at hand before the loop; and what is read again was not, and will not be, overwritten.
//! Safe error: two loops.

use std::collections::{BTreeMap, BTreeSet};

use super::order::Ordering;
use super::storage::Stored;
use super::{Item, Merge, Storage, distinct_predecessors};
use crate::analyses::cycles::{Cycle, find_cycle};
use crate::analyses::flow::{blocks_of_values, returning_blocks};
use crate::analyses::later::{Later, only_computes};
use crate::analyses::meaning::{Meaning, meaning};
use crate::model::{BlockId, Inst, Op, Operand, ValueId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fused {
    pub entry: BlockId,
    pub latch: BlockId,
    pub exit: BlockId,
    pub blocks: BTreeSet<BlockId>,
    /// What the header carries and adds up.
    pub sums: BTreeSet<ValueId>,
    /// The instructions behind the loop through which the adjoints of the sums come, in the order of the function.
    pub early: BTreeSet<ValueId>,
}

/// A function, and what was decided of it.
pub struct Fusing<'a> {
    pub order: Ordering<'a>,
    pub later: &'a Later<'a>,
    pub shadows: &'a Stored,
    pub restored: &'a BTreeSet<ValueId>,
    pub home: BTreeMap<ValueId, BlockId>,
}

impl<'a> Fusing<'a> {
    pub fn of(
        order: Ordering<'a>,
        later: &'a Later<'a>,
        shadows: &'a Stored,
        restored: &'a BTreeSet<ValueId>,
    ) -> Self {
        let home = blocks_of_values(order.function);
        Fusing { order, later, shadows, restored, home }
    }

    /// The outermost loops that can be fused, of those that would record something, by their headers.
    pub fn find(&self) -> BTreeMap<BlockId, Fused> {
        let mut found: BTreeMap<BlockId, Fused> = BTreeMap::new();
        let flow = self.order.flow;
        let counted =
            self.order.merges.iter().filter(|(_, merge)| matches!(merge.choice, Merge::Count { .. }));
        let cycles = counted
            .filter_map(|(header, _)| find_cycle(flow, *header, &distinct_predecessors(flow, *header)));
        for cycle in cycles.filter(|cycle| self.records(cycle)) {
            if let Some(fused) = self.fuse(&cycle) {
                found.insert(cycle.header, fused);
            }
        }
        found
    }

    fn records(&self, cycle: &Cycle) -> bool {
        let kept = |item: &Item| matches!(item, Item::Value(_) | Item::Shadow(_));
        let items =
            |block: &BlockId| self.order.records.get(block).is_some_and(|items| items.iter().any(kept));
        cycle.blocks.iter().any(items)
    }

    fn fuse(&self, cycle: &Cycle) -> Option<Fused> {
        let exit = self.find_exit(cycle)?;
        let insts = |block: &BlockId| self.order.function.block(*block).insts.iter().copied();
        let all_quiet =
            |blocks: &BTreeSet<BlockId>| blocks.iter().flat_map(insts).all(|id| self.is_quiet(id));
        // Most loops write something themselves, and nobody need ask what comes behind.
        if !all_quiet(&cycle.blocks) {
            return None;
        }
        let quiet = self.order.flow.reach(cycle.header, &[]);
        if !all_quiet(&quiet) || !self.reads_what_lasts(&quiet) {
            return None;
        }
        let sums = self.find_sums(cycle)?;
        let early = self.find_early(cycle, &sums)?;
        let Cycle { entry, latch, blocks, .. } = cycle.clone();
        Some(Fused { entry, latch, exit, blocks, sums, early })
    }

    /// The block behind a loop that is entered once, and left at its header alone.
    fn find_exit(&self, cycle: &Cycle) -> Option<BlockId> {
        let (function, flow) = (self.order.function, self.order.flow);
        let round = function.inst(function.terminator(cycle.latch)?)?;
        let once = !flow.is_cyclic(cycle.entry) && flow.successors(cycle.entry) == [cycle.header];
        let plain = cycle.latch != cycle.header && matches!(round.op, Op::Br { .. });
        cycle.only_exit(flow).filter(|_| once && plain)
    }

    /// Whether an instruction computes, reads or returns, and does nothing else.
    fn is_quiet(&self, id: ValueId) -> bool {
        let Some(inst) = self.order.function.inst(id) else { return false };
        inst.op == Op::Ret || only_computes(inst, self.order.program, self.order.rules)
    }

    /// Whether what the reverse sweep reads again is the same from before the loop to the end.
    fn reads_what_lasts(&self, quiet: &BTreeSet<BlockId>) -> bool {
        let again = self.order.storage.iter().chain(self.shadows);
        let mut loads = again.filter(|(value, decision)| {
            let load = self.order.function.inst(**value).is_some_and(|inst| matches!(inst.op, Op::Load(_)));
            decision.choice == Storage::Recompute && load
        });
        let stands = |load: &ValueId| self.home.get(load).is_some_and(|block| quiet.contains(block));
        self.restored.is_empty() && loads.all(|(load, _)| stands(load) || self.later.lasts(*load))
    }

    /// The sums, if the header has nothing else that is active, and the loop hands on nothing else.
    fn find_sums(&self, cycle: &Cycle) -> Option<BTreeSet<ValueId>> {
        let (function, activity) = (self.order.function, self.order.activity);
        let mut sums = BTreeSet::new();
        for id in function.block(cycle.header).insts.iter().filter(|id| activity.is_active(**id)) {
            let inst = function.inst(*id)?;
            if !matches!(inst.op, Op::Phi { .. }) || !self.order.is_sum(cycle, *id, inst) {
                return None;
            }
            sums.insert(*id);
        }
        let inside = |id: ValueId| self.home.get(&id).is_some_and(|block| cycle.blocks.contains(block));
        let handed_on = function.inst_ids().filter(|id| !inside(*id)).filter_map(|id| function.inst(id));
        let mut values = handed_on.flat_map(|inst| &inst.operands).filter_map(Operand::value);
        values
            .all(|value| !inside(value) || !activity.is_active(value) || sums.contains(&value))
            .then_some(sums)
    }

    /// Whatever is computed from the sums, if the factors by which it says something about them are known before.
    fn find_early(&self, cycle: &Cycle, sums: &BTreeSet<ValueId>) -> Option<BTreeSet<ValueId>> {
        let function = self.order.function;
        let mut early = BTreeSet::new();
        let mut waiting: Vec<ValueId> = sums.iter().copied().collect();
        while let Some(value) = waiting.pop() {
            for user in function.inst_ids() {
                let Some(inst) = function.inst(user) else { continue };
                let uses = inst.operands.contains(&Operand::Value(value));
                let outside = self.home.get(&user).is_some_and(|block| !cycle.blocks.contains(block));
                let counts = self.order.activity.is_active(user) || inst.op == Op::Ret;
                if uses && outside && counts && early.insert(user) {
                    waiting.push(user);
                }
            }
        }
        let known = |user: &ValueId| {
            let inst = function.inst(*user)?;
            (self.runs_once(*user) && self.is_known(cycle, inst, &early, sums)).then_some(())
        };
        early.iter().try_for_each(known)?;
        Some(early)
    }

    /// Whether an instruction runs whenever the function returns, and only once.
    fn runs_once(&self, id: ValueId) -> bool {
        let flow = self.order.flow;
        let [returns] = returning_blocks(self.order.function, flow)[..] else { return false };
        self.home.get(&id).is_some_and(|block| !flow.is_cyclic(*block) && flow.dominates(*block, returns))
    }

    /// Whether what an instruction says about its early operands takes only what is at hand before the loop.
    fn is_known(
        &self,
        cycle: &Cycle,
        inst: &Inst,
        early: &BTreeSet<ValueId>,
        sums: &BTreeSet<ValueId>,
    ) -> bool {
        let order = &self.order;
        let late =
            |x: &Operand| x.value().is_some_and(|value| early.contains(&value) || sums.contains(&value));
        match &inst.op {
            Op::Ret => true,
            Op::Phi { .. } => inst.operands.iter().all(|x| *x == inst.operands[0]),
            Op::Freeze | Op::Cast(_) => true,
            Op::Select => !late(&inst.operands[0]) && self.is_at_hand(cycle, &inst.operands[0]),
            _ => match meaning(inst, order.function, order.program, order.rules) {
                Meaning::Row { row, operands, .. } => {
                    let said = (0..row.operands.len()).filter(|at| late(&operands[*at]));
                    let mut forms = said.flat_map(|at| (0..row.results.len()).map(move |k| row.form(k, at)));
                    forms.all(|form| {
                        let needs = form.needs();
                        let read = (0..operands.len()).filter(|at| needs.operands.contains(*at as u8));
                        let mut read = read.map(|at| &operands[at]);
                        needs.results.is_empty() && read.all(|x| !late(x) && self.is_at_hand(cycle, x))
                    })
                }
                _ => false,
            },
        }
    }

    /// Whether a value can be had where the loop is entered.
    fn is_at_hand(&self, cycle: &Cycle, operand: &Operand) -> bool {
        let Some(value) = operand.value() else { return true };
        let before =
            || self.home.get(&value).is_some_and(|block| self.order.flow.dominates(*block, cycle.entry));
        match self.order.storage.get(&value).map(|decision| &decision.choice) {
            Some(Storage::Argument) => true,
            Some(Storage::Keep) => before(),
            Some(Storage::Recompute) => {
                let inst = self.order.function.inst(value);
                inst.is_some_and(|inst| inst.number_operands().iter().all(|x| self.is_at_hand(cycle, x)))
            }
            _ => false,
        }
    }
}

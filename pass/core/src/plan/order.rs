//! Whether the reverses of a loop's iterations may run in the order of the iterations, in which memory is read best.
//!
//! Nothing passes from one to the next but sums: what is added to shadows, which anybody may add up in any order, and the
//! adjoints of sums that the loop carries, which every iteration finds as they were. Nothing is recorded or stored in the
//! loop, so no iteration undoes what another has done; loops in it are counted anew in each.
//! Safe error: in the opposite order.

use std::collections::{BTreeMap, BTreeSet};

use super::recount::Recounts;
use super::storage::Stored;
use super::{Item, Merge, Order, Storage, distinct_predecessors};
use crate::analyses::activity::Activity;
use crate::analyses::cycles::{Cycle, find_cycle};
use crate::analyses::flow::Flow;
use crate::analyses::later::is_pure;
use crate::model::{BlockId, FloatOp, Function, Inst, Op, Operand, Program, ValueId};
use crate::rules::Rules;

/// A function, and what was decided of it.
pub struct Ordering<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    pub rules: &'a Rules,
    pub flow: &'a Flow,
    pub activity: &'a Activity,
    pub storage: &'a Stored,
    pub merges: &'a BTreeMap<BlockId, super::Decision<Merge>>,
    pub records: &'a BTreeMap<BlockId, Vec<Item>>,
}

impl Ordering<'_> {
    /// Turns the loops that may run in either order.
    pub fn choose(&self, recounts: &mut Recounts) {
        let known: BTreeSet<BlockId> = recounts.keys().copied().collect();
        for (header, recount) in &mut *recounts {
            let cycle = find_cycle(self.flow, *header, &distinct_predecessors(self.flow, *header));
            if cycle.is_some_and(|cycle| self.is_free(&cycle, &recount.counters, &known)) {
                recount.order = Order::Forwards;
            }
        }
    }

    fn is_free(&self, cycle: &Cycle, counters: &BTreeSet<ValueId>, known: &BTreeSet<BlockId>) -> bool {
        let alone = |block: &BlockId| {
            let counts =
                self.merges.get(block).is_some_and(|merge| matches!(merge.choice, Merge::Count { .. }));
            !self.records.contains_key(block) && (!counts || known.contains(block))
        };
        let counted = self.storage.iter().filter(|(_, decision)| match &decision.choice {
            Storage::Invert { header, .. } | Storage::Uncompute { header } => *header == cycle.header,
            _ => false,
        });
        cycle.blocks.iter().all(alone)
            && counted.map(|(value, _)| value).all(|value| counters.contains(value))
            && cycle.blocks.iter().all(|block| self.does_nothing_else(cycle, *block))
    }

    /// Whether a block only computes, reads and adds up; the header, which runs once more, adds up alone.
    fn does_nothing_else(&self, cycle: &Cycle, block: BlockId) -> bool {
        self.function.block(block).insts.iter().all(|id| {
            let Some(inst) = self.function.inst(*id) else { return false };
            let active = self.activity.is_active(*id);
            let at_header = block == cycle.header;
            match &inst.op {
                Op::Phi { .. } => !at_header || !active || self.is_sum(cycle, *id, inst),
                Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. } => true,
                Op::FNeg | Op::Float(_) | Op::Int(_) | Op::Cast(_) | Op::ICmp(_) | Op::FCmp(_) => {
                    !at_header || !active
                }
                Op::Select | Op::Gep(_) | Op::Load(_) => !at_header || !active,
                Op::Call(_) => (!at_header || !active) && is_pure(inst, self.program, self.rules),
                _ => false,
            }
        })
    }

    /// Whether what a header carries is only added to, and used for nothing else in the loop.
    pub fn is_sum(&self, cycle: &Cycle, phi: ValueId, inst: &Inst) -> bool {
        let Op::Phi { from } = &inst.op else { return false };
        let latch = from.iter().position(|block| *block == cycle.latch);
        let Some(last) = latch.and_then(|at| inst.operands[at].value()) else { return false };
        let (mut now, mut seen) = (phi, BTreeSet::new());
        while now != last {
            let [next] = self.active_users(cycle, now)[..] else { return false };
            if !seen.insert(next) || !self.adds_to(next, now) {
                return false;
            }
            now = next;
        }
        self.active_users(cycle, last).iter().all(|user| *user == phi) && phi != last
    }

    fn active_users(&self, cycle: &Cycle, value: ValueId) -> Vec<ValueId> {
        let ids = cycle.blocks.iter().flat_map(|block| &self.function.block(*block).insts);
        let uses = |inst: &Inst| inst.operands.contains(&Operand::Value(value));
        let users =
            ids.filter(|id| self.activity.is_active(**id) && self.function.inst(**id).is_some_and(uses));
        users.copied().collect()
    }

    /// Whether an instruction adds something to a value.
    fn adds_to(&self, id: ValueId, value: ValueId) -> bool {
        let Some(inst) = self.function.inst(id) else { return false };
        let at = |index: usize| inst.operands.get(index) == Some(&Operand::Value(value));
        let times = inst.operands.iter().filter(|x| **x == Operand::Value(value)).count();
        let fused = |name: &str| name.starts_with("llvm.fmuladd.") || name.starts_with("llvm.fma.");
        times == 1
            && match &inst.op {
                Op::Float(FloatOp::Add) => true,
                Op::Float(FloatOp::Sub) => at(0),
                Op::Call(_) => at(2) && inst.callee_name().is_some_and(fused),
                _ => false,
            }
    }
}

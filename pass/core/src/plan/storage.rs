//! Which primal values and shadow pointers the reverse sweep reads, and how each gets there.

use std::collections::{BTreeMap, BTreeSet};

use super::{Decision, Merge, Storage};
use crate::analyses::activity::Activity;
use crate::analyses::flow::{Flow, blocks_of_values};
use crate::analyses::meaning::{Meaning, meaning};
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::overlap::Overwrites;
use crate::analyses::pointers::Base;
use crate::model::{BlockId, CastOp, Constant, Function, Inst, IntOp, Op, Operand, Program, ValueId};
use crate::rules::Rules;

/// One thing the reverse sweep reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Need {
    Primal(ValueId),
    /// The shadow of a pointer.
    Shadow(ValueId),
}

/// What a plan says of everything that is needed.
pub type Stored = BTreeMap<ValueId, Decision<Storage>>;

/// Recomputing a value from more than this many instructions is not worth a register.
const LONGEST_RECOMPUTATION: usize = 16;

pub struct StoragePlanner<'a> {
    pub function: &'a Function,
    pub program: &'a Program,
    pub rules: &'a Rules,
    pub flow: &'a Flow,
    pub activity: &'a Activity,
    pub merges: &'a BTreeMap<BlockId, Decision<Merge>>,
    block_of: BTreeMap<ValueId, BlockId>,
    pub values: Stored,
    pub shadows: Stored,
}

/// Decides for everything the reverse sweep reads, and for what that is computed from.
pub fn plan_storage(
    function: &Function,
    program: &Program,
    rules: &Rules,
    flow: &Flow,
    activity: &Activity,
    merges: &BTreeMap<BlockId, Decision<Merge>>,
) -> (Stored, Stored) {
    let mut planner = StoragePlanner {
        function,
        program,
        rules,
        flow,
        activity,
        merges,
        block_of: blocks_of_values(function),
        values: BTreeMap::new(),
        shadows: BTreeMap::new(),
    };
    let mut waiting: Vec<Need> = planner.needs().into_iter().collect();
    while let Some(need) = waiting.pop() {
        waiting.extend(planner.store(need));
    }
    (planner.values, planner.shadows)
}

impl StoragePlanner<'_> {
    /// Everything the reverse sweep reads: what the reverse of each instruction does, and the conditions of branches
    /// that are evaluated again.
    fn needs(&self) -> BTreeSet<Need> {
        let mut needs = BTreeSet::new();
        for block in self.function.block_ids().filter(|block| self.flow.is_reachable(*block)) {
            for id in &self.function.block(block).insts {
                if let Some(inst) = self.function.inst(*id) {
                    needs.extend(needed_by(
                        *id,
                        inst,
                        self.function,
                        self.program,
                        self.rules,
                        self.activity,
                    ));
                }
            }
        }
        for merge in self.merges.values() {
            if let Merge::Reevaluate { at, .. } = merge.choice
                && let Some(branch) = self.function.terminator(at).and_then(|id| self.function.inst(id))
            {
                needs.extend(branch.operands[0].value().map(Need::Primal));
            }
        }
        needs
    }

    /// Decides for one need; returns what that in turn needs.
    fn store(&mut self, need: Need) -> Vec<Need> {
        let (value, known) = match need {
            Need::Primal(value) => (value, self.values.contains_key(&value)),
            Need::Shadow(value) => (value, self.shadows.contains_key(&value)),
        };
        if known {
            return Vec::new();
        }
        let (decision, more) = match need {
            Need::Primal(_) => self.decide_value(value),
            Need::Shadow(_) => self.decide_shadow(value),
        };
        match need {
            Need::Primal(_) => self.values.insert(value, decision),
            Need::Shadow(_) => self.shadows.insert(value, decision),
        };
        more
    }

    fn decide_value(&self, value: ValueId) -> (Decision<Storage>, Vec<Need>) {
        let Some(inst) = self.function.inst(value) else {
            return (decision(Storage::Argument, "both sweeps are given it"), Vec::new());
        };
        if let Some((header, step)) = self.counted_step(value, inst) {
            let choice = Storage::Invert { header, step };
            return (decision(choice, "counts by a constant, so it is counted back"), Vec::new());
        }
        if is_recomputable(inst) && self.leaves(value).is_some_and(|leaves| leaves.len() <= 1) {
            let more = inst.operands.iter().filter_map(Operand::value).map(Need::Primal).collect();
            return (decision(Storage::Recompute, "follows from what is at hand"), more);
        }
        (self.keep(value), Vec::new())
    }

    fn decide_shadow(&self, value: ValueId) -> (Decision<Storage>, Vec<Need>) {
        let Some(inst) = self.function.inst(value) else {
            return (decision(Storage::Argument, "both sweeps are given it"), Vec::new());
        };
        let primal = |operand: &Operand| operand.value().map(Need::Primal);
        let shadow = |operand: &Operand| {
            operand.value().filter(|value| self.activity.is_value_shadowed(*value)).map(Need::Shadow)
        };
        let recompute =
            |more: Vec<Need>| (decision(Storage::Recompute, "follows from what is at hand"), more);
        match &inst.op {
            Op::Alloca(_) => {
                (decision(Storage::Argument, "the shadow of a stack slot has a place of its own"), Vec::new())
            }
            Op::Gep(_) => {
                let indices = inst.operands[1..].iter().filter_map(primal);
                recompute(shadow(&inst.operands[0]).into_iter().chain(indices).collect())
            }
            Op::Freeze | Op::Cast(_) => recompute(shadow(&inst.operands[0]).into_iter().collect()),
            Op::Select => {
                let arms = inst.operands[1..].iter().filter_map(shadow);
                recompute(primal(&inst.operands[0]).into_iter().chain(arms).collect())
            }
            _ => (self.keep(value), Vec::new()),
        }
    }

    fn keep(&self, value: ValueId) -> Decision<Storage> {
        let cyclic = self.block_of.get(&value).is_some_and(|block| self.flow.is_cyclic(*block));
        if cyclic {
            decision(Storage::SaveOnOverwrite, "computed anew in each iteration")
        } else {
            decision(Storage::Keep, "computed once in each call")
        }
    }

    /// The header and step of an integer that a counted loop advances by a constant.
    fn counted_step(&self, value: ValueId, inst: &Inst) -> Option<(BlockId, Constant)> {
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

    /// The kept values that a value can be recomputed from; `None` where that takes too long.
    fn leaves(&self, value: ValueId) -> Option<BTreeSet<ValueId>> {
        let (mut leaves, mut waiting, mut steps) = (BTreeSet::new(), vec![value], 0);
        while let Some(value) = waiting.pop() {
            let Some(inst) = self.function.inst(value) else { continue };
            if self.counted_step(value, inst).is_some() {
                continue;
            }
            if is_recomputable(inst) {
                steps += 1;
                if steps > LONGEST_RECOMPUTATION {
                    return None;
                }
                waiting.extend(inst.operands.iter().filter_map(Operand::value));
            } else {
                leaves.insert(value);
            }
        }
        Some(leaves)
    }
}

/// Integer and address arithmetic that cannot trap and reads no memory.
fn is_recomputable(inst: &Inst) -> bool {
    match &inst.op {
        Op::Int(op) => !matches!(op, IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem),
        Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt) => true,
        Op::ICmp(_) | Op::Gep(_) => true,
        _ => false,
    }
}

/// What the reverse of one instruction reads.
pub fn needed_by(
    id: ValueId,
    inst: &Inst,
    function: &Function,
    program: &Program,
    rules: &Rules,
    activity: &Activity,
) -> Vec<Need> {
    let primal = |operand: &Operand| operand.value().map(Need::Primal);
    let shadow = |operand: &Operand| {
        operand.value().filter(|value| activity.is_value_shadowed(*value)).map(Need::Shadow)
    };
    match &inst.op {
        Op::Load(_) if activity.is_active(id) => return shadow(&inst.operands[0]).into_iter().collect(),
        Op::Store(_) if stores_float(id, inst, function, activity) => {
            return shadow(&inst.operands[1]).into_iter().collect();
        }
        Op::Call(_) => {
            if activity.is_call(id) {
                // The callee's second half is given what its first half was.
                let primals = inst.arguments().iter().filter_map(primal);
                return primals.chain(inst.arguments().iter().filter_map(shadow)).collect();
            }
            if let Some(call) = memory_call(inst) {
                return needed_by_memory_call(id, inst, call, activity, &primal, &shadow);
            }
        }
        _ => {}
    }
    if !activity.is_active(id) {
        return Vec::new();
    }
    match meaning(inst, function, program, rules) {
        Meaning::Row { row, operands, .. } => {
            let mut needed = Vec::new();
            for i in (0..row.operands.len()).filter(|i| row.is_real_operand(*i)) {
                if !activity.is_operand_active(&operands[i]) {
                    continue;
                }
                for k in 0..row.results.len() {
                    let needs = row.needs(k, i);
                    needed.extend(needs.operands.iter().filter_map(|x| primal(&operands[x as usize])));
                    if !needs.results.is_empty() {
                        needed.push(Need::Primal(id));
                    }
                }
            }
            needed
        }
        _ => match inst.op {
            Op::Select => primal(&inst.operands[0]).into_iter().collect(),
            Op::ExtractElement => primal(&inst.operands[1]).into_iter().collect(),
            Op::InsertElement => primal(&inst.operands[2]).into_iter().collect(),
            _ => Vec::new(),
        },
    }
}

/// Whether a store writes a float, by its type or by its bits.
pub fn stores_float(id: ValueId, inst: &Inst, function: &Function, activity: &Activity) -> bool {
    function.operand_type(&inst.operands[0]).holds_float()
        || activity.overwrites(id) == Some(Overwrites::Float)
}

fn needed_by_memory_call(
    id: ValueId,
    inst: &Inst,
    call: MemoryCall,
    activity: &Activity,
    primal: &dyn Fn(&Operand) -> Option<Need>,
    shadow: &dyn Fn(&Operand) -> Option<Need>,
) -> Vec<Need> {
    match call {
        MemoryCall::Allocate { .. } if activity.has_shadow(&Base::Heap(id)) => {
            vec![Need::Primal(id), Need::Shadow(id)]
        }
        MemoryCall::Copy if activity.is_shadowed(&inst.operands[0]) => {
            let pointers = inst.operands[..2].iter().filter_map(shadow);
            pointers.chain(primal(&inst.operands[2])).collect()
        }
        MemoryCall::Fill if activity.is_shadowed(&inst.operands[0]) => {
            shadow(&inst.operands[0]).into_iter().chain(primal(&inst.operands[2])).collect()
        }
        MemoryCall::Allocate { .. } | MemoryCall::Free { .. } | MemoryCall::Copy | MemoryCall::Fill => {
            Vec::new()
        }
    }
}

fn decision(choice: Storage, reason: &str) -> Decision<Storage> {
    Decision { choice, reason: reason.into() }
}

//! Which primal values the reverse sweep reads, and how each gets there.

use std::collections::{BTreeMap, BTreeSet};

use super::{Decision, Merge, Storage};
use crate::analyses::activity::Activity;
use crate::analyses::flow::{Flow, blocks_of_values};
use crate::analyses::meaning::{Meaning, meaning};
use crate::model::{BlockId, Function, Inst, Op, Operand, Program, ValueId};
use crate::rules::Rules;

/// Everything the reverse sweep reads: what the forms of active rows name, the conditions of active selects, the
/// indices of active element accesses, and the conditions of branches that are re-evaluated.
pub fn needed_values(
    function: &Function,
    program: &Program,
    rules: &Rules,
    activity: &Activity,
    merges: &BTreeMap<BlockId, Decision<Merge>>,
) -> BTreeSet<ValueId> {
    let mut needed = BTreeSet::new();
    let active = function.inst_ids().filter(|id| activity.is_active(*id));
    for (id, inst) in active.filter_map(|id| Some((id, function.inst(id)?))) {
        for operand in needed_by(id, inst, function, program, rules, activity) {
            needed.extend(operand.value());
        }
    }
    for merge in merges.values() {
        if let Merge::Reevaluate { at, .. } = merge.choice
            && let Some(branch) = function.terminator(at).and_then(|id| function.inst(id))
        {
            needed.extend(branch.operands[0].value());
        }
    }
    needed
}

/// What the reverse of one active instruction reads.
pub fn needed_by(
    id: ValueId,
    inst: &Inst,
    function: &Function,
    program: &Program,
    rules: &Rules,
    activity: &Activity,
) -> Vec<Operand> {
    match meaning(inst, function, program, rules) {
        Meaning::Row { row, operands, .. } => {
            let mut needed = Vec::new();
            for i in (0..row.operands.len()).filter(|i| row.is_real_operand(*i)) {
                if !activity.is_operand_active(&operands[i]) {
                    continue;
                }
                for k in 0..row.results.len() {
                    let needs = row.needs(k, i);
                    needed.extend(needs.operands.iter().map(|x| operands[x as usize].clone()));
                    if !needs.results.is_empty() {
                        needed.push(Operand::Value(id));
                    }
                }
            }
            needed
        }
        _ => match inst.op {
            Op::Select => vec![inst.operands[0].clone()],
            Op::ExtractElement => vec![inst.operands[1].clone()],
            Op::InsertElement => vec![inst.operands[2].clone()],
            _ => Vec::new(),
        },
    }
}

pub fn plan_storage(
    function: &Function,
    flow: &Flow,
    needed: BTreeSet<ValueId>,
) -> BTreeMap<ValueId, Decision<Storage>> {
    let block_of = blocks_of_values(function);
    let decide = |value: ValueId| match block_of.get(&value) {
        None => decision(Storage::Argument, "both sweeps are given it"),
        Some(block) if flow.is_cyclic(*block) => {
            decision(Storage::SaveOnOverwrite, "computed anew in each iteration")
        }
        Some(_) => decision(Storage::Keep, "computed once in each call"),
    };
    needed.into_iter().map(|value| (value, decide(value))).collect()
}

fn decision(choice: Storage, reason: &str) -> Decision<Storage> {
    Decision { choice, reason: reason.into() }
}

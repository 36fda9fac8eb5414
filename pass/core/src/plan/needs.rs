//! What the reverse of one instruction reads: primal values, and shadows of pointers.

use crate::analyses::activity::Activity;
use crate::analyses::meaning::{Meaning, meaning};
use crate::analyses::memory_calls::{MemoryCall, is_freed_by_size, memory_call};
use crate::analyses::overlap::Overwrites;
use crate::analyses::pointers::Base;
use crate::model::{Function, Inst, Op, Operand, Program, ValueId};
use crate::rules::Rules;

/// One thing the reverse sweep reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Need {
    Primal(ValueId),
    /// The shadow of a pointer.
    Shadow(ValueId),
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
        Op::Alloca(_) if activity.is_remade(id) && activity.lasting().ends_in_reverse(id) => {
            return vec![Need::Shadow(id)];
        }
        Op::Load(_) if activity.is_active(id) => return shadow(&inst.operands[0]).into_iter().collect(),
        Op::Store(_) if asks_shadow(id, inst, function, activity) => {
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

/// Whether the reverse of a store touches the shadow: it writes a float, or it is not known what it overwrites.
pub fn asks_shadow(id: ValueId, inst: &Inst, function: &Function, activity: &Activity) -> bool {
    let perhaps = matches!(activity.overwrites(id), Some(Overwrites::Part | Overwrites::Address));
    stores_float(id, inst, function, activity) || perhaps
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
        MemoryCall::Allocate { .. } if !activity.lasting().ends_in_reverse(id) => Vec::new(),
        MemoryCall::Allocate { .. } if activity.has_shadow(&Base::Heap(id)) => {
            let sizes = inst.arguments().iter().filter(|_| is_freed_by_size(inst)).filter_map(primal);
            [Need::Primal(id), Need::Shadow(id)].into_iter().chain(sizes).collect()
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

//! Pointers without a shadow that are stored into memory with one: the shadow of that place keeps what it held, and
//! who finds the pointer there later would take that for its shadow.
//!
//! Safe error: found again. What is not local may be the same memory under another name.

use std::collections::BTreeSet;

use super::activity::Activity;
use super::memory_calls::{MemoryCall, memory_call};
use super::pointers::Base;
use crate::model::{Function, Inst, Op, Operand, ValueId};

/// Whether a store puts a pointer where a load may find it, and floats are then accessed behind it.
pub fn is_found_again(function: &Function, activity: &Activity, store: &Inst) -> bool {
    let [value, pointer] = store.operands.as_slice() else { return false };
    if !function.operand_type(value).holds_pointer() || !activity.is_shadowed(pointer) {
        return false;
    }
    let places = activity.bases(pointer);
    function.inst_ids().any(|load| {
        let Some(inst) = function.inst(load) else { return false };
        if activity.is_call(load) {
            // What a callee does with pointers it finds is not looked at.
            return may_meet(&places, &reached_by(function, activity, inst));
        }
        matches!(inst.op, Op::Load(_))
            && activity.has_shadow(&Base::Loaded(load))
            && may_meet(&places, &activity.bases(&inst.operands[0]))
            && leads_to_floats(function, activity, load, &mut BTreeSet::new())
    })
}

/// The memory that a callee can find from its arguments.
fn reached_by(function: &Function, activity: &Activity, call: &Inst) -> BTreeSet<Base> {
    let mut reached: BTreeSet<Base> = call.arguments().iter().flat_map(|x| activity.bases(x)).collect();
    loop {
        let before = reached.len();
        for inst in function.inst_ids().filter_map(|id| function.inst(id)) {
            if let (Op::Store(_), [value, pointer]) = (&inst.op, inst.operands.as_slice())
                && !activity.bases(pointer).is_disjoint(&reached)
            {
                reached.extend(activity.bases(value));
            }
        }
        if reached.len() == before {
            return reached;
        }
    }
}

fn may_meet(a: &BTreeSet<Base>, b: &BTreeSet<Base>) -> bool {
    let open = |bases: &BTreeSet<Base>| bases.iter().any(|base| !base.is_local());
    !a.is_disjoint(b) || open(a) && open(b)
}

/// Whether floats are accessed behind a pointer that was loaded, or behind pointers found there.
fn leads_to_floats(
    function: &Function,
    activity: &Activity,
    load: ValueId,
    seen: &mut BTreeSet<ValueId>,
) -> bool {
    if !seen.insert(load) {
        return false;
    }
    let behind = |pointer: &Operand| activity.bases(pointer).contains(&Base::Loaded(load));
    function.inst_ids().any(|id| {
        let Some(inst) = function.inst(id) else { return false };
        match &inst.op {
            Op::Load(_) if behind(&inst.operands[0]) => {
                inst.ty.holds_float()
                    || inst.ty.holds_pointer() && leads_to_floats(function, activity, id, seen)
            }
            Op::Store(_) => {
                behind(&inst.operands[1]) && function.operand_type(&inst.operands[0]).holds_float()
            }
            Op::Call(_) => {
                matches!(memory_call(inst), Some(MemoryCall::Copy | MemoryCall::Fill))
                    && inst.operands.iter().take(2).any(behind)
            }
            _ => false,
        }
    })
}

//! Pointers without a shadow that are stored into memory with one: the shadow of that place keeps what it held, and
//! who finds the pointer there later would take that for its shadow.
//!
//! Safe error: found again. What is not local may be the same memory under another name.

use std::collections::{BTreeMap, BTreeSet};

use super::activity::Activity;
use super::memory_calls::{MemoryCall, memory_call};
use super::pointers::{Base, Pointers};
use crate::model::{Function, Inst, Op, ValueId};

/// Whether a store puts a pointer where a load may find it, and floats are then accessed behind it.
pub fn is_found_again(function: &Function, activity: &Activity, store: &Inst) -> bool {
    let [value, pointer] = store.operands.as_slice() else { return false };
    if !function.operand_type(value).holds_pointer() || !activity.is_shadowed(pointer) {
        return false;
    }
    let places = activity.bases(pointer);
    let found = |load: ValueId| {
        let inst = function.inst(load).filter(|_| activity.has_shadow(&Base::Loaded(load)));
        inst.is_some_and(|inst| may_meet(&places, &activity.bases(&inst.operands[0])))
    };
    // What a callee does with pointers it finds is not looked at.
    let called = |call: ValueId| {
        function.inst(call).is_some_and(|inst| may_meet(&places, &reached_by(function, activity, inst)))
    };
    activity.float_loads().any(found) || activity.calls().any(called)
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

/// The loads behind whose pointers floats are accessed or that are freed, or behind pointers found there. Nothing of it hangs on what is
/// active, so it is found once.
pub fn find_float_loads(function: &Function, pointers: &Pointers) -> BTreeSet<ValueId> {
    let (mut found, mut behind): (BTreeSet<ValueId>, BTreeMap<ValueId, Vec<ValueId>>) = Default::default();
    for id in function.inst_ids() {
        let Some(inst) = function.inst(id) else { continue };
        let (accessed, floats) = match &inst.op {
            Op::Load(_) => (&inst.operands[..1], inst.ty.holds_float()),
            Op::Store(_) => (&inst.operands[1..2], function.operand_type(&inst.operands[0]).holds_float()),
            Op::Call(_) if matches!(memory_call(inst), Some(MemoryCall::Copy)) => (&inst.operands[..2], true),
            // What is freed is found by its shadow, too.
            Op::Call(_) if matches!(memory_call(inst), Some(MemoryCall::Fill | MemoryCall::Free { .. })) => {
                (&inst.operands[..1], true)
            }
            _ => continue,
        };
        for base in accessed.iter().flat_map(|pointer| pointers.of_operand(pointer)) {
            let Base::Loaded(load) = base else { continue };
            if floats {
                found.insert(load);
            } else if inst.ty.holds_pointer() {
                behind.entry(id).or_default().push(load);
            }
        }
    }
    let mut waiting: Vec<ValueId> = found.iter().copied().collect();
    while let Some(load) = waiting.pop() {
        waiting.extend(behind.get(&load).into_iter().flatten().filter(|above| found.insert(**above)));
    }
    found
}

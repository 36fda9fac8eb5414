//! Copies of active memory: where the floats are in each.

use std::collections::BTreeMap;

use crate::analyses::activity::Activity;
use crate::analyses::copied::find_copied;
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::kinds::Spaced;
use crate::model::{Function, Program, ValueId};

pub fn plan_copies(function: &Function, program: &Program, activity: &Activity) -> BTreeMap<ValueId, Spaced> {
    let copies = function.inst_ids().filter_map(|id| {
        let inst = function.inst(id).filter(|inst| memory_call(inst) == Some(MemoryCall::Copy))?;
        let active = activity.is_shadowed(&inst.operands[0]);
        active.then(|| Some((id, find_copied(function, program, activity, inst)?)))?
    });
    copies.collect()
}

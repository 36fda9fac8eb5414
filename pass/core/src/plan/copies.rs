//! Copies of structs that mix floats with other things: where the floats are.

use std::collections::BTreeMap;

use crate::analyses::activity::Activity;
use crate::analyses::memory_calls::{MemoryCall, memory_call};
use crate::analyses::refusals::kind_of_memory;
use crate::kinds::{Spaced, find_spaced};
use crate::model::{Function, Program, ValueId};

/// Copies of floats of one kind are not among them.
pub fn plan_copies(function: &Function, program: &Program, activity: &Activity) -> BTreeMap<ValueId, Spaced> {
    let copies = function.inst_ids().filter_map(|id| {
        let inst = function.inst(id).filter(|inst| memory_call(inst) == Some(MemoryCall::Copy))?;
        if !activity.is_shadowed(&inst.operands[0]) {
            return None;
        }
        let mut places = activity.bases(&inst.operands[0]);
        places.extend(activity.bases(&inst.operands[1]));
        match kind_of_memory(function, activity, &places) {
            Some(_) => None,
            None => Some((id, find_spaced(function, program, inst)?)),
        }
    });
    copies.collect()
}

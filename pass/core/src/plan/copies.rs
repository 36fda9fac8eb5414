//! Copies of active memory: where the floats are in each.

use std::collections::BTreeMap;

use crate::analyses::activity::Activity;
use crate::kinds::Spaced;
use crate::model::{Function, Program, ValueId};

pub fn plan_copies(function: &Function, program: &Program, activity: &Activity) -> BTreeMap<ValueId, Spaced> {
    let copied = activity.copied(function, program).iter();
    let active = copied
        .filter(|(id, _)| function.inst(**id).is_some_and(|copy| activity.is_shadowed(&copy.operands[0])));
    active.map(|(id, moved)| (*id, moved.clone())).collect()
}

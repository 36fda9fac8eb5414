//! Who reads a value.

use std::collections::BTreeMap;

use crate::model::{Function, ValueId};

/// The readers of each value, in the order of the function, and as which operand they read it.
pub type Users = BTreeMap<ValueId, Vec<(ValueId, usize)>>;

pub fn find_users(function: &Function) -> Users {
    let mut users = Users::new();
    for (id, inst) in function.inst_ids().zip(&function.insts) {
        for (at, value) in inst.operands.iter().enumerate().filter_map(|(at, x)| Some((at, x.value()?))) {
            users.entry(value).or_default().push((id, at));
        }
    }
    users
}

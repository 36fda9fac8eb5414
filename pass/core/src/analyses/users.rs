//! Who reads a value.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::{Function, Program, ValueId};

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

/// The same of a function of which many values are asked about, one by one.
pub struct SharedUsers(Users);

impl SharedUsers {
    pub fn of(function: &Function, program: &Program) -> Arc<SharedUsers> {
        program.once_of(function, || SharedUsers(find_users(function)))
    }

    /// Each reader of a value once for each operand that reads it.
    pub fn readers(&self, value: ValueId) -> impl Iterator<Item = ValueId> {
        self.0.get(&value).into_iter().flatten().map(|(reader, _)| *reader)
    }
}

//! Who has a value as an operand.

use std::collections::BTreeMap;

use super::Proof;
use crate::model::{Function, Operand, ValueId};

pub type Users = BTreeMap<ValueId, Vec<ValueId>>;

fn users_of(function: &Function) -> Users {
    let mut users = Users::new();
    for (id, inst) in function.inst_ids().filter_map(|id| Some((id, function.inst(id)?))) {
        for value in inst.operands.iter().filter_map(Operand::value) {
            let known = users.entry(value).or_default();
            if known.last() != Some(&id) {
                known.push(id);
            }
        }
    }
    users
}

impl Proof<'_> {
    /// The instructions of the function that have a value as an operand, in order.
    pub fn users(&self, value: ValueId) -> &[ValueId] {
        self.users.get_or_init(|| users_of(self.function)).get(&value).map_or(&[], Vec::as_slice)
    }
}

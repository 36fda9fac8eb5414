//! Integers that have led somewhere: what was the index of an access is no float's bits, wherever it came from.
//!
//! Function → for a store whether the run that passes it has read or written at an address which the stored number itself was an
//! index of. The access is asked for, since a step may be computed in front of the branch that says what the number is.
//! Safe error: no index.

use crate::analyses::flow::{Flow, blocks_of_values};
use crate::analyses::users::{Users, find_users};
use crate::model::{BlockId, CastOp, Function, Inst, Op, Stride, ValueId};

use std::collections::BTreeMap;

pub struct Indices<'a> {
    function: &'a Function,
    flow: Flow,
    homes: BTreeMap<ValueId, BlockId>,
    users: Users,
}

impl<'a> Indices<'a> {
    pub fn of(function: &'a Function) -> Indices<'a> {
        let (flow, homes) = (Flow::of(function), blocks_of_values(function));
        Indices { function, flow, homes, users: find_users(function) }
    }

    /// Whether what is stored here was an index before, in every run.
    pub fn has_led(&self, store: ValueId) -> bool {
        let stored = self.function.inst(store).and_then(|inst| inst.operands.first()?.value());
        stored.is_some_and(|value| self.leads(value, store))
    }

    fn leads(&self, integer: ValueId, store: ValueId) -> bool {
        self.users_of(integer).any(|(user, at, inst)| match &inst.op {
            Op::Cast(CastOp::SExt | CastOp::ZExt) => self.leads(user, store),
            Op::Gep(gep) => {
                let steps = at.checked_sub(1).and_then(|index| gep.strides.get(index));
                matches!(steps, Some(Stride::Scale(1..))) && self.is_passed_through(user, store)
            }
            _ => false,
        })
    }

    /// Whether something was read or written through a pointer before.
    fn is_passed_through(&self, pointer: ValueId, store: ValueId) -> bool {
        self.users_of(pointer).any(|(user, at, inst)| match inst.op {
            Op::Load(_) => self.is_passed_before(user, store),
            Op::Store(_) => at == 1 && self.is_passed_before(user, store),
            _ => false,
        })
    }

    fn is_passed_before(&self, access: ValueId, store: ValueId) -> bool {
        match (self.homes.get(&access), self.homes.get(&store)) {
            (Some(above), Some(below)) => self.flow.dominates(*above, *below),
            _ => false,
        }
    }

    fn users_of(&self, value: ValueId) -> impl Iterator<Item = (ValueId, usize, &Inst)> {
        let users = self.users.get(&value).into_iter().flatten();
        users.filter_map(|(user, at)| Some((*user, *at, self.function.inst(*user)?)))
    }
}

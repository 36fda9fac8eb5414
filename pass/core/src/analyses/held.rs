//! Which addresses are held where: how far one gets that is stored.
//!
//! A pointer found in memory may be a copy of any address that was ever stored, unless one looks where each was put (`origins`). The rows
//! of a matrix that a function makes lie in the matrix's own list of rows, and whoever follows a pointer from somewhere else
//! does not come to them. Own is what the function allocates, and what a parameter leads to that is promised to be alone.
//! Safe error: an address is held in more places.

use std::collections::BTreeSet;

use super::carriage::{Carried, Of};
use super::origins::Origins;
use super::pointers::Base;
use super::scope::Scope;
use super::whole_origins::find_left_behind;
use crate::model::{Function, Inst, Op, Operand, Program, ValueId};
use crate::rules::Rules;

pub struct Held {
    origins: Origins,
    /// Memory to which somebody may come when the function has returned.
    left_behind: BTreeSet<ValueId>,
}

impl Held {
    /// Nothing where no pointer is found in memory.
    pub fn of(function: &Function, program: &Program, rules: &Rules) -> Option<Held> {
        let finds = |inst: &Inst| matches!(inst.op, Op::Load(_)) && inst.ty.holds_pointer();
        function.insts.iter().any(finds).then(|| {
            let scope = Scope::of_one(function);
            let origins = Origins::of(&scope, program, rules);
            let left_behind = find_left_behind(&scope, &origins).into_iter().map(|(_, id)| id).collect();
            Held { origins, left_behind }
        })
    }

    /// Whether two bases never are the same memory, by where their addresses may be found.
    pub fn are_apart(&self, a: &Base, b: &Base) -> bool {
        self.leads(a).is_disjoint(&self.leads(b))
    }

    /// The memory of the function's own that a base may be, where it can be no other.
    pub fn own_memory(&self, base: &Base) -> Option<BTreeSet<ValueId>> {
        self.leads(base).into_iter().map(|of| Some(of.own()?.1)).collect()
    }

    /// The same, where nobody else comes to that memory, then or when the function has returned.
    pub fn own_memory_alone(&self, base: &Base) -> Option<BTreeSet<ValueId>> {
        self.own_memory(base).filter(|own| own.is_disjoint(&self.left_behind))
    }

    /// Whether a value may carry an address.
    pub fn carries_address(&self, value: &Operand) -> bool {
        match value {
            Operand::Value(id) => self
                .origins
                .carried
                .get(&(0, *id))
                .is_some_and(|found| found.keys().any(|of| *of != Of::Float)),
            Operand::Const(constant) => constant.symbol().is_some(),
        }
    }

    fn leads(&self, base: &Base) -> BTreeSet<Of> {
        let own = |id: &ValueId| {
            self.origins.contents.contains_key(&(0, *id)).then(|| BTreeSet::from([Of::Own((0, *id))]))
        };
        let address = |of: &Of| match of {
            Of::Float => None,
            Of::Given | Of::Bare => Some(Of::Outside),
            Of::Own(_) | Of::Outside => Some(*of),
        };
        let addresses = |found: &Carried| found.keys().filter_map(address).collect();
        let found: Option<BTreeSet<Of>> = match base {
            Base::Stack(id) | Base::Heap(id) | Base::Param(id) => own(id),
            Base::Loaded(id) => self
                .origins
                .carried
                .get(&(0, *id))
                .map(addresses)
                .filter(|found: &BTreeSet<Of>| !found.is_empty()),
            Base::Global(_) | Base::Returned(_) | Base::Null | Base::Unknown => None,
        };
        let mut found = found.unwrap_or(BTreeSet::from([Of::Outside]));
        if found.iter().any(|of| of.own().is_some_and(|id| self.origins.known_outside.contains(&id))) {
            found.insert(Of::Outside);
        }
        found
    }
}

//! What comes where in all functions of a program that call each other, found once for all who ask.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::carriage::{Carried, Of, Place};
use super::origins::Origins;
use super::scope::Scope;
use crate::model::{Function, Op, Operand, Program, ValueId};
use crate::rules::Rules;

pub struct WholeOrigins {
    pub origins: Origins,
    /// The number of the function that is asked about.
    pub here: usize,
    /// Memory to which somebody may come who is not seen, then or when the program has returned.
    pub left_behind: BTreeSet<Place>,
}

impl WholeOrigins {
    /// `function` stands in for the one of the same name.
    pub fn of(function: &Function, program: &Program) -> Arc<WholeOrigins> {
        program.once_of(function, || WholeOrigins::find(&Scope::of_all(function, program), function, program))
    }

    pub fn find(scope: &Scope, function: &Function, program: &Program) -> WholeOrigins {
        let origins = Origins::of(scope, program, Rules::shared());
        let left_behind = find_left_behind(scope, &origins);
        WholeOrigins { here: scope.number_of(function), origins, left_behind }
    }

    /// Whether a value may be the bits of a float.
    pub fn may_be_float(&self, value: ValueId) -> bool {
        self.carried_by(value).is_some_and(|carried| carried.contains_key(&Of::Float))
    }

    pub fn carried_by(&self, value: ValueId) -> Option<&Carried> {
        self.origins.carried.get(&(self.here, value))
    }
}

/// What those get at who call from outside: what they are given back, what they gave themselves and what others were given; and all
/// that can be found by these.
pub fn find_left_behind(scope: &Scope, origins: &Origins) -> BTreeSet<Place> {
    let mut waiting: Vec<Place> = origins.known_outside.iter().copied().collect();
    for (number, function) in
        scope.functions.iter().enumerate().filter(|(number, _)| scope.entered(*number).is_some())
    {
        let params = function.param_ids().map(|id| (number, id));
        waiting.extend(params.filter(|place| origins.contents.contains_key(place)));
        let returned = function.insts.iter().filter(|inst| matches!(inst.op, Op::Ret | Op::Resume));
        for value in returned.flat_map(|inst| &inst.operands).filter_map(Operand::value) {
            let carried = origins.carried.get(&(number, value)).into_iter().flat_map(Carried::keys);
            waiting.extend(carried.filter_map(|of| of.own()));
        }
    }
    let mut left_behind = BTreeSet::new();
    while let Some(place) = waiting.pop() {
        if left_behind.insert(place) {
            let lying = origins.contents.get(&place).into_iter().flat_map(|contents| contents.values());
            waiting.extend(lying.flat_map(Carried::keys).filter_map(|of| of.own()));
        }
    }
    left_behind
}

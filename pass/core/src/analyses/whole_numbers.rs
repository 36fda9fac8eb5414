//! The integers that are no float's bits, nor an address, by where they come from in all functions of a program that call each other.
//!
//! Safe error: no number.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::carriage::{Carried, Of};
use super::whole_origins::WholeOrigins;
use crate::model::{Function, Program, Type, ValueId};

pub struct WholeNumbers(BTreeSet<ValueId>);

impl WholeNumbers {
    /// Several ask.
    pub fn of(function: &Function, program: &Program) -> Arc<WholeNumbers> {
        program.once_of(function, || WholeNumbers::find(function, program))
    }

    pub fn contains(&self, id: ValueId) -> bool {
        self.0.contains(&id)
    }

    pub fn all(&self) -> &BTreeSet<ValueId> {
        &self.0
    }

    fn find(function: &Function, program: &Program) -> WholeNumbers {
        let whole = WholeOrigins::of(function, program);
        let is_integer = |id: &ValueId| matches!(function.value_type(*id).scalar(), Type::Int(_));
        let is_number = |carried: &Carried| carried.keys().all(|of| *of == Of::Given);
        let is_found = |id: &ValueId| whole.carried_by(*id).is_none_or(is_number);
        WholeNumbers(function.inst_ids().filter(is_integer).filter(is_found).collect())
    }
}

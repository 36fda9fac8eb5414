//! Does a store overwrite what a load has read before?
//!
//! It does where a dependence goes from the load to the store. Safe error: it may.

use std::collections::HashMap;
use std::sync::Arc;

use super::access::{Accesses, collect_accesses};
use super::finding::{Finding, test_pair};
use super::nesting::Nesting;
use crate::model::{Function, Op, Program, ValueId};

/// The accesses of a function, ready to be tested.
pub struct Overwriting<'a> {
    pub(super) program: &'a Program,
    pub(super) nesting: Nesting<'a>,
    pub(super) accesses: Arc<Accesses>,
    pub(super) places: HashMap<ValueId, usize>,
}

impl<'a> Overwriting<'a> {
    pub fn of(function: &'a Function, program: &'a Program) -> Overwriting<'a> {
        let nesting = Nesting::of(program, function);
        let accesses = program.once_of(function, || collect_accesses(&nesting));
        let places = accesses.list.iter().enumerate().map(|(at, access)| (access.inst, at)).collect();
        Overwriting { program, nesting, accesses, places }
    }

    /// Whether some run of the store may come after one of the load, and overwrite what that has read.
    pub fn may_come(&self, load: ValueId, store: ValueId) -> bool {
        let Overwriting { nesting, accesses, places, .. } = self;
        let is_store = nesting.function.inst(store).is_some_and(|inst| matches!(inst.op, Op::Store(_)));
        let (Some(load), Some(store)) = (places.get(&load), places.get(&store)) else { return true };
        let stands = |at: usize| (nesting.position(accesses.list[at].block), accesses.list[at].inst);
        let (first, second) = if stands(*store) < stands(*load) { (store, load) } else { (load, store) };
        let pair = test_pair(self.program, nesting, accesses, *first, *second);
        let unknown = matches!(pair.finding, Finding::Unknown { .. });
        !is_store || unknown || pair.edges.iter().any(|edge| edge.from == *load)
    }
}

//! Who loads and stores where, by the memory that the pointer leads to.
//!
//! Function + activity → for each allocation the accesses of it. Of each copy it is asked who else touches the same memory, and going
//! through all of a function for each would take the square of its length.

use std::collections::{BTreeMap, BTreeSet};

use super::activity::Activity;
use super::offsets::Offsets;
use super::pointers::Base;
use crate::model::{Function, Inst, Op, Operand, Type, ValueId};

pub struct Accessed {
    by_base: BTreeMap<Base, Vec<ValueId>>,
    pub offsets: Offsets,
}

impl Accessed {
    pub fn of(function: &Function, activity: &Activity) -> Accessed {
        let mut by_base: BTreeMap<Base, Vec<ValueId>> = BTreeMap::new();
        for (id, inst) in function.inst_ids().filter_map(|id| Some((id, function.inst(id)?))) {
            for base in pointer_of(inst).into_iter().flat_map(|pointer| activity.bases(pointer)) {
                by_base.entry(base).or_default().push(id);
            }
        }
        Accessed { by_base, offsets: Offsets::of(function) }
    }

    /// The loads and stores of memory that is among these, with where they go and the type that they move.
    pub fn at<'a>(
        &self,
        function: &'a Function,
        places: &BTreeSet<Base>,
    ) -> impl Iterator<Item = (&'a Operand, Type)> {
        self.insts_at(function, places).filter_map(|inst| {
            let ty = match inst.op {
                Op::Store(_) => function.operand_type(&inst.operands[0]),
                _ => inst.ty.clone(),
            };
            Some((pointer_of(inst)?, ty))
        })
    }

    /// The loads and stores of memory that is among these.
    pub fn insts_at<'a>(
        &self,
        function: &'a Function,
        places: &BTreeSet<Base>,
    ) -> impl Iterator<Item = &'a Inst> {
        let ids = places.iter().filter_map(|place| self.by_base.get(place)).flatten().copied();
        let ids: BTreeSet<ValueId> = ids.collect();
        ids.into_iter().filter_map(|id| function.inst(id))
    }
}

fn pointer_of(inst: &Inst) -> Option<&Operand> {
    match inst.op {
        Op::Load(_) => Some(&inst.operands[0]),
        Op::Store(_) => Some(&inst.operands[1]),
        _ => None,
    }
}

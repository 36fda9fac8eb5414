//! Names for memory, under which two loads of one pointer lead to the same place.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::analyses::offsets::{Offset, Offsets};
use crate::analyses::pointers::{Base, Pointers};
use crate::model::{Function, Op, Operand, ValueId};

/// An allocation; behind pointers that are found in memory one load stands for all that find the same pointer.
pub type Place = Base;

pub struct Places<'a> {
    pub(super) pointers: &'a Pointers,
    /// For a load of a pointer the first one that reads the same slot.
    pub(super) first: Arc<BTreeMap<ValueId, ValueId>>,
}

/// For each load of a pointer the first one that reads the same slot.
pub(super) fn find_first(
    function: &Function,
    pointers: &Pointers,
    offsets: &Offsets,
) -> BTreeMap<ValueId, ValueId> {
    let mut first: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    if keeps_middles(function, offsets) {
        return first;
    }
    let mut slots: BTreeMap<(Place, i128), ValueId> = BTreeMap::new();
    for (id, inst) in function.inst_ids().filter_map(|id| Some((id, function.inst(id)?))) {
        if !matches!(inst.op, Op::Load(_)) || !inst.ty.is_pointer() {
            continue;
        }
        // Two bases of a pointer may be loads of one slot.
        let bases = pointers.of_operand(&inst.operands[0]).into_iter();
        let bases: BTreeSet<Place> = bases.filter_map(|base| name(&first, base)).collect();
        let at = offsets.of_operand(&inst.operands[0]);
        if let (1, Some(base), Offset { start, stride: 0 }) = (bases.len(), bases.first(), at) {
            let found = *slots.entry((base.clone(), start)).or_insert(id);
            first.insert(id, found);
        }
    }
    first
}

/// The place that a base is; nothing is one.
fn name(first: &BTreeMap<ValueId, ValueId>, base: Base) -> Option<Place> {
    match base {
        Base::Loaded(load) => Some(Base::Loaded(first.get(&load).copied().unwrap_or(load))),
        Base::Null => None,
        other => Some(other),
    }
}

impl Places<'_> {
    pub fn of_pointer(&self, pointer: &Operand) -> BTreeSet<Place> {
        self.pointers.of_operand(pointer).into_iter().filter_map(|base| self.name(base)).collect()
    }

    /// The place that a base is; nothing is one.
    pub fn name(&self, base: Base) -> Option<Place> {
        name(&self.first, base)
    }
}

/// Whether pointers into the middle of something are kept in memory: what is found then starts elsewhere each time.
fn keeps_middles(function: &Function, offsets: &Offsets) -> bool {
    function.inst_ids().filter_map(|id| function.inst(id)).any(|inst| {
        let Op::Store(_) = inst.op else { return false };
        let value = &inst.operands[0];
        function.operand_type(value).is_pointer() && offsets.of_operand(value) != Offset::default()
    })
}

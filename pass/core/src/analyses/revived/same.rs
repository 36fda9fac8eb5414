//! Which pointers that are found in memory are one, as far as that is plain: they were found in one slot, or put there.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyses::offsets::{Offset, Offsets};
use crate::analyses::pointers::{Base, Pointers};
use crate::model::{Function, Op, Operand, ValueId};

#[derive(Default)]
pub struct Same {
    /// For a load of a pointer the slot that it is found in.
    slots: BTreeMap<ValueId, (Base, i128)>,
    /// For each slot the first load that finds something there, and the memory whose address is put there.
    found: BTreeMap<(Base, i128), BTreeSet<Base>>,
}

impl Same {
    pub fn of(function: &Function, pointers: &Pointers, offsets: &Offsets) -> Same {
        let mut same = Same::default();
        let slots_of = |pointer: &Operand| match offsets.of_operand(pointer) {
            Offset { start, stride: 0 } => {
                pointers.of_operand(pointer).into_iter().map(|base| (base, start)).collect()
            }
            _ => Vec::new(),
        };
        // Of what is found in a slot that was found itself the names are told by the first that finds it.
        for (id, inst) in function.inst_ids().filter_map(|id| Some((id, function.inst(id)?))) {
            let (pointer, bases) = match &inst.op {
                Op::Load(_) if inst.ty.is_pointer() => {
                    (&inst.operands[0], BTreeSet::from([Base::Loaded(id)]))
                }
                Op::Store(_) if function.operand_type(&inst.operands[0]).is_pointer() => {
                    (&inst.operands[1], pointers.of_operand(&inst.operands[0]))
                }
                _ => continue,
            };
            for (base, start) in slots_of(pointer) {
                let slot = (same.first(base), start);
                if let Op::Load(_) = inst.op {
                    same.slots.entry(id).or_insert_with(|| slot.clone());
                }
                let known = same.found.entry(slot).or_default();
                if matches!(inst.op, Op::Store(_))
                    || !known.iter().any(|base| matches!(base, Base::Loaded(_)))
                {
                    known.extend(bases.clone());
                }
            }
        }
        same
    }

    /// All names of what a base names.
    pub fn names_of(&self, base: Base) -> BTreeSet<Base> {
        let found = match &base {
            Base::Loaded(load) => self.slots.get(load).and_then(|slot| self.found.get(slot)),
            _ => None,
        };
        let mut names = found.cloned().unwrap_or_default();
        names.insert(base);
        names
    }

    fn first(&self, base: Base) -> Base {
        let Base::Loaded(load) = &base else { return base };
        let found = self.slots.get(load).and_then(|slot| self.found.get(slot));
        let first = found.and_then(|found| found.iter().find(|base| matches!(base, Base::Loaded(_))));
        first.cloned().unwrap_or(base)
    }
}

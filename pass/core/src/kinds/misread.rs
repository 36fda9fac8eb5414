//! Floats that are read from a slot where nothing but pointers was put, and pointers from one where nothing but floats was: a
//! pointer goes on as a float then, or comes back from one, and nobody follows it, nor has it its shadow.
//!
//! Function + pointers → such loads, of slots at known offsets. Where both are put there, as into a union, either may be meant.
//! Safe error: misread (is refused).

use std::collections::BTreeSet;

use crate::analyses::offsets::{Extent, Offsets};
use crate::analyses::pointers::{Base, Pointers};
use crate::model::{Constant, Function, Inst, Op, Operand, Type, ValueId};

pub fn find_misread(function: &Function, pointers: &Pointers) -> BTreeSet<ValueId> {
    let has_slots = function.insts.iter().any(|inst| matches!(inst.op, Op::Alloca(_)));
    if !has_slots {
        return BTreeSet::new();
    }
    let offsets = Offsets::of(function);
    let in_slot = |address: &Operand, ty: &Type| {
        let bases = pointers.of_operand(address);
        let slots = !bases.is_empty() && bases.iter().all(|base| matches!(base, Base::Stack(_)));
        slots.then(|| Part { bases, extent: offsets.extent(address, ty), ty: ty.clone() })
    };
    let put = function.insts.iter().filter_map(|inst| {
        let (value, address) = put_by(inst)?;
        in_slot(address, &function.operand_type(value))
    });
    let put: Vec<Part> = put.collect();
    let misread = function.inst_ids().filter(|id| {
        let load = function.inst(*id).filter(|inst| matches!(inst.op, Op::Load(_)));
        let read = load.and_then(|load| in_slot(&load.operands[0], &load.ty));
        read.is_some_and(|read| read.is_of_the_other(&put))
    });
    misread.collect()
}

/// What is put where; nothing that is constant says what else may lie there.
fn put_by(inst: &Inst) -> Option<(&Operand, &Operand)> {
    let is_null = |value: &Operand| matches!(value, Operand::Const(Constant::Zero(_)));
    let is_store = matches!(inst.op, Op::Store(_)) && !is_null(&inst.operands[0]);
    is_store.then(|| (&inst.operands[0], &inst.operands[1]))
}

/// A part of some slot, read or written as one type.
struct Part {
    bases: BTreeSet<Base>,
    extent: Extent,
    ty: Type,
}

impl Part {
    /// Whether the other of float and pointer is put exactly here, and nothing else that this could be.
    fn is_of_the_other(&self, put: &[Part]) -> bool {
        let is_other = |part: &&Part| {
            self.ty.is_pointer() && part.ty.holds_float() || self.ty.holds_float() && part.ty.is_pointer()
        };
        let mut here =
            put.iter().filter(|part| !part.bases.is_disjoint(&self.bases) && part.extent.meets(self.extent));
        let is_exact = |part: &&Part| part.extent.at == self.extent.at && self.extent.at.stride == 0;
        let (others, rest): (Vec<_>, Vec<_>) = here.by_ref().partition(is_other);
        rest.is_empty() && others.iter().any(|part| is_exact(part))
    }
}

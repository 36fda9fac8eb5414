//! How the cells of two accesses lie to each other, from what extraction found and from the addresses.
//!
//! Two accesses of one run of straight-line code → [`Relation`]. An alias answer holds for one moment of execution, and
//! pointers are values that such a run computes once, so an answer holds for the whole of it.
//! Safe error: unclear.

use std::collections::BTreeMap;

use super::code::{Cells, Relation};
use crate::model::{AliasAnswer, Constant, Function, Layout, Op, Operand, Stride, Type, ValueId};

pub struct Places<'a> {
    function: &'a Function,
    layout: Layout,
    /// Where each load and store goes, and what it moves.
    accesses: BTreeMap<ValueId, (Address, Type)>,
    answers: BTreeMap<(ValueId, ValueId), AliasAnswer>,
}

/// `base + offset` bytes.
#[derive(Clone, PartialEq)]
struct Address {
    base: Operand,
    offset: i128,
}

impl<'a> Places<'a> {
    pub fn of(function: &'a Function, layout: &str) -> Places<'a> {
        let pairs = function.aliases.iter();
        let answers = pairs.map(|pair| (ordered(pair.first, pair.second), pair.answer)).collect();
        let accesses = function.inst_ids().filter_map(|id| Some((id, find_access(function, id)?))).collect();
        Places { function, layout: Layout::parse(layout), accesses, answers }
    }

    fn compare_addresses(&self, a: &(Address, Type), b: &(Address, Type)) -> Relation {
        let ((first, first_type), (second, second_type)) = (a, b);
        if first.base != second.base {
            return self.compare_bases(&first.base, &second.base);
        }
        if first == second {
            return same_cell(first_type, second_type);
        }
        let end = |address: &Address, ty: &Type| {
            self.layout.store_size(ty).map(|bytes| address.offset + i128::from(bytes))
        };
        match (end(first, first_type), end(second, second_type)) {
            (Some(end), _) if end <= second.offset => Relation::Apart,
            (_, Some(end)) if end <= first.offset => Relation::Apart,
            _ => Relation::Unclear,
        }
    }

    /// Two stack slots are apart, a slot and what existed before it, and what only one parameter leads to.
    fn compare_bases(&self, first: &Operand, second: &Operand) -> Relation {
        match (self.root(first), self.root(second)) {
            (Root::Slot, Root::Slot | Root::Param { .. })
            | (Root::Param { .. }, Root::Slot)
            | (Root::Param { alone: true }, Root::Param { .. })
            | (Root::Param { .. }, Root::Param { alone: true }) => Relation::Apart,
            _ => Relation::Unclear,
        }
    }

    fn root(&self, base: &Operand) -> Root {
        let Operand::Value(value) = base else { return Root::Other };
        match self.function.params.get(value.0 as usize) {
            Some(param) => Root::Param { alone: param.attributes.iter().any(|text| text == "noalias") },
            None if self.function.inst(*value).is_some_and(|inst| matches!(inst.op, Op::Alloca(_))) => {
                Root::Slot
            }
            None => Root::Other,
        }
    }
}

/// What a base address is known to be.
enum Root {
    Slot,
    Param { alone: bool },
    Other,
}

impl Cells for Places<'_> {
    fn relation(&self, first: ValueId, second: ValueId) -> Relation {
        let (Some(a), Some(b)) = (self.accesses.get(&first), self.accesses.get(&second)) else {
            return Relation::Unclear;
        };
        let by_address = self.compare_addresses(a, b);
        if by_address != Relation::Unclear {
            return by_address;
        }
        let class = |id: &ValueId| self.function.memory.get(id).map(|fact| fact.class);
        if let (Some(x), Some(y)) = (class(&first), class(&second))
            && x != y
        {
            return Relation::Apart;
        }
        match self.answers.get(&ordered(first, second)) {
            Some(AliasAnswer::No) => Relation::Apart,
            Some(AliasAnswer::Must) => same_cell(&a.1, &b.1),
            Some(AliasAnswer::Partial) | None => Relation::Unclear,
        }
    }
}

fn find_access(function: &Function, id: ValueId) -> Option<(Address, Type)> {
    let inst = function.inst(id)?;
    let pointer = match inst.op {
        Op::Load(_) => &inst.operands[0],
        Op::Store(_) => &inst.operands[1],
        _ => return None,
    };
    Some((find_address(function, pointer), function.accessed_type(inst)?))
}

/// The address as far as constant steps lead back.
fn find_address(function: &Function, pointer: &Operand) -> Address {
    let mut address = Address { base: pointer.clone(), offset: 0 };
    loop {
        let step = match &address.base {
            Operand::Const(Constant::Offset { base, bytes }) => {
                Some((Operand::Const((**base).clone()), i128::from(*bytes)))
            }
            Operand::Const(_) => None,
            Operand::Value(value) => constant_step(function, *value),
        };
        let Some((base, bytes)) = step else { return address };
        address = Address { base, offset: address.offset + bytes };
    }
}

/// What a pointer is a fixed number of bytes away from.
fn constant_step(function: &Function, value: ValueId) -> Option<(Operand, i128)> {
    let inst = function.inst(value)?;
    let Op::Gep(gep) = &inst.op else { return None };
    let mut bytes = 0i128;
    for (stride, index) in gep.strides.iter().zip(&inst.operands[1..]) {
        bytes += match (stride, index) {
            (Stride::Field(bytes), _) => i128::from(*bytes),
            (Stride::Scale(scale), Operand::Const(index)) => index.as_signed()? * i128::from(*scale),
            (Stride::Scale(_), Operand::Value(_)) | (Stride::Unknown, _) => return None,
        };
    }
    Some((inst.operands[0].clone(), bytes))
}

/// One address: the same cell where the types agree, and otherwise an overlap that no vertex stands for.
fn same_cell(first: &Type, second: &Type) -> Relation {
    if first == second { Relation::Same } else { Relation::Unclear }
}

fn ordered(x: ValueId, y: ValueId) -> (ValueId, ValueId) {
    (x.min(y), x.max(y))
}

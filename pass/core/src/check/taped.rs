//! Records of a derivative on the tape, where that derivative is differentiated: memory that pushes make and pops find again.

use std::collections::BTreeSet;

use super::Proof;
use super::places::Place;
use crate::model::{Function, Inst, Op, Operand, Stride, ValueId};

pub const PUSH: &str = "backsweep.push";
pub const POP: &str = "backsweep.pop";

pub fn is_record(inst: &Inst) -> bool {
    matches!(inst.callee_name(), Some(PUSH | POP))
}

/// The mark that both sides of a record bear.
fn mark_of(inst: &Inst) -> Option<&str> {
    let is_mark = |text: &&String| text.contains("backsweep-record.");
    inst.op.call()?.attributes.iter().find(is_mark).map(|text| text.trim_matches('"'))
}

/// All sides of the record that a push or pop is one of; none where nobody can tell.
pub fn sides_of(function: &Function, inst: &Inst) -> Vec<ValueId> {
    let Some(mark) = mark_of(inst) else { return Vec::new() };
    let same = |other: &Inst| is_record(other) && mark_of(other) == Some(mark);
    function.inst_ids().filter(|id| function.inst(*id).is_some_and(same)).collect()
}

/// Whether a record is laid by one half of a derivative and taken back by the other.
pub fn is_shared(inst: &Inst) -> bool {
    is_record(inst) && mark_of(inst).is_some_and(|mark| mark.contains("-record.half."))
}

/// Where an instruction moves a pointer to or from a record between two halves that is neither an array nor a slot: the record, and
/// the bytes into it if they are known.
fn pointer_in_record<'a>(function: &'a Function, inst: &Inst) -> Option<(&'a str, Option<i128>)> {
    let (address, whole) = match inst.op {
        Op::Load(_) if inst.ty.holds_pointer() => (&inst.operands[0], inst.ty.is_pointer()),
        Op::Store(_) => {
            let ty = function.operand_type(&inst.operands[0]);
            (&inst.operands[1], ty.holds_pointer().then(|| ty.is_pointer())?)
        }
        _ => return None,
    };
    let (name, bytes) = record_around(function, address)?;
    Some((name, bytes.filter(|_| whole)))
}

/// The record of that kind that an address lies in, and how many bytes from its start.
fn record_around<'a>(function: &'a Function, address: &Operand) -> Option<(&'a str, Option<i128>)> {
    let mut bytes = Some(0);
    let mut place = function.inst(address.value()?)?;
    while let Op::Gep(gep) = &place.op {
        for (stride, index) in gep.strides.iter().zip(&place.operands[1..]) {
            let times = match index {
                Operand::Const(constant) => constant.as_signed(),
                Operand::Value(_) => None,
            };
            let step = match stride {
                Stride::Scale(size) => times.map(|times| times * i128::from(*size)),
                Stride::Field(offset) => Some(i128::from(*offset)),
                Stride::Unknown => None,
            };
            bytes = bytes.zip(step).map(|(bytes, step)| bytes + step);
        }
        place = function.inst(place.operands[0].value()?)?;
    }
    let name = mark_of(place).filter(|_| is_shared(place))?.split_once("-record.half.")?.1;
    let kind = &name[name.rfind('.')? + 1..];
    (kind.starts_with("block") || kind == "cells").then_some((name, bytes))
}

/// Whether a pointer is moved to or from a record, and the request says that those there have no shadows.
pub fn is_unshadowed(function: &Function, inst: &Inst, carried: &BTreeSet<String>) -> bool {
    let place = pointer_in_record(function, inst);
    place.is_some_and(|(name, bytes)| bytes.is_some_and(|at| !carried.contains(&format!("{name}.{at}"))))
}

impl Proof<'_> {
    pub fn is_unshadowed(&self, inst: &Inst) -> bool {
        is_unshadowed(self.function, inst, &self.plan.request.carried)
    }

    /// Both halves know what lies at an address in a record.
    pub fn lies_in_record(&self, address: &Operand) -> bool {
        record_around(self.function, address).is_some()
    }

    pub fn is_laid_unclear(&self, inst: &Inst) -> bool {
        pointer_in_record(self.function, inst).is_some_and(|(_, bytes)| bytes.is_none())
    }
}

/// Whether one half lays a record for the other: where that begins there is nothing yet.
pub fn is_laid(inst: &Inst) -> bool {
    is_shared(inst) && inst.callee_name() == Some(PUSH)
}

/// Whether a call is of such a half, or of the tangent of one. It lays or takes back what no other call here does.
pub fn calls_half(inst: &Inst) -> bool {
    inst.callee_name().is_some_and(names_half)
}

fn names_half(name: &str) -> bool {
    let name = name.trim_start_matches("backsweep.tangent.");
    name.starts_with("backsweep.augmented.") || name.starts_with("backsweep.reverse.")
}

/// Whether a parameter is the tape on which a half has its records.
pub fn is_tape_given(function: &Function, param: ValueId) -> bool {
    let opened = function.insts.iter().filter(|inst| inst.callee_name() == Some("backsweep.cursor.open"));
    names_half(&function.name)
        && opened.filter_map(|open| open.operands.get(1)).any(|x| x.value() == Some(param))
}

/// The memory a record lies in: what its pushes make, or what another function made.
pub fn laid_by(function: &Function, id: ValueId, inst: &Inst) -> BTreeSet<Place> {
    if is_shared(inst) {
        return BTreeSet::from([Place::Returned(id)]);
    }
    let sides = sides_of(function, inst).into_iter();
    let pushes = sides.filter(|id| function.inst(*id).and_then(Inst::callee_name) == Some(PUSH));
    let laid: BTreeSet<Place> = pushes.map(Place::Made).collect();
    if laid.is_empty() { BTreeSet::from([Place::Outside]) } else { laid }
}

//! Pointers in the records that one half of a derivative lays for the other, and their shadows.
//!
//! A place in a record is known by the record and the offset in it. The half that takes a record back does not see what was laid
//! there: it has to be told whether the pointers at a place have shadows behind them. The request says so, the same for all
//! functions that are differentiated with it. At first no place is said to, and what is read through such a pointer is inactive.
//! Where a half lays a pointer with a shadow, or puts something active behind a pointer that it takes back, that is refused, and
//! the refusal names the place; it is then among those with shadows (`plan::variants`), for good.
//! Records that are arrays, and shadows of slots, are memory like any other: their pointers have shadows.

use std::collections::BTreeSet;

use super::activity::{Activity, Pass};
use super::pointers::Base;
use super::refusals::{Found, name_of};
use super::tape_records::half_record_of;
use crate::model::{Function, Inst, Op, Operand, Stride, ValueId};
use crate::refusal::{Code, Refusal};
use crate::request::Request;

/// Where a load or a store of a pointer meets a record of a half.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    At(String),
    /// At an offset that is not known, or with something else in one value.
    Unclear,
}

/// The place in a record of a half that an instruction reads a pointer from, or writes one to.
pub fn place_of(function: &Function, inst: &Inst) -> Option<Place> {
    let (ty, pointer) = match &inst.op {
        Op::Load(_) => (inst.ty.clone(), &inst.operands[0]),
        Op::Store(_) => (function.operand_type(&inst.operands[0]), &inst.operands[1]),
        _ => return None,
    };
    if !ty.holds_pointer() {
        return None;
    }
    let (record, offset) = find_record(function, pointer)?;
    let known = offset.filter(|_| ty.is_pointer());
    Some(known.map_or(Place::Unclear, |offset| Place::At(format!("{record}.{offset}"))))
}

/// The record that an address is in, and how far as far as that is known.
fn find_record<'a>(function: &'a Function, address: &Operand) -> Option<(&'a str, Option<i128>)> {
    let (mut at, mut offset) = (address.value()?, Some(0));
    while let Some(Inst { op: Op::Gep(gep), operands, .. }) = function.inst(at) {
        let steps = gep.strides.iter().zip(&operands[1..]).map(|(stride, index)| step(stride, index));
        offset = steps.fold(offset, |offset, step| Some(offset? + step?));
        at = operands[0].value()?;
    }
    Some((half_record_of(function.inst(at)?)?, offset))
}

/// Whether an address is surely in such a record: what is laid there is taken back as what it is.
pub fn is_in_record(function: &Function, address: &Operand) -> bool {
    find_record(function, address).is_some()
}

fn step(stride: &Stride, index: &Operand) -> Option<i128> {
    match (stride, index) {
        (Stride::Field(bytes), _) => Some(i128::from(*bytes)),
        (Stride::Scale(bytes), Operand::Const(constant)) => Some(constant.as_signed()? * i128::from(*bytes)),
        (Stride::Scale(_), Operand::Value(_)) | (Stride::Unknown, _) => None,
    }
}

/// The place, where pointers there have no shadows.
pub fn bare_place(function: &Function, request: &BTreeSet<String>, inst: &Inst) -> Option<String> {
    match place_of(function, inst)? {
        Place::At(place) if !request.contains(&place) => Some(place),
        Place::At(_) | Place::Unclear => None,
    }
}

pub(super) fn is_bare(function: &Function, request: &Request, inst: &Inst) -> bool {
    bare_place(function, &request.carried, inst).is_some()
}

/// A pointer with a shadow that is laid where none has one, or where nobody can tell.
pub(super) fn refuse_laid(pass: &Pass, inst: &Inst, activity: &Activity) -> Found {
    let problem = match place_of(pass.function, inst)? {
        Place::Unclear => "lays a pointer on the tape, or takes one back, at a place that is not known",
        Place::At(_)
            if matches!(inst.op, Op::Store(_))
                && is_bare(pass.function, pass.request, inst)
                && activity.is_shadowed(&inst.operands[0]) =>
        {
            "lays a pointer to active memory on the tape, where others lay pointers to memory without a shadow"
        }
        Place::At(_) => return None,
    };
    Some((Code::ActiveMemory, format!("{} {problem}", name_of(inst))))
}

/// The refusal, with the places at which shadows might help.
pub(super) fn with_places(refusal: Refusal, pass: &Pass, inst: &Inst, activity: &Activity) -> Refusal {
    let taken = |base: Base| match base {
        Base::Loaded(from) => bare_at(pass, from),
        _ => None,
    };
    let behind = inst.operands.iter().flat_map(|operand| activity.bases(operand)).filter_map(taken);
    let here = bare_place(pass.function, &pass.request.carried, inst);
    Refusal { carries: behind.chain(here).collect(), ..refusal }
}

/// The place that a load takes a pointer from, where those there have no shadows.
pub(super) fn bare_at(pass: &Pass, load: ValueId) -> Option<String> {
    bare_place(pass.function, &pass.request.carried, pass.function.inst(load)?)
}

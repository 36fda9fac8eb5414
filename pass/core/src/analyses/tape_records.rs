//! Records that a derivative lays on the tape, seen by the derivative of that derivative.
//!
//! Function → which pushes and pops are of one record. A gradient's code names with each push and pop the place in it that
//! they belong to, so a record is memory that is made by its pushes, has one layout, and is found again by its pops alone.
//! Forward mode lays the tangents of a record behind it, where something active is in it; so both sides have to be seen, on the
//! thread's own tape.
//!
//! The derivative of a function that calls itself is two halves, of which one lays what the other takes back. Who differentiates
//! one of them does not see the other, and many calls may be given active values here and none there. So what a half lays has
//! tangents behind it wherever it is differentiated forward, active or not, and where one half of a derivative is differentiated,
//! each half that is called there is. To either such a record is memory of somebody else's.

use std::collections::BTreeMap;

use super::activity::Pass;
use super::pointers::Base;
use super::refusals::Found;
use crate::model::{Function, Inst, Op, Operand, ValueId};
use crate::refusal::Code;
use crate::request::Mode;

/// How the mark of a push or pop begins; the name of the function that is its own, and of the place in it, follow.
pub const RECORD: &str = "backsweep-record.";
/// The mark of an access to a word of a record that is an integer, and no float's bits to anybody.
pub const NUMBER: &str = "backsweep.number";
/// How it begins where one half of a derivative lays the record for the other.
pub const HALF: &str = "backsweep-record.half.";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordCall {
    Push,
    Pop,
}

/// What a call does with a record.
pub fn record_call(inst: &Inst) -> Option<RecordCall> {
    match inst.callee_name()? {
        "backsweep.push" => Some(RecordCall::Push),
        "backsweep.pop" => Some(RecordCall::Pop),
        _ => None,
    }
}

/// Whether a push or pop is of a record that one half lays for the other.
pub fn is_of_half(inst: &Inst) -> bool {
    let half = HALF.strip_prefix(RECORD);
    record_call(inst).is_some()
        && record_of(inst).zip(half).is_some_and(|(record, half)| record.starts_with(half))
}

/// Whether an address is one in a record of a derivative.
pub fn lies_in_record(function: &Function, address: &Operand) -> bool {
    let mut place = address.value().and_then(|id| function.inst(id));
    while let Some(Inst { op: Op::Gep(_), operands, .. }) = place {
        place = operands[0].value().and_then(|id| function.inst(id));
    }
    place.is_some_and(|inst| record_call(inst).is_some())
}

/// The record that one half lays for the other, if it is no array and no slot's: those are memory like any other.
pub(super) fn half_record_of(inst: &Inst) -> Option<&str> {
    record_call(inst)?;
    let record = record_of(inst)?.strip_prefix(HALF.strip_prefix(RECORD)?)?;
    let (_, place) = record.rsplit_once('.')?;
    (place == "cells" || place.starts_with("block")).then_some(record)
}

/// Which record it is.
fn record_of(inst: &Inst) -> Option<&str> {
    let attributes = inst.op.call().map(|call| call.attributes.as_slice()).unwrap_or_default();
    attributes.iter().find_map(|text| text.trim_matches('"').strip_prefix(RECORD))
}

/// The calls of a function that lay records, by the record: read once, since a derivative has as many records as it has blocks.
#[derive(Default)]
pub struct Pushes<'a>(BTreeMap<&'a str, Vec<ValueId>>);

impl<'a> Pushes<'a> {
    pub fn of(function: &'a Function) -> Pushes<'a> {
        let mut pushes = Pushes::default();
        for id in function.inst_ids() {
            let Some(inst) = function.inst(id).filter(|inst| record_call(inst) == Some(RecordCall::Push))
            else {
                continue;
            };
            if let Some(record) = record_of(inst) {
                pushes.0.entry(record).or_default().push(id);
            }
        }
        pushes
    }

    /// The calls that lay the record which this call lays or takes back.
    pub fn of_record(&self, inst: &Inst) -> &[ValueId] {
        record_of(inst).and_then(|record| self.0.get(record)).map_or(&[], Vec::as_slice)
    }
}

/// Whether a call puts off freeing the memory that is its second operand, until the derivative that it is of is over.
pub fn is_put_off(inst: &Inst) -> bool {
    matches!(inst.callee_name(), Some("bs_rt_put_off" | "bs_rt_put_off_sized"))
}

/// The memory that such a call puts off, and the shadow that goes with it.
pub fn put_off_by(inst: &Inst) -> Vec<&Operand> {
    match inst.arguments() {
        // The shadow stands in front of the function's name.
        [_, memory, .., shadow, _] if is_put_off(inst) => vec![memory, shadow],
        _ => Vec::new(),
    }
}

/// Whether memory or a shadow lives longer than the function that it is made in.
fn keeps_memory(inst: &Inst) -> bool {
    is_put_off(inst)
        || matches!(inst.callee_name(), Some("bs_rt_lasting_shadow" | "bs_rt_lasting_shadow_free"))
}

/// A push or pop that cannot be followed, a tape that is not the thread's, and memory that is freed later than its derivative
/// is looked at.
pub(super) fn refuse_record(pass: &Pass, inst: &Inst) -> Found {
    let derivative = || match inst.arguments().last() {
        Some(Operand::Const(constant)) => {
            constant.symbol().unwrap_or("a function").trim_start_matches(TEXT).to_owned()
        }
        _ => "a function".into(),
    };
    let problem = match record_call(inst) {
        Some(_) if pass.request.mode.is_reverse() => format!(
            "the derivative of `{}` keeps records on the tape, and only forward mode goes over those: take the tangent of the \
             gradient",
            derivative()
        ),
        Some(_) if !is_of_half(inst) && !is_complete(pass.function, inst) => {
            format!(
                "the derivative of `{}` leaves its records to another function, which is not differentiated yet",
                derivative()
            )
        }
        None if pass.request.mode.is_reverse() && keeps_memory(inst) => {
            format!(
                "the derivative of `{}` frees memory when it is over, and only forward mode goes over that: take the tangent of the \
                 gradient",
                derivative()
            )
        }
        None if inst.callee_name() == Some(OPEN) && !is_of_thread(pass.function, inst) => {
            "the two halves of split mode are not differentiated again yet; ask for the gradient in one call"
                .into()
        }
        _ => return None,
    };
    Some((Code::NotSupported, problem))
}

/// What stands behind the mode in the name of one half of a derivative, or of the tangent of one: the function and its variant.
pub fn half_of(mut name: &str) -> Option<&str> {
    while let Some(rest) = behind_mode(name, Mode::Tangent) {
        name = rest;
    }
    behind_mode(name, Mode::Augmented).or_else(|| behind_mode(name, Mode::Reverse))
}

fn behind_mode(name: &str, mode: Mode) -> Option<&str> {
    name.strip_prefix("backsweep.")?.strip_prefix(mode.name())?.strip_prefix('.')
}

/// Whether the tangent of a call is called whatever it is given: that of a half, so that both find the records as wide.
pub(super) fn is_always_followed(pass: &Pass, inst: &Inst) -> bool {
    !pass.request.mode.is_reverse() && inst.callee_name().is_some_and(|name| half_of(name).is_some())
}

/// The records that have tangents behind them whatever is in them.
pub(super) fn records_of_halves<'a>(pass: &'a Pass) -> impl Iterator<Item = Base> + 'a {
    let wide = |(_, inst): &(ValueId, &Inst)| !pass.request.mode.is_reverse() && is_of_half(inst);
    pass.live_insts().filter(wide).map(|(id, _)| Base::Returned(id))
}

/// A call of one half of a derivative, where reverse mode would have to undo it.
pub(super) fn refuse_half(pass: &Pass, inst: &Inst) -> Found {
    let variant = inst.callee_name().and_then(half_of).filter(|_| pass.request.mode.is_reverse())?;
    let function = variant.split('.').next().unwrap_or(variant);
    let message = format!(
        "the derivative of `{function}` is called in two halves, because `{function}` calls itself, and only forward mode goes \
         over those: take the tangent of the gradient"
    );
    Some((Code::NotSupported, message))
}

const OPEN: &str = "backsweep.cursor.open";
/// How names for messages begin.
const TEXT: &str = ".bs.name.";

/// Whether all that is laid in a record is seen. What is laid and not taken back is left where an exception leaves the derivative, or
/// the program ends.
fn is_complete(function: &Function, inst: &Inst) -> bool {
    let Some(record) = record_of(inst) else { return false };
    let lays =
        |other: &Inst| record_call(other) == Some(RecordCall::Push) && record_of(other) == Some(record);
    function.insts.iter().any(lays)
}

fn is_of_thread(function: &Function, open: &Inst) -> bool {
    let Some(tape) = open.operands.get(1).and_then(Operand::value) else { return false };
    is_tape(function, tape) || function.inst(tape).is_some_and(is_made_tape)
}

/// Whether this is the tape that a half is handed, of the derivative that calls it. What the user is handed in split mode is not
/// the tape itself.
pub fn is_tape(function: &Function, param: ValueId) -> bool {
    let given = |inst: &Inst| inst.operands.get(1).and_then(Operand::value) == Some(param);
    let opens = |inst: &Inst| inst.callee_name() == Some(OPEN) && given(inst);
    half_of(&function.name).is_some() && function.insts.iter().any(opens)
}

pub fn is_made_tape(inst: &Inst) -> bool {
    inst.callee_name() == Some("bs_tape_of_thread")
}

//! Records that a derivative lays on the tape, seen by the derivative of that derivative.
//!
//! Function → which pushes and pops are of one record. A gradient's code names with each push and pop the place in it that
//! they belong to, so a record is memory that is made by its pushes, has one layout, and is found again by its pops alone.
//! Forward mode lays the tangents of a record behind it; so both sides have to be seen, on the thread's own tape.

use super::activity::{Activity, Pass};
use super::memory_calls::memory_call;
use super::pointers::Base;
use super::refusals::Found;
use crate::model::{Constant, Function, Inst, Operand, ValueId};
use crate::refusal::Code;
use crate::request::Mode;

/// How the mark of a push or pop begins; the name of the function that is its own, and of the place in it, follow.
pub const RECORD: &str = "backsweep-record.";

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

/// Which record it is.
fn record_of(inst: &Inst) -> Option<&str> {
    let attributes = inst.op.call().map(|call| call.attributes.as_slice()).unwrap_or_default();
    attributes.iter().find_map(|text| text.trim_matches('"').strip_prefix(RECORD))
}

/// The calls that lay the record which this call lays or takes back.
pub fn pushes_of(function: &Function, inst: &Inst) -> Vec<ValueId> {
    calls_of(function, inst, RecordCall::Push)
}

fn calls_of(function: &Function, inst: &Inst, what: RecordCall) -> Vec<ValueId> {
    let Some(record) = record_of(inst) else { return Vec::new() };
    let is = |other: &Inst| record_call(other) == Some(what) && record_of(other) == Some(record);
    function.inst_ids().filter(|id| function.inst(*id).is_some_and(is)).collect()
}

/// Whether a call puts off freeing the memory that is its second operand, until the derivative that it is of is over.
pub fn is_put_off(inst: &Inst) -> bool {
    matches!(inst.callee_name(), Some("bs_rt_put_off" | "bs_rt_put_off_sized"))
}

/// Whether what is put off was made here, and no shadow goes with it that others may find.
fn is_of_one_function(function: &Function, inst: &Inst, activity: &Activity) -> bool {
    // The shadow stands in front of the function's name.
    let shadow = inst.arguments().iter().rev().nth(1);
    let alone = matches!(shadow, Some(Operand::Const(Constant::Null(_))));
    let is_allocated = |base: &Base| match base {
        Base::Heap(id) => function.inst(*id).is_some_and(|made| memory_call(made).is_some()),
        // Where the allocation threw there is nothing to free.
        base => *base == Base::Null,
    };
    alone && activity.bases(&inst.operands[1]).iter().all(is_allocated)
}

/// A push or pop that cannot be followed, a tape that is not the thread's, and memory that is freed later than its derivative
/// is looked at.
pub(super) fn refuse_record(pass: &Pass, inst: &Inst, activity: &Activity) -> Found {
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
        Some(_) if !is_complete(pass.function, inst) => {
            format!(
                "the derivative of `{}` leaves its records to another function, which is not differentiated yet",
                derivative()
            )
        }
        None if is_put_off(inst)
            && (pass.request.mode.is_reverse() || !is_of_one_function(pass.function, inst, activity)) =>
        {
            format!(
                "the derivative of `{}` frees memory of its own when it is over, because an exception may leave it or others may find \
             that memory, which only forward mode goes over, and only in the first case",
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

/// A call of one half of a derivative, as those of functions that call themselves are: its records are for the other half.
pub(super) fn refuse_half(inst: &Inst) -> Found {
    let name = inst.callee_name()?;
    let of = |mode: Mode| name.strip_prefix(&format!("backsweep.{}.", mode.name()));
    let variant = of(Mode::Augmented).or_else(|| of(Mode::Reverse))?;
    let function = variant.split('.').next().unwrap_or(variant);
    let message = format!(
        "the derivative of `{function}` is called in two halves, because `{function}` calls itself, and those are not \
         differentiated again yet"
    );
    Some((Code::NotSupported, message))
}

const OPEN: &str = "backsweep.cursor.open";
/// How names for messages begin.
const TEXT: &str = ".bs.name.";

fn is_complete(function: &Function, inst: &Inst) -> bool {
    [RecordCall::Push, RecordCall::Pop].iter().all(|what| !calls_of(function, inst, *what).is_empty())
}

fn is_of_thread(function: &Function, open: &Inst) -> bool {
    let tape = open.operands.get(1).and_then(Operand::value).and_then(|id| function.inst(id));
    tape.and_then(Inst::callee_name) == Some("bs_tape_of_thread")
}

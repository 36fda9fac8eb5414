//! Memory that is filled with one byte: may its shadow be cleared?
//!
//! It may where it is our own, as shadow pointers in it are then of no more use, or where there are none: every number that was there has been overwritten.
//! Safe error: no.

use std::collections::BTreeSet;

use super::activity::{Activity, Pass};
use super::copied::are_declared_numbers;
use super::memory_calls::{MemoryCall, memory_call};
use super::pointers::{Base, Pointers};
use super::tape_records::{RecordCall, is_of_half, record_call};
use crate::kinds::is_array_of_floats;
use crate::model::{Function, Inst, Linkage, Op, Operand, Program, Type};

/// The mark of a call that clears a shadow in which there are no pointers.
pub const POINTERLESS: &str = "backsweep-pointerless";

pub(super) fn is_cleared_whole(pass: &Pass, activity: &Activity, fill: &Inst) -> bool {
    let places = activity.memory_behind(&fill.operands[0]);
    activity.is_own(&fill.operands[0])
        || is_just_laid(pass.function, &fill.operands[0])
        || is_marked(fill)
        || are_declared_numbers(fill)
        || holds_floats_only(pass, activity, &places)
        || !places.is_empty() && places.iter().all(|place| is_free_of_pointers(pass, place))
        || is_found(&places)
            && !activity.is_opened_by_call(pass.function, &places)
            && is_array_of_floats(pass.function, pass.program, &fill.operands[0])
}

/// Whether a derivative clears a shadow, and who made it knew that there are no pointers in it.
fn is_marked(fill: &Inst) -> bool {
    let attributes = fill.op.call().map(|call| call.attributes.as_slice()).unwrap_or_default();
    attributes.iter().any(|text| text.trim_matches('"') == POINTERLESS)
}

/// Whether one half of a derivative clears what it lays: the shadow of a slot, in which there is nothing before.
fn is_just_laid(function: &Function, place: &Operand) -> bool {
    let laid = place.value().and_then(|id| function.inst(id));
    laid.is_some_and(|inst| is_of_half(inst) && record_call(inst) == Some(RecordCall::Push))
}

/// Whether memory is reached through pointers in memory only.
fn is_found(places: &BTreeSet<Base>) -> bool {
    !places.is_empty() && places.iter().all(|place| matches!(place, Base::Loaded(_)))
}

/// Whether these allocations are declared to hold floats, or are accessed as floats somewhere, and as pointers nowhere.
fn holds_floats_only(pass: &Pass, activity: &Activity, places: &BTreeSet<Base>) -> bool {
    let function = pass.function;
    let declared = |base: &Base| {
        let Base::Global(name) = base else { return false };
        pass.globals.get(name).is_some_and(|global| is_made_of_floats(&global.ty))
    };
    let (mut floats, mut pointers) =
        (places.iter().all(declared), activity.is_opened_by_call(function, places));
    for (pointer, ty) in accesses(function) {
        if !activity.bases(pointer).is_disjoint(places) {
            floats |= ty.holds_float();
            pointers |= ty.holds_pointer();
        }
    }
    floats && !pointers
}

/// Whether a global has one name only, and nobody reads or writes a pointer under it.
fn is_free_of_pointers(pass: &Pass, place: &Base) -> bool {
    let Base::Global(name) = place else { return false };
    let Some(global) = pass.globals.get(name) else { return false };
    let bodies = || pass.program.functions.iter().filter(|function| !function.is_declaration());
    global.linkage == Linkage::Local
        && !global.address_taken
        && !global.ty.holds_pointer()
        && !bodies().any(|function| moves_pointers_at(function, pass.program, place))
}

fn moves_pointers_at(function: &Function, program: &Program, place: &Base) -> bool {
    let pointers = Pointers::of(function, program);
    let here = |pointer: &Operand| pointers.of_operand(pointer).contains(place);
    // What is copied may be anything.
    let copied = function
        .insts
        .iter()
        .any(|inst| memory_call(inst) == Some(MemoryCall::Copy) && inst.operands[..2].iter().any(&here));
    copied || accesses(function).any(|(pointer, ty)| ty.holds_pointer() && here(pointer))
}

fn accesses(function: &Function) -> impl Iterator<Item = (&Operand, Type)> {
    function.insts.iter().filter_map(|inst| match &inst.op {
        Op::Load(_) => Some((&inst.operands[0], inst.ty.clone())),
        Op::Store(_) => Some((&inst.operands[1], function.operand_type(&inst.operands[0]))),
        _ => None,
    })
}

fn is_made_of_floats(ty: &Type) -> bool {
    match ty {
        Type::Array(_, element) => is_made_of_floats(element),
        Type::Struct { fields, .. } => !fields.is_empty() && fields.iter().all(is_made_of_floats),
        _ => ty.holds_float(),
    }
}

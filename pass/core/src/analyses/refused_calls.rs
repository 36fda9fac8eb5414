//! What the derivative of a called function cannot be given.

use super::activity::{Activity, Pass};
use super::custom::refuse_custom_call;
use super::exceptions::{is_guarded, returns_after_throw};
use super::refusals::{ACTIVE, Found, name_of, refuse_pointer};
use super::refused_addresses::refuse_hidden_access;
use super::tape_records::refuse_half;
use crate::model::{Inst, ValueId};
use crate::refusal::Code;

pub(super) fn refuse_call(pass: &Pass, id: ValueId, inst: &Inst, activity: &Activity) -> Found {
    if let Some(found) = refuse_caught(pass, id, inst).or_else(|| refuse_half(pass, inst)) {
        return Some(found);
    }
    match pass.find_custom_call(inst) {
        Some(Err(problem)) => return Some((Code::BadRule, problem)),
        Some(Ok(custom)) => return refuse_custom_call(pass, id, inst, activity, &custom),
        None => {}
    }
    let name = name_of(inst);
    let callee = inst.callee_name().and_then(|name| pass.program.function(name))?;
    let not_yet =
        |what: &str| Some((Code::Recursion, format!("{name} {what}, which is not differentiated yet")));
    if callee.is_declaration() {
        let (there, missing) = match pass.request.mode.is_reverse() {
            true => ("forward", "__backsweep_rule_reverse"),
            false => ("reverse", "__backsweep_rule_forward"),
        };
        let message = format!(
            "{ACTIVE} is passed to {name}, which has a custom rule for {there} mode only, and no body here; make its body \
             visible (same file, or full LTO), or register a rule for this mode too (a global {missing}…)"
        );
        return Some((Code::UnknownCallee, message));
    }
    if callee.variadic {
        return not_yet("passes a variable number of arguments");
    }
    for (at, argument) in inst.arguments().iter().enumerate() {
        let ty = pass.function.operand_type(argument);
        let attributes = callee.params.get(at).map(|param| param.attributes.as_slice()).unwrap_or_default();
        if attributes.iter().any(|text| text.starts_with("byval") || text.starts_with("inalloca")) {
            return not_yet("passes a struct by value in memory");
        }
        if ty.holds_pointer() && !ty.is_pointer() && activity.is_shadowed(argument) {
            return not_yet("passes a pointer to active memory inside a struct");
        }
        if ty.is_pointer()
            && let Some(found) = refuse_pointer(pass, inst, argument, activity)
        {
            return Some(found);
        }
        if activity.is_operand_active(argument) && !ty.holds_float() && !ty.holds_pointer() {
            return not_yet("passes the bits of an active value as an integer");
        }
    }
    if inst.ty.holds_pointer() && !inst.ty.is_pointer() {
        return not_yet("returns a pointer inside a struct");
    }
    (activity.is_active(id) && !inst.ty.holds_float())
        .then(|| not_yet("returns the bits of an active value"))
        .flatten()
        .or_else(|| refuse_hidden_access(pass, inst, activity))
}

/// What a callee did before it threw is undone by nobody: its records end where the exception left it.
fn refuse_caught(pass: &Pass, id: ValueId, inst: &Inst) -> Found {
    if !pass.request.mode.is_reverse() || !is_guarded(inst) {
        return None;
    }
    let block = pass.function.block_ids().find(|block| pass.function.block(*block).insts.contains(&id))?;
    returns_after_throw(pass.function, &pass.flow, block, id).then(|| {
        let message = format!(
            "an exception out of {} is caught here, and what that call did before it threw is not differentiated; catch it \
             where the derivative is called, or test the condition before the call",
            name_of(inst)
        );
        (Code::NotSupported, message)
    })
}

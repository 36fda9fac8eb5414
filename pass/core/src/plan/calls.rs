//! Calls of functions that are differentiated by themselves: recursion, and whatever is not inlined.
//!
//! The forward sweep calls the callee's first half, which leaves what its second half needs on the caller's tape; the
//! reverse sweep calls the second half at the matching place, which takes it back. The tape is last in, first out, as
//! the sweeps are. Where the user gave a rule for the callee, his functions are called instead; the tape through which
//! they speak is a record on ours.

use std::collections::BTreeMap;

use crate::analyses::activity::Activity;
use crate::analyses::custom::{CustomCall, find_custom_call};
use crate::analyses::pointers::Base;
use crate::model::{Function, Inst, Operand, Program, Type, ValueId};
use crate::request::{self, Argument, Fit, Mode, Request};

/// One call, and the request for the derivative of its callee. In reverse mode it is that of the second half.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedCall {
    pub callee: String,
    pub request: Request,
    /// The user's own derivative of the callee, which is then called with what the request lists.
    pub custom: Option<CustomCall>,
}

impl PlannedCall {
    /// The request for the first half.
    pub fn augmented(&self) -> Request {
        Request { mode: Mode::Augmented, seeds: Vec::new(), ..self.request.clone() }
    }
}

pub fn plan_calls(
    function: &Function,
    program: &Program,
    request: &Request,
    activity: &Activity,
) -> BTreeMap<ValueId, PlannedCall> {
    let plan = |id: ValueId| {
        let inst = function.inst(id)?;
        let callee = inst.callee_name()?.to_owned();
        let mut request = request_of(function, request, activity, id, inst, &callee);
        // What does not fit was refused.
        let custom = find_custom_call(program, &callee, request.mode).and_then(Result::ok);
        if let Some(custom) = &custom {
            take_everything(function, inst, &mut request, custom);
        }
        Some((id, PlannedCall { callee, request, custom }))
    };
    activity.calls().filter_map(plan).collect()
}

fn request_of(
    function: &Function,
    caller: &Request,
    activity: &Activity,
    id: ValueId,
    inst: &Inst,
    callee: &str,
) -> Request {
    let reverse = caller.mode.is_reverse();
    let argument = |operand: &Operand| Argument {
        activity: activity_of(operand, &function.operand_type(operand), activity, reverse),
        primal: 0,
        shadows: Vec::new(),
        stride: None,
        by_reference: false,
    };
    let active_return = activity.is_active(id);
    let lanes = 0..caller.width as usize;
    Request {
        mode: if reverse { Mode::Reverse } else { Mode::Tangent },
        function: callee.into(),
        arguments: inst.arguments().iter().map(argument).collect(),
        width: caller.width,
        seeds: if active_return && reverse { lanes.collect() } else { Vec::new() },
        seed_behind: false,
        tape: reverse.then_some(0),
        tape_in_memory: false,
        primal_return: true,
        active_return,
        shadow_return: activity.has_shadow(&Base::Returned(id)),
        globals: activity.globals_of_call(id),
        carried: caller.carried.clone(),
        nested: true,
        keep_tape: false,
        fit: Fit::Same,
    }
}

/// A rule of the user's is called in one way only, whatever is active.
fn take_everything(function: &Function, inst: &Inst, request: &mut Request, custom: &CustomCall) {
    for (argument, operand) in request.arguments.iter_mut().zip(inst.arguments()) {
        let ty = function.operand_type(operand);
        argument.activity = match custom {
            _ if ty.is_pointer() => request::Activity::Dup,
            _ if !ty.holds_float() => request::Activity::Const,
            CustomCall::Halves { .. } => request::Activity::Out,
            CustomCall::Tangent(_) => request::Activity::Dup,
        };
    }
    request.active_return = inst.ty.holds_float();
    request.shadow_return = match custom {
        CustomCall::Halves { shadow, .. } => *shadow,
        CustomCall::Tangent(_) => inst.ty.is_pointer(),
    };
    request.seeds = if request.active_return && request.mode.is_reverse() { vec![0] } else { Vec::new() };
}

fn activity_of(operand: &Operand, ty: &Type, activity: &Activity, reverse: bool) -> request::Activity {
    let active = activity.is_operand_active(operand);
    match ty.is_pointer() {
        true if activity.is_shadowed(operand) => request::Activity::Dup,
        false if active && reverse => request::Activity::Out,
        false if active => request::Activity::Dup,
        _ => request::Activity::Const,
    }
}

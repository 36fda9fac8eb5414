//! Calls of functions that are differentiated by themselves: recursion, and whatever is not inlined.
//!
//! The forward sweep calls the callee's first half, which leaves what its second half needs on the caller's tape; the
//! reverse sweep calls the second half at the matching place, which takes it back. The tape is last in, first out, as
//! the sweeps are.

use std::collections::BTreeMap;

use crate::analyses::activity::Activity;
use crate::analyses::pointers::Base;
use crate::model::{Function, Inst, Operand, Type, ValueId};
use crate::request::{self, Argument, Fit, Mode, Request};

/// One call, and the request for the derivative of its callee. In reverse mode it is that of the second half.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedCall {
    pub callee: String,
    pub request: Request,
}

impl PlannedCall {
    /// The request for the first half.
    pub fn augmented(&self) -> Request {
        Request { mode: Mode::Augmented, seeds: Vec::new(), ..self.request.clone() }
    }
}

pub fn plan_calls(
    function: &Function,
    request: &Request,
    activity: &Activity,
) -> BTreeMap<ValueId, PlannedCall> {
    let plan = |id: ValueId| {
        let inst = function.inst(id)?;
        let callee = inst.callee_name()?.to_owned();
        Some((
            id,
            PlannedCall { request: request_of(function, request, activity, id, inst, &callee), callee },
        ))
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
    };
    let active_return = activity.is_active(id);
    let lanes = 0..caller.width as usize;
    Request {
        mode: if reverse { Mode::Reverse } else { Mode::Tangent },
        function: callee.into(),
        arguments: inst.arguments().iter().map(argument).collect(),
        width: caller.width,
        seeds: if active_return && reverse { lanes.collect() } else { Vec::new() },
        tape: reverse.then_some(0),
        primal_return: true,
        active_return,
        shadow_return: activity.has_shadow(&Base::Returned(id)),
        globals: activity.globals_of_call(id),
        nested: true,
        keep_tape: false,
        fit: Fit::Same,
    }
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

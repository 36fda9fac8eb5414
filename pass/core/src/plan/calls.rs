//! Calls of functions that are differentiated by themselves: recursion, and whatever is not inlined.
//!
//! The forward sweep calls the callee's first half, which leaves what its second half needs on the caller's tape; the
//! reverse sweep calls the second half at the matching place, which takes it back. The tape is last in, first out, as
//! the sweeps are. Where the user gave a rule for the callee, his functions are called instead; the tape through which
//! they speak is a record on ours.

use std::collections::BTreeMap;

use super::Decision;
use super::joint::find_places;
use super::storage::Question;
use crate::analyses::activity::Activity;
use crate::analyses::custom::{CustomCall, find_custom_call};
use crate::analyses::effects::Effects;
use crate::analyses::flow::Flow;
use crate::analyses::later::Later;
use crate::analyses::pointers::Base;
use crate::config::{Config, Switch};
use crate::model::{CALLED_JOINTLY, Constant, Function, Inst, Operand, Program, Type, ValueId};
use crate::request::{self, Argument, Fit, Mode, Request};
use crate::rules::Rules;

/// One call, and the request for the derivative of its callee. In reverse mode it is that of the second half.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedCall {
    pub callee: String,
    pub request: Request,
    /// The user's own derivative of the callee, which is then called with what the request lists.
    pub custom: Option<CustomCall>,
    /// Whether it runs twice, where that was asked for, and why not.
    pub joint: Option<Decision<bool>>,
    /// Why it is not contracted, where that was asked for.
    pub uncontracted: Option<String>,
}

impl PlannedCall {
    /// The request for the first half.
    pub fn augmented(&self) -> Request {
        Request { mode: Mode::Augmented, seeds: Vec::new(), ..self.request.clone() }
    }
}

pub fn plan_calls(
    &Question { function, program, rules, activity, .. }: &Question,
    request: &Request,
    config: &Config,
    (later, flow): (Option<&Later>, &Flow),
) -> BTreeMap<ValueId, PlannedCall> {
    let mut effects = None;
    let plan = |id: ValueId| {
        let inst = function.inst(id)?;
        let callee = inst.callee_name()?.to_owned();
        let mut request = request_of(function, request, activity, id, inst, &callee);
        // What does not fit was refused.
        let custom = find_custom_call(program, &callee, request.mode).and_then(Result::ok);
        if let Some(custom) = &custom {
            take_everything(function, inst, &mut request, custom);
        }
        let asked = custom.is_none() && request.mode.is_reverse();
        if asked && is_marked(program, &callee) {
            let effects = effects
                .get_or_insert_with(|| Effects::of_callees(function, program, rules, &request.carried));
            let stays = |pointer: &Operand| {
                let pointed = function.operand_type(pointer).is_pointer();
                pointed && later.is_some_and(|later| later.stays(id, pointer, effects, flow))
            };
            let arguments = (0..).zip(inst.arguments());
            request.steady = arguments.filter(|(_, x)| stays(x)).map(|(at, _)| at).collect();
        }
        let joint = if asked { decide_joint(program, rules, config, &callee, &request.steady) } else { None };
        request.joint = joint.as_ref().is_some_and(|joint| joint.choice);
        if !request.joint {
            request.steady.clear();
        }
        Some((id, PlannedCall { callee, request, custom, joint, uncontracted: None }))
    };
    activity.calls().filter_map(plan).collect()
}

/// Whether a call runs twice, where the user has said that it should.
fn decide_joint(
    program: &Program,
    rules: &Rules,
    config: &Config,
    callee: &str,
    steady: &[usize],
) -> Option<Decision<bool>> {
    let function = program.function(callee).filter(|_| is_marked(program, callee))?;
    let refused = match config.analyses.joint {
        Switch::Off => Some("that is switched off, or derivatives are differentiated once more".into()),
        Switch::On => find_places(function, program, rules, steady).err(),
    };
    Some(match refused {
        None => Decision { choice: true, reason: "as asked, it runs once more before it is reversed".into() },
        Some(reason) => {
            Decision { choice: false, reason: format!("it should run twice, and it cannot: {reason}") }
        }
    })
}

fn is_marked(program: &Program, callee: &str) -> bool {
    let marks = program.function(callee).into_iter().flat_map(|function| &function.attributes);
    marks.into_iter().any(|text| text == CALLED_JOINTLY)
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
        shared: caller.shared.clone(),
        nested: true,
        joint: false,
        contracted: false,
        steady: Vec::new(),
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
        // Nothing lies behind null, so that null is its shadow: the callee may make of it what it makes of active memory.
        true if activity.is_shadowed(operand) || is_null(operand) => request::Activity::Dup,
        false if active && reverse => request::Activity::Out,
        false if active => request::Activity::Dup,
        _ => request::Activity::Const,
    }
}

fn is_null(operand: &Operand) -> bool {
    matches!(operand, Operand::Const(Constant::Null(_)))
}

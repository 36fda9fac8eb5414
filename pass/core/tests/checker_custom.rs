//! Plans that call the user's own derivatives: right ones pass, each with one fault is rejected, for that fault.

mod checker;

use backsweep_core::analyses::custom::CustomCall;
use backsweep_core::check::Obligation;
use backsweep_core::config::Config;
use backsweep_core::model::Type;
use backsweep_core::plan::{Plan, make_plan};
use backsweep_core::request::{Activity, Mode};
use checker::{Case, assert_none, assert_only};

const RULED: &str = "rule @g augmented @g.kept reverse @g.back tangent @g.along
declare @g(ptr, double, i32) -> double
declare @g.kept(ptr, ptr, double, i32) -> {ptr, double}
declare @g.back(ptr, ptr, double, i32, double, ptr) -> double
declare @g.along(ptr, ptr, double, double, i32) -> {double, double}
declare @other(ptr, ptr, double, i32, double, ptr) -> double
function @f(%p: ptr, %x: double) -> double {
^entry:
  %slot: ptr = alloca i32 1 of double bytes 8 align 8
  store %x, %slot
  %a: double = call @g(%slot, %x, i32 3)
  %b: double = call @g(%p, %a, i32 4)
  ret %b
}";

const MODES: [Mode; 4] = [Mode::Gradient, Mode::Tangent, Mode::Augmented, Mode::Reverse];

#[test]
fn right_plans_pass() {
    let case = Case::new(RULED);
    for mode in MODES {
        let plan = case.plan(&case.request(mode));
        assert_eq!(plan.calls.values().filter(|call| call.custom.is_some()).count(), 2);
        assert_none(&case.faults(&plan));
    }
}

/// The plan with the first call changed is rejected for what was changed.
fn reject(mode: Mode, change: impl Fn(&mut Plan), part: &str) {
    let case = Case::new(RULED);
    let mut plan = case.plan(&case.request(mode));
    change(&mut plan);
    assert_only(&case.faults(&plan), Obligation::Differentiable, part);
}

fn change_call(plan: &mut Plan, change: impl Fn(&mut CustomCall)) {
    let call = plan.calls.values_mut().next().expect("the plan has calls");
    change(call.custom.as_mut().expect("they are of a rule"));
}

#[test]
fn a_rule_is_applied() {
    for mode in MODES {
        let forget = |plan: &mut Plan| plan.calls.values_mut().for_each(|call| call.custom = None);
        reject(mode, forget, "has a rule of the user's, which is not applied");
    }
}

/// Nothing is called where there is nothing to call: the planner refuses, the checker would not let it pass.
#[test]
fn without_rule_and_body_there_is_no_plan() {
    let one_sided = RULED.replace(" tangent @g.along", "");
    let case = Case::new(&one_sided);
    let request = case.request(Mode::Tangent);
    let planned = make_plan(&case.function, &case.program, &case.rules, &request, &Config::default());
    let refusals = planned.err().expect("there is no derivative to call");
    assert!(refusals[0].message.contains("a custom rule for reverse mode only"), "{refusals:?}");
    let mut plan = Case::new(RULED).plan(&request);
    plan.calls.values_mut().for_each(|call| call.custom = None);
    assert_only(
        &case.faults(&plan),
        Obligation::Differentiable,
        "has neither a rule for this mode nor a body",
    );
}

#[test]
fn a_rule_is_called_by_its_names() {
    let rename = |plan: &mut Plan| {
        change_call(plan, |call| match call {
            CustomCall::Halves { reverse, .. } => *reverse = "other".into(),
            CustomCall::Tangent(name) => *name = "other".into(),
        })
    };
    reject(Mode::Gradient, rename, "a function that the rule does not name");
    reject(Mode::Tangent, rename, "a function that the rule does not name");
}

#[test]
fn a_tape_is_handed_over_as_it_is() {
    let forget = |plan: &mut Plan| {
        change_call(plan, |call| {
            let CustomCall::Halves { tape, .. } = call else { return };
            *tape = None;
        })
    };
    reject(Mode::Gradient, forget, "takes or returns something else");
    let mistake = |plan: &mut Plan| {
        change_call(plan, |call| {
            let CustomCall::Halves { tape, .. } = call else { return };
            *tape = Some(Type::DOUBLE);
        })
    };
    reject(Mode::Gradient, mistake, "takes or returns something else");
}

#[test]
fn every_argument_is_given_as_rules_take_it() {
    for (argument, activity) in [(0, Activity::Const), (1, Activity::Const), (2, Activity::Out)] {
        let change = |plan: &mut Plan| {
            let call = plan.calls.values_mut().next().expect("the plan has calls");
            call.request.arguments[argument].activity = activity;
        };
        reject(Mode::Gradient, change, "in another way than rules take it");
    }
}

#[test]
fn one_direction_at_a_time() {
    let widen = |plan: &mut Plan| {
        let call = plan.calls.values_mut().next().expect("the plan has calls");
        call.request.width = 2;
    };
    reject(Mode::Gradient, widen, "in several directions");
}

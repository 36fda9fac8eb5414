//! Loops whose iterations are reversed in their own order: right plans pass, each with one fault is rejected, for that fault.

mod checker;

use backsweep_core::config::Switch;
use backsweep_core::model::BlockId;
use backsweep_core::plan::{Order, Plan};
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

/// `for i: { for j: { d = STEP; OTHER }; s += d }`, where STEP and OTHER read `%d`, `%x` and the place `%p` of `a[j]`.
fn nest(step: &str, other: &str) -> Case {
    Case::new(&format!(
        "function @f(%a: ptr noalias, %b: ptr noalias, %n: i64, %m: i64) -> double {{
^entry:
  br ^outer
^outer:
  %i: i64 = phi ^entry: i64 0, ^behind: %next
  %s: double = phi ^entry: double 0.0, ^behind: %sum
  %again: i1 = icmp slt %i, %n
  br %again, ^before, ^exit
^before:
  br ^inner
^inner:
  %j: i64 = phi ^before: i64 0, ^body: %nextj
  %d: double = phi ^before: double 0.0, ^body: %e
  %c: double = phi ^before: double 0.0, ^body: %f
  %more: i1 = icmp slt %j, %m
  br %more, ^body, ^behind
^body:
  %p: ptr = gep %a, %j over double by(8)
  %x: double = load %p
  %g: double = fadd %d, %x
  %e: double = {step}
  %f: double = fadd %c, {other}
  %nextj: i64 = add %j, i64 1
  br ^inner
^behind:
  %left: double = phi ^inner: %d
  %right: double = phi ^inner: %c
  %both: double = fadd %left, %right
  %sum: double = fadd %s, %both
  %next: i64 = add %i, i64 1
  br ^outer
^exit:
  ret %s
}}"
    ))
}

fn planned(case: &Case) -> Plan {
    let plan = case.lean_plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    plan
}

fn order(plan: &Plan, header: BlockId) -> Option<Order> {
    plan.recounts.get(&header).map(|recount| recount.order)
}

fn says(case: &Case, plan: &Plan, part: &str) {
    let faults = case.faults(plan);
    assert!(faults.iter().any(|fault| fault.message.contains(part)), "nothing says `{part}`: {faults:?}");
}

/// A loop that runs backwards, and is said to run forwards.
fn turned(step: &str, other: &str) -> (Case, Plan) {
    let case = nest(step, other);
    let mut plan = planned(&case);
    let inner = case.block("inner");
    assert_eq!(order(&plan, inner), Some(Order::Backwards), "{plan}");
    plan.recounts.get_mut(&inner).expect("just seen").order = Order::Forwards;
    (case, plan)
}

#[test]
fn sums_run_forwards_with_the_loop_around_them() {
    let case = nest("fadd %d, %x", "%x");
    let plan = planned(&case);
    assert_eq!(order(&plan, case.block("inner")), Some(Order::Forwards), "{plan}");
    assert_eq!(order(&plan, case.block("outer")), Some(Order::Forwards), "{plan}");
}

/// The adjoint of what is carried shrinks from iteration to iteration: linear, and tied.
#[test]
fn what_is_carried_and_scaled() {
    let (case, plan) = turned("fmul %g, double 0.5", "%x");
    says(&case, &plan, "is carried on");
}

#[test]
fn what_is_carried_and_turned_round() {
    let (case, plan) = turned("fsub %x, %d", "%x");
    says(&case, &plan, "is carried on");
}

/// A sum of sums: each iteration adds to the adjoint of the inner sum.
#[test]
fn what_is_carried_and_used() {
    let (case, plan) = turned("fadd %d, %x", "%e");
    says(&case, &plan, "is carried on");
    let (case, plan) = turned("fadd %d, %x", "%d");
    says(&case, &plan, "is carried on");
}

/// What is stored is taken from its shadow in the order of the stores.
#[test]
fn what_is_stored() {
    let (case, plan) = turned("fadd %d, %x\n  store %x, %b", "%x");
    says(&case, &plan, "does more than compute");
}

#[test]
fn additions_that_keep_their_order() {
    let case = nest("fadd %d, %x", "%x");
    let mut plan = planned(&case);
    plan.sums = Switch::Off;
    says(&case, &plan, "additions keep their order");
}

#[test]
fn a_loop_inside_that_is_not_counted_anew() {
    let case = nest("fadd %d, %x", "%x");
    let mut plan = planned(&case);
    plan.recounts.remove(&case.block("inner"));
    says(&case, &plan, "in it is not counted anew");
}

#[test]
fn a_counter_that_is_counted_back() {
    let case = nest("fadd %d, %x", "%x");
    let mut plan = planned(&case);
    plan.recounts.get_mut(&case.block("inner")).expect("counted anew").counters.clear();
    says(&case, &plan, "is counted back");
}

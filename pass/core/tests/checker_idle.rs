//! Loops that are passed by on the way back: right plans pass, each with one fault is rejected, for that fault.

mod checker;

use backsweep_core::check::{Fault, Obligation};
use backsweep_core::model::{Operand, ValueId};
use backsweep_core::plan::{Decision, Idle, Item, Plan, Storage};
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

const MAYBE: &str = "br %positive, ^add, ^join";

/// `for j: { a = 0; for i: a += x[i] * y[j]; if (a > 0) s += a * more }`, with more in the inner loop, and what is added behind it.
fn unit(body: &str, goes_on: &str, added: &str) -> Case {
    let others = if goes_on == MAYBE { "^behind: %s, " } else { "" };
    Case::new(&format!(
        "function @f(%x: ptr noalias, %y: ptr noalias, %n: i64) -> double {{
^entry:
  br ^outer
^outer:
  %j: i64 = phi ^entry: i64 0, ^join: %following
  %s: double = phi ^entry: double 0.0, ^join: %sum
  %again: i1 = icmp slt %j, %n
  br %again, ^begin, ^end
^begin:
  %q: ptr = gep %y, %j over double by(8)
  %w: double = load %q
  br ^head
^head:
  %i: i64 = phi ^begin: i64 0, ^body: %next
  %a: double = phi ^begin: double 0.0, ^body: %b
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^behind
^body:
  %p: ptr = gep %x, %i over double by(8)
  %v: double = load %p
  %share: double = fmul %v, %w
{body}
  %b: double = fadd %a, %share
  %next: i64 = add %i, i64 1
  br ^head
^behind:
  %positive: i1 = fcmp ogt %a, double 0.0
  {goes_on}
^add:
  %added: double = {added}
  br ^join
^join:
  %sum: double = phi {others}^add: %added
  %following: i64 = add %j, i64 1
  br ^outer
^end:
  ret %s
}}"
    ))
}

fn plain() -> Case {
    unit("", MAYBE, "fadd %s, %a")
}

fn passed_by(case: &Case) -> Plan {
    let plan = case.plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    assert_eq!(plan.idle.len(), 1, "{plan}");
    plan
}

fn says(faults: &[Fault], part: &str) {
    let found = |fault: &Fault| fault.obligation == Obligation::Idle && fault.message.contains(part);
    assert!(faults.iter().any(found), "nothing says `{part}`: {faults:?}");
}

/// Breaks the plan of the plain program.
fn reject(part: &str, break_it: impl Fn(&Case, &mut Plan)) {
    let case = plain();
    let mut plan = passed_by(&case);
    break_it(&case, &mut plan);
    says(&case.faults(&plan), part);
}

fn only(plan: &mut Plan) -> &mut Idle {
    plan.idle.values_mut().next().expect("a loop")
}

/// The block that a branch of the inner loop's header leads to.
fn body_of(case: &Case) -> backsweep_core::model::BlockId {
    let named = |name: &str| {
        case.function.block_ids().find(|id| case.function.block(*id).name.as_deref() == Some(name))
    };
    named("body").expect("the loop has a body")
}

#[test]
fn sums_that_a_branch_may_throw_away() {
    passed_by(&plain());
}

#[test]
fn sums_that_are_always_taken_are_not_asked() {
    let case = unit("", "br ^add", "fadd %s, %a");
    let plan = case.plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    assert!(plan.idle.is_empty(), "{plan}");
}

#[test]
fn of_another_loop() {
    reject("is entered elsewhere", |_, plan| only(plan).entry = only(plan).exit);
    reject("is left elsewhere", |_, plan| only(plan).exit = only(plan).entry);
}

#[test]
fn without_asking() {
    reject("takes what is not asked", |_, plan| only(plan).asked.clear());
}

#[test]
fn a_counter_is_no_number_to_ask() {
    reject("is no active float", |case, plan| {
        let counter = case.function.inst_ids().find(|id| {
            let inst = case.function.inst(*id).expect("an instruction");
            inst.operands.first() == Some(&Operand::Const(backsweep_core::model::Constant::int(64, 0)))
        });
        only(plan).asked.insert(counter.expect("a counter"));
    });
}

#[test]
fn records_that_would_stay_on_the_tape() {
    reject("are taken off the tape by its reverse", |case, plan| {
        let value = *only(plan).asked.first().expect("a sum");
        plan.records.insert(body_of(case), vec![Item::Value(value)]);
    });
}

#[test]
fn cells_that_would_not_come_back() {
    reject("is not what it was before the loop", |_, plan| {
        let value = *only(plan).asked.first().expect("a sum");
        let decision = Decision { choice: Storage::SaveOnOverwrite, reason: String::new() };
        plan.storage.insert(value, decision);
    });
}

#[test]
fn counters_that_nobody_counts_anew() {
    reject("is not what it was before the loop", |_, plan| {
        let header = *plan.idle.keys().next().expect("a loop");
        plan.recounts.remove(&header);
    });
}

#[test]
fn a_loop_that_stores() {
    let case = unit("  store %share, %p", MAYBE, "fadd %s, %a");
    let mut plan = case.plan(&case.request(Mode::Gradient));
    assert!(plan.idle.is_empty(), "{plan}");
    let idle = passed_by(&plain()).idle;
    plan.idle = idle;
    let asked: Vec<ValueId> = plan.idle.values().flat_map(|idle| idle.asked.clone()).collect();
    assert!(
        asked.iter().all(|value| plan.activity.is_active(*value)),
        "the numbers of both programs are the same"
    );
    says(&case.faults(&plan), "does more than compute");
}

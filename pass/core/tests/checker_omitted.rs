//! What the forward sweep leaves out: right plans pass, each with one instruction too many left out is rejected.

mod checker;

use backsweep_core::check::Obligation;
use backsweep_core::model::{Op, ValueId};
use backsweep_core::plan::{Decision, Plan, Storage};
use backsweep_core::request::{Activity, Mode, Request};
use checker::{Case, assert_none, count};

/// `out[i] += sin(x[i])` for all `i`: of no use to the reverse sweep, which reads `x` alone.
const SINES: &str = "declare @sin(double) -> double
function @f(%x: ptr noalias, %out: ptr noalias, %n: i64) -> void {
^entry:
  br ^loop
^loop:
  %i: i64 = phi ^entry: i64 0, ^loop: %next
  %p: ptr = gep %x, %i over double by(8)
  %v: double = load %p
  %s: double = call @sin(%v)
  %q: ptr = gep %out, %i over double by(8)
  %old: double = load %q
  %new: double = fadd %old, %s
  store %new, %q
  %next: i64 = add %i, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  ret
}";

/// The same in a slot of the function's own, whose content is squared at the end.
const SLOT: &str = "function @f(%x: double) -> double {
^entry:
  %slot: ptr = alloca i32 1 of double bytes 8 align 8
  %y: double = fmul %x, %x
  store %y, %slot
  %z: double = load %slot
  %r: double = fmul %z, %z
  ret %r
}";

fn given_up(case: &Case, params: &[usize]) -> Request {
    let mut request = case.request(Mode::Gradient);
    params.iter().for_each(|param| request.arguments[*param].activity = Activity::DupNoNeed);
    request
}

fn is_store(op: &Op) -> bool {
    matches!(op, Op::Store(_))
}

fn leave_out(plan: &mut Plan, id: ValueId) {
    plan.omitted.insert(id, Decision { choice: "planted".into(), reason: "planted".into() });
}

fn says(case: &Case, plan: &Plan, part: &str) {
    let faults = case.faults(plan);
    let found =
        faults.iter().any(|fault| fault.obligation == Obligation::Omitted && fault.message.contains(part));
    assert!(found, "nothing says `{part}`: {faults:?}");
}

#[test]
fn what_nobody_needs_is_left_out() {
    let case = Case::new(SINES);
    let plan = case.lean_plan(&given_up(&case, &[1]));
    assert_none(&case.faults(&plan));
    for op in [is_store, |op: &Op| matches!(op, Op::Call(_)), |op: &Op| matches!(op, Op::Load(_))] {
        assert!(plan.omitted.contains_key(&case.find(0, op)), "{plan}");
    }
    assert!(plan.records.is_empty(), "{plan}");
}

#[test]
fn what_the_caller_looks_at_is_not() {
    let case = Case::new(SINES);
    let plan = case.lean_plan(&given_up(&case, &[0]));
    assert_none(&case.faults(&plan));
    assert!(!plan.omitted.contains_key(&case.find(0, is_store)), "{plan}");
    let result = Case::new(SLOT);
    let mut request = result.request(Mode::Gradient);
    request.primal_return = true;
    assert!(result.lean_plan(&request).omitted.is_empty());
}

/// Without `restrict` the store may be into `x`, which the caller has not given up, or read by the next pass.
#[test]
fn what_may_be_something_else_is_not() {
    for (given, params) in [("", [1].as_slice()), ("", &[0, 1])] {
        let case = Case::new(&SINES.replace(" noalias", given));
        let plan = case.lean_plan(&given_up(&case, params));
        assert_none(&case.faults(&plan));
        assert!(!plan.omitted.contains_key(&case.find(0, is_store)), "{plan}");
    }
}

#[test]
fn a_store_the_caller_looks_at() {
    let case = Case::new(SINES);
    let mut plan = case.plan(&given_up(&case, &[0]));
    leave_out(&mut plan, case.find(0, is_store));
    says(&case, &plan, "somebody may look at it afterwards");
}

#[test]
fn a_store_that_is_read_on() {
    let case = Case::new(SINES);
    let mut plan = case.plan(&given_up(&case, &[1]));
    leave_out(&mut plan, case.find(0, is_store));
    // The load before it in the next pass.
    says(&case, &plan, "may read it");
    let slot = Case::new(SLOT);
    let mut plan = slot.plan(&slot.request(Mode::Gradient));
    leave_out(&mut plan, slot.find(0, is_store));
    says(&slot, &plan, "may read it");
}

/// The reverse sweep reads the slot again, whatever the forward sweep does with it.
#[test]
fn a_store_that_is_read_again_on_the_way_back() {
    let case = Case::new(SLOT);
    let mut plan = case.lean_plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    let load = case.find(0, |op| matches!(op, Op::Load(_)));
    assert!(plan.storage.contains_key(&load), "{plan}");
    plan.storage.insert(load, Decision { choice: Storage::Recompute, reason: "planted".into() });
    leave_out(&mut plan, load);
    leave_out(&mut plan, case.find(0, is_store));
    says(&case, &plan, "may read it");
}

#[test]
fn an_operand_of_what_runs() {
    let case = Case::new(SINES);
    let mut plan = case.plan(&given_up(&case, &[1]));
    leave_out(&mut plan, case.find(0, |op| matches!(op, Op::Call(_))));
    says(&case, &plan, "is computed from it");
}

#[test]
fn what_is_kept_and_what_does_more_than_compute() {
    let case = Case::new(SINES);
    let mut plan = case.lean_plan(&given_up(&case, &[1]));
    leave_out(&mut plan, case.find(0, |op| matches!(op, Op::Phi { .. })));
    says(&case, &plan, "the plan keeps it");
    let mut plan = case.plan(&given_up(&case, &[1]));
    leave_out(&mut plan, case.find(0, |op| matches!(op, Op::CondBr { .. })));
    says(&case, &plan, "something depends on its running");
    let slot = Case::new(SLOT);
    let mut plan = slot.plan(&slot.request(Mode::Gradient));
    leave_out(&mut plan, slot.find(0, |op| matches!(op, Op::Alloca(_))));
    says(&slot, &plan, "does more than compute");
}

/// In split mode the other half may be anywhere when memory is read.
#[test]
fn anything_in_a_half() {
    let case = Case::new(SINES);
    let mut plan = case.lean_plan(&case.request(Mode::Augmented));
    assert!(plan.omitted.is_empty());
    leave_out(&mut plan, case.find(0, |op| matches!(op, Op::Call(_))));
    assert_eq!(count(&case.faults(&plan))[&Obligation::Omitted], 1);
}

//! Passes that are reversed as soon as they have run: right plans pass, each with one fault is rejected, for that fault.

mod checker;

use std::collections::BTreeSet;

use backsweep_core::check::{Fault, Obligation};
use backsweep_core::config::Switch;
use backsweep_core::model::{BlockId, Op, ValueId};
use backsweep_core::plan::{Fused, Plan, Storage};
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

/// `for i: s += exp(x[i]) + more; return s * factor`, with more in the loop and behind it.
fn shares(body: &str, sum: &str, behind: &str, result: &str) -> Case {
    Case::new(&format!(
        "declare @exp(double) -> double
function @f(%x: ptr noalias, %y: ptr noalias, %n: i64) -> double {{
^entry:
  %factor: double = load %y
  br ^head
^head:
  %i: i64 = phi ^entry: i64 0, ^body: %next
  %s: double = phi ^entry: double 0.0, ^body: %sum
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %p: ptr = gep %x, %i over double by(8)
  %v: double = load %p
  %share: double = call @exp(%v) library
{body}
  %sum: double = {sum}
  %next: i64 = add %i, i64 1
  br ^head
^exit:
  %left: double = phi ^head: %s
{behind}
  %r: double = fmul %left, {result}
  ret %r
}}"
    ))
}

fn plain() -> Case {
    shares("", "fadd %s, %share", "", "%factor")
}

fn fused(case: &Case) -> Plan {
    let plan = case.plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    assert_eq!(plan.fused.len(), 1, "{plan}");
    assert!(plan.records.is_empty() && plan.arrays.is_empty(), "{plan}");
    plan
}

fn says(faults: &[Fault], part: &str) {
    let found = |fault: &Fault| fault.obligation == Obligation::Fused && fault.message.contains(part);
    assert!(faults.iter().any(found), "nothing says `{part}`: {faults:?}");
}

/// Breaks the plan of the plain program.
fn reject(part: &str, break_it: impl Fn(&Case, &mut Plan)) {
    let case = plain();
    let mut plan = fused(&case);
    break_it(&case, &mut plan);
    says(&case.faults(&plan), part);
}

/// Fuses the loop of a program that should not be.
fn rejects(case: &Case, part: &str) {
    let mut plan = case.plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    assert!(plan.fused.is_empty(), "{plan}");
    let (header, mut right) = fused(&plain()).fused.into_iter().next().expect("a loop");
    let behind = |id: &ValueId| {
        let block = case.function.block(right.exit).insts.contains(id);
        let active = plan.activity.is_active(*id);
        block && (active || case.function.inst(*id).is_some_and(|inst| inst.op == Op::Ret))
    };
    right.early = case.function.inst_ids().filter(behind).collect();
    right.sums = sum_of(case, header);
    plan.fused.insert(header, right);
    says(&case.faults(&plan), part);
}

/// The float that a header hands on.
fn sum_of(case: &Case, header: BlockId) -> BTreeSet<ValueId> {
    let sum = |id: &ValueId| {
        let inst = case.function.inst(*id);
        inst.is_some_and(|inst| matches!(inst.op, Op::Phi { .. }) && inst.ty.is_real())
    };
    case.function.block(header).insts.iter().copied().filter(sum).collect()
}

#[test]
fn sums_whose_adjoints_are_known_before() {
    fused(&plain());
}

#[test]
fn where_others_may_look() {
    reject("others may look at the shadows in between", |_, plan| plan.request.nested = true);
    reject("others may look at the shadows in between", |_, plan| plan.may_be_left = true);
    reject("additions keep their order", |_, plan| plan.sums = Switch::Off);
}

fn only(plan: &mut Plan) -> &mut Fused {
    plan.fused.values_mut().next().expect("a loop")
}

#[test]
fn of_another_loop() {
    reject("is entered or goes round elsewhere", |_, plan| {
        let entry = only(plan).entry;
        only(plan).latch = entry;
    });
    reject("its blocks are not the loop's", |_, plan| {
        let latch = only(plan).latch;
        only(plan).blocks.remove(&latch);
    });
    reject("left elsewhere than at its header", |_, plan| {
        let entry = only(plan).entry;
        only(plan).exit = entry;
    });
}

#[test]
fn where_a_sum_is_forgotten() {
    reject("is no sum", |_, plan| only(plan).sums.clear());
}

#[test]
fn where_the_way_of_adjoints_is_another() {
    reject("come through more or less than that", |_, plan| {
        only(plan).early.pop_last();
    });
}

#[test]
fn where_a_factor_is_not_at_hand() {
    let factor = |case: &Case| case.find(0, |op| matches!(op, Op::Load(_)));
    reject("is not known before", |case, plan| {
        plan.storage.get_mut(&factor(case)).expect("a storage").choice = Storage::SaveOnOverwrite;
    });
}

#[test]
fn where_memory_is_written() {
    rejects(&shares("  store %share, %y", "fadd %s, %share", "", "%factor"), "does more than compute");
    rejects(&shares("", "fadd %s, %share", "  store %left, %y", "%factor"), "does more than compute");
}

#[test]
fn where_the_sum_says_something_of_itself() {
    rejects(&shares("", "fadd %s, %share", "", "%left"), "is not known before");
}

#[test]
fn where_more_than_a_sum_is_carried() {
    rejects(&shares("", "fmul %s, %share", "", "%factor"), "is no sum");
    rejects(&shares("  %t: double = fmul %s, %share", "fadd %s, %t", "", "%factor"), "is no sum");
}

/// The sum of `t = t * x[i]` over eight steps, whose records lie in the stack frame.
fn short() -> Case {
    Case::new(
        "declare @exp(double) -> double
function @f(%x: ptr noalias, %y: ptr noalias, %n: i64) -> double {
^entry:
  %factor: double = load %y
  br ^head
^head:
  %i: i64 = phi ^entry: i64 0, ^behind: %next
  %s: double = phi ^entry: double 0.0, ^behind: %sum
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %p: ptr = gep %x, %i over double by(8)
  %v: double = load %p
  br ^inner
^inner:
  %k: i64 = phi ^body: i64 0, ^step: %k1
  %t: double = phi ^body: %v, ^step: %t1
  %on: i1 = icmp slt %k, i64 8
  br %on, ^step, ^behind
^step:
  %e: double = call @exp(%t) library
  %t1: double = fmul %e, %t
  %k1: i64 = add %k, i64 1
  br ^inner
^behind:
  %last: double = phi ^inner: %t
  %sum: double = fadd %s, %last
  %next: i64 = add %i, i64 1
  br ^head
^exit:
  %left: double = phi ^head: %s
  %r: double = fmul %left, %factor
  ret %r
}",
    )
}

fn in_frame() -> (Case, Plan) {
    let case = short();
    let plan = case.plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    let passes = plan.arrays.values().map(|array| array.in_frame).collect::<Vec<_>>();
    assert_eq!((plan.fused.len(), passes), (1, vec![Some(9)]), "{plan}");
    (case, plan)
}

fn says_of_records(faults: &[Fault], part: &str) {
    let found = |fault: &Fault| fault.obligation == Obligation::Records && fault.message.contains(part);
    assert!(faults.iter().any(found), "nothing says `{part}`: {faults:?}");
}

#[test]
fn a_frame_that_is_too_short() {
    let (case, mut plan) = in_frame();
    plan.arrays.values_mut().for_each(|array| array.in_frame = Some(8));
    says_of_records(&case.faults(&plan), "has more records than fit there");
}

#[test]
fn a_frame_that_is_laid_anew() {
    let (case, mut plan) = in_frame();
    plan.fused.clear();
    says_of_records(&case.faults(&plan), "is laid more often than it is read");
}

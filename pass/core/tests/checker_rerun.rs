//! Loops that run again in the reverse sweep: right plans pass, each with one fault is rejected, for that fault.

mod checker;

use backsweep_core::model::{BlockId, FloatOp, Op, ValueId};
use backsweep_core::plan::{Decision, Item, Plan, Rerun, Storage};
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

/// `for i: { for j: d += a[j]²; s += d² }`, with more in the body, behind the sum, and in a block behind that.
fn sums(body: &str, behind: &str, square: &str) -> Case {
    Case::new(&format!(
        "function @f(%a: ptr noalias, %n: i64, %m: i64) -> double {{
^entry:
  br ^outer
^outer:
  %i: i64 = phi ^entry: i64 0, {from}: %next
  %s: double = phi ^entry: double 0.0, {from}: %sum
  %again: i1 = icmp slt %i, %n
  br %again, ^before, ^exit
^before:
  br ^inner
^inner:
  %j: i64 = phi ^before: i64 0, ^body: %nextj
  %d: double = phi ^before: double 0.0, ^body: %e
  %more: i1 = icmp slt %j, %m
  br %more, ^body, ^behind
^body:
  %p: ptr = gep %a, %j over double by(8)
  %x: double = load %p
  %xx: double = fmul %x, {factor}
  %e: double = fadd %d, %xx
  %nextj: i64 = add %j, i64 1
  br ^inner
^behind:
  %left: double = phi ^inner: %d
{square}  %q: double = fmul %left, %left
  %sum: double = fadd %s, %q
  %next: i64 = add %i, i64 1
{behind}  br ^outer
^exit:
  ret %s
}}",
        factor = if body.is_empty() { "%x" } else { body },
        from = if square.is_empty() { "^behind" } else { "^square" },
    ))
}

fn inner(case: &Case) -> BlockId {
    case.block("inner")
}

fn left(case: &Case) -> ValueId {
    case.function.block(case.block("behind")).insts[0]
}

fn planned(case: &Case) -> Plan {
    let plan = case.lean_plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    plan
}

/// The simplest of them, and its plan.
fn right() -> (Case, Plan) {
    let case = sums("", "", "");
    let plan = planned(&case);
    assert_eq!(plan.storage[&left(&case)].choice, Storage::Rerun, "{plan}");
    assert!(plan.records.is_empty(), "{plan}");
    (case, plan)
}

fn rerun<'a>(case: &Case, plan: &'a mut Plan) -> &'a mut Rerun {
    plan.reruns.get_mut(&inner(case)).expect("the inner loop runs again")
}

/// The plan of a case in which the loop is not run again, with a run like that of the simplest case.
fn planted(case: &Case) -> Plan {
    let mut plan = planned(case);
    let (simple, simple_plan) = right();
    assert_eq!(plan.storage[&left(case)].choice, Storage::SaveOnOverwrite, "{plan}");
    assert!(plan.reruns.is_empty(), "{plan}");
    assert_eq!(inner(case), inner(&simple));
    let stored = Decision { choice: Storage::Rerun, reason: "planted".into() };
    plan.storage.insert(left(case), stored);
    plan.reruns = simple_plan.reruns.clone();
    for items in plan.records.values_mut() {
        items.retain(|item| *item != Item::Value(left(case)));
    }
    plan.records.retain(|_, items| !items.is_empty());
    plan
}

fn says(case: &Case, plan: &Plan, part: &str) {
    let faults = case.faults(plan);
    assert!(faults.iter().any(|fault| fault.message.contains(part)), "nothing says `{part}`: {faults:?}");
}

#[test]
fn each_part_of_the_run_is_missed() {
    let (case, plan) = right();
    for id in &plan.reruns[&inner(&case)].insts {
        let mut plan = case.lean_plan(&case.request(Mode::Gradient));
        rerun(&case, &mut plan).insts.remove(id);
        assert!(!case.faults(&plan).is_empty(), "%{} is not missed", id.0);
    }
}

#[test]
fn what_runs_gives_the_same_only_if_memory_is_not_overwritten() {
    let case = sums("", "  store %q, %a\n", "");
    says(&case, &planted(&case), "does not give what it gave");
}

#[test]
fn what_is_left_is_read_in_the_reverse_of_the_block_behind_alone() {
    let case = sums("", "", "  br ^square\n^square:\n");
    says(&case, &planted(&case), "and read in the reverse of");
}

/// `d += a[j] s`: what the iterations before have summed up enters the sum.
#[test]
fn what_comes_from_outside_is_at_hand() {
    let case = sums("%s", "", "");
    let mut plan = planned(&case);
    let outer = case.function.block(case.block("outer")).insts[1];
    assert_eq!(plan.storage[&outer].choice, Storage::SaveOnOverwrite, "{plan}");
    if plan.reruns.is_empty() {
        return;
    }
    plan.storage.remove(&outer);
    says(&case, &plan, "is read by the run of");
}

#[test]
fn another_block_behind() {
    let (case, mut plan) = right();
    rerun(&case, &mut plan).exit = case.block("outer");
    says(&case, &plan, "is left by no loop that runs again");
    says(&case, &plan, "is not behind it alone");
}

#[test]
fn a_loop_of_more_blocks_and_of_fewer() {
    let (case, mut plan) = right();
    rerun(&case, &mut plan).blocks.insert(case.block("before"));
    says(&case, &plan, "is entered");
    let (case, mut plan) = right();
    rerun(&case, &mut plan).blocks.remove(&case.block("body"));
    says(&case, &plan, "it is entered by more than one edge");
}

#[test]
fn a_run_for_nothing_but_a_phi_behind_it() {
    let (case, mut plan) = right();
    let q = case.find(1, |op| matches!(op, Op::Float(_)));
    plan.storage.insert(q, Decision { choice: Storage::Rerun, reason: "planted".into() });
    assert!(!case.faults(&plan).is_empty());
}

/// Only the derivative reads the sum, so its terms come in any order.
#[test]
fn a_sum_is_added_up_in_any_order() {
    let (case, plan) = right();
    let e = case.find(0, |op| matches!(op, Op::Float(FloatOp::Add)));
    assert_eq!(plan.reruns[&inner(&case)].sums, [e].into(), "{plan}");
}

/// `d += a[j] d`: each term is made of those before, and the order is planted that of a sum.
#[test]
fn the_order_of_a_sum_that_its_own_terms_read() {
    let case = sums("%d", "", "");
    says(&case, &planted(&case), "the order of the sum");
}

/// Where the sum itself is asked for, the forward sweep computes it anyhow, and it is recorded.
#[test]
fn what_runs_forwards_does_not_run_again() {
    let case = sums("", "", "");
    let request = backsweep_core::request::Request { primal_return: true, ..case.request(Mode::Gradient) };
    let plan = case.lean_plan(&request);
    assert_none(&case.faults(&plan));
    assert_eq!(plan.storage[&left(&case)].choice, Storage::SaveOnOverwrite, "{plan}");
}

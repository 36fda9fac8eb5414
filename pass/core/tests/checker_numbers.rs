//! Integers on the tape that are a float's bits to nobody, and plans that say so of others.

mod checker;

use std::collections::BTreeSet;

use backsweep_core::check::Obligation::NothingUnknown;
use backsweep_core::model::{CastOp, Op, ValueId};
use backsweep_core::plan::Plan;
use backsweep_core::request::Mode;
use checker::{Case, assert_none, says};

/// Reads `x` at an index that is found and then overwritten, so that the index has to be recorded; `uses` does something else with it.
fn indexed(uses: &str) -> Case {
    Case::new(&format!(
        "function @f(%x: ptr, %k: ptr, %n: i64) -> double {{
^entry:
  br ^loop
^loop:
  %i: i64 = phi ^entry: i64 0, ^loop: %next
  %s: double = phi ^entry: double 0.0, ^loop: %sum
  %at: ptr = gep %k, %i over i32 by(4)
  %j: i32 = load %at
  {uses}
  %place: ptr = gep %x, %j over double by(8)
  %v: double = load %place
  %square: double = fmul %v, %v
  %sum: double = fadd %s, %square
  store i32 0, %at
  %next: i64 = add %i, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^end
^end:
  ret %sum
}}"
    ))
}

fn plan_of(case: &Case) -> (Plan, ValueId) {
    let mut request = case.request(Mode::Gradient);
    request.arguments[1].activity = backsweep_core::request::Activity::Const;
    (case.plan(&request), case.find(1, |op| matches!(op, Op::Load(_))))
}

fn first_load(case: &Case) -> ValueId {
    case.find(0, |op| matches!(op, Op::Load(_)))
}

#[test]
fn an_index_is_recorded_as_a_number() {
    let case = indexed("");
    let (plan, _) = plan_of(&case);
    assert_eq!(plan.numbers, BTreeSet::from([first_load(&case)]));
    assert_none(&case.faults(&plan));
}

/// Of what is stored, becomes a float by its bits, or by its value, nobody knows.
#[test]
fn what_may_be_bits_is_none() {
    let uses = [
        "%mixed: i32 = xor %j, i32 5\n  store %mixed, %k",
        "%bits: float = bitcast %j\n  %wide: double = fpext %bits\n  store %wide, %k",
        "%whole: double = sitofp %j\n  store %whole, %k",
    ];
    for uses in uses {
        let case = indexed(uses);
        let (mut plan, _) = plan_of(&case);
        assert!(plan.numbers.is_empty(), "{uses}");
        assert_none(&case.faults(&plan));
        plan.numbers.insert(first_load(&case));
        says(&case.faults(&plan), NothingUnknown, "is recorded as a number");
    }
}

#[test]
fn what_was_rounded_is_one_by_its_value_too() {
    let case = indexed("%half: double = sitofp %j\n  store %half, %k");
    let (mut plan, _) = plan_of(&case);
    plan.numbers.insert(case.find(0, |op| matches!(op, Op::Cast(CastOp::SiToFp))));
    says(&case.faults(&plan), NothingUnknown, "is recorded as a number");
}

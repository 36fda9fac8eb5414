//! What is decided by numbers that may be rounded otherwise is recorded: a plan in which it is computed again is rejected.

mod checker;

use backsweep_core::config::Config;
use backsweep_core::model::ValueId;
use backsweep_core::plan::{Decision, Plan, Storage, make_plan};
use backsweep_core::request::{Activity, Mode, Request};
use checker::{Case, assert_none};

/// `for i: { at = i * h; if (at - p > 0) s = s² }`, for a processor, and with flags at the subtraction.
fn ramp(flags: &str, attributes: &str) -> Case {
    Case::new(&format!(
        "function @f(%x: double, %h: double, %p: double, %n: i64) -> double attributes({attributes}) {{
^entry:
  br ^head
^head:
  %i: i64 = phi ^entry: i64 0, ^join: %next
  %s: double = phi ^entry: %x, ^join: %sum
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %k: double = sitofp %i
  %at: double = fmul %k, %h
  %over: double = fsub {flags}%at, %p
  %far: i1 = fcmp ogt %over, double 0.0
  br %far, ^yes, ^join
^yes:
  %ss: double = fmul %s, %s
  br ^join
^join:
  %sum: double = phi ^body: %s, ^yes: %ss
  %next: i64 = add %i, i64 1
  br ^head
^exit:
  ret %s
}}"
    ))
}

fn request(case: &Case) -> Request {
    let mut request = case.request(Mode::Gradient);
    request.arguments[1].activity = Activity::Const;
    request.arguments[2].activity = Activity::Const;
    request
}

fn plan_of(case: &Case) -> Plan {
    let planned = make_plan(&case.function, &case.program, &case.rules, &request(case), &Config::default());
    let plan = planned.unwrap_or_else(|refusals| panic!("refused: {refusals:?}"));
    assert_none(&case.faults(&plan));
    plan
}

fn body(case: &Case) -> Vec<ValueId> {
    case.function.block(case.block("body")).insts.clone()
}

fn is_computed_again(plan: &Plan, value: ValueId) -> bool {
    plan.storage.get(&value).is_some_and(|stored| stored.choice == Storage::Recompute)
}

const PLAIN: &str = "'\"target-cpu\"=\"x86-64\"'";
const JOINING: &str = "'\"target-cpu\"=\"x86-64\"', '\"target-features\"=\"+fma\"'";

#[test]
fn what_rounds_alike_decides_again() {
    for (flags, attributes) in [("", JOINING), ("contract ", PLAIN), ("nnan nsz ", JOINING)] {
        let case = ramp(flags, attributes);
        let plan = plan_of(&case);
        assert!(is_computed_again(&plan, body(&case)[3]), "{flags}{attributes}: {plan}");
    }
}

#[test]
fn what_may_round_otherwise_is_recorded() {
    for (flags, attributes) in [("contract ", JOINING), ("reassoc ", PLAIN), ("arcp ", PLAIN)] {
        let case = ramp(flags, attributes);
        let mut plan = plan_of(&case);
        let insts = body(&case);
        assert!(!is_computed_again(&plan, insts[3]), "{flags}{attributes}: {plan}");
        for value in insts {
            plan.storage.insert(value, Decision { choice: Storage::Recompute, reason: "planted".into() });
        }
        let faults = case.faults(&plan);
        let part = "decides by numbers that may be rounded otherwise";
        assert!(faults.iter().any(|fault| fault.message.contains(part)), "{faults:?}");
    }
}

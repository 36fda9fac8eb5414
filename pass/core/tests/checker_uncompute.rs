//! Values that are taken back: right plans pass, each with one fault is rejected, for that fault.

mod checker;

use backsweep_core::config::{Config, Invert};
use backsweep_core::model::{BlockId, ValueId};
use backsweep_core::plan::{Decision, Plan, Storage, make_plan};
use backsweep_core::request::{Activity, Mode, Request};
use checker::{Case, assert_none};

/// `for i: { s += x[off]²; off = CHANGE }`, where `y` is `len[i]`, and with more behind that.
fn offsets(change: &str, behind: &str) -> Case {
    Case::new(&format!(
        "function @f(%x: ptr noalias, %len: ptr noalias, %n: i64) -> double {{
^entry:
  br ^head
^head:
  %i: i64 = phi ^entry: i64 0, ^body: %next
  %off: i64 = phi ^entry: i64 0, ^body: %moved
  %s: double = phi ^entry: double 0.0, ^body: %sum
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %p: ptr = gep %x, %off over double by(8)
  %e: double = load %p
  %ee: double = fmul %e, %e
  %sum: double = fadd %s, %ee
  %pl: ptr = gep %len, %i over i64 by(8)
  %y: i64 = load %pl
  %z: i64 = mul %off, i64 2
  %moved: i64 = {change}
{behind}  %next: i64 = add %i, i64 1
  br ^head
^exit:
  ret %s
}}"
    ))
}

fn request(case: &Case) -> Request {
    let mut request = case.request(Mode::Gradient);
    request.arguments[1].activity = Activity::Const;
    request
}

fn plan_of(case: &Case, invert: Invert) -> Plan {
    let mut config = Config::default();
    config.analyses.invert = invert;
    let planned = make_plan(&case.function, &case.program, &case.rules, &request(case), &config);
    let plan = planned.unwrap_or_else(|refusals| panic!("refused: {refusals:?}"));
    assert_none(&case.faults(&plan));
    plan
}

fn off(case: &Case) -> ValueId {
    case.function.block(case.block("head")).insts[1]
}

fn is_taken_back(plan: &Plan, value: ValueId) -> bool {
    matches!(plan.storage.get(&value).map(|stored| &stored.choice), Some(Storage::Uncompute { .. }))
}

/// The plan in which a value is recorded, with the value taken back.
fn planted(case: &Case, value: ValueId, header: BlockId) -> Plan {
    let mut plan = plan_of(case, Invert::Exact);
    assert!(!is_taken_back(&plan, value), "{plan}");
    let stored = Decision { choice: Storage::Uncompute { header }, reason: "planted".into() };
    plan.storage.insert(value, stored);
    plan
}

fn says(case: &Case, plan: &Plan, part: &str) {
    let faults = case.faults(plan);
    assert!(faults.iter().any(|fault| fault.message.contains(part)), "nothing says `{part}`: {faults:?}");
}

#[test]
fn integers_are_taken_back() {
    for change in ["add %off, %y", "add %y, %off", "sub %off, %y", "xor %y, %off"] {
        let case = offsets(change, "");
        let plan = plan_of(&case, Invert::Exact);
        assert!(is_taken_back(&plan, off(&case)) && plan.records.is_empty(), "{change}: {plan}");
        assert!(!is_taken_back(&plan_of(&case, Invert::Off), off(&case)));
    }
}

#[test]
fn what_cannot_be_undone_is_recorded() {
    for change in ["mul %off, %y", "sub %y, %off", "or %off, %y", "add %off, %off"] {
        let case = offsets(change, "");
        let plan = planted(&case, off(&case), case.block("head"));
        says(&case, &plan, "is not changed once in a pass by what can be undone");
    }
}

#[test]
fn in_another_loop() {
    let case = offsets("add %off, %y", "");
    let mut plan = plan_of(&case, Invert::Exact);
    let stored =
        Decision { choice: Storage::Uncompute { header: case.block("body") }, reason: "planted".into() };
    plan.storage.insert(off(&case), stored);
    says(&case, &plan, "is not changed once in a pass by what can be undone");
}

#[test]
fn what_it_is_changed_by_stands_alone() {
    let case = offsets("add %off, %z", "");
    let mut plan = planted(&case, off(&case), case.block("head"));
    let z = case.function.block(case.block("body")).insts[6];
    plan.storage.insert(z, Decision { choice: Storage::Recompute, reason: "planted".into() });
    says(&case, &plan, "depends on what is taken back");
}

#[test]
fn what_it_is_changed_by_is_not_overwritten() {
    let case = offsets("add %off, %y", "  store %off, %pl\n");
    let mut plan = planted(&case, off(&case), case.block("head"));
    let pass = case.function.block(case.block("body")).insts.clone();
    let (pl, y) = (pass[4], pass[5]);
    for again in [pl, y] {
        plan.storage.insert(again, Decision { choice: Storage::Recompute, reason: "planted".into() });
    }
    says(&case, &plan, "may trap or read what has changed");
}

#[test]
fn what_it_is_changed_by_is_at_hand() {
    let case = offsets("add %off, %y", "");
    let mut plan = plan_of(&case, Invert::Exact);
    let y = case.function.block(case.block("body")).insts[5];
    plan.storage.remove(&y).expect("it is read where it is taken back");
    says(&case, &plan, "is read by what takes back");
}

#[test]
fn floats_only_where_the_user_asks() {
    let case = Case::new(
        "function @f(%x: ptr noalias, %n: i64) -> double {
^entry:
  br ^head
^head:
  %i: i64 = phi ^entry: i64 0, ^body: %next
  %a: double = phi ^entry: double 0.0, ^body: %b
  %s: double = phi ^entry: double 0.0, ^body: %sum
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %p: ptr = gep %x, %i over double by(8)
  %e: double = load %p
  %b: double = fadd %a, %e
  %q: double = fmul %b, %b
  %sum: double = fadd %s, %q
  %next: i64 = add %i, i64 1
  br ^head
^exit:
  ret %s
}",
    );
    let plan = |invert| {
        let mut config = Config::default();
        config.analyses.invert = invert;
        make_plan(&case.function, &case.program, &case.rules, &case.request(Mode::Gradient), &config)
            .unwrap_or_else(|refusals| panic!("refused: {refusals:?}"))
    };
    let a = off(&case);
    assert!(!is_taken_back(&plan(Invert::Exact), a));
    let mut asked = plan(Invert::Floats);
    assert_none(&case.faults(&asked));
    assert!(is_taken_back(&asked, a) && asked.records.is_empty(), "{asked}");
    asked.invert = Invert::Exact;
    says(&case, &asked, "nobody has asked for rounding");
}

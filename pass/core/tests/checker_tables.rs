//! Rows that are found in tables of the function's own: what is stored in one table is not what lies in another, unless it was put
//! there in a way that is not followed.

mod checker;

use backsweep_core::model::{Op, Type, ValueId};
use backsweep_core::plan::{Decision, Item, Storage};
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

/// `t[0] = r; u[0] = s; *r = *a; x = *t[0]; *u[0] = x²; return *s²`, with whatever is done in front of the read; `first` stands in
/// the first table and `second` in the second.
fn two_tables(first: &str, second: &str, before: &str) -> Case {
    Case::new(&format!(
        "declare @malloc(i64) -> ptr
declare @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1) -> void
function @f(%a: ptr noalias, %b: ptr noalias) -> double {{
^entry:
  %t: ptr = call @malloc(i64 8)
  %u: ptr = call @malloc(i64 8)
  %r: ptr = call @malloc(i64 8)
  %s: ptr = call @malloc(i64 8)
  %given: double = load %a
  store %given, %r
  store %given, %s
  store %{first}, %t
  store %{second}, %u
{before}  %from: ptr = load %t
  %x: double = load %from
  %square: double = fmul %x, %x
  %to: ptr = load %u
  store %square, %to
  %y: double = load %s
  %z: double = fmul %y, %y
  ret %z
}}"
    ))
}

fn read(case: &Case) -> ValueId {
    let function = &case.function;
    let is_read = |id: &ValueId| {
        function.inst(*id).is_some_and(|inst| {
            let from = inst.operands.first().and_then(|x| x.value()).and_then(|id| function.inst(id));
            matches!(inst.op, Op::Load(_))
                && inst.ty == Type::DOUBLE
                && from.is_some_and(|from| matches!(from.op, Op::Load(_)))
        })
    };
    function.inst_ids().find(is_read).expect("a number is read through a pointer that is found")
}

/// What the planner does with the number that is read in the first table, and whether the checker lets it be read again.
fn ask(case: &Case) -> (bool, bool) {
    let mut plan = case.lean_plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    let load = read(case);
    let planned = plan.storage.get(&load).map(|decision| decision.choice.clone());
    plan.storage.insert(load, Decision { choice: Storage::Recompute, reason: "planted".into() });
    for items in plan.records.values_mut() {
        items.retain(|item| *item != Item::Value(load));
    }
    let passed = !case.faults(&plan).iter().any(|fault| fault.message.contains("read what has changed"));
    (planned == Some(Storage::Recompute), passed)
}

#[test]
fn rows_of_two_tables() {
    assert_eq!(ask(&two_tables("r", "s", "")), (true, true));
}

#[test]
fn one_row_in_both() {
    assert_eq!(ask(&two_tables("r", "r", "")), (false, false));
}

#[test]
fn another_row_put_there_later() {
    assert_eq!(ask(&two_tables("r", "s", "  store %r, %u\n")), (false, false));
}

/// The second table is filled with what stands in the first.
#[test]
fn a_table_copied() {
    let copy = "  call @llvm.memcpy.p0.p0.i64(%u, %t, i64 8, i1 false)\n";
    assert_eq!(ask(&two_tables("r", "s", copy)), (false, false));
}

/// What an address is away from another is no address.
#[test]
fn a_distance() {
    let moved = "  %one: i64 = ptrtoint %r
  %other: i64 = ptrtoint %s
  %away: i64 = sub %one, %other
  %near: i1 = icmp slt %away, i64 8\n";
    assert_eq!(ask(&two_tables("r", "s", moved)), (true, true));
}

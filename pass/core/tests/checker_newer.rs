//! Loads of what one pass of a loop has made, beside writes to what the next one makes: right plans pass, and where the write
//! may go to what is read, a plan that reads again is rejected.

mod checker;

use backsweep_core::model::{Op, ValueId};
use backsweep_core::plan::{Decision, Item, Plan, Storage};
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

/// `for i: { z = new; z[0] = y[0]²; y = z }`: the number of each pass is read from the one before. `early` and `late` are done
/// in front of the allocation and behind it, `to` is written to, and `found` is what is squared.
fn chain(early: &str, late: &str, to: &str, found: &str) -> Case {
    Case::new(&format!(
        "declare @malloc(i64) -> ptr
declare @free(ptr)
function @f(%a: ptr noalias, %n: i64) -> double {{
^entry:
  %first: ptr = call @malloc(i64 8)
  %given: double = load %a
  store %given, %first
  br ^loop
^loop:
  %i: i64 = phi ^entry: i64 0, ^loop: %next
  %y: ptr = phi ^entry: %first, ^loop: %z
{early}  %z: ptr = call @malloc(i64 8)
{late}  %square: double = fmul %{found}, %{found}
  store %square, %{to}
  %next: i64 = add %i, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  %r: double = load %z
  ret %r
}}"
    ))
}

const READ_EARLY: &str = "  %x: double = load %y\n";

fn read(case: &Case) -> ValueId {
    case.find(1, |op| matches!(op, Op::Load(_)))
}

fn plan(case: &Case) -> Plan {
    let plan = case.lean_plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    plan
}

/// The plan with the load read again, where it was recorded.
fn planted(case: &Case) -> Plan {
    let mut plan = plan(case);
    let load = read(case);
    assert_eq!(plan.storage[&load].choice, Storage::SaveOnOverwrite, "{plan}");
    plan.storage.insert(load, Decision { choice: Storage::Recompute, reason: "planted".into() });
    for items in plan.records.values_mut() {
        items.retain(|item| *item != Item::Value(load));
    }
    plan
}

#[test]
fn what_the_pass_before_has_made_is_read_again() {
    let case = chain(READ_EARLY, "", "z", "x");
    let plan = plan(&case);
    assert_eq!(plan.storage[&read(&case)].choice, Storage::Recompute, "{plan}");
}

/// The read stands behind the allocation, of which its pointer knows nothing.
#[test]
fn the_read_behind_the_allocation() {
    let case = chain("", READ_EARLY, "z", "x");
    let plan = plan(&case);
    assert_eq!(plan.storage[&read(&case)].choice, Storage::Recompute, "{plan}");
}

fn is_rejected(case: &Case) {
    let faults = case.faults(&planted(case));
    assert!(faults.iter().any(|fault| fault.message.contains("overwritten")), "{faults:?}");
}

#[test]
fn a_read_of_what_is_new() {
    is_rejected(&chain("", "  store double 1.0, %z\n  %x: double = load %z\n", "z", "x"));
}

#[test]
fn a_write_to_what_was_read() {
    is_rejected(&chain(READ_EARLY, "", "y", "x"));
}

/// Which of the two is written to is not known.
#[test]
fn a_write_to_one_of_two() {
    let choice = "  %odd: i1 = icmp slt %i, i64 3\n  %to: ptr = select %odd, %z, %y\n";
    is_rejected(&chain(READ_EARLY, choice, "to", "x"));
}

/// Which of the two is read is not known.
#[test]
fn a_read_of_one_of_two() {
    let choice = "  store double 1.0, %z\n  %odd: i1 = icmp slt %i, i64 3\n  %from: ptr = select %odd, %z, %y\n  %x: double = load %from\n";
    is_rejected(&chain("", choice, "z", "x"));
}

//! Loads of what one pass of a loop has made, beside writes to what the next one makes: right plans pass, and where the write
//! may go to what is read, a plan that reads again is rejected.

mod checker;

use backsweep_core::model::{Op, ValueId};
use backsweep_core::plan::{Decision, Item, Storage};
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

/// Whether the checker finds that the load, done again, may read something else. What else it misses in such a plan, the recorded
/// pointer for one, is not asked.
fn reads_something_else(case: &Case) -> bool {
    let mut plan = case.lean_plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    let load = read(case);
    plan.storage.insert(load, Decision { choice: Storage::Recompute, reason: "planted".into() });
    for items in plan.records.values_mut() {
        items.retain(|item| *item != Item::Value(load));
    }
    case.faults(&plan).iter().any(|fault| fault.message.contains("read what has changed"))
}

#[test]
fn what_the_pass_before_has_made() {
    assert!(!reads_something_else(&chain(READ_EARLY, "", "z", "x")));
}

/// The read stands behind the allocation, of which its pointer knows nothing.
#[test]
fn the_read_behind_the_allocation() {
    assert!(!reads_something_else(&chain("", READ_EARLY, "z", "x")));
}

#[test]
fn a_read_of_what_is_new() {
    assert!(reads_something_else(&chain("", "  store double 1.0, %z\n  %x: double = load %z\n", "z", "x")));
}

#[test]
fn a_write_to_what_was_read() {
    assert!(reads_something_else(&chain(READ_EARLY, "", "y", "x")));
}

/// Which of the two is written to is not known.
#[test]
fn a_write_to_one_of_two() {
    let choice = "  %odd: i1 = icmp slt %i, i64 3\n  %to: ptr = select %odd, %z, %y\n";
    assert!(reads_something_else(&chain(READ_EARLY, choice, "to", "x")));
}

/// Which of the two is read is not known.
#[test]
fn a_read_of_one_of_two() {
    let choice = "  store double 1.0, %z\n  %odd: i1 = icmp slt %i, i64 3\n  %from: ptr = select %odd, %z, %y\n  %x: double = load %from\n";
    assert!(reads_something_else(&chain("", choice, "z", "x")));
}

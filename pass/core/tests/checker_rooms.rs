//! Numbers that are kept in shadows: right plans pass, each with one fault is rejected, for that fault.

mod checker;

use backsweep_core::check::Obligation;
use backsweep_core::model::{Op, ValueId};
use backsweep_core::plan::{Item, Plan, Storage};
use backsweep_core::request::{Activity, Mode};
use checker::{Case, assert_none, assert_only};

/// `s += exp(x[i]); return log(s)`, with more of the body's, and more behind the loop.
fn shares(index: &str, body: &str, behind: &str) -> Case {
    Case::new(&format!(
        "declare @exp(double) -> double
declare @log(double) -> double
function @f(%x: ptr noalias, %y: ptr noalias, %n: i64) -> double {{
^entry:
  br ^head
^head:
  %i: i64 = phi ^entry: i64 0, ^body: %next
  %s: double = phi ^entry: double 0.0, ^body: %sum
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %half: i64 = lshr %i, i64 1
  %p: ptr = gep %x, {index} over double by(8)
  %v: double = load %p
  %share: double = call @exp(%v) library
{body}
  %sum: double = fadd %s, %share
  %next: i64 = add %i, i64 1
  br ^head
^exit:
  %left: double = phi ^head: %s
{behind}
  %l: double = call @log(%left) library
  ret %l
}}"
    ))
}

fn plan_of(case: &Case) -> Plan {
    let mut request = case.request(Mode::Gradient);
    request.arguments[0].activity = Activity::DupFresh;
    case.plan(&request)
}

fn share(case: &Case) -> ValueId {
    case.find(0, |op| matches!(op, Op::Call(_)))
}

/// The plan of the plain program, in which the exponential is kept in the shadow.
fn kept() -> (Case, Plan) {
    let case = shares("%i", "", "");
    let plan = plan_of(&case);
    assert_none(&case.faults(&plan));
    assert_eq!(plan.rooms.keys().copied().collect::<Vec<_>>(), [share(&case)], "{plan}");
    assert!(plan.records.is_empty() && plan.arrays.is_empty(), "{plan}");
    (case, plan)
}

/// Gives another program the room that the plain one has.
fn rejects(case: &Case, part: &str) {
    let mut plan = plan_of(case);
    assert_none(&case.faults(&plan));
    assert!(plan.rooms.is_empty(), "{plan}");
    let (_, right) = kept();
    let mut room = right.rooms.into_values().next().expect("a room");
    room.load = case.find(0, |op| matches!(op, Op::Load(_)));
    let item = Item::Value(share(case));
    plan.records.retain(|_, items| {
        items.retain(|known| *known != item);
        !items.is_empty()
    });
    plan.arrays.clear();
    plan.fresh.remove(&item);
    plan.rooms.insert(share(case), room);
    let faults = case.faults(&plan);
    let says = |fault: &backsweep_core::check::Fault| {
        fault.obligation == Obligation::Rooms && fault.message.contains(part)
    };
    assert!(faults.iter().any(says), "nothing says `{part}`: {faults:?}");
}

#[test]
fn what_a_pass_computes_is_kept_where_its_adjoint_goes() {
    kept();
}

#[test]
fn without_a_promise_of_zeros() {
    let (case, mut plan) = kept();
    plan.request.arguments[0].activity = Activity::Dup;
    assert_only(&case.faults(&plan), Obligation::Rooms, "nobody promised zeros there");
}

#[test]
fn where_others_may_look_into_the_shadow() {
    let (case, mut plan) = kept();
    plan.request.nested = true;
    let faults = case.faults(&plan);
    assert!(faults.iter().any(|fault| fault.message.contains("others may look into")), "{faults:?}");
}

#[test]
fn what_has_no_cell() {
    let (case, mut plan) = kept();
    let stored = plan.storage.get_mut(&share(&case)).expect("a storage");
    stored.choice = Storage::Recompute;
    let faults = case.faults(&plan);
    assert!(faults.iter().any(|fault| fault.message.contains("it has no cell to come from")), "{faults:?}");
}

#[test]
fn in_one_cell_for_two_passes() {
    rejects(&shares("%half", "", ""), "not every pass has a cell of its own");
}

#[test]
fn where_something_is_read_behind_the_loop() {
    let behind =
        "  %q: ptr = gep %x, %n over double by(8)\n  %w: double = load %q\n  %s2: double = fmul %w, %left";
    let case = shares("%i", "", &format!("{behind}\n  %unused: double = fadd %s2, %left"));
    // What is read there has no influence, and its reverse does nothing.
    assert!(!plan_of(&case).rooms.is_empty());
    let case = shares("%i", "", &format!("{behind}\n  store %s2, %y\n  %s3: double = load %y"));
    rejects(&case, "may touch it there");
}

#[test]
fn where_another_pass_has_read() {
    let body = "  %after: i64 = add %i, i64 1\n  %q: ptr = gep %x, %after over double by(8)\n  %w: double = load %q\n  \
                store %w, %y";
    rejects(&shares("%i", body, ""), "may touch it there");
}

#[test]
fn where_the_loop_writes() {
    rejects(&shares("%i", "  store double 1.0, %p", ""), "may touch it there");
}

#[test]
fn of_other_trips_than_the_loop_has() {
    let (case, mut plan) = kept();
    plan.rooms.values_mut().for_each(|room| room.trips.inclusive = true);
    assert_only(&case.faults(&plan), Obligation::Rooms, "is not as long as the test of the loop says");
}

#[test]
fn two_in_one() {
    let body = "  %more2: double = call @log(%share) library\n  store %more2, %y";
    let case = shares("%i", body, "");
    let mut plan = plan_of(&case);
    let room = plan.rooms.values().next().expect("a room").clone();
    let other = case.find(1, |op| matches!(op, Op::Call(_)));
    plan.rooms.insert(other, room);
    let faults = case.faults(&plan);
    assert!(faults.iter().any(|fault| fault.obligation == Obligation::Rooms), "{faults:?}");
}

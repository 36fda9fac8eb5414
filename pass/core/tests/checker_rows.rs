//! Rows of memory that stand for what several loads find: right plans pass, each with one fault is rejected, for that fault.

mod checker;

use backsweep_core::check::Obligation;
use backsweep_core::model::{BlockId, Op, ValueId};
use backsweep_core::plan::{Item, Plan, Row, Rows};
use backsweep_core::request::{Activity, Mode, Request};
use checker::{Case, assert_none};

/// `for t: { for i below 32: v[i] = u[i] * u[i + 1]; u and v change places }`, where `v` lies 40 numbers behind `u` at first.
const STEP: &str = "function @step(%0 w: ptr, %1 n: i32) -> void {
^0 entry:
  %2: ptr = gep nuw inbounds %0, i64 320 over i8 by(1)
  %3 = br ^1
^1 times:
  %4: ptr = phi ^0: %2, ^5: %5
  %5: ptr = phi ^0: %0, ^5: %4
  %6: i32 = phi ^0: i32 0, ^5: %23
  %7: i1 = icmp ne %6, %1
  %8 = br %7, ^2, ^6
^2 before:
  %9 = br ^3
^3 head:
  %10: i64 = phi ^2: i64 0, ^4: %21
  %11: i1 = icmp ne %10, i64 32
  %12 = br %11, ^4, ^5
^4 body:
  %13: ptr = gep nuw inbounds %5, %10 over double by(8)
  %14: double = load %13 member
    memory reads pointer %13 objects(param %0) address (rec 1 %5 i64 8) class 0 clobber merge ^3
  %15: ptr = gep nuw inbounds %5, %10 over double by(8)
  %16: ptr = gep nuw inbounds %15, i64 8 over i8 by(1)
  %17: double = load %16 member
    memory reads pointer %16 objects(param %0) address (rec 1 (add i64 8 %5) i64 8) class 1 clobber merge ^3
  %18: double = fmul %14, %17
  %19: ptr = gep nuw inbounds %4, %10 over double by(8)
  %20 = store %18, %19 member
    memory writes pointer %19 objects(param %0) address (rec 1 %4 i64 8) class 1
  %21: i64 = add nuw nsw %10, i64 1
  %22 = br ^3
^5 behind:
  %23: i32 = add nuw %6, i32 1
  %24 = br ^1
^6 end:
  %25 = ret
loop 0 header ^1 preheader ^0 blocks(^1, ^2, ^3, ^4, ^5) latches(^5) exiting(^1) exits(^6) back_edges (value %1)
loop 1 header ^3 parent 0 preheader ^2 blocks(^3, ^4) latches(^4) exiting(^3) exits(^5) back_edges i64 32
}";

fn request(case: &Case) -> Request {
    let mut request = case.request(Mode::Gradient);
    request.arguments[0].activity = Activity::DupNoNeed;
    request
}

fn plan_of(case: &Case) -> Plan {
    let plan = case.lean_plan(&request(case));
    assert_none(&case.faults(&plan));
    plan
}

fn head(case: &Case) -> BlockId {
    case.block("head")
}

fn load(case: &Case, nth: usize) -> ValueId {
    case.find(nth, |op| matches!(op, Op::Load(_)))
}

fn right() -> (Case, Plan) {
    let case = Case::new(STEP);
    let plan = plan_of(&case);
    assert!(plan.rows.contains_key(&head(&case)) && plan.restored.is_empty(), "{plan}");
    (case, plan)
}

/// The right plan with something changed of its rows.
fn rejects(change: impl Fn(&Case, &mut Rows), part: &str) {
    let (case, mut plan) = right();
    change(&case, plan.rows.get_mut(&head(&case)).expect("the loop has rows"));
    says(&case, &plan, part);
}

fn changed(change: impl Fn(&Case, &mut Row), part: &str) {
    rejects(|case, rows| change(case, &mut rows.rows[0]), part);
}

fn says(case: &Case, plan: &Plan, part: &str) {
    let faults = case.faults(plan);
    let is_it = |fault: &backsweep_core::check::Fault| {
        fault.obligation == Obligation::Rows && fault.message.contains(part)
    };
    assert!(faults.iter().any(is_it), "nothing says `{part}`: {faults:?}");
}

/// The plan of the right program for another one with the same instructions.
fn transplanted(from: &str, to: &str, part: &str) {
    let other = Case::new(&STEP.replace(from, to));
    let plan = plan_of(&other);
    assert!(plan.rows.is_empty(), "{plan}");
    says(&other, &right().1, part);
}

#[test]
fn neighbours_are_recorded_once() {
    let (case, plan) = right();
    let row = &plan.rows[&head(&case)].rows[0];
    assert_eq!((row.first, row.step, row.span), (load(&case, 0), 8, 16), "{plan}");
    assert_eq!(row.leads.iter().copied().collect::<Vec<_>>(), [load(&case, 1)], "{plan}");
}

#[test]
fn each_load_reads_where_the_row_says() {
    changed(
        |case, row| {
            row.loads.insert(load(case, 1), 0);
        },
        "a load reads elsewhere",
    );
    changed(|_, row| row.step = 2, "a load reads elsewhere");
    changed(|_, row| row.step = 4, "a load reads elsewhere");
    changed(|case, row| row.first = load(case, 1), "a load reads elsewhere");
    changed(|_, row| row.span = 8, "reads behind its end");
}

#[test]
fn what_is_read_was_recorded() {
    changed(|_, row| row.leads.clear(), "is nowhere recorded");
    changed(|case, row| row.leads = [load(case, 0)].into(), "is nowhere recorded");
    changed(
        |case, row| {
            row.loads.remove(&load(case, 1));
        },
        "is no load of it",
    );
    let (case, mut plan) = right();
    plan.fresh.remove(&Item::Value(load(&case, 0)));
    says(&case, &plan, "not recorded as the block ends");
}

#[test]
fn where_it_begins_is_computed_on_entry() {
    changed(
        |_, row| {
            row.again.pop_first();
        },
        "not known on entry",
    );
    changed(
        |case, row| {
            row.again.insert(load(case, 0));
        },
        "more is computed on entry",
    );
}

#[test]
fn the_block_runs_in_each_pass_and_the_row_is_found_again() {
    changed(|case, row| row.block = case.block("head"), "does not run in each pass");
    changed(|case, row| row.block = case.block("behind"), "does not run in each pass");
    rejects(|case, rows| rows.exit = case.block("end"), "not found again");
    rejects(|_, rows| rows.rows.push(rows.rows[0].clone()), "two rows");
}

#[test]
fn a_loop_without_an_array_has_no_room() {
    let (case, mut plan) = right();
    plan.arrays.clear();
    says(&case, &plan, "no array");
}

#[test]
fn nothing_in_the_loop_writes_there() {
    // The buffers are 16 numbers apart, and 33 are read.
    transplanted("i64 320", "i64 128", "a store of the loop may change it");
    // They do not change places: what is read is what is written.
    transplanted(
        "%5: ptr = phi ^0: %0, ^5: %4",
        "%5: ptr = phi ^0: %2, ^5: %4",
        "a store of the loop may change it",
    );
}

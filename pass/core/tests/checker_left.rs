//! Memory that is put back and that the caller looks at: right plans pass, each with one fault is rejected, for that fault.

mod checker;

use backsweep_core::model::{BlockId, Op, ValueId};
use backsweep_core::plan::{Plan, Told};
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

/// `u[i] = u[i] * u[i - 1]` for all `i` from `^inner` to `^latch`, again and again. The lines of a pass see `%p` and `%new`.
fn sweeps(lines: &str) -> Case {
    let more = if lines.contains("^do:") { ", ^do" } else { "" };
    Case::new(&format!(
        "function @f(%u: ptr, %n: i64, %steps: i64) -> void {{
^entry:
  br ^outer
^outer:
  %t: i64 = phi ^entry: i64 0, ^latch: %later
  %again: i1 = icmp slt %t, %steps
  br %again, ^start, ^exit
^start:
  br ^inner
^inner:
  %i: i64 = phi ^start: i64 1, ^next: %after
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^latch
^body:
  %p: ptr = gep %u, %i over double by(8)
  %here: double = load %p
  %before: i64 = add %i, i64 -1
  %q: ptr = gep %u, %before over double by(8)
  %there: double = load %q
  %new: double = fmul %here, %there
{lines}
^next:
  %after: i64 = add %i, i64 1
  br ^inner
^latch:
  %later: i64 = add %t, i64 1
  br ^outer
^exit:
  ret
loop 0 header ^outer preheader ^entry blocks(^outer, ^start, ^inner, ^body, ^next, ^latch{more}) latches(^latch) exiting(^outer) exits(^exit)
loop 1 header ^inner parent 0 blocks(^inner, ^body, ^next{more}) latches(^next) exiting(^inner) exits(^latch)
}}"
    ))
}

const EACH_PASS: &str = "  store %new, %p\n  br ^next";

fn store_of(case: &Case) -> ValueId {
    case.find(0, |op| matches!(op, Op::Store(_)))
}

fn right(case: &Case) -> Plan {
    let plan = case.lean_plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    assert!(plan.restored.contains(&store_of(case)), "{plan}");
    plan
}

fn says(case: &Case, plan: &Plan, part: &str) {
    let faults = case.faults(plan);
    assert!(faults.iter().any(|fault| fault.message.contains(part)), "nothing says `{part}`: {faults:?}");
}

/// The right plan with what is told of its store changed by hand.
fn planted(case: &Case, change: impl Fn(Told) -> Told) -> Plan {
    let mut plan = right(case);
    let told = plan.left.get_mut(&store_of(case)).expect("it is told of");
    *told = change(*told);
    plan
}

#[test]
fn a_row_is_told_of_behind_its_loop() {
    let case = sweeps(EACH_PASS);
    let told = right(&case).left[&store_of(&case)];
    assert!(matches!(told, Told::Row { header: BlockId(3), exit: BlockId(6), step: 8 }), "{told:?}");
}

#[test]
fn a_store_that_nobody_is_told_of() {
    let case = sweeps(EACH_PASS);
    let mut plan = right(&case);
    plan.left.clear();
    says(&case, &plan, "somebody may look at it afterwards");
}

#[test]
fn another_distance() {
    let case = sweeps(EACH_PASS);
    let wrong = |told| match told {
        Told::Row { header, exit, .. } => Told::Row { header, exit, step: 16 },
        Told::Each => Told::Each,
    };
    says(&case, &planted(&case, wrong), "does not write one");
}

#[test]
fn another_loop() {
    let case = sweeps(EACH_PASS);
    let outer = |_| Told::Row { header: BlockId(1), exit: BlockId(7), step: 8 };
    says(&case, &planted(&case, outer), "as if it ran once in each pass");
    let elsewhere = |_| Told::Row { header: BlockId(3), exit: BlockId(7), step: 8 };
    says(&case, &planted(&case, elsewhere), "where its loop does not end");
}

#[test]
fn a_pass_that_does_not_store() {
    let case = sweeps(
        "  %small: i1 = fcmp olt %new, double 1.0\n  br %small, ^do, ^next\n^do:\n  store %new, %p\n  br ^next",
    );
    let mut plan = case.lean_plan(&case.request(Mode::Gradient));
    plan.restored.insert(store_of(&case));
    plan.left.insert(store_of(&case), Told::Row { header: BlockId(3), exit: BlockId(7), step: 8 });
    says(&case, &plan, "as if it ran once in each pass");
}

/// The index comes from elsewhere, by a counter that may wrap.
#[test]
fn an_address_that_goes_its_own_way() {
    let case = sweeps(
        "  %narrow: i8 = trunc %i\n  %wide: i64 = zext %narrow\n  %o: ptr = gep %u, %wide over double by(8)\n  \
         store %new, %o\n  br ^next",
    );
    let mut plan = case.lean_plan(&case.request(Mode::Gradient));
    plan.restored.insert(store_of(&case));
    plan.left.insert(store_of(&case), Told::Row { header: BlockId(3), exit: BlockId(6), step: 8 });
    says(&case, &plan, "does not write one");
}

#[test]
fn control_that_may_leave_before() {
    let case = sweeps(EACH_PASS);
    let mut plan = right(&case);
    plan.may_be_left = true;
    says(&case, &plan, "control may leave before");
}

#[test]
fn what_is_not_undone() {
    let case = sweeps(EACH_PASS);
    let mut plan = right(&case);
    plan.restored.clear();
    says(&case, &plan, "and not undone");
}

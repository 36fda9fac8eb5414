//! What is overwritten beside what is read, what is freed behind it, and what is filled before it: right plans pass, the same plans for
//! programs in which that is otherwise are rejected.

mod checker;

use backsweep_core::model::{Op, ValueId};
use backsweep_core::plan::{Plan, Storage};
use backsweep_core::request::{Activity, Mode, Request};
use checker::{Case, assert_none};

/// `speed += place * place` of each of many structs, again and again; the place never changes.
const MEMBERS: &str = "function @f(%p: ptr noalias, %n: i64, %steps: i64) -> void {
^entry:
  br ^outer
^outer:
  %t: i64 = phi ^entry: i64 0, ^latch: %later
  br ^inner
^inner:
  %i: i64 = phi ^outer: i64 0, ^inner: %next
  %one: ptr = gep inbounds %p, %i over {double, double} by(16)
  %place: double = load %one
  %square: double = fmul %place, %place
  %two: ptr = gep inbounds %one, i64 0, i32 1 over {double, double} by(16, field 8)
  %speed: double = load %two
  %new: double = fadd %speed, %square
  store %new, %two
  %next: i64 = add %i, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^inner, ^latch
^latch:
  %later: i64 = add %t, i64 1
  %again: i1 = icmp slt %later, %steps
  br %again, ^outer, ^exit
^exit:
  ret
}";

fn given_up(case: &Case) -> Request {
    let mut request = case.request(Mode::Gradient);
    request.arguments[0].activity = Activity::DupNoNeed;
    request
}

fn loads(case: &Case, nth: usize) -> ValueId {
    case.find(nth, |op| matches!(op, Op::Load(_)))
}

fn reads_again(plan: &Plan, load: ValueId) -> bool {
    plan.storage.get(&load).is_some_and(|decision| decision.choice == Storage::Recompute)
}

/// The plan for one program, held against another that differs in a few words.
fn says(good: &str, bad: &str, part: &str) {
    let (right, wrong) = (Case::new(good), Case::new(bad));
    let plan = right.lean_plan(&given_up(&right));
    assert_none(&right.faults(&plan));
    assert!(reads_again(&plan, loads(&right, 0)), "{plan}");
    let faults = wrong.faults(&plan);
    assert!(faults.iter().any(|fault| fault.message.contains(part)), "nothing says `{part}`: {faults:?}");
    // Who plans for the other program does not fall for it.
    let other = wrong.lean_plan(&given_up(&wrong));
    assert_none(&wrong.faults(&other));
}

#[test]
fn a_member_beside_the_one_that_changes_is_read_again() {
    let case = Case::new(MEMBERS);
    let plan = case.lean_plan(&given_up(&case));
    assert_none(&case.faults(&plan));
    assert!(reads_again(&plan, loads(&case, 0)) && plan.restored.is_empty(), "{plan}");
}

#[test]
fn the_same_member_of_another_struct() {
    let bad = MEMBERS.replace(
        "i32 1 over {double, double} by(16, field 8)",
        "i32 0 over {double, double} by(16, field 0)",
    );
    says(MEMBERS, &bad, "may trap or read what has changed");
}

#[test]
fn a_step_that_lands_on_the_other_member() {
    says(
        MEMBERS,
        &MEMBERS.replace("{double, double} by(16)", "double by(8)"),
        "may trap or read what has changed",
    );
}

#[test]
fn a_step_of_which_nobody_says_that_it_stays_inside() {
    says(MEMBERS, &MEMBERS.replace("gep inbounds %p", "gep %p"), "may trap or read what has changed");
}

#[test]
fn a_store_that_is_wider_than_the_member() {
    let bad = MEMBERS.replace("  store %new, %two\n", "  %wide: x86_fp80 = fpext %new\n  %before: ptr = gep inbounds %two, i64 -8 over i8 by(1)\n  store %wide, %before\n");
    says(MEMBERS, &bad, "may trap or read what has changed");
}

#[test]
fn pointers_that_do_not_begin_at_the_same_place() {
    let good = MEMBERS;
    let bad = good
        .replace("%one, i64 0, i32 1 over", "%shifted, i64 0, i32 1 over")
        .replace("  %speed: double = load", "  %unused: double = fneg %square\n  %speed: double = load");
    let bad =
        bad.replace("  %two: ptr", "  %shifted: ptr = gep inbounds %one, %t over double by(8)\n  %two: ptr");
    says(good, &bad, "may trap or read what has changed");
}

/// What is made here is multiplied in place, each with the next, again and again, and freed at the end.
const MADE: &str = "declare @malloc(i64) -> ptr
declare @free(ptr)
function @f(%x: ptr noalias, %n: i64, %steps: i64) -> void {
^entry:
  %bytes: i64 = mul %n, i64 8
  %u: ptr = call @malloc(%bytes)
  br ^fill
^fill:
  %k: i64 = phi ^entry: i64 0, ^fill: %up
  %a: ptr = gep inbounds %x, %k over double by(8)
  %start: double = load %a
  %b: ptr = gep inbounds %u, %k over double by(8)
  store %start, %b
  %up: i64 = add %k, i64 1
  %less: i1 = icmp slt %up, %n
  br %less, ^fill, ^outer
^outer:
  %t: i64 = phi ^fill: i64 0, ^latch: %later
  br ^inner
^inner:
  %i: i64 = phi ^outer: i64 0, ^inner: %next
  %p: ptr = gep inbounds %u, %i over double by(8)
  %here: double = load %p
  %next: i64 = add %i, i64 1
  %q: ptr = gep inbounds %u, %next over double by(8)
  %there: double = load %q
  %new: double = fmul %here, %there
  store %new, %p
  %more: i1 = icmp slt %next, %n
  br %more, ^inner, ^latch
^latch:
  %later: i64 = add %t, i64 1
  %again: i1 = icmp slt %later, %steps
  br %again, ^outer, ^exit
^exit:
  %last: double = load %u
  %y: double = fmul %last, %last
  store %y, %x
  call @free(%u)
  ret
}";

#[test]
fn what_is_freed_behind_the_reverse_sweep_is_put_back() {
    let case = Case::new(MADE);
    let plan = case.lean_plan(&case.request(Mode::Gradient));
    assert_none(&case.faults(&plan));
    let squared = loads(&case, 1);
    assert!(reads_again(&plan, squared) && !plan.restored.is_empty(), "{plan}");
    // Without a shadow it would be freed where the program frees it.
    let other = Case::new(&MADE.replace("call @free(%u)", "call @free(%x)"));
    let faults = other.faults(&plan);
    assert!(!faults.is_empty(), "{plan}");
}

#[test]
fn what_fills_it_before_is_not_undone_and_what_fills_it_in_between_keeps_it_from_being_put_back() {
    let declared = format!("declare @llvm.memset.p0.i64(ptr, i8, i64, i1)\n{MADE}");
    let fill = "  call @llvm.memset.p0.i64(%u, i8 0, %bytes, i1 false)\n";
    let before = Case::new(&declared.replace("  br ^fill\n^fill", &format!("{fill}  br ^fill\n^fill")));
    let plan = before.lean_plan(&before.request(Mode::Gradient));
    assert_none(&before.faults(&plan));
    assert!(!plan.restored.is_empty(), "{plan}");
    let between = Case::new(&declared.replace("^latch:\n", &format!("^latch:\n{fill}")));
    let plan = between.lean_plan(&between.request(Mode::Gradient));
    assert_none(&between.faults(&plan));
    assert!(plan.restored.is_empty(), "{plan}");
}

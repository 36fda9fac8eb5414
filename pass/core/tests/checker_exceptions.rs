//! Exceptions in the model: who may be left by one gives the tape back, and what a callee recorded before it threw is not
//! relied on. A plan or function that forgets either is rejected.

mod checker;

use backsweep_core::check::Obligation;
use backsweep_core::config::Analyses;
use backsweep_core::model::{Constant, Operand, Type};
use backsweep_core::plan::make_plan;
use backsweep_core::request::{Mode, Request};
use checker::edit::{inst_mut, remove};
use checker::written::Written;
use checker::{Case, assert_only};

/// A loop with records on the tape that calls what may throw.
const LEFT: &str = "declare @tick(i32) -> double

function @f(%x: double, %n: i32) -> double {
^entry:
  br ^loop
^loop:
  %i: i32 = phi ^entry: i32 0, ^loop: %next
  %v: double = phi ^entry: %x, ^loop: %w
  %t: double = call @tick(%i)
  %s: double = fmul %v, %v
  %w: double = fmul %s, %t
  %next: i32 = add %i, i32 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  ret %w
}";

/// The derivative of a callee is called; what it throws goes on to the caller, behind a cleanup.
const CLEANED: &str = r#"declare @backsweep.threw(i1) -> i1 attributes(nounwind)

declare @backsweep.caught() -> {ptr, i32} attributes(nounwind)

declare @backsweep.resume({ptr, i32}) -> void attributes(nounwind)

declare @clean() -> void

function @g(%x: double) -> double {
^entry:
  %y: double = fmul %x, %x
  ret %y
}

function @f(%x: double) -> double {
^entry:
  %a: double = call @g(%x) attributes("backsweep-guarded")
  %t: i1 = call @backsweep.threw(i1 true)
  br %t, ^caught, ^on
^on:
  %b: double = fmul %a, %x
  ret %b
^caught:
  %e: {ptr, i32} = call @backsweep.caught()
  call @clean()
  call @backsweep.resume(%e)
  unreachable
}"#;

/// Nobody promises that the rule of a function that never throws does not.
const RULED: &str = "rule @g augmented @g.kept reverse @g.back
declare @g(double) -> double attributes(nounwind)
declare @g.kept(double) -> {double, double}
declare @g.back(double, double, double) -> double
function @f(%x: double, %n: i32) -> double attributes(nounwind) {
^entry:
  br ^loop
^loop:
  %i: i32 = phi ^entry: i32 0, ^loop: %next
  %v: double = phi ^entry: %x, ^loop: %w
  %t: double = call @g(%v)
  %w: double = fmul %v, %t
  %next: i32 = add %i, i32 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  ret %w
}";

/// The same, but the exception ends here.
fn caught() -> String {
    CLEANED.replace("  call @backsweep.resume(%e)\n  unreachable", "  ret %x")
}

fn write(text: &str, mode: Mode) -> Written {
    let case = Case::new(text);
    let request = case.request(mode);
    Written::of(case, &request)
}

/// The second half for a caller that keeps the tape.
fn write_kept(text: &str) -> Written {
    let case = Case::new(text);
    let request = Request { keep_tape: true, ..case.request(Mode::Reverse) };
    Written::of(case, &request)
}

const RELEASE: &str = "backsweep.unwinding.bs_tape_release";
const FREE: &str = "backsweep.unwinding.bs_tape_free";
const GIVE_UP: &str = "backsweep.unwinding.bs_rt_tape_free";
const SPOIL: &str = "backsweep.unwinding.bs_rt_tape_spoil";
const LOST: &str = "loses the tape that it was handed";
const NOT_GIVEN_BACK: &str = "does not leave the tape as it was";

#[test]
fn the_tape_is_given_back_where_an_exception_may_leave() {
    for text in [LEFT, CLEANED] {
        assert_eq!(write(text, Mode::Gradient).calls(RELEASE).len(), 1);
        assert_eq!(write(text, Mode::Augmented).calls(FREE).len(), 1);
    }
    let quiet = LEFT.replace("-> double {", "-> double attributes(nounwind) {");
    let quiet = write(&quiet, Mode::Gradient);
    assert!(quiet.calls(RELEASE).is_empty() && quiet.calls("bs_tape_mark").is_empty());
}

#[test]
fn a_tape_not_given_back() {
    for (mode, call) in [(Mode::Gradient, RELEASE), (Mode::Augmented, FREE)] {
        let mut written = write(LEFT, mode);
        let call = written.calls(call)[0];
        remove(&mut written.derived, call);
        assert_only(&written.faults(), Obligation::Tape, NOT_GIVEN_BACK);
    }
}

#[test]
fn a_half_gives_up_the_tape_that_it_was_handed() {
    for text in [LEFT, CLEANED] {
        let (given, kept) = (write(text, Mode::Reverse), write_kept(text));
        assert_eq!((given.calls(GIVE_UP).len(), given.calls(SPOIL).len()), (1, 0));
        assert_eq!((kept.calls(GIVE_UP).len(), kept.calls(SPOIL).len()), (0, 1));
        for (mut written, call) in [(given, GIVE_UP), (kept, SPOIL)] {
            let call = written.calls(call)[0];
            inst_mut(&mut written.derived, call).operands[0] = Operand::Const(Constant::Null(Type::PTR));
            assert_only(&written.faults(), Obligation::Tape, LOST);
            remove(&mut written.derived, call);
            assert_only(&written.faults(), Obligation::Tape, LOST);
        }
    }
}

#[test]
fn a_rule_may_throw_where_the_function_does_not() {
    let quiet = RULED.replace("-> {double, double}", "-> {double, double} attributes(nounwind)");
    let half_quiet = Case::new(&quiet);
    assert!(half_quiet.gradient().may_be_left, "the other half may throw");
    let quiet = quiet.replace(
        "@g.back(double, double, double) -> double",
        "@g.back(double, double, double) -> double attributes(nounwind)",
    );
    assert_eq!(write(RULED, Mode::Gradient).calls(RELEASE).len(), 1);
    assert_eq!(write(RULED, Mode::Reverse).calls(GIVE_UP).len(), 1);
    assert!(write(&quiet, Mode::Gradient).calls(RELEASE).is_empty());
    let case = Case::new(RULED);
    let mut plan = case.gradient();
    plan.may_be_left = false;
    assert_only(&case.faults(&plan), Obligation::Tape, "may throw");
}

#[test]
fn a_tape_brought_back_to_another_place() {
    let mut written = write(LEFT, Mode::Gradient);
    let release = written.calls(RELEASE)[0];
    inst_mut(&mut written.derived, release).operands[1] = Operand::Const(Constant::Null(Type::PTR));
    assert_only(&written.faults(), Obligation::Tape, NOT_GIVEN_BACK);
}

#[test]
fn a_plan_that_thinks_nothing_throws() {
    let case = Case::new(LEFT);
    let mut plan = case.gradient();
    plan.may_be_left = false;
    assert_only(&case.faults(&plan), Obligation::Tape, "may throw");
}

#[test]
fn what_a_callee_did_before_it_threw_is_refused_and_rejected() {
    let case = Case::new(&caught());
    let request = case.request(Mode::Gradient);
    let planned = make_plan(
        &case.function,
        &case.program,
        &case.rules,
        &request,
        &checker::as_given(Analyses::default()),
    );
    let refusals = planned.map(|_| ()).expect_err("its records end where the exception left it");
    assert!(refusals[0].to_string().contains("is caught here"), "{refusals:?}");
    // A plan for the program that passes the exception on is no plan for this one.
    let plan = Case::new(CLEANED).gradient();
    let faults = case.faults(&plan);
    assert!(faults.iter().any(|fault| fault.message.contains("before it threw")), "{faults:?}");
    // Forward mode has nothing to undo.
    case.plan(&case.request(Mode::Tangent));
}

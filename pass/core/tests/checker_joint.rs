//! Calls that run twice: right plans pass, each with one fault is rejected, for that fault.

mod checker;

use backsweep_core::check::check_plan;
use backsweep_core::config::Config;
use backsweep_core::model::{BlockId, Op, Scev, ValueId};
use backsweep_core::plan::joint::{Memory, Runs, Touch};
use backsweep_core::plan::{Joint, Plan, make_plans};
use backsweep_core::request::{Activity, Mode};
use checker::Case;

/// `u[i] = u[i] * c` for all `i` below `n`, where `c` is found behind `factor`; called once. `body` stands between the load and
/// the store.
fn called(body: &str) -> Case {
    Case::new(&format!(
        "declare @print(i64) -> i64
function @step(%u: ptr, %factor: ptr, %n: i64) -> void attributes(backsweep_joint) {{
^entry:
  br ^head
^head:
  %i: i64 = phi ^entry: i64 0, ^next: %after
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %p: ptr = gep %u, %i over double by(8)
  %x: double = load %p
    memory reads pointer %p objects(param %u) address (rec 0 %u i64 8) class 0 clobber merge ^head
  %c: double = load %factor
    memory reads pointer %factor objects(param %factor) address %factor class 1 clobber merge ^head
  %y: double = fmul %x, %c
{body}
^store:
  store %y, %p
    memory writes pointer %p objects(param %u) address (rec 0 %u i64 8) class 0
  br ^next
^next:
  %after: i64 = add %i, i64 1
  br ^head
^exit:
  ret
loop 0 header ^head preheader ^entry blocks(^head, ^body, ^store, ^next) latches(^next) exiting(^head) exits(^exit) back_edges (smax i64 0 %n)
}}
function @f(%u: ptr, %factor: ptr, %n: i64) -> void {{
^entry:
  call @step(%u, %factor, %n)
  ret
}}"
    ))
}

/// What each pass does, and what some do.
const ALL: &str = "  br ^store";
const SOME: &str = "  %large: i1 = fcmp ogt %x, double 1.0
  br %large, ^store, ^next";

fn halves(case: &Case) -> Vec<Plan> {
    let request = case.request(Mode::Gradient);
    let variants = make_plans(&case.function, &case.program, &case.rules, &request, &Config::default());
    let variants = variants.unwrap_or_else(|refused| panic!("refused: {:?}", refused.refusals));
    variants.into_iter().map(|variant| variant.plan).filter(|plan| plan.joint.is_some()).collect()
}

fn faults(case: &Case, plan: &Plan) -> Vec<String> {
    let body = plan.body(&case.program).expect("the plan is of a function of the program");
    let found = check_plan(plan, body, &case.program, &case.rules);
    found.into_iter().map(|fault| fault.message).collect()
}

/// The faults of the first half with one change.
fn says(case: &Case, part: &str, change: impl Fn(&mut Joint)) {
    let mut plan = halves(case).remove(0);
    assert_eq!(faults(case, &plan), Vec::<String>::new());
    change(plan.joint.as_mut().expect("it is a half"));
    let found = faults(case, &plan);
    assert!(found.iter().any(|fault| fault.contains(part)), "nothing says `{part}`: {found:?}");
}

fn touches(joint: &mut Joint, param: u32) -> &mut Vec<Touch> {
    let found = joint.places.iter_mut().find_map(|place| match &mut place.memory {
        Memory::Param(known, touches) if *known == ValueId(param) => Some(touches),
        _ => None,
    });
    found.expect("the parameter is among the places")
}

#[test]
fn both_halves_are_right() {
    for body in [ALL, SOME] {
        let case = called(body);
        let halves = halves(&case);
        let modes: Vec<Mode> = halves.iter().map(|plan| plan.request.mode).collect();
        assert_eq!(modes, [Mode::Augmented, Mode::Reverse]);
        for plan in &halves {
            assert_eq!(faults(&case, plan), Vec::<String>::new());
            assert_eq!(plan.joint.as_ref().map(|joint| joint.places.len()), Some(2));
        }
    }
}

#[test]
fn a_store_that_only_some_passes_come_to_runs_perhaps() {
    let case = called(SOME);
    let mut plan = halves(&case).remove(0);
    let touches = touches(plan.joint.as_mut().expect("it is a half"), 0);
    assert_eq!(touches.iter().filter(|touch| touch.runs == Runs::Perhaps).count(), 1);
    touches.iter_mut().for_each(|touch| touch.runs = Runs::Where(Vec::new()));
    let found = faults(&case, &plan);
    assert!(found.iter().any(|fault| fault.contains("may end without coming there")), "{found:?}");
}

#[test]
fn a_place_that_is_missing() {
    says(&called(ALL), "not among the places", |joint| drop(joint.places.remove(0)));
}

#[test]
fn a_place_that_is_read_and_not_saved() {
    says(&called(ALL), "not among the places", |joint| joint.places[1].read = false);
}

#[test]
fn an_access_that_is_not_counted() {
    says(&called(ALL), "not among the places", |joint| drop(touches(joint, 0).pop()));
}

#[test]
fn an_address_of_another() {
    says(&called(ALL), "not among the places", |joint| {
        touches(joint, 0)[0].address = Scev::Const { bits: 64, value: 0 };
    });
}

#[test]
fn fewer_bytes_than_are_touched() {
    says(&called(ALL), "not among the places", |joint| {
        touches(joint, 1)[0].length = Scev::Const { bits: 64, value: 4 };
    });
}

#[test]
fn a_last_pass_that_is_not_counted() {
    // The header itself comes once more than the loop goes round.
    let case = called(ALL);
    let mut plan = halves(&case).remove(0);
    let phi = case.program.function("step").and_then(|step| {
        step.inst_ids().find(|id| step.inst(*id).is_some_and(|inst| matches!(inst.op, Op::Phi { .. })))
    });
    let touch = &mut touches(plan.joint.as_mut().expect("it is a half"), 0)[0];
    touch.id = phi.expect("the loop counts");
    let found = faults(&case, &plan);
    assert!(found.iter().any(|fault| fault.contains("asks elsewhere")), "{found:?}");
}

#[test]
fn a_loop_that_need_not_go_round() {
    says(&called(ALL), "may return without coming there", |joint| touches(joint, 0)[0].asked.clear());
}

#[test]
fn a_gradient_of_another_kind() {
    says(&called(ALL), "of another kind", |joint| joint.gradient.arguments[0].activity = Activity::Const);
}

/// The plan of who calls, with what it says of the memory behind the first argument changed.
fn caller(case: &Case, steady: &[usize]) -> Vec<String> {
    let request = case.request(Mode::Gradient);
    let variants = make_plans(&case.function, &case.program, &case.rules, &request, &Config::default());
    let mut plan =
        variants.unwrap_or_else(|refused| panic!("refused: {:?}", refused.refusals)).remove(0).plan;
    plan.calls.values_mut().for_each(|call| call.request.steady = steady.to_vec());
    faults(case, &plan)
}

#[test]
fn what_the_call_itself_overwrites_is_not_steady() {
    let case = called(ALL);
    assert_eq!(caller(&case, &[]), Vec::<String>::new());
    let found = caller(&case, &[0]);
    assert!(found.iter().any(|fault| fault.contains("may overwrite what")), "{found:?}");
    // Without a promise the one may be the other.
    let found = caller(&case, &[1]);
    assert!(found.iter().any(|fault| fault.contains("may overwrite what")), "{found:?}");
}

#[test]
fn what_is_steady_may_not_be_written() {
    let case = called(ALL);
    let mut plan = halves(&case).remove(0);
    plan.request.steady = vec![0];
    let joint = plan.joint.as_mut().expect("it is a half");
    joint.gradient.steady = vec![0];
    joint.places.remove(0);
    let found = faults(&case, &plan);
    assert!(found.iter().any(|fault| fault.contains("not among the places")), "{found:?}");
}

#[test]
fn what_prints_does_not_run_twice() {
    let case = called("  %told: i64 = call @print(%i)\n  br ^store");
    assert!(halves(&case).is_empty());
    let right = called(ALL);
    let mut plan = halves(&right).remove(0);
    plan.function = "step".into();
    let body = case.program.function("step").expect("it is there");
    let found = check_plan(&plan, body, &case.program, &case.rules);
    assert!(found.iter().any(|fault| fault.message.contains("who is called is not known")), "{found:?}");
    assert_eq!(body.block(BlockId(0)).insts.len(), 1);
}

/// `u[i] = u[i] * u[i]` for all `i` below `n`, again and again: from `from` up to three times, and only while it likes to.
fn repeated(from: &str) -> Case {
    Case::new(&format!(
        "function @step(%u: ptr, %n: i64) -> void attributes(backsweep_joint) {{
^entry:
  br ^sweep
^sweep:
  %s: i64 = phi ^entry: {from}, ^end: %t
  %go: i1 = icmp slt %s, i64 3
  br %go, ^inner, ^exit
^inner:
  br ^head
^head:
  %i: i64 = phi ^inner: i64 0, ^body: %after
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^end
^body:
  %p: ptr = gep %u, %i over double by(8)
  %x: double = load %p
    memory reads pointer %p objects(param %u) address (rec 1 %u i64 8) class 0 clobber merge ^head
  %y: double = fmul %x, %x
  store %y, %p
    memory writes pointer %p objects(param %u) address (rec 1 %u i64 8) class 0
  %after: i64 = add %i, i64 1
  br ^head
^end:
  %t: i64 = add %s, i64 1
  %small: double = load %u
    memory reads pointer %u objects(param %u) address %u class 0 clobber merge ^sweep
  %again: i1 = fcmp olt %small, double 1.0
  br %again, ^sweep, ^exit
^exit:
  ret
loop 0 header ^sweep preheader ^entry blocks(^sweep, ^inner, ^head, ^body, ^end) latches(^end) exiting(^sweep, ^end) exits(^exit)
loop 1 header ^head parent 0 preheader ^inner blocks(^head, ^body) latches(^body) exiting(^head) exits(^end) back_edges (smax i64 0 %n)
}}
function @f(%u: ptr, %n: i64) -> void {{
^entry:
  call @step(%u, %n)
  ret
}}"
    ))
}

#[test]
fn the_first_of_several_sweeps_is_certain() {
    let case = repeated("i64 0");
    let mut plan = halves(&case).remove(0);
    assert_eq!(faults(&case, &plan), Vec::<String>::new());
    let touches = touches(plan.joint.as_mut().expect("it is a half"), 0);
    assert!(touches.iter().all(|touch| touch.runs == Runs::Where(Vec::new())), "{touches:?}");
}

#[test]
fn where_there_need_not_be_a_sweep_nothing_is() {
    for from in ["i64 3", "%n"] {
        let case = repeated(from);
        let mut plan = halves(&case).remove(0);
        assert_eq!(faults(&case, &plan), Vec::<String>::new());
        let touches = touches(plan.joint.as_mut().expect("it is a half"), 0);
        assert!(touches.iter().all(|touch| touch.runs == Runs::Perhaps), "{touches:?}");
        touches.iter_mut().for_each(|touch| touch.runs = Runs::Where(Vec::new()));
        let found = faults(&case, &plan);
        assert!(found.iter().any(|fault| fault.contains("may return without coming there")), "{found:?}");
    }
}

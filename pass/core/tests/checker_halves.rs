//! Forward mode over one half of a derivative: what it lays is wider whatever is in it, halves are never called as they were, and
//! pointers on the tape have shadows where the request says so, and nowhere else.

mod checker;

use backsweep_core::check::Obligation;
use backsweep_core::config::Config;
use backsweep_core::model::{Constant, Operand, ValueId};
use backsweep_core::plan::{Plan, make_plan, make_plans};
use backsweep_core::refusal::Refusal;
use backsweep_core::request::{Activity, Mode, Request};
use checker::edit::inst_mut;
use checker::written::Written;
use checker::{Case, assert_only};

const TAPE: &str = r#"declare @bs_tape_of_thread() -> ptr
declare @backsweep.cursor.open(ptr, ptr) -> void
declare @backsweep.cursor.store(ptr) -> void
declare @backsweep.push(ptr, i64, ptr) -> ptr
declare @backsweep.pop(ptr, i64, ptr) -> ptr

"#;

/// A half that lays a pointer, a number, and nothing that is active.
const FIRST: &str = r#"function @backsweep.augmented.g.do.r1(%p: ptr, %x: double, %k: i64, %tape: ptr) -> double {
^entry:
  %cursor: ptr = alloca i32 1 of {ptr, ptr, ptr, ptr, i64, ptr} bytes 48 align 8
  call @backsweep.cursor.open(%cursor, %tape)
  %b: ptr = call @backsweep.push(%cursor, i64 8, ptr null) attributes("backsweep-record.half.g.do.r1.block1")
  store %k, %b
  %a: ptr = call @backsweep.push(%cursor, i64 16, ptr null) attributes("backsweep-record.half.g.do.r1.cells")
  store %p, %a
  %n: ptr = gep inbounds %a, i64 8 over i8 by(1)
  store %x, %n
  %y: double = load %p
  %r: double = fmul %y, %x
  call @backsweep.cursor.store(%cursor)
  ret %r
}"#;

/// One that takes a pointer back and writes there.
const SECOND: &str = r#"function @backsweep.reverse.g.do.r1(%p: ptr, %seed: double, %tape: ptr) -> double {
^entry:
  %cursor: ptr = alloca i32 1 of {ptr, ptr, ptr, ptr, i64, ptr} bytes 48 align 8
  call @backsweep.cursor.open(%cursor, %tape)
  %a: ptr = call @backsweep.pop(%cursor, i64 16, ptr null) attributes("backsweep-record.half.g.do.r1.cells")
  %q: ptr = load %a
  %n: ptr = gep inbounds %a, i64 8 over i8 by(1)
  %x: double = load %n
  %d: double = fmul %seed, %x
  store %d, %q
  call @backsweep.cursor.store(%cursor)
  ret %x
}"#;

/// Who calls both, the first with nothing active.
const CALLER: &str = r#"function @f(%k: i64, %s: double) -> double {
^entry:
  %p: ptr = alloca i32 1 of double bytes 8 align 8
  store double 2.0, %p
  %tape: ptr = call @bs_tape_of_thread()
  %y: double = call @backsweep.augmented.g.do.r1(%p, double 3.0, %k, %tape)
  %r: double = call @backsweep.reverse.g.do.r1(%p, %s, %tape)
  %z: double = load %p
  %w: double = fmul %r, %z
  ret %w
}

"#;

fn case(function: &str) -> Case {
    Case::new(&format!("{TAPE}{function}"))
}

/// The tape has no shadow.
fn request(case: &Case, carried: &[&str]) -> Request {
    let mut request = case.request(Mode::Tangent);
    if let Some(tape) = request.arguments.last_mut().filter(|_| case.function.name != "f") {
        tape.activity = Activity::Const;
    }
    request.carried = carried.iter().map(|place| (*place).to_owned()).collect();
    request.nested = case.function.name != "f";
    request.primal_return = request.nested;
    request
}

fn refused(case: &Case, request: &Request) -> Vec<Refusal> {
    let planned = make_plan(&case.function, &case.program, &case.rules, request, &Config::default());
    planned.map(|_| ()).expect_err("it is refused")
}

const PLACE: &str = "g.do.r1.cells.0";

#[test]
fn a_record_of_a_half_is_wider_whatever_is_in_it() {
    let case = case(FIRST);
    let request = request(&case, &[PLACE]);
    let mut written = Written::of(case, &request);
    let pushes = written.calls("backsweep.push");
    let bytes: Vec<Option<i128>> = pushes
        .iter()
        .map(|push| match &inst_mut(&mut written.derived, *push).operands[1] {
            Operand::Const(constant) => constant.as_signed(),
            Operand::Value(_) => None,
        })
        .collect();
    assert_eq!(bytes, [Some(16), Some(32)]);
    inst_mut(&mut written.derived, pushes[0]).operands[1] = Operand::Const(Constant::int(64, 8));
    assert_only(&written.faults(), Obligation::Records, "times as wide as it was");
}

#[test]
fn a_pointer_has_a_shadow_where_the_request_says_so() {
    for half in [FIRST, SECOND] {
        let case = case(half);
        let refusals = refused(&case, &request(&case, &[]));
        let carries: Vec<&String> = refusals.iter().flat_map(|refusal| &refusal.carries).collect();
        assert_eq!(carries, [PLACE], "{refusals:?}");
    }
}

#[test]
fn a_request_that_forgot_a_place_is_rejected() {
    for (half, part) in [
        (FIRST, "lays a pointer with a shadow where others take it for one without"),
        (SECOND, "may hold something active, and can have no shadow"),
    ] {
        let case = case(half);
        let mut plan: Plan = case.plan(&request(&case, &[PLACE]));
        plan.request.carried.clear();
        let faults = case.faults(&plan);
        assert!(faults.iter().any(|fault| fault.to_string().contains(part)), "{faults:?}");
    }
}

#[test]
fn both_halves_are_differentiated_and_agree() {
    let case = case(&format!("{FIRST}\n\n{SECOND}\n\n{CALLER}"));
    let plans =
        make_plans(&case.function, &case.program, &case.rules, &request(&case, &[]), &Config::default());
    let plans = plans.unwrap_or_else(|refused| panic!("{:?}", refused.refusals));
    assert_eq!(plans.len(), 3, "the function and both halves");
    let carried: Vec<Vec<&String>> =
        plans.iter().map(|variant| variant.plan.request.carried.iter().collect()).collect();
    assert!(carried.iter().all(|places| *places == [PLACE]), "{carried:?}");
    let mut plan = plans.into_iter().next().map(|variant| variant.plan).expect("there are three");
    let call: ValueId = *plan.calls.keys().next().expect("it calls both");
    if let Some(planned) = plan.calls.get_mut(&call) {
        planned.request.carried.clear();
    }
    let faults = case.faults(&plan);
    let part = "takes other pointers on the tape for shadowed";
    assert!(faults.iter().any(|fault| fault.to_string().contains(part)), "{faults:?}");
}

//! Calls that run twice and fill an array before they read it: right plans pass, and what would not be there the second time is rejected.

mod checker;

use backsweep_core::check::check_plan;
use backsweep_core::config::Config;
use backsweep_core::model::ValueId;
use backsweep_core::plan::joint::{Memory, Place, Runs};
use backsweep_core::plan::{Plan, make_plans};
use backsweep_core::request::Mode;
use checker::Case;

/// `w[i] = u[i] * u[i]` for all `i` below `n`, and then `u[i] = w[i] * w[i]`. `early` stands in front; `by` is the distance of two
/// numbers of `w` in bytes, and `pass` stands in front of the store to it.
fn filling(early: &str, by: u32, pass: &str) -> Case {
    Case::new(&format!(
        "function @step(%u: ptr noalias, %w: ptr noalias, %n: i64) -> void attributes(backsweep_joint) {{
^entry:
{early}
  br ^head
^head:
  %i: i64 = phi ^entry: i64 0, ^next: %after
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^between
^body:
  %p: ptr = gep %u, %i over double by(8)
  %x: double = load %p
    memory reads pointer %p objects(param %u) address (rec 0 %u i64 8) class 0 clobber merge ^head
  %y: double = fmul %x, %x
  %q: ptr = gep %w, %i over double by({by})
{pass}
^store:
  store %y, %q
    memory writes pointer %q objects(param %w) address (rec 0 %w i64 {by}) class 1
  br ^next
^next:
  %after: i64 = add %i, i64 1
  br ^head
^between:
  br ^second
^second:
  %j: i64 = phi ^between: i64 0, ^again: %later
  %others: i1 = icmp slt %j, %n
  br %others, ^again, ^exit
^again:
  %r: ptr = gep %w, %j over double by({by})
  %a: double = load %r
    memory reads pointer %r objects(param %w) address (rec 1 %w i64 {by}) class 1 clobber merge ^head
  %b: double = fmul %a, %a
  %s: ptr = gep %u, %j over double by(8)
  store %b, %s
    memory writes pointer %s objects(param %u) address (rec 1 %u i64 8) class 0
  %later: i64 = add %j, i64 1
  br ^second
^exit:
  ret
loop 0 header ^head preheader ^entry blocks(^head, ^body, ^store, ^next) latches(^next) exiting(^head) exits(^between) back_edges (smax i64 0 %n)
loop 1 header ^second preheader ^between blocks(^second, ^again) latches(^again) exiting(^second) exits(^exit) back_edges (smax i64 0 %n)
}}
function @f(%u: ptr noalias, %w: ptr noalias, %n: i64) -> void {{
^entry:
  call @step(%u, %w, %n)
  ret
}}"
    ))
}

const ALL: &str = "  br ^store";
const SOME: &str = "  %large: i1 = fcmp ogt %x, double 1.0
  br %large, ^store, ^next";
const EARLY: &str = "  %first: double = load %w
    memory reads pointer %w objects(param %w) address %w class 1 clobber entry
  %large: i1 = fcmp ogt %first, double 1.0";

fn first_half(case: &Case) -> Plan {
    let request = case.request(Mode::Gradient);
    let variants = make_plans(&case.function, &case.program, &case.rules, &request, &Config::default());
    let variants = variants.unwrap_or_else(|refused| panic!("refused: {:?}", refused.refusals));
    let mut halves = variants.into_iter().map(|variant| variant.plan).filter(|plan| plan.joint.is_some());
    halves.next().expect("the call runs twice")
}

fn faults(case: &Case, plan: &Plan) -> Vec<String> {
    let body = plan.body(&case.program).expect("the plan is of a function of the program");
    let found = check_plan(plan, body, &case.program, &case.rules);
    found.into_iter().map(|fault| fault.message).collect()
}

fn place(plan: &mut Plan, param: u32) -> &mut Place {
    let places = &mut plan.joint.as_mut().expect("it is a half").places;
    let found = places
        .iter_mut()
        .find(|place| matches!(&place.memory, Memory::Param(known, _) if *known == ValueId(param)));
    found.expect("the parameter is among the places")
}

/// What is said where a touch behind a parameter is taken to fill it that the planner has not found to.
fn says(case: &Case, part: &str, param: u32, fill: usize) {
    let mut plan = first_half(case);
    assert_eq!(faults(case, &plan), Vec::<String>::new());
    assert_ne!(place(&mut plan, param).fill, Some(fill));
    place(&mut plan, param).fill = Some(fill);
    let found = faults(case, &plan);
    assert!(found.iter().any(|fault| fault.contains(part)), "nothing says `{part}`: {found:?}");
}

#[test]
fn what_is_filled_first_is_not_saved() {
    let case = filling("", 8, ALL);
    let mut plan = first_half(&case);
    assert_eq!(place(&mut plan, 0).fill, None);
    assert_eq!(place(&mut plan, 1).fill, Some(0));
    assert_eq!(faults(&case, &plan), Vec::<String>::new());
}

#[test]
fn what_is_read_in_an_earlier_loop() {
    says(&filling("", 8, ALL), "may read before it is filled", 0, 1);
}

#[test]
fn what_is_read_on_entry() {
    says(&filling(EARLY, 8, ALL), "may read before it is filled", 1, 1);
}

#[test]
fn every_other_number() {
    says(&filling("", 16, ALL), "does not go on where the one before has ended", 1, 0);
}

#[test]
fn what_some_passes_store() {
    let case = filling("", 8, SOME);
    says(&case, "may not run", 1, 0);
    // It is not taken at its word either.
    let mut plan = first_half(&case);
    let place = place(&mut plan, 1);
    place.fill = Some(0);
    let Memory::Param(_, touches) = &mut place.memory else { unreachable!("it is a parameter") };
    touches[0].runs = Runs::Where(Vec::new());
    let found = faults(&case, &plan);
    assert!(found.iter().any(|fault| fault.contains("some pass does not come there")), "{found:?}");
}

#[test]
fn what_only_reads() {
    says(&filling("", 8, ALL), "it only reads, or may not run", 1, 1);
}

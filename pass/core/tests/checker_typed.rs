//! Shadows are accessed as the types of their memory where that is of one type all the time, and a plan that says so of other memory is
//! rejected.

mod checker;

use backsweep_core::config::Switch;
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

/// `x = *a; store; return x² + *a`.
fn over_a_number(store: &str) -> Case {
    Case::new(&format!(
        "function @f(%a: ptr) -> double {{
^entry:
  %x: double = load %a
  %square: double = fmul %x, %x
  {store}
  %y: double = load %a
  %r: double = fadd %square, %y
  ret %r
}}"
    ))
}

fn assert_untyped(store: &str) {
    let case = over_a_number(store);
    let mut plan = case.lean_plan(&case.request(Mode::Gradient));
    assert_eq!(plan.typed, Switch::Off);
    assert_none(&case.faults(&plan));
    plan.typed = Switch::On;
    assert!(case.faults(&plan).iter().any(|fault| fault.message.contains("changes the type of memory")));
}

#[test]
fn one_type_all_the_time() {
    let case = over_a_number("store %square, %a");
    let plan = case.lean_plan(&case.request(Mode::Gradient));
    assert_eq!(plan.typed, Switch::On);
    assert_none(&case.faults(&plan));
}

#[test]
fn a_pointer_over_a_number() {
    assert_untyped("store ptr null, %a");
}

#[test]
fn the_bits_of_a_number() {
    assert_untyped("store i64 0, %a");
}

//! A number that is moved between memory of which nobody knows what it holds, and is an index on its way.

mod checker;

use backsweep_core::config::Config;
use backsweep_core::plan::make_plan;
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

const MOVED: &str = "function @f(%x: ptr, %h: ptr, %t: ptr) -> double {
^entry:
  %from: ptr = load %h
  %next: ptr = gep inbounds %h, i64 8 over i8 by(1)
  %to: ptr = load %next
  %k: i64 = load %from
  %at: ptr = gep %t, %k over double by(8)
  %w: double = load %at
  store %k, %to
  %v: double = load %x
  %y: double = fmul %w, %v
  ret %y
}";

fn is_refused(text: &str) -> bool {
    let case = Case::new(text);
    let request = case.request(Mode::Gradient);
    make_plan(&case.function, &case.program, &case.rules, &request, &Config::default()).is_err()
}

#[test]
fn what_was_an_index_is_an_integer() {
    let case = Case::new(MOVED);
    assert_none(&case.faults(&case.gradient()));
}

/// A step may be computed in front of the branch that says what the number is.
#[test]
fn a_step_that_leads_nowhere_says_nothing() {
    assert!(is_refused(&MOVED.replace("load %at", "load %t")));
}

/// In another arm the same bits may be a float's.
#[test]
fn an_index_in_one_arm_says_nothing_of_the_other() {
    let arms = MOVED
        .replace("%t: ptr)", "%t: ptr, %c: i1)")
        .replace(
            "  %w: double = load %at\n",
            "  br %c, ^one, ^other\n^one:\n  %w: double = load %at\n  br ^after\n^other:\n",
        )
        .replace(
            "  %v: double",
            "  br ^after\n^after:\n  %z: double = phi ^one: %w, ^other: double 1.0\n  %v: double",
        )
        .replace("fmul %w, %v", "fmul %z, %v");
    assert!(is_refused(&arms));
}

//! Memory has its own name and that of every pointer to it that is found: a pointer without a shadow that is put there by one is found
//! by the other.

mod checker;

use backsweep_core::check::Obligation;
use backsweep_core::config::Config;
use backsweep_core::plan::make_plan;
use backsweep_core::request::{Activity, Mode};
use checker::{Case, assert_none, judge, says};

/// What is put into a slot by the name of a pointer that was found is found by the slot's own name.
const PUT_FOUND: &str = "function @f(%a: ptr, %c: ptr) -> double {
^entry:
  %slot: ptr = alloca i32 1 of ptr bytes 8 align 8
  %all: ptr = alloca i32 1 of ptr bytes 8 align 8
  store %a, %slot
  store %slot, %all
  %p: ptr = load %all
  store %a, %p
  %q: ptr = load %slot
  %x: double = load %q
  %y: double = fmul %x, %x
  ret %y
}";

/// What is put there by its own name is found by the other.
const PUT_NAMED: &str = "function @f(%a: ptr, %c: ptr) -> double {
^entry:
  %slot: ptr = alloca i32 1 of ptr bytes 8 align 8
  %all: ptr = alloca i32 1 of ptr bytes 8 align 8
  store %slot, %all
  store %a, %slot
  store %a, %slot
  %p: ptr = load %all
  %q: ptr = load %p
  %x: double = load %q
  %y: double = fmul %x, %x
  ret %y
}";

/// A callee goes through what it is handed, which stands in a slot that somebody else has written to.
const HANDED: &str = "function @add(%p: ptr, %v: double) -> void {
^entry:
  %q: ptr = load %p
  store %v, %q
  ret
}

function @f(%a: ptr, %c: ptr) -> double {
^entry:
  %slot: ptr = alloca i32 1 of ptr bytes 8 align 8
  %all: ptr = alloca i32 1 of ptr bytes 8 align 8
  store %slot, %all
  %p: ptr = load %all
  store %a, %p
  %x: double = load %a
  %y: double = fmul %x, %x
  call @add(%slot, %y)
  %z: double = load %a
  ret %z
}";

fn is_planned(text: &str, constant: &[usize]) -> bool {
    let case = Case::new(text);
    let mut request = case.request(Mode::Gradient);
    constant.iter().for_each(|param| request.arguments[*param].activity = Activity::Const);
    let plan = make_plan(&case.function, &case.program, &case.rules, &request, &Config::default());
    plan.inspect(|plan| assert_none(&case.faults(plan))).is_ok()
}

#[test]
fn a_pointer_without_a_shadow_that_is_found_by_another_name() {
    for (text, line, part) in [
        (PUT_FOUND, "store %a, %p", "may take for one with"),
        (PUT_NAMED, "store %a, %slot\n  %p", "may take for one with"),
        (HANDED, "store %a, %p", "where a derivative that is called finds it"),
    ] {
        let other = line.replace("%a", "%c");
        let changed = text.replace(line, &other);
        assert!(is_planned(text, &[1]));
        assert!(is_planned(&changed, &[]), "c has one");
        assert!(!is_planned(&changed, &[1]), "{changed}\nc has no shadow");
        let faults = judge(text, line, &other, &[1]);
        says(&faults, Obligation::NothingUnknown, part);
    }
}

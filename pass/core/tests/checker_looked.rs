//! What a callee only hands on needs no shadow behind it; what it looks behind, or may give back to be looked behind, does.

mod checker;

use backsweep_core::check::Obligation;
use backsweep_core::config::Config;
use backsweep_core::plan::make_plan;
use backsweep_core::request::{Activity, Mode};
use checker::{Case, assert_none, judge, says};

/// The search for one of two numbers hands a third pointer down, and returns one that the next deeper search returned.
const HANDED: &str = "declare @free(ptr) -> void

function @search(%p: ptr, %q: ptr, %h: ptr, %n: i64) -> ptr {
^entry:
  %t: i1 = icmp eq %n, i64 0
  br %t, ^end, ^more
^more:
  %m: i64 = sub %n, i64 1
  %r: ptr = call @search(%q, %p, %h, %m)
  br ^end
^end:
  %s: ptr = phi ^more: %r, ^entry: %p
  %v: double = load %s
  %w: double = fmul %v, double 2.0
  store %w, %s
  ret %s
}

function @f(%a: ptr, %c: ptr, %n: i64) -> double {
^entry:
  %slot: ptr = alloca i32 1 of {double, ptr} bytes 16 align 8
  %x: double = load %a
  store %x, %slot
  %at: ptr = gep inbounds %slot, i64 8 over i8 by(1)
  store %c, %at
  %r: ptr = call @search(%a, %a, %slot, %n)
  %y: double = load %r
  %z: double = load %slot
  %w: double = fmul %y, %z
  ret %w
}";

/// What the search does instead of handing the pointer down and no more.
const LOOKS: [(&str, &str); 4] = [
    // It looks there.
    ("  br ^end\n^end:", "  %g: ptr = gep %h, i64 8 over i8 by(1)\n  br ^end\n^end:"),
    // It gives it back.
    ("^entry: %p", "^entry: %h"),
    // It leaves it where others find it.
    ("  store %w, %s", "  store %w, %s\n  store %h, %q"),
    // It gives it to somebody else.
    ("  store %w, %s", "  store %w, %s\n  call @free(%h)"),
];

fn is_planned(text: &str, constant: &[usize]) -> bool {
    let case = Case::new(text);
    let mut request = case.request(Mode::Gradient);
    constant.iter().for_each(|param| request.arguments[*param].activity = Activity::Const);
    let plan = make_plan(&case.function, &case.program, &case.rules, &request, &Config::default());
    plan.inspect(|plan| assert_none(&case.faults(plan))).is_ok()
}

#[test]
fn a_pointer_without_a_shadow_behind_one_that_is_only_handed_on() {
    assert!(is_planned(HANDED, &[1]));
}

#[test]
fn a_pointer_without_a_shadow_where_the_callee_looks() {
    for (line, other) in LOOKS {
        assert!(!is_planned(&HANDED.replace(line, other), &[1]), "{other}: c has no shadow");
        let faults = judge(HANDED, line, other, &[1]);
        says(&faults, Obligation::NothingUnknown, "where a derivative that is called finds it");
    }
}

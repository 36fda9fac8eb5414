//! Copies of words in memory that several functions make for each other: the checker lets the shadow tell what they move only as long as
//! nobody touches that memory as anything but doubles, pointers and integers, or comes to it from outside.

mod checker;

use backsweep_core::check::{Fault, Obligation, check_plan};
use backsweep_core::config::Config;
use backsweep_core::kinds::Spaced;
use backsweep_core::plan::{Variant, make_plans};
use backsweep_core::request::{Activity, Mode, Request};
use checker::{Case, assert_none};

/// Two words, a number and a link to another, are copied by a function that calls itself.
const WORDS: &str = "declare @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare @malloc(i64) -> ptr
declare @keep(ptr)
global @kept: ptr = ptr null
function @copy(%to: ptr, %from: ptr, %n: i64) -> void {
^entry:
  call @llvm.memcpy.p0.p0.i64(%to, %from, i64 8, i1 false)
  %less: i64 = sub %n, i64 1
  %more: i1 = icmp sgt %less, i64 0
  br %more, ^again, ^end
^again:
  %next: ptr = gep %to, i64 8 over i8 by(1)
  %rest: ptr = gep %from, i64 8 over i8 by(1)
  call @copy(%next, %rest, %less)
  br ^end
^end:
  ret
}
function @f(%x: double, %out: ptr, %n: i64) -> double {
^entry:
  %first: ptr = call @malloc(i64 16)
  %second: ptr = call @malloc(i64 16)
  %other: ptr = call @malloc(i64 8)
  %square: double = fmul %x, %x
  store %x, %first
  store %square, %other
  %link: ptr = gep %first, i64 8 over i8 by(1)
  store %other, %link
  call @copy(%second, %first, i64 2)
  %y: double = load %second
  %last: ptr = gep %second, i64 8 over i8 by(1)
  %found: ptr = load %last
  %z: double = load %found
  %product: double = fmul %y, %z
  ret %product
}";

fn plans_of(text: &str) -> Option<(Case, Vec<Variant>)> {
    let case = Case::new(text);
    let request = case.request(Mode::Gradient);
    let plans = make_plans(&case.function, &case.program, &case.rules, &request, &Config::default()).ok()?;
    Some((case, plans))
}

/// What the checker says of the plans for one program, where the program is another.
fn faults(plans: &[Variant], case: &Case) -> Vec<Fault> {
    let of = |variant: &Variant| {
        let body = case.program.function(&variant.plan.function).expect("it is the same but for a line");
        check_plan(&variant.plan, body, &case.program, &case.rules)
    };
    plans.iter().flat_map(of).collect()
}

#[test]
fn the_shadow_tells_what_a_callee_copies() {
    let (case, plans) = plans_of(WORDS).expect("it is planned");
    assert_none(&faults(&plans, &case));
    let copies: Vec<&Spaced> = plans.iter().flat_map(|variant| variant.plan.copies.values()).collect();
    assert!(!copies.is_empty() && copies.iter().all(|spaced| **spaced == Spaced::sought(true)));
}

/// What makes such memory anything else: each line of the program in place of which another stands, or behind which one follows.
const WRONGS: [(&str, &str, &str); 9] = [
    (
        "a single lies there",
        "  %y: double = load %second\n",
        "  %s: float = load %second\n  %y: double = fpext %s\n",
    ),
    (
        "a double across two words",
        "  store %x, %first\n",
        "  %odd: ptr = gep %first, i64 4 over i8 by(1)\n  store %x, %odd align 1\n",
    ),
    (
        "a link across two words",
        "  store %other, %link\n",
        "  %odd: ptr = gep %first, i64 4 over i8 by(1)\n  store %other, %odd align 1\n",
    ),
    ("others are given the source", "  call @copy(%second", "  call @keep(%first)\n  call @copy(%second"),
    ("others are given the target", "  call @copy(%second", "  call @keep(%second)\n  call @copy(%second"),
    (
        "others find it by a link",
        "  call @copy(%second",
        "  call @keep(%other)\n  store %first, %other\n  call @copy(%second",
    ),
    ("it is kept in a global", "  call @copy(%second", "  store %first, @kept\n  call @copy(%second"),
    ("the user's words are joined with it", "@copy(%second, %first", "@copy(%second, %out"),
    ("it is copied to the user's", "@copy(%second, %first", "@copy(%out, %first"),
];

#[test]
fn memory_that_others_know_or_touch_otherwise_is_left_alone() {
    let (_, plans) = plans_of(WORDS).expect("it is planned");
    for (why, line, wrong) in WRONGS {
        let text = WORDS.replacen(line, wrong, 1);
        assert_ne!(text, WORDS, "{why}");
        assert!(plans_of(&text).is_none(), "{why}");
        let found = faults(&plans, &Case::new(&text));
        assert!(found.iter().any(|fault| fault.obligation == Obligation::Differentiable), "{why}");
    }
}

#[test]
fn a_link_without_a_shadow_is_not_copied() {
    let text = WORDS.replacen("  store %other, %link\n", "  store %out, %link\n", 1);
    let case = Case::new(&text);
    let mut request = case.request(Mode::Gradient);
    let plan = |request: &Request| {
        make_plans(&case.function, &case.program, &case.rules, request, &Config::default())
    };
    let plans = plan(&request).ok().expect("the user hands over a shadow");
    assert_none(&faults(&plans, &case));
    request.arguments[1].activity = Activity::Const;
    assert!(plan(&request).is_err());
    let mut wrong = plans;
    wrong[0].plan.request = request;
    assert!(!faults(&wrong, &case).is_empty());
}

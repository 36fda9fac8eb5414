//! Rules of the user's own, against the oracle, which runs the bodies they stand for.
//!
//! A rule that tells the truth agrees; the same rule with one lie in it does not, so the rule was what was called.

use backsweep_core::model::parse_program;
use backsweep_core::rules::Rules;
use backsweep_oracle::generate::Sample;
use backsweep_oracle::{Argument, NO_TANGENT, Value};
use backsweep_random::{Verdict, check_widths};

fn try_out(text: &str, arguments: &[Argument]) -> Verdict {
    let program = parse_program(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(backsweep_core::model::verify(&program), [], "a test program is a model");
    let function = program.functions[0].name.clone();
    let sample = Sample { seed: 0, program, function, arguments: arguments.to_vec() };
    check_widths(&sample, &Rules::new(), 1)
}

/// The program agrees with the oracle, and with any of the replacements it does not.
fn check(text: &str, arguments: &[Argument], lies: &[(&str, &str)]) {
    match try_out(text, arguments) {
        Verdict::Agreed => {}
        Verdict::Refused(why) => panic!("refused: {why}"),
        Verdict::Unjudged => panic!("the oracle could not judge"),
        Verdict::Wrong(how) => panic!("{how}"),
    }
    for (truth, lie) in lies {
        assert!(text.contains(truth), "{truth} is no part of the program");
        let told = try_out(&text.replacen(truth, lie, 1), arguments);
        assert!(matches!(told, Verdict::Wrong(_)), "{lie} was not noticed");
    }
}

fn refusal(text: &str, arguments: &[Argument]) -> String {
    match try_out(text, arguments) {
        Verdict::Refused(why) => why,
        _ => panic!("not refused"),
    }
}

fn active(x: f64) -> Argument {
    Argument::Active(Value::dual(x, NO_TANGENT))
}

fn fixed(n: i128) -> Argument {
    Argument::Fixed(Value::int(32, n))
}

fn array(content: &[f64]) -> Argument {
    Argument::Array(backsweep_core::model::FloatKind::Double, content.to_vec())
}

/// A product of two floats in a loop, whose rule keeps one of them on a tape of two members.
const PRODUCT: &str = "
rule @mul augmented @mul.kept reverse @mul.back tangent @mul.along
function @f(%x: double, %y: double, %n: i32) -> double {
^entry:
  br ^head
^head:
  %i: i32 = phi ^entry: i32 0, ^body: %next
  %p: double = phi ^entry: %x, ^body: %q
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %r: double = call @mul(%p, %y)
  %q: double = call @mul(%r, %p)
  %next: i32 = add %i, i32 1
  br ^head
^exit:
  ret %p
}
function @mul(%a: double, %b: double) -> double {
^entry:
  %r: double = fmul %a, %b
  ret %r
}
function @mul.kept(%a: double, %b: double) -> {{i32, double}, double} {
^entry:
  %r: double = fmul %a, %b
  %t: {i32, double} = insertvalue {i32, double} (i32 7, double 0.0), %b path(1)
  %u: {{i32, double}, double} = insertvalue {{i32, double}, double} zero, %t path(0)
  %v: {{i32, double}, double} = insertvalue %u, %r path(1)
  ret %v
}
function @mul.back(%a: double, %b: double, %d: double, %tape: {i32, double}) -> {double, double} {
^entry:
  %kept: double = extractvalue %tape path(1)
  %da: double = fmul %d, %kept
  %db: double = fmul %a, %d
  %g: {double, double} = insertvalue {double, double} zero, %da path(0)
  %h: {double, double} = insertvalue %g, %db path(1)
  ret %h
}
function @mul.along(%a: double, %da: double, %b: double, %db: double) -> {double, double} {
^entry:
  %r: double = fmul %a, %b
  %s: double = fmul %da, %b
  %t: double = fmul %a, %db
  %d: double = fadd %s, %t
  %g: {double, double} = insertvalue {double, double} zero, %r path(0)
  %h: {double, double} = insertvalue %g, %d path(1)
  ret %h
}
";

#[test]
fn floats_by_value_and_a_tape_in_a_loop() {
    let lies = [
        ("%db: double = fmul %a, %d\n", "%db: double = fmul %b, %d\n"),
        ("zero, %da path(0)", "zero, %d path(0)"),
        ("(i32 7, double 0.0), %b path(1)", "(i32 7, double 0.0), %a path(1)"),
        ("%t: double = fmul %a, %db", "%t: double = fmul %b, %db"),
    ];
    for passes in [1, 3] {
        check(PRODUCT, &[active(1.3), active(0.7), fixed(passes)], &lies);
    }
    check(PRODUCT, &[active(1.3), active(0.7), fixed(0)], &[]);
}

/// Squares the elements of an array in place, each call told apart by where it begins; behind a recursive function.
const SQUARES: &str = "
rule @square augmented @square.kept reverse @square.back tangent @square.along
function @f(%a: ptr, %n: i32) -> double {
^entry:
  %r: double = call @walk(%a, %n)
  ret %r
}
function @walk(%a: ptr, %n: i32) -> double {
^entry:
  %more: i1 = icmp sgt %n, i32 0
  br %more, ^on, ^end
^on:
  call @square(%a, %n)
  %b: ptr = gep %a, i64 1 over double by(8)
  %m: i32 = sub %n, i32 1
  %rest: double = call @walk(%b, %m)
  call @square(%a, %n)
  %x: double = load %a
  %s: double = fmul %x, %rest
  ret %s
^end:
  ret double 1.0
}
function @square(%p: ptr, %n: i32) -> void {
^entry:
  %x: double = load %p
  %y: double = fmul %x, %x
  store %y, %p
  ret
}
function @square.kept(%p: ptr, %dp: ptr, %n: i32) -> double {
^entry:
  %x: double = load %p
  %y: double = fmul %x, %x
  store %y, %p
  ret %x
}
function @square.back(%p: ptr, %dp: ptr, %n: i32, %x: double) -> void {
^entry:
  %d: double = load %dp
  %twice: double = fadd %x, %x
  %e: double = fmul %d, %twice
  store %e, %dp
  ret
}
function @square.along(%p: ptr, %dp: ptr, %n: i32) -> void {
^entry:
  %x: double = load %p
  %y: double = fmul %x, %x
  store %y, %p
  %d: double = load %dp
  %twice: double = fadd %x, %x
  %e: double = fmul %d, %twice
  store %e, %dp
  ret
}
";

#[test]
fn memory_through_pointers_behind_recursion() {
    let lies = [
        ("%twice: double = fadd %x, %x", "%twice: double = fadd %x, double 0.0"),
        ("  ret %x\n", "  ret %y\n"),
    ];
    check(SQUARES, &[array(&[1.1, 0.9, 1.2]), fixed(3)], &lies);
}

/// A rule for one mode only: the other differentiates the body.
#[test]
fn the_body_serves_the_mode_without_a_rule() {
    let arguments = [active(1.3), active(0.7), fixed(2)];
    let wrong_tangent = ("%t: double = fmul %a, %db", "%t: double = fmul %b, %db");
    let only_halves = PRODUCT.replace(" tangent @mul.along", "");
    check(&only_halves.replace(wrong_tangent.0, wrong_tangent.1), &arguments, &[]);
    let only_tangent = PRODUCT.replace(" augmented @mul.kept reverse @mul.back", "");
    check(&only_tangent.replace("zero, %da path(0)", "zero, %d path(0)"), &arguments, &[wrong_tangent]);
}

/// A pointer comes back with its shadow; there is no tape.
const RETURNED: &str = "
rule @second augmented @second.kept reverse @second.back tangent @second.along
function @f(%a: ptr, %x: double) -> double {
^entry:
  %p: ptr = call @second(%a, %x)
  %y: double = load %p
  %z: double = fmul %y, %x
  store %z, %p
  %w: double = load %p
  %r: double = fmul %w, %y
  ret %r
}
function @second(%a: ptr, %x: double) -> ptr {
^entry:
  %p: ptr = gep %a, i64 1 over double by(8)
  ret %p
}
function @second.kept(%a: ptr, %da: ptr, %x: double) -> {ptr, ptr} {
^entry:
  %p: ptr = gep %a, i64 1 over double by(8)
  %dp: ptr = gep %da, i64 1 over double by(8)
  %u: {ptr, ptr} = insertvalue {ptr, ptr} zero, %p path(0)
  %v: {ptr, ptr} = insertvalue %u, %dp path(1)
  ret %v
}
function @second.along(%a: ptr, %da: ptr, %x: double, %dx: double) -> {ptr, ptr} {
^entry:
  %v: {ptr, ptr} = call @second.kept(%a, %da, %x)
  ret %v
}
function @second.back(%a: ptr, %da: ptr, %x: double) -> double {
^entry:
  ret double 0.0
}
";

#[test]
fn a_returned_pointer_with_its_shadow() {
    let lie = ("%dp: ptr = gep %da, i64 1", "%dp: ptr = gep %da, i64 0");
    check(RETURNED, &[array(&[0.4, 1.7, 0.3]), active(0.8)], &[lie]);
}

#[test]
fn functions_that_do_not_fit_are_refused() {
    let arguments = [active(1.3), active(0.7), fixed(2)];
    let cases = [
        (
            "tangent @mul.along",
            "tangent @mul.kept",
            "takes (double, double); expected (double, double, double, double)",
        ),
        ("tangent @mul.along", "tangent @f.along", "returns double; expected {double, double}"),
        ("reverse @mul.back", "reverse @mul", "takes (double, double); expected (double, double, double)"),
        ("reverse @mul.back", "reverse @mul.bare", "returns double; expected {double, double}"),
        (
            "reverse @mul.back",
            "reverse @mul.forgets",
            "`mul.kept` of a custom rule returns {{i32, double}, double}; expected double",
        ),
        ("augmented @mul.kept", "augmented @mul", "returns double; expected {{i32, double}, double}"),
    ];
    let more = "
function @f.along(%a: double, %da: double, %b: double, %db: double) -> double {
^entry:
  ret %a
}
function @mul.bare(%a: double, %b: double, %d: double) -> double {
^entry:
  ret %a
}
function @mul.forgets(%a: double, %b: double, %d: double) -> {double, double} {
^entry:
  ret {double, double} zero
}
";
    for (old, new, expected) in cases {
        assert!(PRODUCT.contains(old), "{old} is no part of the program");
        let why = refusal(&(PRODUCT.replace(old, new) + more), &arguments);
        assert!(why.contains(expected) && why.contains("BS030"), "{why}");
    }
}

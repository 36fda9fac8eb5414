//! Integers that lie beside floats, in ways that optimisers write: counted without wrapping, moved by the byte and made a number, and what
//! fills a struct up. What may be a float's bits by the same signs is refused.

mod checker;

use backsweep_core::config::Config;
use backsweep_core::plan::make_plan;
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

fn is_planned(text: &str) -> bool {
    let case = Case::new(text);
    let request = case.request(Mode::Gradient);
    let plan = make_plan(&case.function, &case.program, &case.rules, &request, &Config::default());
    plan.inspect(|plan| assert_none(&case.faults(plan))).is_ok()
}

/// Two records of something short and a double; `MOVE` moves the former from one to the other.
fn records(makes: &str, moves: &str) -> String {
    let text = "declare @llvm.usub.sat.i64(i64, i64) -> i64
declare @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1) -> void

function @f(%x: ptr, %n: i64) -> double {
^entry:
  %row: ptr = alloca i32 1 of {i64, double} bytes 16 align 8
  %other: ptr = alloca i32 1 of {i64, double} bytes 16 align 8
  %v: double = load %x
  %w: double = fmul %v, %v
MAKE
  %at: ptr = gep inbounds %row, i64 8 over i8 by(1)
  store %w, %at
MOVE
  %there: ptr = gep inbounds %other, i64 8 over i8 by(1)
  %m: double = load %at
  store %m, %there
  %y: double = load %there
  %z: double = fmul %y, %k
  ret %z
}";
    text.replace("MAKE", makes).replace("MOVE", moves)
}

#[test]
fn a_length_that_is_taken_from_without_wrapping() {
    let moves = "  %a: i64 = load %row
  store %a, %other
  %b: i64 = load %row
  %c: i64 = call @llvm.usub.sat.i64(%b, i64 1)
  %g: ptr = gep inbounds %x, %c over double by(8)
  %k: double = load %g";
    assert!(is_planned(&records("  %l: i64 = add %n, i64 1\n  store %l, %row", moves)));
    // There may be a float's bits where somebody puts one.
    assert!(!is_planned(&records("  store %w, %row", moves)));
}

#[test]
fn bits_that_are_taken_from_without_wrapping() {
    let moves = "  %b: i64 = load %row
  %c: i64 = call @llvm.usub.sat.i64(%b, i64 1)
  store %c, %other
  %k: double = load %other";
    assert!(!is_planned(&records("  store %w, %row", moves)));
}

#[test]
fn a_byte_that_is_moved_and_made_a_number() {
    let makes = "  %l: i8 = trunc %n\n  store %l, %row";
    let moves = "  %b: i8 = load %row
  store %b, %other
  %k: double = uitofp %b";
    assert!(is_planned(&records(makes, moves)));
    // The byte of a double.
    assert!(!is_planned(&records("  store %w, %row", moves)));
}

#[test]
fn a_byte_that_is_moved_and_compared() {
    let makes = "  %l: i8 = trunc %n\n  store %l, %row";
    let moves = "  %b: i8 = load %row
  store %b, %other
  %q: i1 = icmp eq %b, i8 42
  %k: double = select %q, double 1.0, double 2.0";
    assert!(is_planned(&records(makes, moves)));
    // The byte of a double.
    assert!(!is_planned(&records("  store %w, %row", moves)));
}

#[test]
fn what_fills_a_record_up() {
    let moves = "  %from: ptr = gep inbounds %row, i64 6 over i8 by(1)
  %to: ptr = gep inbounds %other, i64 6 over i8 by(1)
  %b: i16 = load %from
  store %b, %to
  %k: double = load %x";
    assert!(is_planned(&records("  store i32 7, %row", moves)));
    // Where the other half of a float lies.
    let half =
        "  %h: float = fptrunc %w\n  %high: ptr = gep inbounds %row, i64 4 over i8 by(1)\n  store %h, %high";
    assert!(!is_planned(&records(half, moves)));
    // Where a float of the user's may have been copied to.
    let copied = "  call @llvm.memcpy.p0.p0.i64(%row, %x, %n, i1 false)";
    assert!(!is_planned(&records(copied, moves)));
}

//! Numbers that are made of what may be a float's bits, where the pointer to it was found in memory, or came from a callee.

mod checker;

use backsweep_core::check::Obligation::NothingUnknown;
use checker::{assert_none, judge, says};

/// Nobody here touches a float behind the pointer that is found, so that it has no shadow.
const FOUND: &str = "function @f(%p: ptr) -> double {
^entry:
  %y: double = load %p
  %place: ptr = gep %p, i64 8 over i8 by(1)
  %q: ptr = load %place
  %b: i64 = load %q
  %d: double = sitofp %b
  %r: double = fmul %y, %d
  ret %r
}";

const GIVEN: &str = "function @find(%p: ptr, %n: i64) -> ptr {
^entry:
  %place: ptr = gep %p, %n over i8 by(1)
  %q: ptr = load %place
  ret %q
}
function @f(%p: ptr, %n: i64) -> double {
^entry:
  %y: double = load %p
  %q: ptr = call @find(%p, %n)
  %b: i64 = load %q
  %d: double = sitofp %b
  %r: double = fmul %y, %d
  ret %r
}";

#[test]
fn bits_that_are_found_are_no_numbers() {
    for text in [FOUND, GIVEN] {
        let says_what_it_reads = "%b: i64 = load %q";
        assert_none(&judge(text, says_what_it_reads, says_what_it_reads, &[]));
        let faults = judge(text, says_what_it_reads, "%b: i64 = load %q untyped", &[]);
        says(&faults, NothingUnknown, "makes a number of what may be a float's bits");
    }
}

/// What a constant leads to holds nothing active, whatever is found there.
#[test]
fn bits_behind_constants_are_numbers() {
    let text =
        FOUND.replace("function @f(%p: ptr)", "function @f(%p: ptr, %c: ptr)").replace("gep %p", "gep %c");
    assert_none(&judge(&text, "%b: i64 = load %q", "%b: i64 = load %q untyped", &[1]));
}

//! Sweeps over memory that is overwritten in place, against the oracle: what the reverse sweep reads again has to be what it
//! was, whatever overwrote it since.

mod common;

use backsweep_core::model::FloatKind;
use backsweep_oracle::Argument;
use common::{check, fixed};

/// Some steps over elements 1 to 6 of an array of 8. Lines that see `%here`, `%left` and `%right`, loaded from `%p`, `%l` and
/// `%r`, and go on to `^next`.
fn sweeps(lines: &str) -> String {
    format!(
        "function @f(%u: ptr, %v: ptr, %steps: i32) -> double {{
^entry:
  br ^outer
^outer:
  %t: i32 = phi ^entry: i32 0, ^latch: %later
  br ^inner
^inner:
  %i: i64 = phi ^outer: i64 1, ^next: %after
  %before: i64 = add %i, i64 -1
  %after: i64 = add %i, i64 1
  %l: ptr = gep %u, %before over double by(8)
  %p: ptr = gep %u, %i over double by(8)
  %r: ptr = gep %u, %after over double by(8)
  %q: ptr = gep %v, %i over double by(8)
  %left: double = load %l
  %here: double = load %p
  %right: double = load %r
{lines}
^next:
  %more: i1 = icmp slt %after, i64 7
  br %more, ^inner, ^latch
^latch:
  %later: i32 = add %t, i32 1
  %again: i1 = icmp slt %later, %steps
  br %again, ^outer, ^exit
^exit:
  %first: double = load %u
  %sum: double = fmul %first, %first
  ret %sum
}}
declare @llvm.sin.f64(double) -> double
"
    )
}

fn array(from: f64) -> Argument {
    Argument::Array(FloatKind::Double, (0..8).map(|i| from + 0.17 * f64::from(i)).collect())
}

/// The second pointer leads to memory of its own, or into the first array.
fn check_sweeps(lines: &str) {
    for steps in [1, 3] {
        check(&sweeps(lines), vec![array(0.4), array(-0.7), fixed(steps)]);
        check(&sweeps(lines), vec![array(0.4), Argument::Alias { of: 0, elements: 1 }, fixed(steps)]);
    }
}

const PRODUCT: &str = "  %ab: double = fmul %left, %here
  %abc: double = fmul %ab, %right";

#[test]
fn one_store() {
    check_sweeps(&format!("{PRODUCT}\n  store %abc, %p\n  br ^next"));
}

#[test]
fn stores_behind_each_other() {
    check_sweeps(&format!("{PRODUCT}\n  store %abc, %p\n  store %ab, %l\n  store %here, %p\n  br ^next"));
}

#[test]
fn what_is_read_between_stores() {
    check_sweeps(&format!(
        "{PRODUCT}\n  store %abc, %p\n  %new: double = load %l\n  %w: double = fmul %new, %right\n  \
         %x: double = fmul %w, %here\n  store %x, %r\n  br ^next"
    ));
}

#[test]
fn another_pointer() {
    check_sweeps(&format!(
        "{PRODUCT}\n  %there: double = load %q\n  %w: double = fmul %there, %abc\n  store %w, %q\n  store %ab, %p\n  br ^next"
    ));
}

#[test]
fn a_store_on_one_way() {
    check_sweeps(&format!(
        "{PRODUCT}\n  %big: i1 = fcmp ogt %here, %left\n  br %big, ^yes, ^no\n^yes:\n  %s: double = call @llvm.sin.f64(%abc)\n  \
         store %s, %p\n  br ^next\n^no:\n  %o: double = fmul %right, %ab\n  store %o, %l\n  %c: double = fmul %o, %here\n  \
         store %c, %q\n  br ^next"
    ));
}

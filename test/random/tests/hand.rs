//! Programs written by hand for one construct each, against the oracle.

mod common;

use common::{active, array, check, fixed};

const POWER: &str = "
function @f(%x: double, %n: i32) -> double {
^entry:
  br ^head
^head:
  %i: i32 = phi ^entry: i32 0, ^body: %next
  %p: double = phi ^entry: %x, ^body: %q
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %s: double = call @llvm.sin.f64(%p)
  %q: double = fmul %s, %p
  %next: i32 = add %i, i32 1
  br ^head
^exit:
  ret %p
}
declare @llvm.sin.f64(double) -> double
";

#[test]
fn a_counted_loop_with_a_carried_product() {
    for passes in [0, 1, 2, 7] {
        check(POWER, vec![active(1.3), fixed(passes)]);
    }
}

const NEST: &str = "
function @f(%x: double, %y: double, %n: i32) -> double {
^entry:
  br ^outer
^outer:
  %i: i32 = phi ^entry: i32 0, ^outer.latch: %i.next
  %a: double = phi ^entry: %x, ^outer.latch: %b
  %outer.more: i1 = icmp slt %i, %n
  br %outer.more, ^inner.enter, ^exit
^inner.enter:
  %w: double = call @llvm.cos.f64(%a)
  br ^inner
^inner:
  %j: i32 = phi ^inner.enter: i32 0, ^inner.latch: %j.next
  %b: double = phi ^inner.enter: %w, ^inner.latch: %c
  %inner.more: i1 = icmp sle %j, %i
  br %inner.more, ^choose, ^outer.latch
^choose:
  %big: i1 = fcmp ogt %b, %y
  br %big, ^left, ^right
^left:
  %l: double = fmul %b, %w
  br ^inner.latch
^right:
  %r: double = fadd %b, %y
  %stop: i1 = fcmp ogt %r, double 9.0
  br %stop, ^early, ^inner.latch
^inner.latch:
  %c: double = phi ^left: %l, ^right: %r
  %j.next: i32 = add %j, i32 1
  br ^inner
^outer.latch:
  %i.next: i32 = add %i, i32 1
  br ^outer
^early:
  ret %r
^exit:
  ret %a
}
declare @llvm.cos.f64(double) -> double
";

#[test]
fn a_triangular_nest_with_branches_and_an_early_return() {
    for passes in [0, 1, 2, 5] {
        check(NEST, vec![active(0.4), active(0.3), fixed(passes)]);
        check(NEST, vec![active(0.4), active(4.1), fixed(passes)]);
    }
}

/// An array of which nothing is active, found in a slot, handed to a callee that writes to it.
const FOUND_AND_HANDED_ON: &str = "
function @f(%x: double) -> double {
^entry:
  %array: ptr = alloca i32 1 of [8 x double]
  br ^head
^head:
  %i: i64 = phi ^entry: i64 0, ^body: i64 1
  %more: i1 = icmp ult %i, i64 1
  br %more, ^body, ^exit
^body:
  %slot: ptr = alloca i32 1 of ptr
  store %array, %slot
  %found: ptr = load %slot
  %y: double = call @g(%x, %found)
  br ^head
^exit:
  ret %x
}
function @g(%x: double, %to: ptr) -> double {
^entry:
  store double 1.0, %to
  ret %x
}
";

#[test]
fn a_pointer_found_in_a_slot_is_handed_on_with_its_shadow() {
    check(FOUND_AND_HANDED_ON, vec![active(0.7)]);
}

/// Words of a slot whose address a function that is called keeps, which others may call, too (seed 45004134): what they give it is
/// not this slot.
#[test]
fn words_in_a_slot_that_is_lent() {
    let text = "
function @f(%x: double, %y: double, %z: double, %p: ptr) -> double {
^entry:
  %m: ptr = alloca i32 1 of [8 x double]
  %r: double = call @g1(i32 0, %z, %m)
  %w: i64 = load %m align 8
  store %w, %m align 8
  ret double 1.0
}
function @g1(%i: i32, %x: double, %p: ptr) -> double {
^entry:
  %s: ptr = alloca i32 1 of ptr
  store %p, %s
  %v: double = load %p
  store %v, %p
  ret double 1.0
}
";
    check(text, vec![active(1.3), active(0.5), active(0.7), array(&[1.0, 2.0, 3.0])]);
}

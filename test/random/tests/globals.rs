//! Values that pass through globals, against the oracle: every mode, every width.

mod common;

use common::{active, check, fixed, refused};

/// A scalar and an array: written before they are read, in a loop, at a place known only at run time.
const SCRATCH: &str = "
global @sum: double local = double 5.0
global @work: [4 x double] = [4 x double] zero
declare @llvm.sin.f64(double) -> double
function @f(%x: double, %y: double, %n: i32) -> double {
^entry:
  store %x, @sum
  br ^head
^head:
  %i: i32 = phi ^entry: i32 0, ^body: %next
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %k: i32 = and %i, i32 3
  %at: ptr = gep @work, %k over double by(8)
  %old: double = load @sum
  %p: double = fmul %old, %y
  store %p, %at
  %q: double = load %at
  %s: double = call @llvm.sin.f64(%q)
  %t: double = fadd %s, %old
  store %t, @sum
  %next: i32 = add %i, i32 1
  br ^head
^exit:
  %a: double = load @sum
  %b: double = load offset(@work, 8)
  %r: double = fmul %a, %b
  ret %r
}
";

#[test]
fn scalars_and_arrays() {
    for passes in [0, 1, 2, 7] {
        check(SCRATCH, vec![active(0.7), active(1.2), fixed(passes)]);
    }
}

/// What a global holds on entry is a constant, here 2 and 3; then it is overwritten with what varies.
#[test]
fn what_was_there_before_is_a_constant() {
    let text = "
global @state: double = double 2.0
global @table: [2 x double] constant = [2 x double] (double 3.0, double 4.0)
function @f(%x: double) -> double {
^entry:
  %before: double = load @state
  %c: double = load @table
  %a: double = fmul %before, %x
  %b: double = fmul %a, %c
  store %b, @state
  %after: double = load @state
  %r: double = fmul %after, %before
  %s: double = fmul %r, %x
  ret %s
}
";
    check(text, vec![active(1.5)]);
}

/// Rows of a table of pointers, constant or not, chosen at run time; the rows are read and written.
#[test]
fn tables_of_pointers() {
    for table in ["@rows: [2 x ptr] constant", "@rows: [2 x ptr]"] {
        let text = format!(
            "
global @a: [2 x double] = [2 x double] (double 1.0, double 2.0)
global @b: [2 x double] = [2 x double] (double 3.0, double 4.0)
global {table} = [2 x ptr] (@a, offset(@b, 8))
function @f(%x: double, %n: i32) -> double {{
^entry:
  %at: ptr = gep @rows, %n over ptr by(8)
  %row: ptr = load %at
  %old: double = load %row
  %y: double = fmul %old, %x
  %z: double = fmul %y, %x
  store %z, %row
  %u: double = load @a
  %v: double = load offset(@b, 8)
  %w: double = load @b
  %s: double = fmul %u, %v
  %t: double = fmul %s, %w
  ret %t
}}
"
        );
        for row in [0, 1] {
            check(&text, vec![active(1.5), fixed(row)]);
        }
    }
}

/// Two buffers that change places, through pointers in memory.
#[test]
fn buffers_that_change_places() {
    let text = "
global @one: [2 x double] local address_taken = [2 x double] (double 0.5, double 0.25)
global @two: [2 x double] local address_taken = [2 x double] zero
global @current: ptr local = @one
global @next: ptr local = @two
function @f(%x: double, %n: i32) -> double {
^entry:
  br ^head
^head:
  %i: i32 = phi ^entry: i32 0, ^body: %j
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %from: ptr = load @current
  %to: ptr = load @next
  %a: double = load %from
  %from1: ptr = gep %from, i64 1 over double by(8)
  %b: double = load %from1
  %c: double = fmul %a, %x
  %d: double = fadd %c, %b
  store %d, %to
  %to1: ptr = gep %to, i64 1 over double by(8)
  %e: double = fmul %b, %d
  store %e, %to1
  store %to, @current
  store %from, @next
  %j: i32 = add %i, i32 1
  br ^head
^exit:
  %last: ptr = load @current
  %r: double = load %last
  %s: double = load @one
  %t: double = fmul %r, %s
  ret %t
}
";
    for passes in [0, 1, 2, 5] {
        check(text, vec![active(1.3), fixed(passes)]);
    }
}

/// A pointer that nothing in the function puts in a global, and that leads to an active one.
#[test]
fn a_pointer_to_another_global_is_looked_up() {
    let text = "
global @data: [3 x double] = [3 x double] zero
global @place: {i32, ptr} = {i32, ptr} (i32 7, offset(@data, 8))
function @f(%x: double) -> double {
^entry:
  %y: double = fmul %x, %x
  store %y, offset(@data, 8)
  %p: ptr = load offset(@place, 8)
  %z: double = load %p
  %r: double = fmul %z, %x
  ret %r
}
";
    check(text, vec![active(1.7)]);
}

#[test]
fn an_alias_is_the_same_memory() {
    let text = "
global @data: [2 x double] = [2 x double] zero
alias @second = offset(@data, 8)
function @f(%x: double) -> double {
^entry:
  %y: double = fmul %x, %x
  store %y, offset(@data, 8)
  %z: double = load @second
  ret %z
}
";
    check(text, vec![active(1.7)]);
}

#[test]
fn a_threads_own_copy() {
    let text = "
global @own: double thread_local = double 0.0
declare @llvm.threadlocal.address.p0(ptr) -> ptr
function @f(%x: double, %n: i32) -> double {
^entry:
  %here: ptr = call @llvm.threadlocal.address.p0(@own)
  store %x, %here
  br ^head
^head:
  %i: i32 = phi ^entry: i32 0, ^body: %next
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %again: ptr = call @llvm.threadlocal.address.p0(@own)
  %v: double = load %again
  %w: double = fmul %v, %v
  store %w, %again
  %next: i32 = add %i, i32 1
  br ^head
^exit:
  %r: double = load %here
  ret %r
}
";
    for passes in [0, 1, 3] {
        check(text, vec![active(1.1), fixed(passes)]);
    }
}

/// The address of a global in a list built by the function itself.
#[test]
fn a_global_reached_through_local_memory() {
    let text = "
global @coefficients: [2 x double] constant = [2 x double] (double 3.0, double 4.0)
global @result: double local = double 0.0
function @f(%x: double, %n: i32) -> double {
^entry:
  %places: ptr = alloca i32 2 of ptr
  %second: ptr = gep %places, i64 1 over ptr by(8)
  store @coefficients, %places
  store @result, %second
  store %x, @result
  %at: ptr = gep %places, %n over ptr by(8)
  %p: ptr = load %at
  %y: double = load %p
  %z: double = fmul %y, %x
  ret %z
}
";
    for n in [0, 1] {
        check(text, vec![active(1.7), fixed(n)]);
    }
}

/// A function that calls itself, given nothing active: what it works on is in globals.
#[test]
fn recursion_over_globals() {
    let text = "
global @left: double local = double 0.0
global @right: double = double 0.0
global @rows: [2 x ptr] constant = [2 x ptr] (@left, @right)
declare @llvm.sin.f64(double) -> double
function @f(%x: double, %n: i32) -> double {
^entry:
  store %x, @left
  store double 2.0, @right
  call @step(%n)
  %a: double = load @left
  %b: double = load @right
  %r: double = fmul %a, %b
  ret %r
}
function @step(%n: i32) -> void local {
^entry:
  %done: i1 = icmp sle %n, i32 0
  br %done, ^out, ^work
^work:
  %k: i32 = and %n, i32 1
  %at: ptr = gep @rows, %k over ptr by(8)
  %row: ptr = load %at
  %a: double = load %row
  %s: double = call @llvm.sin.f64(%a)
  %b: double = load @left
  %p: double = fmul %s, %b
  store %p, %row
  %m: i32 = sub %n, i32 1
  call @step(%m)
  %c: double = load @right
  %q: double = fmul %c, %a
  store %q, @left
  br ^out
^out:
  ret
}
";
    for depth in [0, 1, 2, 5] {
        check(text, vec![active(0.9), fixed(depth)]);
    }
}

/// A pointer that may lead to a global with a shadow has none, and nobody looks behind it: the callee only hands it on.
#[test]
fn pointers_that_are_only_handed_on() {
    let text = "
global @a: [2 x double] = [2 x double] (double 1.0, double 2.0)
global @b: [2 x double] = [2 x double] (double 3.0, double 4.0)
global @t: [2 x ptr] = [2 x ptr] (@b, @a)
function @f(%x: double, %n: i32) -> double {
^entry:
  %p: ptr = load @t
  %u: double = call @g(%n, double 1.0, %p)
  %v: double = call @h(%n, %x, @a)
  %r: double = fadd %u, %v
  ret %r
}
function @g(%n: i32, %x: double, %p: ptr) -> double {
^entry:
  %r: double = fmul %x, %x
  ret %r
}
function @h(%n: i32, %x: double, %p: ptr) -> double {
^entry:
  store %x, @b
  %more: i1 = icmp sgt %n, i32 0
  br %more, ^again, ^exit
^again:
  %less: i32 = sub %n, i32 1
  %v: double = call @h(%less, %x, %p)
  br ^exit
^exit:
  %w: double = load @b
  %r: double = fmul %w, %x
  ret %r
}
";
    check(text, vec![active(1.5), fixed(2)]);
}

/// Where a callee chooses between a global with something active and another, both have a shadow there. So the other has one
/// already where it is handed over, there and further up.
#[test]
fn chosen_by_what_is_called() {
    for chosen in ["select %c, @a, @b", "select %c, %q, @b"] {
        let text = format!(
            "
global @a: [2 x double] = [2 x double] (double 1.0, double 2.0)
global @b: [2 x double] = [2 x double] (double 3.0, double 4.0)
function @f(%x: double, %n: i32) -> double {{
^entry:
  %r: double = call @g(%n, %x, @b, @a)
  %s: double = fmul %r, %x
  ret %s
}}
function @g(%n: i32, %x: double, %p: ptr, %q: ptr) -> double {{
^entry:
  %r: double = call @h(%n, %x, %p, %q)
  %s: double = fmul %r, %x
  ret %s
}}
function @h(%n: i32, %x: double, %p: ptr, %q: ptr) -> double {{
^entry:
  store %x, @a
  %c: i1 = icmp sgt %n, i32 0
  %one: ptr = {chosen}
  %v: double = load %one
  %at: ptr = gep %p, i64 1 over double by(8)
  %w: double = load %at
  %s: double = fmul %v, %w
  %r: double = fmul %s, %x
  ret %r
}}
"
        );
        for n in [0, 1] {
            check(&text, vec![active(1.5), fixed(n)]);
        }
    }
}

/// The same where a table leads to both.
#[test]
fn found_by_what_is_called() {
    let text = "
global @a: [2 x double] = [2 x double] (double 1.0, double 2.0)
global @b: [2 x double] = [2 x double] (double 3.0, double 4.0)
global @t: [2 x ptr] = [2 x ptr] (@b, @a)
function @f(%x: double, %n: i32) -> double {
^entry:
  %r: double = call @h(%n, %x, @b)
  %s: double = fmul %r, %x
  ret %s
}
function @h(%n: i32, %x: double, %p: ptr) -> double {
^entry:
  store %x, @a
  %at: ptr = gep @t, %n over ptr by(8)
  %one: ptr = load %at
  %v: double = load %one
  %w: double = load %p
  %s: double = fmul %v, %w
  %r: double = fmul %s, %x
  ret %r
}
";
    for n in [0, 1] {
        check(text, vec![active(1.5), fixed(n)]);
    }
}

/// The callee makes a shadow of a global whose bytes it also moves as integers, so that its caller cannot share it: the derivative
/// ends with a message when it finds both (seed 44017517).
#[test]
fn refused_when_it_runs() {
    let text = "
global @a: [2 x double] local address_taken = [2 x double] (double -1.75, double -1.5)
global @t: [2 x ptr] = [2 x ptr] (@a, @a)
function @f(%x: double) -> double {
^entry:
  %y: double = call @g(%x, @a)
  ret double 1.0
}
function @g(%x: double, %p: ptr) -> double {
^entry:
  %w: i64 = load %p align 8
  store %w, %p align 8
  %q: ptr = load @t
  store %x, %q
  ret double 1.0
}
";
    refused(text, vec![active(1.3)], "two shadows of one memory");
}

//! Memory that nobody follows: addresses made of numbers, numbers made of addresses, and pointers that are moved as floats. A
//! plan of a function without such is held against the same function with it.

mod checker;

use backsweep_core::check::Obligation::NothingUnknown;
use backsweep_core::config::Config;
use backsweep_core::plan::make_plan;
use backsweep_core::request::Mode;
use checker::{Case, assert_none, judge, says};

/// An active cell beside another, and a callee that is given nothing active.
const CELLS: &str = "global @kept: i64 local = i64 0
global @other: double local = double 2.0
declare @outside() -> i64
function @read(%n: i64) -> double {
^entry:
  %u: ptr = gep @other, i64 0 over double by(8)
  %v: double = load %u
  ret %v
}
function @f(%x: double, %n: i64) -> double {
^entry:
  %cell: ptr = alloca i32 1 of double bytes 8 align 8
  %place: ptr = alloca i32 1 of i64 bytes 8 align 8
  %y: double = fmul %x, %x
  store %y, %cell
  %u: ptr = gep @other, i64 0 over double by(8)
  %w: double = load %u
  %number: i64 = add %n, i64 8
  store %number, %place
  %c: double = call @read(%n)
  %z: double = load %cell
  %s: double = fadd %z, %c
  %r: double = fadd %s, %w
  ret %r
}";

#[test]
fn nothing_is_touched_where_nobody_knows_whose_it_is() {
    let here = "  %u: ptr = gep @other, i64 0 over double by(8)\n  %w";
    let faults = judge(CELLS, here, "  %u: ptr = inttoptr %n\n  %w", &[]);
    says(&faults, NothingUnknown, "touches memory that is not followed");
    let there = "%u: ptr = gep @other, i64 0 over double by(8)\n  %v";
    let faults = judge(CELLS, there, "%u: ptr = inttoptr %n\n  %v", &[]);
    says(&faults, NothingUnknown, "touches memory that is not followed");
    let written = "%v: double = load %u\n";
    let text =
        CELLS.replace(there, "%u: ptr = gep @other, i64 0 over double by(8)\n  store double 3.0, %u\n  %v");
    assert_none(&Case::new(&text).faults(&Case::new(&text).gradient()));
    let faults = judge(
        &text,
        "%u: ptr = gep @other, i64 0 over double by(8)\n  store",
        "%u: ptr = inttoptr %n\n  store",
        &[],
    );
    says(&faults, NothingUnknown, "touches memory that is not followed");
    assert!(text.contains(written));
}

/// As a stream is asked for what it knows of its own layout.
#[test]
fn behind_a_pointer_that_is_found_there_nothing_but_integers_is_read() {
    let here = "  %u: ptr = gep @other, i64 0 over double by(8)\n  %w";
    let asked = "  %t: ptr = inttoptr %n
  %found: ptr = load %t
  %near: ptr = gep %found, i64 8 over i8 by(1)
  %k: i64 = load %near
  %more: i1 = icmp eq %k, i64 3
";
    let text = CELLS.replace(here, &format!("{asked}{here}"));
    assert_none(&Case::new(&text).faults(&Case::new(&text).gradient()));
    let others = [
        ("%k: i64 = load %near\n  %more: i1 = icmp eq %k, i64 3", "%k: double = load %near"),
        ("%more: i1 = icmp eq %k, i64 3", "store %near, %place"),
    ];
    for (integer, other) in others {
        let faults = judge(&text, integer, other, &[]);
        says(&faults, NothingUnknown, "touches memory that is not followed");
    }
}

#[test]
fn no_address_of_what_has_a_shadow_is_kept_as_a_number() {
    let line = "%number: i64 = add %n, i64 8";
    let faults = judge(CELLS, line, "%number: i64 = ptrtoint %cell", &[]);
    says(&faults, NothingUnknown, "keeps the address of what has a shadow as a number");
    assert_none(&judge(CELLS, line, "%number: i64 = ptrtoint %place", &[]));
    let text = &format!("declare @llvm.umax.i64(i64, i64) -> i64\n{CELLS}");
    let larger = "%at: i64 = ptrtoint %cell\n  %end: i64 = add %at, i64 8\n  %number: i64 = call @llvm.umax.i64(%at, %end)";
    says(
        &judge(text, line, larger, &[]),
        NothingUnknown,
        "keeps the address of what has a shadow as a number",
    );
}

/// How far a walk goes that ends at the larger of two addresses is a number, and the larger one is an address.
#[test]
fn the_larger_of_two_addresses_is_one() {
    let with = |last: &str| {
        let line = "  %number: i64 = add %n, i64 8\n";
        let walk = format!(
            "  %at: i64 = ptrtoint %cell\n  %end: i64 = add %at, i64 8\n  %larger: i64 = call @llvm.umax.i64(%at, %end)\n{last}"
        );
        let text = format!("declare @llvm.umax.i64(i64, i64) -> i64\n{CELLS}").replace(line, &walk);
        let case = Case::new(&text);
        make_plan(
            &case.function,
            &case.program,
            &case.rules,
            &case.request(Mode::Gradient),
            &Config::default(),
        )
    };
    assert!(with("  %number: i64 = sub %larger, %at\n").is_ok());
    assert!(with("  %number: i64 = sub %larger, i64 8\n").is_err());
}

/// A float is moved from one array to another, where a pointer may lie by what is read there.
const MOVED: &str = "function @f(%x: double, %q: ptr, %i: i64) -> double {
^entry:
  %from: ptr = alloca i32 4 of double bytes 32 align 8
  %to: ptr = alloca i32 4 of double bytes 32 align 8
  %here: ptr = gep %from, %i over double by(8)
  %there: ptr = gep %to, %i over double by(8)
  %beside: ptr = gep %to, %i over double by(16)
  store %x, %here
  %v: double = load %here
  store %v, %there
  %r: double = load %there
  ret %r
}";

#[test]
fn no_pointer_is_moved_as_a_float() {
    let line = "  %v: double = load %here\n  store %v, %there\n";
    let among = |pointer: &str| {
        format!(
            "  store %q, %here\n  %v: double = load %here\n  store %v, %there\n  %p: ptr = load {pointer}\n"
        )
    };
    says(&judge(MOVED, line, &among("%there"), &[1]), NothingUnknown, "moves a float that may be a pointer");
    let elsewhere = judge(MOVED, line, &among("%beside"), &[1]);
    assert!(!elsewhere.iter().any(|fault| fault.message.contains("moves a float")), "{elsewhere:#?}");
}

/// A variable whose address code out of sight is given.
const LEFT: &str = "declare @lend(ptr, i64)
function @pass(%at: ptr) {
^entry:
  call @lend(%at, i64 1)
  ret
}
function @f(%x: double, %q: ptr) -> double {
^entry:
  %cell: ptr = alloca i32 1 of double bytes 8 align 8
  %place: ptr = alloca i32 1 of ptr bytes 8 align 8
  %y: double = fmul %x, %x
  store %y, %cell
  store %q, %place
  %p: ptr = load %place
  %v: double = load %p
  %z: double = load %cell
  %r: double = fadd %z, %v
  ret %r
}";

#[test]
fn a_pointer_that_may_have_been_left_by_others_is_not_followed() {
    let line = "  %p: ptr = load %place\n";
    let here = format!("  call @lend(%place, i64 1)\n{line}");
    says(&judge(LEFT, line, &here, &[]), NothingUnknown, "touches memory that is not followed");
    let there = format!("  call @pass(%place)\n{line}");
    says(&judge(LEFT, line, &there, &[]), NothingUnknown, "touches memory that is not followed");
}

/// What lies in one array is moved to another as a pointer.
const CARRIED: &str = "function @f(%x: double, %q: ptr, %i: i64) -> double {
^entry:
  %from: ptr = alloca i32 4 of double bytes 32 align 8
  %to: ptr = alloca i32 4 of double bytes 32 align 8
  %kept: ptr = alloca i32 1 of ptr bytes 8 align 8
  %here: ptr = gep %from, %i over double by(8)
  %there: ptr = gep %to, i64 2 over double by(8)
  store %q, %kept
  store %x, %here
  %v: double = load %here
  store %v, %there
  %r: double = load %there
  ret %r
}";

#[test]
fn no_float_is_moved_as_a_pointer() {
    let line = "  %v: double = load %here\n  store %v, %there\n";
    let moved = |from: &str, to: &str| format!("{line}  %p: ptr = load {from}\n  store %p, {to}\n");
    let finds = |from: &str, to: &str| {
        let faults = judge(CARRIED, line, &moved(from, to), &[1]);
        faults.iter().any(|fault| fault.message.contains("moves a pointer that may be a float"))
    };
    // One end is enough where it is surely a float's, and both where they may be.
    assert!(finds("%here", "%kept"));
    assert!(finds("%kept", "%there"));
    assert!(!finds("%kept", "%kept"));
}

/// Structs of two floats, which an index chooses between, and a pointer.
const NODES: &str = "function @f(%x: double, %q: ptr, %i: i64, %j: i64) -> double {
^entry:
  %nodes: ptr = alloca i32 12 of double bytes 96 align 8
  %node: ptr = gep inbounds %nodes, %i over [3 x double] by(24)
  %other: ptr = gep inbounds %nodes, %j over [3 x double] by(24)
  %number: ptr = gep inbounds %node, %j over double by(8)
  %link: ptr = gep inbounds %node, i64 16 over i8 by(1)
  %next: ptr = gep inbounds %other, i64 16 over i8 by(1)
  store %x, %number stepped
  store %q, %link
  %v: double = load %number stepped
  ret %v
}";

#[test]
fn an_index_into_an_array_beside_a_pointer_makes_no_float_of_it() {
    let line = "  %v: double = load %number stepped\n";
    let finds = |moved: &str| {
        let faults = judge(NODES, line, &format!("{moved}{line}"), &[1]);
        faults.iter().any(|fault| fault.message.contains("moves a pointer that may be a float"))
    };
    let moved =
        |read: &str, written: &str| format!("  %p: ptr = load %link{read}\n  store %p, %next{written}\n");
    assert!(finds(&moved("", "")));
    // One end tells what is moved.
    assert!(!finds(&moved(" stepped", "")));
    assert!(!finds(&moved("", " stepped")));
    assert!(!finds(&moved(" stepped", " stepped")));
    // An array that is in no struct by its type may be anything.
    let float = format!("  store %x, %number\n{}", moved(" stepped", " stepped"));
    assert!(finds(&float));
    // A float at the member itself is one, whatever was declared.
    let float = format!("  store %x, %next\n{}", moved(" stepped", " stepped"));
    assert!(finds(&float));
}

#[test]
fn nothing_is_read_as_what_was_not_put_there() {
    let line = "  %r: double = load %there\n";
    let put = |value: &str, ty: &str| format!("  store {value}, %kept\n  %r: {ty} = load %kept\n");
    says(
        &judge(CARRIED, line, &put("%q", "double"), &[1]),
        NothingUnknown,
        "reads what was put as something",
    );
    let either = format!("  store %v, %kept\n{}", put("%q", "double"));
    let reads = |text: &str| {
        let faults = judge(CARRIED, line, text, &[1]);
        faults.iter().any(|fault| fault.message.contains("reads what was put as something else"))
    };
    assert!(!reads(&either));
    let made = "  %p: ptr = load %there\n  %r: double = load %p\n";
    assert!(reads(made));
}

/// Twelve floats and twelve integers behind them, of which indices choose.
const BESIDE: &str = "function @f(%x: double, %i: i64, %j: i64) -> double {
^entry:
  %whole: ptr = alloca i32 18 of double bytes 144 align 8
  %number: ptr = gep inbounds %whole, %i over double by(8)
  %counts: ptr = gep inbounds %whole, i64 96 over i8 by(1)
  %count: ptr = gep inbounds %counts, %j over i32 by(4)
  %first: ptr = gep inbounds %whole, %j over i32 by(4)
  store i32 3, %count integer
  store %x, %number stepped
  %v: double = load %number stepped
  %k: i32 = load %count integer
  %n: double = sitofp %k
  %r: double = fmul %v, %n
  ret %r
}";

#[test]
fn an_index_into_integers_beside_floats_makes_no_number_of_bits() {
    let line = "  %v: double = load %number stepped\n  %k: i32 = load %count integer\n";
    let finds = |float: &str, integer: &str| {
        let with = format!("  %v: double = load %number{float}\n  %k: i32 = load {integer}\n");
        let faults = judge(BESIDE, line, &with, &[]);
        faults.iter().any(|fault| fault.message.contains("makes a number of what may be a float's bits"))
    };
    assert!(!finds(" stepped", "%count integer"));
    // Both have to be declared, and to begin at different places.
    assert!(finds("", "%count integer"));
    assert!(finds(" stepped", "%count"));
    assert!(finds(" stepped", "%first integer"));
}

//! What conditions, loops, addresses, calls and exceptions do to linearity.

mod linearity;

use linearity::{describe, words};

/// What a condition on a variable decides follows no line.
#[test]
fn what_a_condition_decides_is_nonlinear_in_it() {
    let lines = words(&describe(
        "function @f(%x: double, %y: double, %z: double) -> double {
^entry:
  %less: i1 = fcmp olt %x, double 0.0
  br %less, ^yes, ^no
^yes:
  %minus: double = fneg %y
  br ^no
^no:
  %r: double = phi ^entry: %y, ^yes: %minus
  %c: i1 = fcmp olt %z, double 1.0
  %s: double = select %c, %r, double 0.0
  ret %s
}",
    ));
    assert_eq!(lines[1..], ["x y z", "result nonlinear linear nonlinear"]);
}

/// How often a loop runs decides what it leaves, in registers and in memory.
#[test]
fn the_length_of_a_loop_decides_what_it_leaves() {
    let lines = words(&describe(
        "function @f(%end: double, %step: double, %p: ptr) -> double {
^entry:
  br ^head
^head:
  %t: double = phi ^entry: double 0.0, ^body: %later
  %k: double = phi ^entry: double 0.0, ^body: %more
  %go: i1 = fcmp olt %t, %end
  br %go, ^body, ^exit
^body:
  %later: double = fadd %t, double 1.0
  %more: double = fadd %k, %step
  %s = store double 1.0, %p
  br ^head
^exit:
  ret %k
loop 0 header ^head preheader ^entry blocks(^head, ^body) latches(^body) exiting(^head) exits(^exit)
}",
    ));
    let rows = ["p nonlinear ⊤ ⊤ nonlinear ⊤", "result nonlinear linear ⊤ nonlinear linear"];
    assert_eq!(lines[1], "end step p %4 %5");
    assert_eq!([lines[2].as_str(), lines[5].as_str()], rows);
}

/// An address that depends on a variable, and calls: of a factor that is constant at the call nothing is known inside.
#[test]
fn calls_and_addresses() {
    let text = "function @scale(%p: ptr, %by: double, %n: i64) -> double {
^entry:
  %old: double = load %p
  %new: double = fmul %old, %by
  %s = store %new, %p
  %r: double = fadd %new, double 2.0
  ret %r
}
function @f(%x: ptr noalias, %y: ptr noalias, %t: ptr noalias) -> double {
^entry:
  %first: double = call @scale(%x, double 3.0, i64 1)
  %factor: double = load %x
  %second: double = call @scale(%y, %factor, i64 1)
  %whole: i64 = fptosi %second
  %place: ptr = gep inbounds %t, %whole over double by(8)
  %found: double = load %place
  %sum: double = fadd %found, %first
  ret %sum
}";
    let lines = words(&describe(text));
    let of_f = lines.iter().position(|line| line == "linearity of @f").expect("it is there");
    let table = [
        "x y t",
        "x linear ⊤ ⊤",
        "y nonlinear (degree 2) nonlinear (degree 2) ⊤",
        "t ⊤ ⊤ ⊤",
        "result nonlinear nonlinear linear",
    ];
    assert_eq!(lines[of_f + 1..], table);
}

/// Whether a call throws is decided by what it is given.
#[test]
fn an_exception_is_a_condition() {
    let lines = words(&describe(
        "declare @g(double) -> void
declare @backsweep.threw() -> i1
function @f(%x: double, %y: double) -> double {
^entry:
  %call = call @g(%x) attributes('backsweep-guarded', 'memory(none)')
  %threw: i1 = call @backsweep.threw() attributes('memory(none)')
  br %threw, ^caught, ^on
^caught:
  br ^on
^on:
  %r: double = phi ^entry: double 1.0, ^caught: %y
  ret %r
}",
    ));
    assert_eq!(lines[1..], ["x y", "result nonlinear linear"]);
}

/// `s = s*x[i]` reads the product of the iterations before; `s = s + x[i]` nothing. What an inner branch decides counts too.
#[test]
fn what_a_register_carries() {
    let text = "function @f(%x: ptr noalias, %n: i64) -> double {
^entry:
  br ^head
^head:
  %i: i64 = phi ^entry: i64 0, ^latch: %next
  %s: double = phi ^entry: double 1.0, ^latch: %later
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %p: ptr = gep inbounds %x, %i over double by(8)
  %xi: double = load %p
    memory reads pointer %p objects(param %x) class 0
  %c: i1 = fcmp olt TESTED, double 2.0
  br %c, ^small, ^latch
^small:
  %square: double = fmul %xi, %xi
  br ^latch
^latch:
  %t: double = phi ^body: %xi, ^small: %square
  %later: double = OP %s, %t
  %next: i64 = add nuw nsw %i, i64 1
  br ^head
^exit:
  ret %s
loop 0 header ^head preheader ^entry blocks(^head, ^body, ^small, ^latch) latches(^latch) exiting(^head) exits(^exit) back_edges (smax i64 0 %n)
}";
    let verdict = |tested: &str, op: &str| {
        let text = text.replace("TESTED", tested).replace("OP", op);
        words(&describe(&text)).last().cloned().unwrap_or_default()
    };
    assert_eq!(verdict("%xi", "fadd"), "use by use: linear");
    assert_eq!(
        verdict("%xi", "fmul"),
        "use by use: nonlinear: the reverse of %14 reads %4, made of %4 of another iteration"
    );
    let decided = verdict("%s", "fadd");
    assert!(decided.starts_with("use by use: nonlinear:") && decided.contains("reads %9"), "{decided}");
}

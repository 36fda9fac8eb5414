//! The examples of the linearity paper, as models: figures 1, 5 and 8, with table 1.

mod linearity;

use linearity::{describe, words};

/// Every variable in memory, as in the paper: `a += x[i]*x[i]; t = sin(a); f += t`.
const FIGURE_1: &str = "declare @sin(double) -> double
function @figure1(%f: ptr noalias, %t: ptr noalias, %a: ptr noalias, %x: ptr noalias, %n: i64) -> void {
^entry:
  %a0 = store double 0.0, %a
    memory writes pointer %a objects(param %a) class 0
  %f0 = store double 0.0, %f
    memory writes pointer %f objects(param %f) class 0
  br ^head
^head:
  %i: i64 = phi ^entry: i64 0, ^body: %next
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %at: ptr = gep inbounds %x, %i over double by(8)
  %xi: double = load %at
    memory reads pointer %at objects(param %x) class 0
  %square: double = fmul %xi, %xi
  %a1: double = load %a
    memory reads pointer %a objects(param %a) class 0
  %a2: double = fadd %a1, %square
  %a3 = store %a2, %a
    memory writes pointer %a objects(param %a) class 0
  %a4: double = load %a
    memory reads pointer %a objects(param %a) class 0
  %sine: double = call @sin(%a4) library
  %t1 = store %sine, %t
    memory writes pointer %t objects(param %t) class 0
  %f1: double = load %f
    memory reads pointer %f objects(param %f) class 0
  %t2: double = load %t
    memory reads pointer %t objects(param %t) class 0
  %f2: double = fadd %f1, %t2
  %f3 = store %f2, %f
    memory writes pointer %f objects(param %f) class 0
  %next: i64 = add nuw nsw %i, i64 1
  br ^head
^exit:
  ret
loop 0 header ^head preheader ^entry blocks(^head, ^body) latches(^body) exiting(^head) exits(^exit) back_edges %n
}
";

#[test]
fn table_1() {
    let lines = words(&describe(FIGURE_1));
    let table = [
        "f t a x",
        "f linear linear nonlinear nonlinear",
        "t ⊤ ⊤ nonlinear nonlinear",
        "a ⊤ ⊤ linear nonlinear (degree 2)",
        "x ⊤ ⊤ ⊤ ⊤",
    ];
    assert_eq!(lines[1..6], table);
}

/// What the paper says of figure 1, that its loop carries linear dependences only, is not enough: the derivative of the sine
/// reads the sum.
#[test]
fn the_sum_of_figure_1_is_needed() {
    let lines = words(&describe(FIGURE_1));
    assert_eq!(lines[6], "loop figure1.0: carries a, f");
    assert_eq!(lines[7], "plain: nonlinear: f depends on a, t depends on a");
    assert_eq!(
        lines[8],
        "use by use: nonlinear: the reverse of %18 reads %17, made of a of another iteration"
    );
}

/// Both ways through `if (flag)`; the loop is that of `u = u*x`. Control on an integer is none on a variable.
const FIGURE_5: &str = "declare @sin(double) -> double
function @figure5(%a: ptr noalias, %b: ptr noalias, %d: ptr noalias, %f: ptr noalias, %u: ptr noalias, %x: ptr noalias, %flag: i1) -> void {
^entry:
  br %flag, ^yes, ^no
^yes:
  %b1: double = load %b
  %s1 = store %b1, %a
  %a1: double = load %a
  %d1: double = call @sin(%a1) library
  %s2 = store %d1, %d
  %x1: double = load %x
  %s3 = store %x1, %u
  br ^join
^no:
  %b2: double = load %b
  %b3: double = fadd %b2, double 1.0
  %s4 = store %b3, %a
  br ^head
^head:
  %i: i64 = phi ^no: i64 0, ^body: %next
  %more: i1 = icmp slt %i, i64 10
  br %more, ^body, ^join
^body:
  %u2: double = load %u
  %x2: double = load %x
  %u3: double = fmul %u2, %x2
  %s5 = store %u3, %u
  %next: i64 = add nuw nsw %i, i64 1
  br ^head
^join:
  %u4: double = load %u
  %s6 = store %u4, %f
  ret
loop 0 header ^head preheader ^no blocks(^head, ^body) latches(^body) exiting(^head) exits(^join) back_edges i64 10
}
";

#[test]
fn figure_5() {
    let lines = words(&describe(FIGURE_5));
    let table = [
        "a b d f u x",
        "a ⊤ linear ⊤ ⊤ ⊤ ⊤",
        "b ⊤ ⊤ ⊤ ⊤ ⊤ ⊤",
        "d nonlinear nonlinear ⊤ ⊤ ⊤ ⊤",
        "f ⊤ ⊤ ⊤ ⊤ nonlinear nonlinear",
        "u ⊤ ⊤ ⊤ ⊤ nonlinear nonlinear",
        "x ⊤ ⊤ ⊤ ⊤ ⊤ ⊤",
    ];
    assert_eq!(lines[1..8], table);
}

/// `b[i] = 3*x[i]; c[i] = b[i-1] + b[i]*x[i]`.
const FIGURE_8: &str = "function @figure8(%x: ptr noalias, %b: ptr noalias, %c: ptr noalias, %n: i64) -> void {
^entry:
  br ^head
^head:
  %i: i64 = phi ^entry: i64 1, ^body: %next
  %more: i1 = icmp slt %i, %n
  br %more, ^body, ^exit
^body:
  %px: ptr = gep inbounds %x, %i over double by(8)
  %xi: double = load %px
    memory reads pointer %px objects(param %x) class 0
  %three: double = fmul %xi, double 3.0
  %pb: ptr = gep inbounds %b, %i over double by(8)
  %bi = store %three, %pb
    memory writes pointer %pb objects(param %b) class 0
  %before: i64 = sub nsw %i, i64 1
  %pp: ptr = gep inbounds %b, %before over double by(8)
  %bb: double = load %pp
    memory reads pointer %pp objects(param %b) class 0
  %same: double = load %pb
    memory reads pointer %pb objects(param %b) class 0
  %product: double = fmul FACTOR, %xi
  %sum: double = fadd %bb, %product
  %pc: ptr = gep inbounds %c, %i over double by(8)
  %ci = store %sum, %pc
    memory writes pointer %pc objects(param %c) class 0
  %next: i64 = add nuw nsw %i, i64 1
  br ^head
^exit:
  ret
loop 0 header ^head preheader ^entry blocks(^head, ^body) latches(^body) exiting(^head) exits(^exit) back_edges (add %n i64 -1)
}
";

#[test]
fn figure_8_has_no_nonlinear_dependence_between_iterations() {
    let lines = words(&describe(&FIGURE_8.replace("FACTOR", "%same")));
    assert_eq!(
        lines[1..5],
        ["x b c", "x ⊤ ⊤ ⊤", "b linear ⊤ ⊤", "c nonlinear (degree 2) nonlinear (degree 2) ⊤"]
    );
    assert_eq!(
        lines[5..8],
        ["loop figure8.0: carries b", "plain: nonlinear: c depends on b", "use by use: linear"]
    );
}

/// The same with `b[i-1]` in the product.
#[test]
fn figure_8_with_the_other_element_has_one() {
    let lines = words(&describe(&FIGURE_8.replace("FACTOR", "%bb")));
    let wanted = "use by use: nonlinear: the reverse of %17 reads %15, made of b of another iteration";
    assert_eq!(lines[7], wanted);
}

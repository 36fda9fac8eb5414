//! The examples of the linearity paper, as models: figures 1, 5 and 8, with table 1.

use backsweep_core::analyses::linearity::table::describe_linearity;
use backsweep_core::model::{parse_program, verify};
use backsweep_core::rules::Rules;

fn describe(text: &str) -> String {
    let program = parse_program(text).unwrap_or_else(|error| panic!("{error:?} in {text}"));
    assert_eq!(verify(&program), [], "a test program is a model");
    describe_linearity(&program, &Rules::new())
}

/// The words of each line, without what is only layout.
fn words(text: &str) -> Vec<String> {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

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
    println!("{}", describe(FIGURE_1));
    let lines = words(&describe(FIGURE_1));
    assert_eq!(lines[1], "f t a x");
}

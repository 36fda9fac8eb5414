//! Forward mode over a function that keeps records on the tape: both sides of a record are as wide, or it is rejected; where one
//! side is not to be seen it is refused.

mod checker;

use backsweep_core::check::Obligation;
use backsweep_core::config::Config;
use backsweep_core::model::{Constant, Operand, ValueId};
use backsweep_core::plan::make_plan;
use backsweep_core::request::Mode;
use checker::edit::{inst_mut, remove};
use checker::written::Written;
use checker::{Case, assert_only};

/// What the gradient of a loop looks like to who differentiates it; another record has nothing active in it.
const TAPED: &str = r#"declare @bs_tape_of_thread() -> ptr
declare @backsweep.cursor.open(ptr, ptr) -> void
declare @backsweep.cursor.store(ptr) -> void
declare @backsweep.push(ptr, i64, ptr) -> ptr
declare @backsweep.pop(ptr, i64, ptr) -> ptr

function @f(%x: double, %bytes: i64, %k: i64) -> double {
^entry:
  %cursor: ptr = alloca i32 1 of {ptr, ptr, ptr, ptr, i64, ptr} bytes 48 align 8
  %tape: ptr = call @bs_tape_of_thread()
  call @backsweep.cursor.open(%cursor, %tape)
  %a: ptr = call @backsweep.push(%cursor, i64 8, ptr null) attributes("backsweep-record.df.block1")
  store %x, %a
  %b: ptr = call @backsweep.push(%cursor, %bytes, ptr null) attributes("backsweep-record.df.loop2")
  store %x, %b
  %c: ptr = call @backsweep.push(%cursor, i64 8, ptr null) attributes("backsweep-record.df.block3")
  store %k, %c
  %d: ptr = call @backsweep.pop(%cursor, i64 8, ptr null) attributes("backsweep-record.df.block3")
  %e: ptr = call @backsweep.pop(%cursor, %bytes, ptr null) attributes("backsweep-record.df.loop2")
  %y: double = load %e
  %g: ptr = call @backsweep.pop(%cursor, i64 8, ptr null) attributes("backsweep-record.df.block1")
  %z: double = load %g
  call @backsweep.cursor.store(%cursor)
  %r: double = fmul %y, %z
  ret %r
}"#;

fn write(text: &str) -> Written {
    let case = Case::new(text);
    let mut request = case.request(Mode::Tangent);
    request.width = 2;
    Written::of(case, &request)
}

impl Written {
    /// The number of bytes of a push or pop, where it is one.
    fn bytes(&mut self, call: ValueId) -> Option<u128> {
        match &inst_mut(&mut self.derived, call).operands[1] {
            Operand::Const(Constant::Int { value, .. }) => Some(*value),
            _ => None,
        }
    }
}

#[test]
fn what_is_active_is_wider() {
    let mut written = write(TAPED);
    let (pushes, pops) = (written.calls("backsweep.push"), written.calls("backsweep.pop"));
    let bytes: Vec<Option<u128>> = pushes.into_iter().chain(pops).map(|call| written.bytes(call)).collect();
    assert_eq!(bytes, [Some(24), None, Some(8), Some(8), None, Some(24)]);
}

#[test]
fn one_side_that_is_not() {
    for (at, bytes) in [(0, 8), (1, 24), (2, 24)] {
        let mut written = write(TAPED);
        let push = written.calls("backsweep.push")[at];
        inst_mut(&mut written.derived, push).operands[1] = Operand::Const(Constant::int(64, bytes));
        assert_only(&written.faults(), Obligation::Records, "times as wide as it was");
    }
}

/// What is said of a program in which the first text is the second.
fn refusal(mode: Mode, from: &str, to: &str) -> String {
    assert!(TAPED.contains(from), "the program has that");
    let case = Case::new(&TAPED.replacen(from, to, 1));
    let planned =
        make_plan(&case.function, &case.program, &case.rules, &case.request(mode), &Config::default());
    planned.map(|_| ()).expect_err("it is refused")[0].to_string()
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let other = refusal(Mode::Tangent, "df.block1", "df.block9");
    assert!(other.contains("leaves its records to another function"), "{other}");
    let split = refusal(Mode::Tangent, "call @bs_tape_of_thread()", "alloca i32 1 of ptr bytes 8 align 8");
    assert!(split.contains("two halves of split mode"), "{split}");
    let reverse = refusal(Mode::Gradient, "df.block1", "df.block1");
    assert!(reverse.contains("only forward mode goes over those"), "{reverse}");
}

/// Memory of its own that a derivative frees when it is over.
const PUT_OFF: &str = r#"declare @bs_tape_of_thread() -> ptr
declare @bs_rt_put_off(ptr, ptr, ptr, ptr, ptr) -> void
declare @malloc(i64) -> ptr
declare @free(ptr) -> void

function @f(%x: double) -> double {
^entry:
  %tape: ptr = call @bs_tape_of_thread()
  %made: ptr = call @malloc(i64 8)
  call @bs_rt_put_off(%tape, %made, @free, ptr null, ptr null)
  store %x, %made
  %y: double = load %made
  %r: double = fmul %y, %y
  ret %r
}"#;

#[test]
fn shadows_are_put_off_with_their_memory() {
    let mut written = write(PUT_OFF);
    let calls = written.calls("bs_rt_put_off");
    assert_eq!(calls.len(), 3, "the memory and its shadow in each direction");
    remove(&mut written.derived, calls[2]);
    assert_only(&written.faults(), Obligation::Records, "shadows are put off with their memory");
}

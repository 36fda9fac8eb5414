//! What is put off goes on the list of the tape, and the list is closed on every way out; a derivative that forgets it is
//! rejected.

mod checker;

use backsweep_core::check::Obligation;
use backsweep_core::model::{Constant, Operand, Type};
use backsweep_core::request::Mode;
use checker::edit::{inst_mut, move_to, remove, repeat};
use checker::written::Written;
use checker::{Case, assert_only};

/// Frees what the caller made.
const FREED: &str = "declare @free(ptr)

function @f(%x: ptr, %node: ptr) -> double {
^entry:
  %a: double = load %x
  %b: double = load %node
  %y: double = fmul %a, %b
  call @free(%node)
  ret %y
}";

/// Memory of its own, in a function that may be left by an exception.
const LEFT: &str = "declare @malloc(i64) -> ptr attributes(nounwind)
declare @free(ptr) attributes(nounwind)
declare @tick() -> double

function @f(%x: ptr) -> double {
^entry:
  %made: ptr = call @malloc(i64 8)
  %a: double = load %x
  store %a, %made
  %t: double = call @tick()
  %b: double = load %made
  %c: double = fmul %b, %t
  %y: double = fmul %c, %b
  call @free(%made)
  ret %y
}";

fn write(text: &str, mode: Mode) -> Written {
    let case = Case::new(text);
    let mut request = case.request(mode);
    request.width = 2;
    Written::of(case, &request)
}

impl Written {
    /// Says which calls of which names are written.
    fn count(&self) -> [usize; 4] {
        [OPEN, CLOSE, UNWINDING, ENTRY].map(|name| self.calls(name).len())
    }
}

const OPEN: &str = "bs_rt_put_off_open";
const CLOSE: &str = "bs_rt_put_off_close";
const UNWINDING: &str = "backsweep.unwinding.bs_rt_put_off_close";
const ENTRY: &str = "bs_rt_put_off";

#[test]
fn lists_are_opened_by_derivatives_of_one_call() {
    assert_eq!(write(FREED, Mode::Gradient).count(), [1, 1, 0, 2]);
    assert_eq!(write(FREED, Mode::Augmented).count(), [0, 0, 0, 2]);
    assert_eq!(write(FREED, Mode::Reverse).count(), [0, 0, 0, 0]);
    // The memory, and the shadow of each direction.
    assert_eq!(write(LEFT, Mode::Gradient).count(), [1, 1, 1, 3]);
    assert_eq!(write(LEFT, Mode::Augmented).count(), [0, 0, 0, 3]);
    let quiet = write(&LEFT.replace("-> double\n\n", "-> double attributes(nounwind)\n\n"), Mode::Gradient);
    assert_eq!(quiet.count(), [0, 0, 0, 0]);
}

/// Rejects a derivative from which a call is taken, or to which one more is added.
fn without(text: &str, mode: Mode, call: &str, part: &str) {
    let mut written = write(text, mode);
    let call = written.calls(call)[0];
    remove(&mut written.derived, call);
    assert_only(&written.faults(), Obligation::Tape, part);
}

#[test]
fn a_list_left_open() {
    for text in [FREED, LEFT] {
        without(text, Mode::Gradient, CLOSE, "leaves the list of what is put off open");
    }
    without(LEFT, Mode::Gradient, UNWINDING, "does not close the list");
}

#[test]
fn a_list_opened_twice() {
    let mut written = write(FREED, Mode::Gradient);
    let open = written.calls(OPEN)[0];
    repeat(&mut written.derived, open);
    assert_only(&written.faults(), Obligation::Tape, "not opened once");
}

#[test]
fn something_forgotten() {
    without(FREED, Mode::Gradient, ENTRY, "are put off, and the plan has");
    let mut written = write(LEFT, Mode::Augmented);
    let shadow = *written.calls(ENTRY).last().expect("a shadow is put off");
    remove(&mut written.derived, shadow);
    assert_only(&written.faults(), Obligation::Tape, "a shadow that is made is not put off once");
}

#[test]
fn something_put_off_twice() {
    let mut written = write(LEFT, Mode::Augmented);
    let shadow = *written.calls(ENTRY).last().expect("a shadow is put off");
    repeat(&mut written.derived, shadow);
    assert_only(&written.faults(), Obligation::Tape, "a shadow that is made is not put off once");
}

#[test]
fn something_put_off_on_another_tape_or_behind_the_end() {
    let mut written = write(FREED, Mode::Gradient);
    let entry = written.calls(ENTRY)[0];
    inst_mut(&mut written.derived, entry).operands[0] = Operand::Const(Constant::Null(Type::PTR));
    assert_only(&written.faults(), Obligation::Tape, "the list of another tape");
    let mut written = write(FREED, Mode::Gradient);
    let close = written.calls(CLOSE)[0];
    inst_mut(&mut written.derived, close).operands[1] = Operand::Const(Constant::int(64, 0));
    assert_only(&written.faults(), Obligation::Tape, "leaves the list of what is put off open");
}

#[test]
fn a_plan_that_frees_where_the_reverse_sweep_need_not_come() {
    let case = Case::new(LEFT);
    let quiet = Case::new(&LEFT.replace("-> double\n\n", "-> double attributes(nounwind)\n\n"));
    let mut plan = quiet.gradient();
    plan.may_be_left = true;
    let faults = case.faults(&plan);
    assert!(faults.iter().any(|fault| fault.message.contains("and not both")), "{faults:?}");
}

#[test]
fn a_list_opened_elsewhere() {
    let mut written = write(FREED, Mode::Gradient);
    let open = written.calls(OPEN)[0];
    let close = checker::edit::home(&written.derived, written.calls(CLOSE)[0]);
    move_to(&mut written.derived, open, close);
    assert!(written.faults().iter().any(|fault| fault.message.contains("not opened once")));
}

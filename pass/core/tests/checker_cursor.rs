//! The tape's cursor and its state block say the same wherever somebody else may use the tape; a function in which they
//! do not is rejected.

mod checker;

use backsweep_core::check::Obligation;
use backsweep_core::model::{Operand, ValueId};
use backsweep_core::request::Mode;
use checker::edit::{home, inst_mut, move_to, remove, repeat};
use checker::written::Written;
use checker::{Case, assert_only};

const MODES: [Mode; 3] = [Mode::Gradient, Mode::Augmented, Mode::Reverse];

const STORE: &str = "backsweep.cursor.store";
const LOAD: &str = "backsweep.cursor.load";

/// A loop that leaves a record each time, and calls something that may differentiate on its own.
const LOOP_WITH_CALL: &str = "declare @tick(i32) -> double

declare @sin(double) -> double

function @f(%x: double, %n: i32) -> double {
^entry:
  br ^loop
^loop:
  %i: i32 = phi ^entry: i32 0, ^loop: %next
  %v: double = phi ^entry: %x, ^loop: %w
  %s: double = call @sin(%v) library
  %t: double = call @tick(%i)
  %w: double = fmul %s, %t
  %next: i32 = add %i, i32 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  ret %w
}";

fn write(mode: Mode) -> Written {
    let case = Case::new(LOOP_WITH_CALL);
    let request = case.request(mode);
    Written::of(case, &request)
}

impl Written {
    fn last(&self, name: &str) -> ValueId {
        *self.calls(name).last().expect("such a call is written")
    }
}

#[test]
fn only_calls_that_may_use_the_tape_are_surrounded() {
    for mode in MODES {
        let written = write(mode);
        let forward = usize::from(mode != Mode::Reverse);
        assert_eq!(written.calls("tick").len(), forward);
        assert_eq!(written.calls(LOAD).len(), forward, "the sine stays away from tapes");
    }
}

#[test]
fn a_call_with_the_cursor_not_stored() {
    for mode in [Mode::Gradient, Mode::Augmented] {
        let mut written = write(mode);
        let first = written.calls(STORE)[0];
        remove(&mut written.derived, first);
        assert_only(&written.faults(), Obligation::Tape, "state block is not up to date");
    }
}

#[test]
fn a_call_with_the_cursor_not_loaded() {
    let mut written = write(Mode::Gradient);
    let load = written.calls(LOAD)[0];
    remove(&mut written.derived, load);
    assert_only(&written.faults(), Obligation::Tape, "state block is not up to date");
}

#[test]
fn a_cursor_loaded_where_nobody_used_the_tape() {
    let mut written = write(Mode::Gradient);
    let load = written.calls(LOAD)[0];
    let end = home(&written.derived, written.last(STORE));
    move_to(&mut written.derived, load, end);
    assert!(written.faults().iter().any(|fault| fault.message.contains("drops what the cursor holds")));
}

#[test]
fn a_return_without_the_cursor_stored() {
    for mode in MODES {
        let mut written = write(mode);
        let last = written.last(STORE);
        remove(&mut written.derived, last);
        assert_only(&written.faults(), Obligation::Tape, "returns without storing the cursor");
    }
}

#[test]
fn a_tape_opened_elsewhere() {
    let mut written = write(Mode::Gradient);
    let open = written.calls("backsweep.cursor.open")[0];
    let end = home(&written.derived, written.last(STORE));
    move_to(&mut written.derived, open, end);
    assert!(written.faults().iter().any(|fault| fault.message.contains("uses a cursor that is not open")));
    let mut written = write(Mode::Gradient);
    let inside = home(&written.derived, written.calls("backsweep.push")[0]);
    let open = written.calls("backsweep.cursor.open")[0];
    move_to(&mut written.derived, open, inside);
    assert!(written.faults().iter().any(|fault| fault.message.contains("opened in a loop")));
    let mut written = write(Mode::Gradient);
    let open = written.calls("backsweep.cursor.open")[0];
    repeat(&mut written.derived, open);
    assert_only(&written.faults(), Obligation::Tape, "not opened exactly once");
}

#[test]
fn a_record_laid_through_something_else() {
    let mut written = write(Mode::Gradient);
    let tape = written.calls("bs_tape_of_thread")[0];
    let push = written.calls("backsweep.push")[0];
    inst_mut(&mut written.derived, push).operands[0] = Operand::Value(tape);
    assert_only(&written.faults(), Obligation::Tape, "through several cursors");
}

//! A list's head in a stack slot is no node: an address that stays in bounds, and would be behind the end of the slot or before its beginning,
//! is a node's.

mod checker;

use backsweep_core::analyses::pointers::{Base, Pointers};
use backsweep_core::model::Op;
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

/// `node` or the head of 16 bytes, from where `steps` lead to where a number is doubled. Whether that may be in the slot; the checker
/// takes the plan.
fn may_be_in_slot(steps: &str) -> bool {
    let case = Case::new(&format!(
        "function @f(%node: ptr, %c: i1, %n: i64) -> void {{
^entry:
  %head: ptr = alloca i32 1 of i128 bytes 16 align 8
  %other: ptr = gep inbounds %head, i64 8 over i8 by(1)
  %at: ptr = select %c, %other, %node
  br ^head
^head:
  %i: i64 = phi ^entry: i64 0, ^head: %next
  %walks: ptr = phi ^entry: %at, ^head: %walked
  {steps}
  %next: i64 = add %i, i64 1
  %walked: ptr = gep inbounds %walks, i64 4 over i8 by(1)
  %more: i1 = icmp slt %next, %n
  br %more, ^head, ^done
^done:
  %x: double = load %to
  %y: double = fmul %x, %x
  store %y, %to
  ret
}}"
    ));
    for mode in [Mode::Gradient, Mode::Tangent] {
        assert_none(&case.faults(&case.plan(&case.request(mode))));
    }
    let pointers = Pointers::of(&case.function, &case.program);
    let mut stores = case.function.insts.iter().filter(|inst| matches!(inst.op, Op::Store(_)));
    let to = &stores.next().expect("a number is stored").operands[1];
    pointers.any_base(to, |base| matches!(base, Base::Stack(_)))
}

#[test]
fn what_lies_behind_a_slot_is_not_in_it() {
    assert!(!may_be_in_slot("%to: ptr = gep inbounds %at, i64 16 over i8 by(1)"));
    assert!(!may_be_in_slot(
        "%on: ptr = gep inbounds %at, i64 4 over i8 by(1)\n  %to: ptr = gep inbounds %on, i64 8 over i8 by(1)"
    ));
}

#[test]
fn what_may_lie_in_a_slot_does() {
    assert!(may_be_in_slot("%to: ptr = gep inbounds %at, i64 -8 over i8 by(1)"));
    // Who counts from 1 comes back from there.
    assert!(may_be_in_slot("%to: ptr = gep inbounds %at, i64 -16 over i8 by(1)"));
    assert!(may_be_in_slot("%to: ptr = gep inbounds %at, i64 0 over i8 by(1)"));
    // The end itself is in bounds, though nothing lies there.
    assert!(may_be_in_slot("%to: ptr = gep inbounds %at, i64 8 over i8 by(1)"));
}

#[test]
fn an_address_that_may_leave_and_come_back_tells_nothing() {
    assert!(may_be_in_slot(
        "%out: ptr = gep %at, i64 64 over i8 by(1)\n  %to: ptr = gep %out, i64 -64 over i8 by(1)"
    ));
    assert!(may_be_in_slot("%to: ptr = gep %at, i64 16 over i8 by(1)"));
}

/// Whatever is said of its bounds.
#[test]
fn who_goes_behind_the_end_may_come_back() {
    let behind = "%out: ptr = gep inbounds %at, i64 16 over i8 by(1)";
    assert!(may_be_in_slot(&format!("{behind}\n  %to: ptr = gep inbounds %out, i64 -16 over i8 by(1)")));
    assert!(may_be_in_slot(&format!("{behind}\n  %to: ptr = gep inbounds %out, %n over i8 by(1)")));
    assert!(!may_be_in_slot(&format!("{behind}\n  %to: ptr = gep inbounds %out, i64 8 over i8 by(1)")));
}

#[test]
fn how_far_a_walk_leads_is_not_known() {
    assert!(may_be_in_slot("%to: ptr = gep inbounds %walks, i64 16 over i8 by(1)"));
    assert!(may_be_in_slot("%to: ptr = gep inbounds %at, %n over double by(8)"));
}

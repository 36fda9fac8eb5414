//! Copies between memory of one call's own: the checker takes a plan's word for what they move only as long as nobody touches
//! that memory, under any name, as anything else.

mod checker;

use backsweep_core::check::{Fault, Obligation, check_derived, check_plan};
use backsweep_core::config::Config;
use backsweep_core::derive::derive;
use backsweep_core::kinds::Spaced;
use backsweep_core::model::{FloatKind, Function, Op, ValueId};
use backsweep_core::plan::{Plan, make_plan};
use backsweep_core::request::Mode;
use checker::{Case, assert_none};

/// An array that is written under one name, copied, and read through a pointer found in a table that is copied, too.
const FOUND: &str = "declare @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare @malloc(i64) -> ptr
declare @free(ptr)
function @f(%x: double, %n: i64) -> double {
^entry:
  %bytes: i64 = mul %n, i64 8
  %first: ptr = call @malloc(%bytes)
  %second: ptr = call @malloc(%bytes)
  %tables: ptr = call @malloc(i64 16)
  %others: ptr = call @malloc(i64 16)
  store %first, %tables
  store %x, %first
  %behind: ptr = gep %first, i64 8 over i8 by(1)
  store %n, %behind
  call @llvm.memcpy.p0.p0.i64(%second, %first, %bytes, i1 false)
  %next: ptr = gep %tables, i64 8 over i8 by(1)
  store %second, %next
  call @llvm.memcpy.p0.p0.i64(%others, %tables, i64 16, i1 false)
  %last: ptr = gep %others, i64 8 over i8 by(1)
  %found: ptr = load %last
  %y: double = load %found
  %z: double = fmul %y, %y
  call @free(%first)
  call @free(%second)
  call @free(%tables)
  call @free(%others)
  ret %z
}";

fn plan_of(text: &str) -> Option<(Case, Plan)> {
    let case = Case::new(text);
    let request = case.request(Mode::Gradient);
    let plan = make_plan(&case.function, &case.program, &case.rules, &request, &Config::default()).ok()?;
    Some((case, plan))
}

fn check(case: &Case, plan: &Plan) -> Vec<Fault> {
    check_plan(plan, &case.function, &case.program, &case.rules)
}

fn copies(plan: &Plan) -> Vec<ValueId> {
    plan.copies.keys().copied().collect()
}

#[test]
fn words_and_pointers_are_told_apart_under_any_name() {
    let (case, plan) = plan_of(FOUND).expect("it is planned");
    assert_none(&check(&case, &plan));
    let [array, pointers] = copies(&plan)[..] else { panic!("two copies") };
    assert_eq!(plan.copies[&array], Spaced::array(FloatKind::Double));
    assert_eq!(plan.copies[&pointers], Spaced::pointers());
}

#[test]
fn a_plan_that_takes_one_for_the_other_is_rejected() {
    for at in 0..2 {
        let (case, mut plan) = plan_of(FOUND).expect("it is planned");
        let copy = copies(&plan)[at];
        let wrong = if at == 0 { Spaced::pointers() } else { Spaced::array(FloatKind::Double) };
        plan.copies.insert(copy, wrong);
        let lost = |fault: &Fault| fault.obligation == Obligation::Differentiable;
        assert!(check(&case, &plan).iter().any(lost), "copy {at}");
    }
}

#[test]
fn what_others_touch_otherwise_is_refused() {
    let refused = |from: &str, to: &str| plan_of(&FOUND.replace(from, to)).is_none();
    assert!(!refused("", ""));
    // Two halves of what is copied, under the other name.
    assert!(refused("%y: double = load %found", "%half: float = load %found\n  %y: double = fpext %half"));
    // A pointer in the copied array.
    assert!(refused("store %n, %behind", "store %second, %behind"));
    // A float in the copied table.
    assert!(refused("store %second, %next", "store %second, %next\n  store %x, %tables"));
    // The array starts in the middle of a word.
    assert!(refused(
        "i64 8 over i8 by(1)\n  store %n, %behind\n  call @llvm.memcpy.p0.p0.i64(%second, %first",
        "i64 4 over i8 by(1)\n  call @llvm.memcpy.p0.p0.i64(%second, %behind"
    ));
}

#[test]
fn a_forward_sweep_without_the_shadows_pointers_is_rejected() {
    let (case, plan) = plan_of(FOUND).expect("it is planned");
    let derived = derive(&plan, &case.function, &case.program, &case.rules, "df");
    let faults =
        |derived: &Function| check_derived(&plan, &case.function, &case.program, &case.rules, derived);
    assert_none(&faults(&derived));
    let copy = copies(&plan)[1];
    let first = derived.params.len();
    let at = derived.insts.iter().position(|inst| inst.origin == Some(copy)).expect("the primal's copy");
    let next = ValueId((first + at + 1) as u32);
    assert!(matches!(derived.inst(next).map(|inst| &inst.op), Some(Op::Call(_))));
    let mut derived = derived;
    derived.blocks.iter_mut().for_each(|block| block.insts.retain(|id| *id != next));
    assert!(faults(&derived).iter().any(|fault| fault.obligation == Obligation::Forward));
}

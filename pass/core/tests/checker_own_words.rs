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

/// Memory that grows from nothing: the first copy is from null, and the next one of structs with an integer beside the float.
const GROWN: &str = "declare @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare @malloc(i64) -> ptr
declare @free(ptr)
function @f(%x: double, %n: i64) -> double {
^entry:
  %bytes: i64 = mul %n, i64 16
  %first: ptr = call @malloc(%bytes)
  call @llvm.memcpy.p0.p0.i64(%first, ptr null, %n, i1 false)
  store %x, %first
  %behind: ptr = gep %first, i64 8 over i8 by(1)
  store %n, %behind
  %second: ptr = call @malloc(%bytes)
  call @llvm.memcpy.p0.p0.i64(%second, %first, %bytes, i1 false)
  %y: double = load %second
  %z: double = fmul %y, %y
  call @free(%first)
  call @free(%second)
  ret %z
}";

#[test]
fn nothing_is_copied_from_null() {
    let (case, plan) = plan_of(GROWN).expect("it is planned");
    assert_none(&check(&case, &plan));
    assert_eq!(copies(&plan).len(), 2);
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
    // A float that may start anywhere, beside a pointer.
    let mixed = FOUND.replace("store %n, %behind", "store %second, %behind");
    assert!(plan_of(&mixed).is_some());
    let anywhere = mixed.replace("%y: double = load %found", "%y: double = load %found align 4");
    let behind_odd = "%odd: ptr = gep %second, i64 4 over i8 by(1)\n  store %odd, %next";
    assert!(plan_of(&anywhere.replace("store %second, %next", behind_odd)).is_none());
}

#[test]
fn numbers_are_sought_where_pointers_lie_beside_them() {
    let sought = |from: &str, to: &str, copy: usize, pointers: bool| {
        let (case, plan) = plan_of(&FOUND.replace(from, to)).expect("it is planned");
        assert_none(&check(&case, &plan));
        assert_eq!(plan.copies[&copies(&plan)[copy]], Spaced::sought(pointers), "{to}");
    };
    // A pointer in the copied array.
    sought("store %n, %behind", "store %second, %behind", 0, true);
    // A float in the copied table.
    sought("store %second, %next", "store %second, %next\n  store %x, %tables", 1, true);
    // A copy from the middle of a word.
    let start = "i64 8 over i8 by(1)\n  store %n, %behind\n  call @llvm.memcpy.p0.p0.i64(%second, %first";
    let middle = "i64 4 over i8 by(1)\n  call @llvm.memcpy.p0.p0.i64(%second, %behind";
    sought(start, middle, 0, false);
}

#[test]
fn a_plan_that_takes_words_for_less_is_rejected() {
    let mixed = FOUND.replace("store %n, %behind", "store %second, %behind");
    let wrong = [Spaced::array(FloatKind::Double), Spaced::pointers(), Spaced::sought(false), Spaced::text()];
    for wrong in wrong {
        let (case, mut plan) = plan_of(&mixed).expect("it is planned");
        plan.copies.insert(copies(&plan)[0], wrong.clone());
        let lost = |fault: &Fault| fault.obligation == Obligation::Differentiable;
        assert!(check(&case, &plan).iter().any(lost), "{wrong:?}");
    }
}

#[test]
fn numbers_are_not_sought_among_halves_of_words() {
    // Half a word that has a derivative is a float of its own.
    let halves = FOUND.replace("store %n, %behind", "%half: float = fptrunc %x\n  store %half, %behind");
    assert!(plan_of(&halves).is_none());
    let (case, mut plan) = plan_of(FOUND).expect("it is planned");
    plan.copies.insert(copies(&plan)[0], Spaced::sought(false));
    assert_none(&check(&case, &plan));
    // The same plan for a program in which somebody reads half a number.
    let other =
        FOUND.replace("%y: double = load %found", "%half: float = load %found\n  %y: double = fpext %half");
    let other = Case::new(&other);
    let faults = check_plan(&plan, &other.function, &other.program, &other.rules);
    assert!(!faults.is_empty());
}

#[test]
fn what_a_text_overwrites_has_no_influence() {
    let text = FOUND
        .replace("declare @malloc", "global @text: [2 x i32] constant = [2 x i32] zero\ndeclare @malloc")
        .replace(
            "  %next: ptr",
            "  call @llvm.memcpy.p0.p0.i64(%behind, @text, i64 8, i1 false)\n  %next: ptr",
        );
    let (case, plan) = plan_of(&text).expect("it is planned");
    assert_none(&check(&case, &plan));
    let copy = copies(&plan)[1];
    assert_eq!(plan.copies[&copy], Spaced::text());
    // A copy of numbers is none.
    let (case, mut wrong) = plan_of(&text).expect("it is planned");
    let numbers = copies(&wrong)[0];
    wrong.copies.insert(numbers, Spaced::text());
    assert!(!check(&case, &wrong).is_empty());
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

/// The tables are given to somebody who follows their pointers, and then calls whom the text names.
fn given_to(callee: &str) -> String {
    let dropper = "function @drop(%t: ptr, %numbers: ptr) -> void {
^entry:
  %p: ptr = load %t
  %none: i1 = icmp eq %p, ptr null
  br %none, ^end, ^rest
^end:
  call @CALLEE(%p)
  br ^rest
^rest:
  %y: double = load %numbers
  %z: double = fmul %y, %y
  store %z, %numbers
  ret
}";
    let mixed = FOUND.replace("store %n, %behind", "store %second, %behind");
    let given = mixed
        .replace("  %y: double = load %found", "  call @drop(%others, %second)\n  %y: double = load %found");
    let text = given.replacen("function @f", &format!("declare @CALLEE(ptr)\n{dropper}\nfunction @f"), 1);
    text.replace("CALLEE", callee)
}

#[test]
fn only_some_who_are_not_seen_may_be_given_what_lies_there() {
    let text = "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEED1Ev";
    for callee in ["bs_rt_unknown_function", text] {
        let (case, plan) = plan_of(&given_to(callee)).expect("it is planned");
        assert_none(&check(&case, &plan));
        // A file is closed without any number in it, but what becomes of the memory behind the pointer nobody tells.
        assert!(plan_of(&given_to("fclose")).is_none());
        let other = Case::new(&given_to("fclose"));
        let faults = check_plan(&plan, &other.function, &other.program, &other.rules);
        assert!(faults.iter().any(|fault| fault.obligation == Obligation::Differentiable), "{callee}");
    }
}

/// Somebody who is given a table and puts a pointer there.
fn put_there(what: &str) -> String {
    let putter = format!(
        "global @_ZTV4Node: {{ptr, ptr}} constant = {{ptr, ptr}} (ptr null, @_ZTI4Node)
global @_ZTI4Node: {{ptr}} constant = {{ptr}} (offset(@_ZTVN10__cxxabiv117__class_type_infoE, 16))
global @_ZTVN10__cxxabiv117__class_type_infoE: [0 x ptr]
function @put(%t: ptr, %numbers: ptr) -> void {{
^entry:
  %p: ptr = load %t
  store {what}, %t member
  %y: double = load %numbers
  %z: double = fmul %y, %y
  store %z, %numbers
  ret
}}"
    );
    let mixed = FOUND.replace("store %n, %behind", "store %second, %behind");
    let given = mixed
        .replace("  %y: double = load %found", "  call @put(%tables, %second)\n  %y: double = load %found");
    given.replacen("function @f", &format!("{putter}\nfunction @f"), 1)
}

/// The same, where somebody who is not seen keeps the table.
fn kept(text: &str) -> String {
    let kept = text.replacen("  %p: ptr = load %t\n", "  call @keep(%t)\n  %p: ptr = load %t\n", 1);
    kept.replacen("function @put", "declare @keep(ptr)\nfunction @put", 1)
}

#[test]
fn a_callee_may_put_pointers_there_where_nobody_else_comes() {
    for what in ["@_ZTV4Node", "offset(@_ZTV4Node, 8)", "ptr null", "%numbers", "%p"] {
        // What is not declared to be a pointer may hold a float at other times, as in a union.
        for text in [put_there(what), put_there(what).replace(", %t member", ", %t")] {
            let (case, plan) = plan_of(&text).expect("it is planned");
            assert_none(&check(&case, &plan));
            assert!(plan_of(&kept(&text)).is_none(), "{what}");
            let case = Case::new(&kept(&text));
            let faults = check_plan(&plan, &case.function, &case.program, &case.rules);
            assert!(faults.iter().any(|fault| fault.obligation == Obligation::Differentiable), "{what}");
        }
    }
}

#[test]
fn a_float_that_does_not_say_where_it_stands_stands_where_its_address_does() {
    let by_bytes = FOUND.replace("load %found", "load %found align 1");
    let (case, plan) = plan_of(&by_bytes).expect("it is planned");
    assert_none(&check(&case, &plan));
    assert_eq!(plan.copies[&copies(&plan)[0]], Spaced::array(FloatKind::Double));
    // The address that is kept in the table may as well stand across two words.
    let across = by_bytes
        .replace("store %second, %next", "%odd: ptr = gep %second, i64 4 over i8 by(1)\n  store %odd, %next");
    assert!(plan_of(&across).is_none());
    let case = Case::new(&across);
    let faults = check_plan(&plan, &case.function, &case.program, &case.rules);
    assert!(faults.iter().any(|fault| fault.obligation == Obligation::Differentiable));
}

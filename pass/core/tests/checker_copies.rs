//! Copies of structs, as many as are known only when the program runs: the plan lists the floats in them, and the checker
//! notices when one is missing or is none.

mod checker;

use backsweep_core::check::{Fault, Obligation, check_plan};
use backsweep_core::model::FloatKind;
use backsweep_core::plan::{Plan, make_plan};
use backsweep_core::request::{Mode, Request};
use backsweep_core::{config::Config, kinds::Spaced};
use checker::{Case, assert_none};

/// Structs of two doubles with an integer between them are moved up by one.
const SHIFTED: &str = "declare @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
function @f(%a: ptr, %n: i64) -> double {
^entry:
  br ^loop
^loop:
  %i: i64 = phi ^entry: i64 0, ^loop: %next
  %s: double = phi ^entry: double 0.0, ^loop: %t
  %p: ptr = gep %a, %i over i8 by(24)
  %x: double = load %p
  %q: ptr = gep %p, i64 8 over i8 by(1)
  %k: i64 = load %q
  %times: double = sitofp %k
  %r: ptr = gep %p, i64 16 over i8 by(1)
  %y: double = load %r
  %z: double = fmul %x, %y
  %w: double = fmul %z, %times
  %t: double = fadd %s, %w
  %next: i64 = add %i, i64 1
  %more: i1 = icmp slt %next, %n
  br %more, ^loop, ^exit
^exit:
  %second: ptr = gep %a, i64 24 over i8 by(1)
  %bytes: i64 = mul %n, i64 24
  call @llvm.memmove.p0.p0.i64(%a, %second, %bytes, i1 false)
  ret %t
}";

fn plan() -> (Case, Plan) {
    let case = Case::new(SHIFTED);
    let plan = case.gradient();
    (case, plan)
}

fn check(case: &Case, plan: &Plan) -> Vec<Fault> {
    check_plan(plan, &case.function, &case.program, &case.rules)
}

fn list_of(plan: &mut Plan) -> &mut Spaced {
    plan.copies.values_mut().next().expect("there is a copy")
}

#[test]
fn the_floats_of_structs_are_listed() {
    let (case, mut plan) = plan();
    assert_none(&check(&case, &plan));
    let floats = vec![(0, FloatKind::Double), (16, FloatKind::Double)];
    assert_eq!(*list_of(&mut plan), Spaced { period: 24, floats, pointers: false, sought: false });
    assert!(plan.to_string().contains("copies structs of 24 bytes with floats at 0, 16"));
}

#[test]
fn a_wrong_list_is_found() {
    let faults: [fn(&mut Spaced); 5] = [
        |spaced| spaced.floats = spaced.floats.split_off(1),
        |spaced| spaced.floats[1].1 = FloatKind::Single,
        |spaced| spaced.floats.insert(1, (8, FloatKind::Single)),
        |spaced| spaced.floats[1].0 = 8,
        |spaced| spaced.period = 48,
    ];
    for (number, fault) in faults.into_iter().enumerate() {
        let (case, mut plan) = plan();
        fault(list_of(&mut plan));
        let found = check(&case, &plan);
        let lost = |fault: &Fault| fault.obligation == Obligation::Differentiable;
        assert!(found.iter().any(lost), "fault {number} is not found: {found:?}");
    }
    let (case, mut plan) = plan();
    plan.copies.clear();
    assert!(!check(&case, &plan).is_empty());
}

#[test]
fn what_cannot_be_told_is_refused() {
    let refused = |from: &str, to: &str| {
        let case = Case::new(&SHIFTED.replace(from, to));
        let request = case.request(Mode::Gradient);
        make_plan(&case.function, &case.program, &case.rules, &request, &Config::default()).is_err()
    };
    assert!(!refused("", ""));
    // A pointer among the members.
    assert!(refused(
        "%k: i64 = load %q\n  %times: double = sitofp",
        "%k: ptr = load %q\n  %times: double = load"
    ));
    // Four bytes that nobody touches, in memory of others.
    assert!(refused("%k: i64 = load %q", "%k: i32 = load %q"));
    // A double and an integer in the same place.
    assert!(refused("%times: double = sitofp %k", "%both: i64 = load %p\n  %times: double = sitofp %both"));
    // What is counted in one struct only.
    assert!(refused("%q: ptr = gep %p", "%q: ptr = gep %a"));
}

/// What a copy takes from memory without a shadow ends derivatives in floats of ours, whatever it was taken for there. (Found by a random
/// program, seed 61006380.)
#[test]
fn anything_without_a_shadow_ends_derivatives() {
    let case = Case::new(
        "global @a: [8 x double] = [8 x double] zero
declare @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
function @f(%x: double, %p: ptr, %n: i64) -> double {
^entry:
  %kept: ptr = alloca i32 1 of [8 x double]
  store i64 0, @a align 8
  %at: ptr = gep %kept, %n over double by(8)
  store %x, %at
  call @llvm.memmove.p0.p0.i64(%kept, @a, i64 16, i1 false)
  %y: double = load %at
  ret %y
}",
    );
    for mode in [Mode::Tangent, Mode::Gradient] {
        let plan = case.plan(&case.request(mode));
        assert_none(&check(&case, &plan));
    }
}

const CONSTANT: &str = "global @a: [8 x double] = [8 x double] zero
declare @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
function @f(%x: double, %p: ptr, %n: i64) -> double {
^entry:
  %kept: ptr = alloca i32 1 of [8 x double]
  store %x, %kept
  call @llvm.memmove.p0.p0.i64(@a, %p, i64 16, i1 false)
  store i64 0, %p align 8
  %bits: double = load %kept
  %at: ptr = gep @a, %n over double by(8)
  store %bits, %at
  ret double 1.0
}";

/// A constant is written as an integer where floats lie: it says nothing of what else lies there. (Found by random programs, seeds
/// 61002437, 62010021 and 62103353.)
#[test]
fn constants_are_of_any_type() {
    for constant in ["0", "1"] {
        let text = CONSTANT.replace("i64 0, %p", &format!("i64 {constant}, %p"));
        let case = Case::new(&text);
        for mode in [Mode::Tangent, Mode::Gradient] {
            let plan = case.plan(&case.request(mode));
            assert_none(&check(&case, &plan));
        }
    }
}

/// What was read as an integer where nothing has a shadow says no more of what is there. (Found by a random program, seed 62204372.)
#[test]
fn integers_without_a_derivative_are_of_any_type() {
    let case = Case::new(
        "global @b: [8 x double] local = [8 x double] zero
declare @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
function @f(%x: double, %p: ptr, %n: i64) -> double {
^entry:
  %kept: ptr = alloca i32 1 of [8 x double]
  %number: i64 = load @b align 8
  store %number, %p align 8
  %at: ptr = gep %kept, %n over double by(8)
  store %x, %at
  call @llvm.memmove.p0.p0.i64(%kept, %p, i64 0, i1 false)
  %y: double = load %at
  ret %y
}",
    );
    for mode in [Mode::Tangent, Mode::Gradient] {
        let plan = case.plan(&case.request(mode));
        assert_none(&check(&case, &plan));
    }
}

/// A slot through which a word goes back to memory of others is not dead: what nobody touches on the way is nobody's to guess. (Found by
/// a random program, seed 46503809.)
#[test]
fn what_goes_back_to_others_is_not_guessed() {
    let case = Case::new(
        "declare @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
function @caller(%x: double) -> double {
^entry:
  %kept: ptr = alloca i32 1 of [8 x double]
  %there: ptr = alloca i32 1 of ptr
  store %kept, %there
  %found: ptr = load %there
  %y: double = call @f(double 1.0, %found, i64 2)
  store %x, %kept
  ret double 1.0
}
function @f(%x: double, %p: ptr, %n: i64) -> double {
^entry:
  %slot: ptr = alloca i32 1 of [1 x i64] align 8
  %at: ptr = gep %p, %n over double by(8)
  call @llvm.memcpy.p0.p0.i64(%slot, %at, i64 8, i1 false)
  call @llvm.memcpy.p0.p0.i64(%p, %slot, i64 8, i1 false)
  ret double 1.0
}",
    );
    let plan = case.plan(&Request { nested: true, ..case.request(Mode::Tangent) });
    assert_none(&check(&case, &plan));
}

/// A word that comes from where a pointer in a table leads may be anything, so nothing is said of a slot that it is put into, not even where
/// all that is there ends; nor of a global into which such a word goes. (Found by random programs, seeds 48011673 and 48100007.)
#[test]
fn what_is_put_from_anywhere_tells_no_floats() {
    let refused = |found: &str| {
        let case = Case::new(&format!(
            "global @numbers: [8 x double] = [8 x double] zero
global @table: [2 x ptr] local address_taken = [2 x ptr] (@numbers, @numbers)
declare @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
function @f(%x: double, %n: i64) -> double {{
^entry:
  %slot: ptr = alloca i32 1 of [8 x double]
  %pointer: ptr = load @table
  call @llvm.memmove.p0.p0.i64(%slot, @numbers, i64 64, i1 false)
  %at: ptr = gep %slot, %n over double by(8)
  store %x, %at
  %word: i64 = load {found} align 8
  store %word, %slot align 8
  ret double 1.0
}}"
        ));
        [Mode::Tangent, Mode::Gradient].map(|mode| {
            match make_plan(
                &case.function,
                &case.program,
                &case.rules,
                &case.request(mode),
                &Config::default(),
            ) {
                Ok(plan) => {
                    assert_none(&check(&case, &plan));
                    false
                }
                Err(_) => true,
            }
        })
    };
    assert_eq!(refused("%pointer"), [true, true]);
    assert_eq!(refused("@numbers"), [false, false]);
}

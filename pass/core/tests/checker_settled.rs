//! What moved bytes are said to be: right where somebody tells, nothing where nobody does, and the checker notices where
//! it was said wrong.

use std::collections::BTreeMap;

use backsweep_core::check::{Fault, check_settled};
use backsweep_core::kinds::{Origins, find_integers, settle_kinds};
use backsweep_core::model::{Constant, Function, Inst, Op, Operand, Program, Type, parse_program, verify};

struct Settled {
    written: Program,
    settled: Program,
    origins: Origins,
}

/// The last function of the program is looked at.
fn settle(text: &str) -> Settled {
    let written = parse_program(text).unwrap_or_else(|error| panic!("{error:?} in {text}"));
    let mut settled = written.clone();
    let origins = settle_kinds(&mut settled);
    assert_eq!(verify(&settled), [], "what is settled is a model");
    let all = Settled { written, settled, origins };
    assert_eq!(all.faults(), [], "{}", all.settled);
    all
}

impl Settled {
    fn faults(&self) -> Vec<Fault> {
        check_settled(&self.written, &self.settled, &self.origins)
    }

    fn function(&self) -> &Function {
        self.settled.functions.last().expect("a program has a function")
    }

    /// The types that are loaded, in order.
    fn loaded(&self) -> Vec<String> {
        let loads = self.function().insts.iter().filter(|inst| matches!(inst.op, Op::Load(_)));
        loads.map(|inst| inst.ty.to_string()).collect()
    }

    fn insts_mut(&mut self) -> &mut Vec<Inst> {
        &mut self.settled.functions.last_mut().expect("a program has a function").insts
    }

    /// A fault is planted, and has to be found.
    fn assert_found(mut self, plant: impl FnOnce(&mut Vec<Inst>)) {
        plant(self.insts_mut());
        assert_ne!(self.faults(), [], "the fault is not found:\n{}", self.settled);
    }
}

const MOVED: &str = "function @f(%a: ptr, %n: i64) -> double {
^entry:
  %p: ptr = gep %a, %n over i64 by(8)
  %x: double = load %p
  %bits: i64 = load %p align 8
  %zero: i1 = icmp eq %n, i64 0
  %chosen: i64 = select %zero, %bits, i64 4607182418800017408
  store %chosen, %a align 8
  ret %x
}";

#[test]
fn an_integer_that_moves_a_double_is_one() {
    let moved = settle(MOVED);
    assert_eq!(moved.loaded(), ["double", "double"]);
    let one = Operand::Const(Constant::double(1.0));
    assert!(moved.function().insts.iter().any(|inst| inst.op == Op::Select && inst.operands[2] == one));
    moved.assert_found(|insts| insts[2].ty = Type::PTR);
    settle(MOVED).assert_found(|insts| insts[5].operands[1] = insts[2].operands[0].clone());
    settle(MOVED).assert_found(|insts| insts[2].ty = Type::I32);
}

#[test]
fn two_floats_move_together() {
    let moved = settle(
        "function @f(%a: ptr, %n: i64) -> float {
^entry:
  %p: ptr = gep %a, %n over i64 by(8)
  %q: ptr = gep %p, i64 4 over i8 by(1)
  %x: float = load %p
  %y: float = load %q
  %sum: float = fadd %x, %y
  %bits: i64 = load %p align 4
  store %bits, %a align 4
  ret %sum
}",
    );
    assert_eq!(moved.loaded(), ["float", "float", "<2 x float>"]);
}

/// The third load is counted with; the second is only moved.
const COUNTED: &str = "function @f(%a: ptr, %n: i64) -> double {
^entry:
  %p: ptr = gep %a, %n over i8 by(16)
  %count: ptr = gep %p, i64 8 over i8 by(1)
  %x: double = load %p
  %bits: i64 = load %count align 8
  %last: ptr = gep %a, i64 8 over i8 by(1)
  store %bits, %last align 8
  %k: i64 = load %last align 8
  %times: double = sitofp %k
  %y: double = fmul %x, %times
  ret %y
}";

#[test]
fn an_integer_beside_floats_stays_one() {
    let text = COUNTED.replace("load %last", "load %count");
    let counted = settle(&text);
    assert_eq!(counted.loaded(), ["double", "i64", "i64"]);
    assert_eq!(find_integers(counted.function(), &counted.settled).len(), 1);
    counted.assert_found(|insts| insts[3].ty = Type::DOUBLE);
}

#[test]
fn nothing_is_said_where_nobody_tells() {
    // One of all places is counted, and another may be moved.
    let counted = settle(COUNTED);
    assert_eq!(counted.loaded(), ["double", "i64", "i64"]);
    // A float and an integer in the same place.
    let both = settle(
        &COUNTED.replace("double = load %p", "double = load %count").replace("load %last", "load %count"),
    );
    assert_eq!(both.loaded(), ["double", "i64", "i64"]);
    assert!(find_integers(both.function(), &both.settled).is_empty());
}

const COPIED: &str = "declare @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1) -> void
function @f(%a: ptr, %n: i64) -> double {
^entry:
  %p: ptr = gep %a, %n over i8 by(16)
  %count: ptr = gep %p, i64 8 over i8 by(1)
  %x: double = load %p
  %k: i64 = load %count
  %times: double = sitofp %k
  %y: double = fmul %x, %times
  call @llvm.memcpy.p0.p0.i64(%a, %p, i64 16, i1 false)
  ret %y
}";

#[test]
fn a_struct_is_copied_member_by_member() {
    let copied = settle(COPIED);
    assert_eq!(copied.loaded(), ["double", "i64", "double", "i64"]);
    assert_eq!(find_integers(copied.function(), &copied.settled).len(), 1);
    let last =
        |insts: &[Inst], kind: fn(&Op) -> bool| insts.iter().rposition(|inst| kind(&inst.op)).unwrap_or(0);
    copied.assert_found(|insts| {
        let at = last(insts, |op| matches!(op, Op::Gep(_)));
        insts[at].operands[1] = Operand::Const(Constant::int(64, 4));
    });
    settle(COPIED).assert_found(|insts| {
        let at = last(insts, |op| matches!(op, Op::Store(_)));
        insts[at].operands[0] = insts[at - 2].operands[0].clone();
    });
    settle(COPIED).assert_found(|insts| {
        let integer = insts.iter().rposition(|inst| inst.ty == Type::I64).unwrap_or(0);
        insts[integer].ty = Type::DOUBLE;
    });
    // What nobody touches may be a float of somebody else, or an integer that is not to be added to.
    assert_eq!(settle(&COPIED.replace("%k: i64", "%k: i32")).loaded(), ["double", "i32"]);
}

const HANDED_OVER: &str = "declare @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1) -> void
declare @malloc(i64) -> ptr
declare @free(ptr) -> void
function @f(%list: ptr, %x: double) -> void {
^entry:
  %node: ptr = load %list
  %made: ptr = call @malloc(i64 16) library
  %next: ptr = gep %made, i64 8 over i8 by(1)
  store %x, %made
  store %x, %next
  call @llvm.memcpy.p0.p0.i64(%node, %made, i64 16, i1 false)
  call @free(%made) library
  store %node, %list
  ret
}";

/// Where they go to, others may know them by another name.
#[test]
fn floats_that_were_stored_here_are_floats_wherever_they_go() {
    let copied = settle(HANDED_OVER);
    assert_eq!(copied.loaded(), ["ptr", "double", "double"]);
    copied.assert_found(|insts| {
        let last = insts.iter().rposition(|inst| inst.ty == Type::DOUBLE).unwrap_or(0);
        insts[last].ty = Type::PTR;
    });
    let is_left = |text: &str| assert_eq!(settle(text).loaded(), ["ptr"], "{text}");
    // The second is not stored, or not by this function, or somebody else fills the memory as well, or finds it.
    is_left(&HANDED_OVER.replace("  store %x, %next\n", ""));
    let filled =
        "  call @llvm.memcpy.p0.p0.i64(%made, %node, i64 16, i1 false)\n  call @llvm.memcpy.p0.p0.i64(%node";
    is_left(&HANDED_OVER.replacen("  call @llvm.memcpy.p0.p0.i64(%node", filled, 1));
    is_left(&HANDED_OVER.replace("store %node, %list", "store %made, %list"));
}

#[test]
fn callers_tell_what_is_passed() {
    let text = "function @moves(%p: ptr, %n: i64) -> void {
^entry:
  %bits: i64 = load %p align 8
  %q: ptr = gep %p, i64 1 over i64 by(8)
  store %bits, %q align 8
  %next: i64 = sub %n, i64 1
  %more: i1 = icmp sgt %next, i64 0
  br %more, ^again, ^done
^again:
  call @moves(%q, %next)
  br ^done
^done:
  ret
}
function @f(%a: ptr, %n: i64) -> double {
^entry:
  call @moves(%a, %n)
  %p: ptr = gep %a, %n over i64 by(8)
  %x: double = load %p
  ret %x
}";
    let told = settle(text);
    let moves = told.settled.function("moves").expect("is there");
    assert_eq!(moves.insts[0].ty, Type::DOUBLE);
    assert_eq!(told.origins, BTreeMap::new());
}

/// Doubles may be sorted by their bits. That is no counting.
#[test]
fn what_is_compared_by_its_bits_may_be_a_float() {
    let sorted = settle(
        "function @f(%a: ptr, %n: i64) -> void {
^entry:
  %p: ptr = gep %a, %n over i64 by(8)
  %q: ptr = gep %a, %n over i64 by(8)
  %x: i64 = load %p align 8
  %y: i64 = load %q align 8
  %sign: i64 = ashr %x, i64 63
  %key: i64 = xor %x, %sign
  %less: i1 = icmp slt %key, %y
  br %less, ^swap, ^done
^swap:
  %upper: i64 = load %p align 8
  %lower: i64 = load %q align 8
  store %upper, %q align 8
  store %lower, %p align 8
  br ^done
^done:
  ret
}",
    );
    assert!(find_integers(sorted.function(), &sorted.settled).is_empty());
}

/// A number at one time and the place of another one at another, moved as a whole.
const UNION: &str = "function @f(%a: ptr, %n: i64) -> double {
^entry:
  %p: ptr = alloca i32 1 of double
  %q: ptr = alloca i32 1 of double
  %x: double = load %a
  %low: i32 = trunc %n
  %late: i1 = icmp eq %n, i64 0
  store %x, %p align 8
  store %low, %p align 4
  %word: i64 = load %p align 8
  store %word, %q align 8
  %y: double = load %q
  %place: i32 = load %q align 4
  %big: i1 = icmp sgt %place, i32 5
  %r: double = select %big, %y, double 0.0
  ret %r
}";

#[test]
fn a_word_that_is_a_float_at_times_moves_as_one_where_nobody_else_looks() {
    assert_eq!(settle(UNION).loaded(), ["double", "double", "double", "i32"]);
}

#[test]
fn the_memory_of_others_may_hold_an_integer_in_its_shadow() {
    let others = UNION.replace("%p: ptr = alloca i32 1 of double", "%p: ptr = gep %a, i64 1 over i64 by(8)");
    assert_eq!(settle(&others).loaded(), ["double", "i64", "double", "i32"]);
}

#[test]
fn a_word_of_others_that_moves_as_a_float_is_found() {
    let moved = settle(UNION);
    moved.assert_found(|insts| {
        let make = insts.iter_mut().find(|inst| matches!(inst.op, Op::Alloca(_))).expect("a slot is made");
        let pointer = Operand::Value(backsweep_core::model::ValueId(0));
        let freeze = Inst { op: Op::Freeze, operands: vec![pointer], ..make.clone() };
        *make = freeze;
    });
}

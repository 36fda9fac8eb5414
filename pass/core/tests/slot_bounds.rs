//! A list's head in a stack slot is no node: what lies behind its end, or before its beginning, is a node's.

use std::collections::BTreeSet;

use backsweep_core::analyses::pointers::{Base, Pointers};
use backsweep_core::model::{Function, Op, Operand, Program};

/// The slots that the pointer may lie in through which each of the loads of a double goes, of 16 bytes each.
fn slots_of_doubles(body: &str) -> Vec<usize> {
    let text = format!(
        "layout \"e-p:64:64\"\nfunction @f(%node: ptr, %n: i64, %c: i1) -> void {{\n^entry:\n  %head: ptr = alloca [16 x i8] i32 1\n{body}  ret\n}}"
    );
    let program = Program::parse(&text).expect("it is a program");
    let function = &program.functions[0];
    let pointers = Pointers::of(function, &program);
    let doubles =
        function.insts.iter().filter(|inst| matches!(inst.op, Op::Load(_)) && inst.ty.holds_float());
    doubles.map(|load| count_slots(&pointers.of_operand(&load.operands[0]))).collect()
}

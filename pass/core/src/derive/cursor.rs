//! The tape's cursor: a copy of the state block in a stack slot, which LLVM turns into registers, so that a record
//! costs an addition and a comparison.
//!
//! Invariant: wherever control leaves for code that may use the same tape, the state block is up to date, and the
//! cursor is read from it again afterwards. A callee not known to stay away from tapes is taken to use one.

use super::Source;
use super::builder::Builder;
use super::cells::{Cells, allocate};
use super::exceptions::UNWINDING;
use super::fast_path::FAST_PATH;
use super::tape::call_runtime;
use crate::analyses::exceptions::is_marker;
use crate::analyses::memory_calls::memory_call;
use crate::model::{Inst, Op, Operand, Type};

/// Makes the cursor of the tape on which this function lays its records.
pub fn open_cursor(builder: &mut Builder, cells: &mut Cells, tape: Operand) {
    let cursor = allocate(builder, cursor_type());
    call(builder, "backsweep.cursor.open", vec![cursor.clone(), tape.clone()]);
    cells.cursor = Some(cursor);
    cells.tape_home = Some(builder.here());
    cells.tape = Some(tape);
}

/// The fields of `struct bs_tape_cursor`: top, limit, floor, start, pushes, tape.
fn cursor_type() -> Type {
    let fields = vec![Type::PTR, Type::PTR, Type::PTR, Type::PTR, Type::I64, Type::PTR];
    Type::Struct { fields, packed: false }
}

/// Brings the state block up to date: where pushing turns to popping, and before the tape is left.
pub fn store_cursor(builder: &mut Builder, cells: &Cells) {
    if let Some(cursor) = &cells.cursor {
        call(builder, "backsweep.cursor.store", vec![cursor.clone()]);
    }
}

/// Stores the cursor before each call that may use the tape, and loads it behind the call. The block in which the cursor
/// is made calls none of those, and blocks made before that one do not have a cursor.
pub fn surround_calls(source: &Source, builder: &mut Builder, cells: &Cells) {
    let (Some(cursor), Some(home)) = (&cells.cursor, cells.tape_home) else { return };
    for block in builder.block_ids().filter(|block| *block > home) {
        for id in builder.reopen(block) {
            builder.loc = builder.inst(id).and_then(|inst| inst.loc);
            if !builder.inst(id).is_some_and(|inst| may_use_tape(source, inst)) {
                builder.place(id);
                continue;
            }
            store_cursor(builder, cells);
            builder.place(id);
            call(builder, "backsweep.cursor.load", vec![cursor.clone()]);
        }
    }
}

fn may_use_tape(source: &Source, inst: &Inst) -> bool {
    match &inst.op {
        Op::Call(_) => !inst.callee_name().is_some_and(|name| stays_away(source, inst, name)),
        Op::Opaque { ends_block, .. } => !ends_block,
        Op::Invoke { .. } | Op::CallBr { .. } => {
            unreachable!("a call that ends its block is refused before there is a plan")
        }
        _ => false,
    }
}

/// Mathematics, memory, and what was written here with the cursor in mind.
fn stays_away(source: &Source, inst: &Inst, name: &str) -> bool {
    let defined = source.program.function(name).is_some_and(|function| !function.is_declaration());
    let known =
        || name.starts_with("llvm.") || memory_call(inst).is_some() || source.rules.lookup(name).is_some();
    let ours = || {
        name.starts_with(UNWINDING)
            || is_marker(name)
            || FAST_PATH.contains(&name)
            || name.starts_with("bs_tape_")
            || name.starts_with("bs_rt_")
    };
    !defined && (known() || ours())
}

fn call(builder: &mut Builder, name: &str, operands: Vec<Operand>) {
    call_runtime(builder, name, Type::Void, operands);
}

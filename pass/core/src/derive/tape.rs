//! Split mode's tape: the cells of the forward sweep, laid out in one block of memory.

use super::Source;
use super::builder::Builder;
use super::cells::{Cells, allocate, load, store};
use super::cursor::{open_cursor, store_cursor};
use super::exceptions::{give_back_on_exception, give_up_on_exception};
use super::records::{GRAIN, mark_number};
use super::signature::slot_operand;
use super::slots::drop_slots;
use crate::analyses::tape_records::{HALF, RECORD, half_of};
use crate::model::{Call, Constant, Flags, Gep, Inst, Layout, Op, Operand, Stride, Type};
use crate::plan::{Item, Slot};
use crate::request::Mode;

/// Where each cell lies on the tape.
pub struct TapeLayout {
    pub bytes: u64,
    fields: Vec<Field>,
}

struct Field {
    cell: Operand,
    ty: Type,
    offset: u64,
    /// What the cell holds, where records hold the same.
    item: Option<Item>,
}

/// Lays kept values and edge numbers out one after the other, each aligned as its type asks.
pub fn lay_out(source: &Source, cells: &Cells) -> TapeLayout {
    let layout = Layout::parse(&source.program.layout);
    let pointer = |cell: &Operand| (cell.clone(), Type::PTR, None);
    let tape = cells.tape_cell.iter().map(pointer);
    let arrays = cells.arrays.values().map(pointer);
    let counters = cells.counters.iter();
    let counters =
        counters.map(|(header, cell)| (cell.clone(), Type::I64, Some(Item::Counter { header: *header })));
    let kept = cells.kept.iter();
    let kept = kept
        .map(|(id, cell)| (cell.clone(), source.function.value_type(*id).clone(), Some(Item::Value(*id))));
    let shadows = cells.kept_shadows.values().map(pointer);
    let slots = cells.slots.values().chain(cells.globals.travelling.values()).map(pointer);
    let edges = cells.edges.values().map(|cell| (cell.clone(), Type::I32, Some(Item::Edge)));
    let (mut bytes, mut fields) = (0u64, Vec::new());
    for (cell, ty, item) in
        tape.chain(kept).chain(shadows).chain(slots).chain(arrays).chain(counters).chain(edges)
    {
        let align = layout.align_of(&ty).unwrap_or(16).max(1);
        bytes = bytes.next_multiple_of(align);
        fields.push(Field { cell, ty: ty.clone(), offset: bytes, item });
        // A type without a size known here (a scalable vector) is refused before there is a plan.
        bytes += layout.size_of(&ty).unwrap_or(0);
    }
    TapeLayout { bytes, fields }
}

/// At the end of the augmented function: takes a block from the runtime and copies the cells to it.
///
/// A function that a derivative calls lays them on its caller's tape instead, as its last record.
pub fn store_cells(source: &Source, builder: &mut Builder, cells: &Cells, tape: &TapeLayout) -> Operand {
    if tape.bytes == 0 {
        return Operand::Const(Constant::Null(Type::PTR));
    }
    let name = Operand::Const(function_name(source));
    let block = match cells.cursor.as_ref().filter(|_| source.plan.request.nested) {
        Some(cursor) => {
            let operands = vec![cursor.clone(), record_bytes(tape), name];
            call_record(source, builder, "backsweep.push", operands, "cells")
        }
        None => {
            let bytes = Operand::Const(Constant::int(64, i128::from(tape.bytes)));
            call_runtime(builder, "bs_rt_tape_alloc", Type::PTR, vec![bytes, name])
        }
    };
    for Field { cell, ty, offset, item } in &tape.fields {
        let value = load(builder, cell, ty.clone());
        let place = field(builder, &block, *offset);
        store(builder, &place, value.clone());
        builder.limit_last_alignment(GRAIN);
        mark_number(source, builder, *item);
        if cells.tape_cell.as_ref() == Some(cell) {
            // Whoever frees the block, with or without the reverse call, frees the records.
            call_runtime(builder, "bs_rt_tape_own", Type::Void, vec![block.clone(), value]);
        }
    }
    block
}

fn record_bytes(tape: &TapeLayout) -> Operand {
    Operand::Const(Constant::int(64, i128::from(tape.bytes.next_multiple_of(GRAIN))))
}

/// At the start of the reverse function: copies the tape back into the cells.
pub fn load_cells(source: &Source, builder: &mut Builder, cells: &mut Cells, tape: &TapeLayout) {
    let Some(mut block) = slot_operand(source, builder, Slot::Tape) else { return };
    if source.plan.request.nested {
        let Some(cursor) = cells.cursor.clone().filter(|_| tape.bytes > 0) else { return };
        let operands = vec![cursor, record_bytes(tape), Operand::Const(function_name(source))];
        block = call_record(source, builder, "backsweep.pop", operands, "cells");
    } else if tape.bytes > 0 {
        let bytes = Operand::Const(Constant::int(64, i128::from(tape.bytes)));
        let operands = vec![block.clone(), bytes, Operand::Const(function_name(source))];
        call_runtime(builder, "bs_rt_tape_check", Type::Void, operands);
        give_up_on_exception(source, builder, &block);
    }
    for Field { cell, ty, offset, item } in &tape.fields {
        let place = field(builder, &block, *offset);
        let value = load(builder, &place, ty.clone());
        builder.limit_last_alignment(GRAIN);
        mark_number(source, builder, *item);
        store(builder, cell, value);
    }
    if let Some(cell) = &cells.tape_cell {
        let records = load(builder, cell, Type::PTR);
        if source.plan.request.keep_tape {
            cells.mark = Some(call_runtime(builder, "bs_tape_mark", Type::PTR, vec![records.clone()]));
        }
        open_cursor(builder, cells, records);
    }
}

/// Where records go: the thread's own stack when both sweeps are one call, else a tape object that travels between
/// them. Stored in a cell, so that the reverse function finds it where the augmented one left it.
pub fn open_tape(source: &Source, builder: &mut Builder, cells: &mut Cells) {
    if source.plan.request.nested {
        if let Some(tape) = slot_operand(source, builder, Slot::Tape) {
            open_cursor(builder, cells, tape);
        }
        return;
    }
    if !source.plan.uses_tape() {
        return;
    }
    let maker = match source.plan.request.mode {
        Mode::Gradient => "bs_tape_of_thread",
        Mode::Augmented => "bs_tape_new",
        Mode::Reverse | Mode::Tangent => {
            cells.tape_cell = Some(allocate(builder, Type::PTR));
            return;
        }
    };
    let tape = call_runtime(builder, maker, Type::PTR, Vec::new());
    if source.plan.request.mode == Mode::Augmented {
        let cell = allocate(builder, Type::PTR);
        store(builder, &cell, tape.clone());
        cells.tape_cell = Some(cell);
    }
    give_back_on_exception(source, builder, &tape);
    open_cursor(builder, cells, tape);
}

/// At the end of the reverse function: gives the tape back, or, if the caller keeps it, leaves it as it was found.
pub fn close_tape(source: &Source, builder: &mut Builder, cells: &Cells) {
    drop_slots(source, builder, cells);
    store_cursor(builder, cells);
    let Some(block) = slot_operand(source, builder, Slot::Tape).filter(|_| !source.plan.request.nested)
    else {
        return;
    };
    if source.plan.request.keep_tape {
        if let (Some(tape), Some(mark)) = (cells.tape.clone(), cells.mark.clone()) {
            let name = Operand::Const(function_name(source));
            call_runtime(builder, "bs_tape_rewind", Type::Void, vec![tape, mark, name]);
        }
        return;
    }
    call_runtime(builder, "bs_rt_tape_free", Type::Void, vec![block]);
}

pub fn field(builder: &mut Builder, block: &Operand, offset: u64) -> Operand {
    let gep = Op::Gep(Gep { source: Type::Int(8), strides: vec![Stride::Scale(1)] });
    let index = Operand::Const(Constant::int(64, i128::from(offset)));
    let place = builder.push(gep, Type::PTR, vec![block.clone(), index]);
    if let Some(inst) = builder.inst_mut(&place) {
        inst.flags = Flags::INBOUNDS;
    }
    place
}

/// The name of the differentiated function as a string in memory, for the runtime's messages.
pub fn function_name(source: &Source) -> Constant {
    text_of(&source.plan.request.function)
}

/// Symbols that begin so are strings in memory, of what stands behind.
pub const TEXT: &str = ".bs.name.";

/// A name as a string in memory.
pub fn text_of(name: &str) -> Constant {
    Constant::Symbol { name: format!("{TEXT}{name}"), space: 0 }
}

/// Lays a record or takes it back, by the name of its place in this function, under which another derivative finds both. What
/// one half lays for the other has a name of its own kind, since that derivative sees one of the two.
pub fn call_record(
    source: &Source,
    builder: &mut Builder,
    how: &str,
    operands: Vec<Operand>,
    place: &str,
) -> Operand {
    let mark = match half_of(builder.name()).filter(|_| source.plan.request.nested) {
        Some(half) => format!("{HALF}{half}.{place}"),
        None => format!("{RECORD}{}.{place}", builder.name()),
    };
    let record = call_runtime(builder, how, Type::PTR, operands);
    if let Some(Inst { op: Op::Call(call), .. }) = builder.inst_mut(&record) {
        call.attributes.push(mark);
    }
    record
}

pub fn call_runtime(builder: &mut Builder, name: &str, result: Type, operands: Vec<Operand>) -> Operand {
    let call = Call { arguments: operands.len() as u32, library: true, attributes: Vec::new() };
    let mut all = operands;
    all.push(Operand::Const(Constant::Symbol { name: name.into(), space: 0 }));
    builder.push(Op::Call(call), result, all)
}

//! Split mode's tape: the cells of the forward sweep, laid out in one block of memory.

use super::Source;
use super::builder::Builder;
use super::cells::{Cells, allocate, load, store};
use super::signature::slot_operand;
use crate::model::{Call, Constant, Flags, Gep, Layout, Op, Operand, Stride, Type};
use crate::plan::Slot;
use crate::request::Mode;

/// Where each cell lies on the tape.
pub struct TapeLayout {
    pub bytes: u64,
    fields: Vec<(Operand, Type, u64)>,
}

/// Lays kept values and edge numbers out one after the other, each aligned as its type asks.
pub fn lay_out(source: &Source, cells: &Cells) -> TapeLayout {
    let layout = Layout::parse(&source.program.layout);
    let tape = cells.tape_cell.iter().map(|cell| (cell.clone(), Type::PTR));
    let counters = cells.counters.values().map(|cell| (cell.clone(), Type::I64));
    let kept = cells.kept.iter().map(|(id, cell)| (cell.clone(), source.function.value_type(*id).clone()));
    let shadows = cells.kept_shadows.values().map(|cell| (cell.clone(), Type::PTR));
    let travelling = cells.travelling.values().map(|cell| (cell.clone(), Type::PTR));
    let edges = cells.edges.values().map(|cell| (cell.clone(), Type::I32));
    let (mut bytes, mut fields) = (0u64, Vec::new());
    for (cell, ty) in tape.chain(kept).chain(shadows).chain(travelling).chain(counters).chain(edges) {
        let align = layout.align_of(&ty).unwrap_or(16).max(1);
        bytes = bytes.next_multiple_of(align);
        fields.push((cell, ty.clone(), bytes));
        // A type without a size known here (a scalable vector) is refused before there is a plan.
        bytes += layout.size_of(&ty).unwrap_or(0);
    }
    TapeLayout { bytes, fields }
}

/// At the end of the augmented function: takes a block from the runtime and copies the cells to it.
pub fn store_cells(source: &Source, builder: &mut Builder, tape: &TapeLayout) -> Operand {
    if tape.bytes == 0 {
        return Operand::Const(Constant::Null(Type::PTR));
    }
    let bytes = Operand::Const(Constant::int(64, i128::from(tape.bytes)));
    let name = Operand::Const(function_name(source));
    let block = call_runtime(builder, "bs_rt_tape_alloc", Type::PTR, vec![bytes, name]);
    for (cell, ty, offset) in &tape.fields {
        let value = load(builder, cell, ty.clone());
        let place = field(builder, &block, *offset);
        store(builder, &place, value);
    }
    block
}

/// At the start of the reverse function: copies the tape back into the cells.
pub fn load_cells(source: &Source, builder: &mut Builder, cells: &mut Cells, tape: &TapeLayout) {
    let Some(block) = slot_operand(source, builder, Slot::Tape) else { return };
    for (cell, ty, offset) in &tape.fields {
        let place = field(builder, &block, *offset);
        let value = load(builder, &place, ty.clone());
        store(builder, cell, value);
    }
    if let Some(cell) = &cells.tape_cell {
        cells.tape = Some(load(builder, cell, Type::PTR));
    }
}

/// Where records go: the thread's own stack when both sweeps are one call, else a tape object that travels between
/// them. Stored in a cell, so that the reverse function finds it where the augmented one left it.
pub fn open_tape(source: &Source, builder: &mut Builder, cells: &mut Cells) {
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
    cells.tape = Some(tape);
}

/// At the end of the reverse function: gives the tape back, or, if the caller keeps it, leaves it as it was found.
pub fn close_tape(source: &Source, builder: &mut Builder, cells: &Cells, mark: Option<Operand>) {
    let Some(block) = slot_operand(source, builder, Slot::Tape) else { return };
    let name = Operand::Const(function_name(source));
    let records = cells.tape.clone();
    if source.plan.request.keep_tape {
        if let (Some(tape), Some(mark)) = (records, mark) {
            call_runtime(builder, "bs_tape_rewind", Type::Void, vec![tape, mark, name]);
        }
        return;
    }
    if let Some(tape) = records {
        call_runtime(builder, "bs_tape_free", Type::Void, vec![tape, name]);
    }
    for key in cells.travelling.keys() {
        call_runtime(builder, "free", Type::Void, vec![cells.stack_shadows[key].clone()]);
    }
    call_runtime(builder, "bs_rt_tape_free", Type::Void, vec![block]);
}

/// The top of a tape that the caller keeps, before the reverse function takes anything off.
pub fn mark_tape(source: &Source, builder: &mut Builder, cells: &Cells) -> Option<Operand> {
    let tape = cells.tape.as_ref().filter(|_| source.plan.request.keep_tape)?;
    Some(call_runtime(builder, "bs_tape_mark", Type::PTR, vec![tape.clone()]))
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
    Constant::Symbol { name: format!(".bs.name.{}", source.plan.request.function), space: 0 }
}

pub fn call_runtime(builder: &mut Builder, name: &str, result: Type, operands: Vec<Operand>) -> Operand {
    let call = Call { arguments: operands.len() as u32, library: true, attributes: Vec::new() };
    let mut all = operands;
    all.push(Operand::Const(Constant::Symbol { name: name.into(), space: 0 }));
    builder.push(Op::Call(call), result, all)
}

//! The records of a counted loop as one array: laid where the loop is entered, indexed by the pass.

use super::Source;
use super::builder::Builder;
use super::cells::{Cells, load, store};
use super::records::{GRAIN, record_bytes};
use super::tape::{call_record, field, function_name};
use crate::analyses::trips::Trips;
use crate::model::{BlockId, Constant, Flags, Gep, IntOp, IntPredicate, Op, Operand, Stride, Type};
use crate::plan::RecordArray;

/// When somebody asks for the place of a record: the header counts a pass behind its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Entered,
    Running,
}

/// The array begins with its own length in bytes.
const HEAD: u64 = GRAIN;

/// Lays the arrays of the loops that are entered from a block, at its end.
pub fn lay_arrays(
    source: &Source,
    builder: &mut Builder,
    cells: &Cells,
    from: BlockId,
    primal: &mut dyn FnMut(&Operand) -> Operand,
) {
    for (header, array) in source.plan.arrays.iter().filter(|(_, array)| array.entry == from) {
        let Some(cursor) = &cells.cursor else { return };
        let start = primal(&array.trips.start);
        let bound = primal(&array.trips.bound);
        let passes = count_passes(builder, &array.trips, start, bound);
        let stride = constant(bytes_of_pass(source, builder, array));
        let content = builder.push(Op::Int(IntOp::Mul), Type::I64, vec![passes, stride]);
        let bytes = builder.push(Op::Int(IntOp::Add), Type::I64, vec![content, constant(HEAD)]);
        let operands = vec![cursor.clone(), bytes.clone(), Operand::Const(function_name(source))];
        let place = call_record(builder, "backsweep.push", operands, &place_of(*header));
        store(builder, &place, bytes);
        builder.mark_last_integer();
        store(builder, &cells.arrays[header], place);
    }
}

/// Takes them back, at the start of that block's reverse.
pub fn drop_arrays(source: &Source, builder: &mut Builder, cells: &Cells, from: BlockId) {
    for (header, _) in source.plan.arrays.iter().filter(|(_, array)| array.entry == from) {
        let Some(cursor) = &cells.cursor else { return };
        let place = load(builder, &cells.arrays[header], Type::PTR);
        let bytes = load(builder, &place, Type::I64);
        builder.mark_last_integer();
        let operands = vec![cursor.clone(), bytes, Operand::Const(function_name(source))];
        call_record(builder, "backsweep.pop", operands, &place_of(*header));
    }
}

/// The name of a loop's array.
fn place_of(header: BlockId) -> String {
    format!("loop{}", header.0)
}

/// The place of a block's record of this pass, if it lies in an array.
pub fn place_in_array(
    source: &Source,
    builder: &mut Builder,
    cells: &Cells,
    block: BlockId,
    when: When,
) -> Option<Operand> {
    let (header, array) = source.plan.arrays.iter().find(|(_, array)| array.blocks.contains(&block))?;
    let before = array.blocks.iter().take_while(|known| **known != block);
    let offset: u64 = before.map(|known| record_bytes(source, builder, *known)).sum();
    let stride = bytes_of_pass(source, builder, array);
    let base = load(builder, &cells.arrays[header], Type::PTR);
    let counter = load(builder, &cells.counters[header], Type::I64);
    let index = if block == *header && when == When::Entered {
        counter
    } else {
        builder.push(Op::Int(IntOp::Sub), Type::I64, vec![counter, constant(1)])
    };
    let ty = Type::Array(stride, Box::new(Type::Int(8)));
    let gep = Op::Gep(Gep { source: ty, strides: vec![Stride::Scale(stride)] });
    let pass = builder.push(gep, Type::PTR, vec![base, index]);
    if let Some(inst) = builder.inst_mut(&pass) {
        inst.flags = Flags::INBOUNDS;
    }
    Some(field(builder, &pass, HEAD + offset))
}

fn bytes_of_pass(source: &Source, builder: &Builder, array: &RecordArray) -> u64 {
    array.blocks.iter().map(|block| record_bytes(source, builder, *block)).sum()
}

/// How often the header is passed.
pub fn count_passes(builder: &mut Builder, trips: &Trips, start: Operand, bound: Operand) -> Operand {
    let ty = Type::Int(trips.bits);
    let (from, to) = if trips.upwards { (start, bound) } else { (bound, start) };
    let distance = builder.push(Op::Int(IntOp::Sub), ty.clone(), vec![to.clone(), from.clone()]);
    let less = match (trips.signed, trips.inclusive) {
        (true, false) => IntPredicate::Slt,
        (true, true) => IntPredicate::Sle,
        (false, false) => IntPredicate::Ult,
        (false, true) => IntPredicate::Ule,
    };
    let more = u64::from(trips.inclusive);
    let mut turns = widen(builder, distance, trips.bits);
    turns = builder.push(Op::Int(IntOp::Add), Type::I64, vec![turns, constant(more)]);
    if !trips.exact {
        let runs = builder.push(Op::ICmp(less), Type::BOOL, vec![from, to]);
        turns = builder.push(Op::Select, Type::I64, vec![runs, turns, constant(0)]);
    }
    builder.push(Op::Int(IntOp::Add), Type::I64, vec![turns, constant(1)])
}

fn widen(builder: &mut Builder, value: Operand, bits: u32) -> Operand {
    match bits {
        64 => value,
        _ => builder.push(Op::Cast(crate::model::CastOp::ZExt), Type::I64, vec![value]),
    }
}

fn constant(value: u64) -> Operand {
    Operand::Const(Constant::int(64, i128::from(value)))
}

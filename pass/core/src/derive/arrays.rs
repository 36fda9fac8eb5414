//! The records of a counted loop as one array: laid where the loop is entered, indexed by the pass.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Source;
use super::builder::Builder;
use super::cells::{Cells, load, store};
use super::records::{GRAIN, record_bytes, store_packed};
use super::rows::{lay_rows, measure_rows};
use super::strip::{MASK, STATES, count_states, state_bytes};
use super::tape::{call_record, field, function_name};
use crate::analyses::trips::Trips;
use crate::model::{BlockId, Constant, Flags, Gep, IntOp, IntPredicate, Op, Operand, Stride, Type};

/// When somebody asks for the place of a record: the header counts a pass behind its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Entered,
    Running,
}

/// The array begins with its own length in bytes. Where the records of each row of memory begin comes next.
pub const HEAD: u64 = GRAIN;

/// Lays the arrays of the loops that are entered from a block, at its end.
pub fn lay_arrays(
    source: &Source,
    builder: &mut Builder,
    cells: &Cells,
    from: BlockId,
    primal: &mut dyn FnMut(&Operand) -> Operand,
) {
    for (header, array) in source.arrays_entered(from) {
        let header = &header;
        if let Some(room) = cells.frames.get(header) {
            store(builder, &cells.arrays[header], room.clone());
            continue;
        }
        let Some(cursor) = &cells.cursor else { return };
        let start = primal(&array.trips.start);
        let bound = primal(&array.trips.bound);
        let passes = count_passes(builder, &array.trips, start, bound);
        let strip = source.plan.strips.get(header);
        let mut mask = None;
        let laid = match strip {
            Some(strip) => {
                let operands = vec![passes.clone(), constant(strip.whole)];
                let short = builder.push(Op::ICmp(IntPredicate::Ule), Type::BOOL, operands);
                let either = vec![short.clone(), constant(u64::MAX), constant(strip.passes - 1)];
                mask = Some(builder.push(Op::Select, Type::I64, either));
                let either = vec![short, passes.clone(), constant(strip.passes)];
                builder.push(Op::Select, Type::I64, either)
            }
            None => passes.clone(),
        };
        let stride = constant(pass_of(source, builder, *header).bytes);
        let content = builder.push(Op::Int(IntOp::Mul), Type::I64, vec![laid, stride]);
        let content = round_up(builder, content);
        let head = constant(head_of(source, *header));
        let records = builder.push(Op::Int(IntOp::Add), Type::I64, vec![content, head]);
        let rows = measure_rows(source, builder, *header, &passes, records.clone());
        let records = rows.end.clone();
        let bytes = match strip {
            Some(strip) => {
                let states = count_states(builder, strip, passes);
                let each = constant(state_bytes(source, builder, strip));
                let states = builder.push(Op::Int(IntOp::Mul), Type::I64, vec![states, each]);
                builder.push(Op::Int(IntOp::Add), Type::I64, vec![records.clone(), states])
            }
            None => records.clone(),
        };
        let operands = vec![cursor.clone(), bytes.clone(), Operand::Const(function_name(source))];
        let place = call_record(source, builder, "backsweep.push", operands, &place_of(*header));
        store(builder, &place, bytes);
        builder.mark_last_integer();
        lay_rows(source, builder, (*header, array, cells), &place, &rows, primal);
        if let Some(mask) = mask {
            let gep = Op::Gep(Gep { source: Type::Int(8), strides: vec![Stride::Scale(1)] });
            let states = builder.push(gep, Type::PTR, vec![place.clone(), records]);
            for (word, value, cell) in [(STATES, states, &cells.states), (MASK, mask, &cells.masks)] {
                let place = field(builder, &place, word);
                store_packed(builder, &place, value.clone());
                if word == MASK {
                    builder.mark_last_integer();
                }
                store(builder, &cell[header], value);
            }
        }
        store(builder, &cells.arrays[header], place);
    }
}

/// How many words an array takes that lies in the stack frame.
pub fn words_in_frame(source: &Source, builder: &Builder, header: BlockId) -> Option<u64> {
    let array = &source.plan.arrays[&header];
    let bytes = array.in_frame? * pass_of(source, builder, header).bytes + head_of(source, header);
    Some(bytes.div_ceil(GRAIN))
}

/// The bytes in front of the records.
fn head_of(source: &Source, header: BlockId) -> u64 {
    let rows = source.plan.rows.get(&header).map_or(0, |all| all.rows.len() as u64);
    if source.plan.strips.contains_key(&header) { MASK + GRAIN } else { HEAD + rows * GRAIN }
}

/// Takes them back, at the start of that block's reverse.
pub fn drop_arrays(source: &Source, builder: &mut Builder, cells: &Cells, from: BlockId) {
    for (header, _) in source.arrays_entered(from).filter(|(_, array)| array.in_frame.is_none()) {
        let Some(cursor) = &cells.cursor else { return };
        let place = load(builder, &cells.arrays[&header], Type::PTR);
        let bytes = load(builder, &place, Type::I64);
        builder.mark_last_integer();
        let operands = vec![cursor.clone(), bytes, Operand::Const(function_name(source))];
        call_record(source, builder, "backsweep.pop", operands, &place_of(header));
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
    let (header, _) = source.array_around(block)?;
    let header = &header;
    let base = load(builder, &cells.arrays[header], Type::PTR);
    let counter = load(builder, &cells.counters[header], Type::I64);
    let index = if block == *header && when == When::Entered {
        counter
    } else {
        builder.push(Op::Int(IntOp::Sub), Type::I64, vec![counter, constant(1)])
    };
    let index = match source.plan.strips.get(header) {
        Some(_) => {
            let mask = load(builder, &cells.masks[header], Type::I64);
            builder.push(Op::Int(IntOp::And), Type::I64, vec![index, mask])
        }
        None => index,
    };
    Some(place_of_pass(source, builder, (*header, block), base, index))
}

/// The place of a block's record of a pass in the array of its loop.
pub fn place_of_pass(
    source: &Source,
    builder: &mut Builder,
    (header, block): (BlockId, BlockId),
    base: Operand,
    index: Operand,
) -> Operand {
    let laid = pass_of(source, builder, header);
    let (offset, stride) = (laid.offsets.get(&block).copied().unwrap_or(laid.bytes), laid.bytes);
    let ty = Type::Array(stride, Box::new(Type::Int(8)));
    let gep = Op::Gep(Gep { source: ty, strides: vec![Stride::Scale(stride)] });
    let pass = builder.push(gep, Type::PTR, vec![base, index]);
    if let Some(inst) = builder.inst_mut(&pass) {
        inst.flags = Flags::INBOUNDS;
    }
    field(builder, &pass, head_of(source, header) + offset)
}

/// The tape moves by whole grains.
pub fn round_up(builder: &mut Builder, bytes: Operand) -> Operand {
    let more = builder.push(Op::Int(IntOp::Add), Type::I64, vec![bytes, constant(GRAIN - 1)]);
    builder.push(Op::Int(IntOp::And), Type::I64, vec![more, constant(!(GRAIN - 1))])
}

/// The records of one pass.
pub struct Pass {
    /// Where each block's begins.
    offsets: BTreeMap<BlockId, u64>,
    bytes: u64,
}

/// Each record asks where it lies, which is behind all others.
fn pass_of(source: &Source, builder: &Builder, header: BlockId) -> Rc<Pass> {
    if let Some(known) = source.passes.borrow().get(&header) {
        return known.clone();
    }
    let mut pass = Pass { offsets: BTreeMap::new(), bytes: 0 };
    for block in &source.plan.arrays[&header].blocks {
        pass.offsets.entry(*block).or_insert(pass.bytes);
        pass.bytes += record_bytes(source, builder, *block);
    }
    let pass = Rc::new(pass);
    source.passes.borrow_mut().insert(header, pass.clone());
    pass
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

pub fn constant(value: u64) -> Operand {
    Operand::Const(Constant::int(64, i128::from(value)))
}

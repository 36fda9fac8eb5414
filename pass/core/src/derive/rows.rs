//! Rows of memory in the array of a loop's records: begun where the loop is entered, recorded in its passes, read in their reverse.

use std::collections::BTreeMap;

use super::Source;
use super::arrays::{HEAD, constant, round_up};
use super::builder::Builder;
use super::cells::{Cells, load, store};
use super::records::{GRAIN, load_packed, store_packed};
use super::tape::{call_runtime, field};
use crate::analyses::memory_calls::PLAIN_COPY;
use crate::model::{BlockId, Constant, Flags, Gep, IntOp, IntPredicate, Op, Operand, Stride, Type, ValueId};
use crate::plan::{RecordArray, Row};

/// Where in an array its rows are to lie.
pub struct Measured {
    /// For each row where it begins, and the bytes in front of what passes record.
    rows: Vec<(Operand, Operand)>,
    /// Where the last of them ends.
    pub end: Operand,
}

/// Lines the rows of a loop up behind what comes before. The header is passed once more than the rest of the loop.
pub fn measure_rows(
    source: &Source,
    builder: &mut Builder,
    header: BlockId,
    passes: &Operand,
    start: Operand,
) -> Measured {
    let mut measured = Measured { rows: Vec::new(), end: start };
    for row in source.plan.rows.get(&header).into_iter().flat_map(|all| &all.rows) {
        let first = builder.push(Op::ICmp(IntPredicate::Ule), Type::BOOL, vec![passes.clone(), constant(1)]);
        let between = builder.push(Op::Int(IntOp::Sub), Type::I64, vec![passes.clone(), constant(2)]);
        let last = builder.push(Op::Int(IntOp::Mul), Type::I64, vec![between, constant(row.step)]);
        let bytes = builder.push(Op::Int(IntOp::Add), Type::I64, vec![last, constant(row.span)]);
        let bytes = builder.push(Op::Select, Type::I64, vec![first.clone(), constant(0), bytes]);
        let room = round_up(builder, bytes);
        let end = builder.push(Op::Int(IntOp::Add), Type::I64, vec![measured.end.clone(), room]);
        let begin = std::mem::replace(&mut measured.end, end);
        let front = builder.push(Op::Select, Type::I64, vec![first, constant(0), constant(row.front())]);
        measured.rows.push((begin, front));
    }
    measured
}

/// Begins the rows of an array, where the loop is entered.
pub fn lay_rows(
    source: &Source,
    builder: &mut Builder,
    (header, array, cells): (BlockId, &RecordArray, &Cells),
    place: &Operand,
    measured: &Measured,
    primal: &mut dyn FnMut(&Operand) -> Operand,
) {
    let Some(all) = source.plan.rows.get(&header) else { return };
    for (at, (row, (begin, front))) in all.rows.iter().zip(&measured.rows).enumerate() {
        let gep = Op::Gep(Gep { source: Type::Int(8), strides: vec![Stride::Scale(1)] });
        let to = builder.push(gep, Type::PTR, vec![place.clone(), begin.clone()]);
        let word = word_of(builder, place, at);
        store_packed(builder, &word, to.clone());
        store(builder, &cells.rows[&(header, at)], to.clone());
        let address = source.function.inst(row.first).map(|load| load.operands[0].clone());
        let Some(address) = address.filter(|_| row.front() > 0) else { continue };
        let mut entering = Entering { source, row, entry: array.entry, done: BTreeMap::new(), primal };
        let from = entering.operand(builder, &address);
        let ordinary = Operand::Const(Constant::bool(false));
        call_runtime(builder, PLAIN_COPY, Type::Void, vec![to, from, front.clone(), ordinary]);
    }
}

/// Where an array tells where one of its rows begins.
fn word_of(builder: &mut Builder, array: &Operand, at: usize) -> Operand {
    field(builder, array, HEAD + at as u64 * GRAIN)
}

/// Computes an address as the first pass of a loop does, before it.
struct Entering<'a> {
    source: &'a Source<'a>,
    row: &'a Row,
    entry: BlockId,
    done: BTreeMap<ValueId, Operand>,
    primal: &'a mut dyn FnMut(&Operand) -> Operand,
}

impl Entering<'_> {
    fn operand(&mut self, builder: &mut Builder, operand: &Operand) -> Operand {
        let known = operand.value().filter(|id| self.row.again.contains(id));
        let inst = known.and_then(|id| Some((id, self.source.function.inst(id)?)));
        let Some((id, inst)) = inst else { return (self.primal)(operand) };
        if let Some(done) = self.done.get(&id) {
            return done.clone();
        }
        let computed = match &inst.op {
            Op::Phi { from } => {
                let at = from.iter().position(|block| *block == self.entry).unwrap_or(0);
                (self.primal)(&inst.operands[at])
            }
            // Without promises: the loop may have no pass.
            op => {
                let operands = inst.operands.iter().map(|operand| self.operand(builder, operand)).collect();
                builder.push(op.clone(), inst.ty.clone(), operands)
            }
        };
        self.done.insert(id, computed.clone());
        computed
    }
}

/// Where the reverse sweep comes back to a loop, its array tells where the rows are.
pub fn find_rows(source: &Source, builder: &mut Builder, cells: &Cells, block: BlockId, from: BlockId) {
    let Some(all) = source.plan.rows.get(&from).filter(|all| all.exit == block) else { return };
    let array = load(builder, &cells.arrays[&from], Type::PTR);
    for at in 0..all.rows.len() {
        let word = word_of(builder, &array, at);
        let row = load_packed(builder, &word, Type::PTR);
        store(builder, &cells.rows[&(from, at)], row);
    }
}

/// Records what leads, as a block ends.
pub fn record_rows(source: &Source, builder: &mut Builder, cells: &Cells, block: BlockId) {
    for (cell, place, ty) in
        places_in_rows(source, builder, cells, block, |row| row.leads.iter().copied().collect())
    {
        let value = load(builder, &cell, ty);
        store_packed(builder, &place, value);
    }
}

/// Takes what all of its loads have found out of rows, where the reverse of a block begins.
pub fn fetch_rows(source: &Source, builder: &mut Builder, cells: &Cells, block: BlockId) {
    for (cell, place, ty) in
        places_in_rows(source, builder, cells, block, |row| row.loads.keys().copied().collect())
    {
        let value = load_packed(builder, &place, ty);
        store(builder, &cell, value);
    }
}

/// The cells of what some loads of a block have found, each with the place in a row where this pass has read.
fn places_in_rows(
    source: &Source,
    builder: &mut Builder,
    cells: &Cells,
    block: BlockId,
    loads: fn(&Row) -> Vec<ValueId>,
) -> Vec<(Operand, Operand, Type)> {
    let mut places = Vec::new();
    for (header, all) in &source.plan.rows {
        for (at, row) in all.rows.iter().enumerate().filter(|(_, row)| row.block == block) {
            let base = load(builder, &cells.rows[&(*header, at)], Type::PTR);
            let passed = load(builder, &cells.counters[header], Type::I64);
            let pass = builder.push(Op::Int(IntOp::Sub), Type::I64, vec![passed, constant(1)]);
            let bytes = Type::Array(row.step, Box::new(Type::Int(8)));
            let gep = Op::Gep(Gep { source: bytes, strides: vec![Stride::Scale(row.step)] });
            let begin = builder.push(gep, Type::PTR, vec![base, pass]);
            if let Some(inst) = builder.inst_mut(&begin) {
                inst.flags = Flags::INBOUNDS;
            }
            for id in loads(row) {
                let ty = source.function.value_type(id).clone();
                places.push((cells.kept[&id].clone(), field(builder, &begin, row.loads[&id]), ty));
            }
        }
    }
    places
}

//! A loop in strips: what it hands on is laid down where a strip begins; before its reverse, the strip runs again.
//!
//! The array of such a loop has three words in front, its length, where the states lie, and what of the number of a pass tells
//! the place of its record: all, where the whole loop is one strip. Then come the records of one strip, then the states. A state
//! is laid down in each pass where that of the next strip will lie, and the last one stays.

use std::collections::BTreeMap;

use super::Source;
use super::adjoint::Primals;
use super::arrays::{constant, place_of_pass};
use super::builder::Builder;
use super::cells::{Cells, load, store};
use super::copies::{Copies, insts_of, set_phi};
use super::records::{GRAIN, load_packed, mark_number, store_packed, value_fields};
use super::reverse::ReverseWriter;
use super::tape::field;
use crate::model::{BlockId, CastOp, Gep, IntOp, IntPredicate, Op, Operand, Stride, Type, ValueId};
use crate::plan::{Item, Merge, Storage, Strip};

/// The second and the third word of an array.
pub const STATES: u64 = GRAIN;
pub const MASK: u64 = 2 * GRAIN;

/// How many states a loop of so many passes lays down.
pub fn count_states(builder: &mut Builder, strip: &Strip, passes: Operand) -> Operand {
    let before = builder.push(Op::Int(IntOp::Sub), Type::I64, vec![passes, constant(1)]);
    let last = slot_of(builder, strip, before);
    builder.push(Op::Int(IntOp::Add), Type::I64, vec![last, constant(1)])
}

/// The place of the state before so many passes, among the states.
fn slot_of(builder: &mut Builder, strip: &Strip, passed: Operand) -> Operand {
    let up = builder.push(Op::Int(IntOp::Add), Type::I64, vec![passed, constant(strip.passes - 1)]);
    let bits = constant(strip.passes.trailing_zeros().into());
    builder.push(Op::Int(IntOp::LShr), Type::I64, vec![up, bits])
}

pub fn state_bytes(source: &Source, builder: &Builder, strip: &Strip) -> u64 {
    source.plan.lay_state(source.function, &builder.layout, strip).1
}

/// In front of what the header does, which has not counted the pass yet.
pub fn lay_state(source: &Source, builder: &mut Builder, cells: &Cells, copies: &Copies, header: BlockId) {
    let Some(strip) = source.plan.strips.get(&header) else { return };
    let states = load(builder, &cells.states[&header], Type::PTR);
    let passed = load(builder, &cells.counters[&header], Type::I64);
    let slot = slot_of(builder, strip, passed);
    let (places, bytes) = source.plan.lay_state(source.function, &builder.layout, strip);
    let state = place_state(builder, states, slot, bytes);
    for (value, offset) in places {
        let place = field(builder, &state, offset);
        store_packed(builder, &place, copies.values[&value].clone());
        mark_number(source, builder, Some(Item::Value(value)));
    }
}

fn place_state(builder: &mut Builder, states: Operand, slot: Operand, bytes: u64) -> Operand {
    let ty = Type::Array(bytes, Box::new(Type::Int(8)));
    let gep = Op::Gep(Gep { source: ty, strides: vec![Stride::Scale(bytes)] });
    builder.push(gep, Type::PTR, vec![states, slot])
}

/// Goes on to the reverse of a pass; if that is the last one of its strip, over a run of the strip. `passes` is its number.
pub fn run_strip(
    writer: &ReverseWriter,
    builder: &mut Builder,
    header: BlockId,
    strip: &Strip,
    passes: &Operand,
    to: BlockId,
) {
    let mask = load(builder, &writer.cells.masks[&header], Type::I64);
    let rest = builder.push(Op::Int(IntOp::And), Type::I64, vec![passes.clone(), mask]);
    let whole = builder.push(Op::ICmp(IntPredicate::Eq), Type::BOOL, vec![rest, constant(0)]);
    let begin = builder.add_block(format!("strip.b{}", header.0));
    builder.push(Op::CondBr { yes: begin, no: to }, Type::Void, vec![whole]);
    builder.move_to(begin);
    let mut run = Run::begin(writer, builder, header, strip, passes);
    run.copy_blocks(builder, to);
    run.fill_phis(builder, begin);
    writer.again.borrow_mut().clear();
}

/// Where the reverse sweep comes back to a loop: which of its runs this is tells its array.
pub fn find_mask(writer: &ReverseWriter, builder: &mut Builder, block: BlockId, from: BlockId) {
    let strip = writer.source.plan.strips.get(&from);
    if strip.is_none_or(|strip| strip.blocks.contains(&block)) {
        return;
    }
    let array = load(builder, &writer.cells.arrays[&from], Type::PTR);
    let word = field(builder, &array, MASK);
    let mask = load_packed(builder, &word, Type::I64);
    builder.mark_last_integer();
    store(builder, &writer.cells.masks[&from], mask);
}

/// One strip running again.
struct Run<'a> {
    writer: &'a ReverseWriter<'a>,
    header: BlockId,
    latch: BlockId,
    strip: &'a Strip,
    copies: Copies,
    /// What the header's phis begin with.
    starts: BTreeMap<ValueId, Operand>,
    /// Where the records of the loop lie.
    array: Operand,
    /// The pass of the strip, from zero, and the next.
    pass: Option<(Operand, Operand)>,
}

impl<'a> Run<'a> {
    /// Takes from outside what the run takes, and goes to the header.
    fn begin(
        writer: &'a ReverseWriter,
        builder: &mut Builder,
        header: BlockId,
        strip: &'a Strip,
        passes: &Operand,
    ) -> Run<'a> {
        let (source, cells) = (writer.source, writer.cells);
        let mut copies = Copies::default();
        for value in &strip.operands {
            copies.values.insert(*value, writer.primal(builder, &Operand::Value(*value)));
        }
        let array = load(builder, &cells.arrays[&header], Type::PTR);
        let words = field(builder, &array, STATES);
        let states = load_packed(builder, &words, Type::PTR);
        let bits = constant(strip.passes.trailing_zeros().into());
        let strips = builder.push(Op::Int(IntOp::LShr), Type::I64, vec![passes.clone(), bits]);
        let slot = builder.push(Op::Int(IntOp::Sub), Type::I64, vec![strips, constant(1)]);
        let (places, bytes) = source.plan.lay_state(source.function, &builder.layout, strip);
        let state = place_state(builder, states, slot, bytes);
        let mut starts = BTreeMap::new();
        for (value, offset) in places {
            let place = field(builder, &state, offset);
            let start = load_packed(builder, &place, source.function.value_type(value).clone());
            mark_number(source, builder, Some(Item::Value(value)));
            starts.insert(value, start);
        }
        for counter in &strip.counters {
            starts.insert(*counter, count_to_begin(writer, builder, strip, *counter));
        }
        for block in &strip.blocks {
            copies.blocks.insert(*block, builder.add_block(format!("strip.b{}", block.0)));
        }
        builder.push(Op::Br { to: copies.block(header) }, Type::Void, Vec::new());
        let latch = match source.plan.merges.get(&header).map(|merge| &merge.choice) {
            Some(Merge::Count { latch, .. }) => *latch,
            _ => unreachable!("^{} has strips, and its passes are not counted", header.0),
        };
        Run { writer, header, latch, strip, copies, starts, array, pass: None }
    }

    /// Dominators first, so that operands are there.
    fn copy_blocks(&mut self, builder: &mut Builder, to: BlockId) {
        let order = self.writer.flow.dominator_order();
        for block in order.into_iter().filter(|block| self.strip.blocks.contains(block)) {
            builder.move_to(self.copies.block(block));
            if block == self.header {
                let pass = builder.push(Op::Phi { from: Vec::new() }, Type::I64, Vec::new());
                self.pass = Some((pass.clone(), pass));
            }
            for (id, inst) in insts_of(self.writer.source.function, block) {
                builder.loc = inst.loc;
                if inst.op.is_terminator() {
                    self.lay_record(builder, block);
                    self.end_block(builder, block, to);
                } else if self.strip.insts.contains(&id) {
                    self.copies.copy(builder, id, inst);
                }
            }
        }
    }

    /// What a block leaves in its record of this pass, and in that of the next, which holds what a cell held before. Behind
    /// the last pass the cell holds it itself.
    fn lay_record(&mut self, builder: &mut Builder, block: BlockId) {
        let (source, array) = (self.writer.source, &self.array);
        let fields = value_fields(source, builder, block);
        let Some((pass, _)) = self.pass.clone().filter(|_| !fields.is_empty()) else { return };
        let next = builder.push(Op::Int(IntOp::Add), Type::I64, vec![pass.clone(), constant(1)]);
        let next = vec![next, constant(self.strip.passes - 1)];
        let next = builder.push(Op::Int(IntOp::And), Type::I64, next);
        let place = (self.header, block);
        let record = place_of_pass(source, builder, place, array.clone(), pass);
        let behind = place_of_pass(source, builder, place, array.clone(), next);
        for (value, offset) in fields {
            let fresh = source.plan.fresh.contains_key(&Item::Value(value));
            let copy = self.copies.values[&value].clone();
            if !fresh {
                store(builder, &self.writer.cells.kept[&value], copy.clone());
            }
            let place = field(builder, if fresh { &record } else { &behind }, offset);
            store_packed(builder, &place, copy);
            mark_number(source, builder, Some(Item::Value(value)));
        }
    }

    /// No pass of the strip leaves the loop; behind the last one its reverse begins.
    fn end_block(&mut self, builder: &mut Builder, block: BlockId, to: BlockId) {
        let function = self.writer.source.function;
        if block == self.header {
            let mut inside = function.successors(block).into_iter();
            let next = inside.find(|next| self.strip.blocks.contains(next)).unwrap_or(self.latch);
            builder.push(Op::Br { to: self.copies.block(next) }, Type::Void, Vec::new());
        } else if block == self.latch {
            let Some((pass, next)) = &mut self.pass else { return };
            *next = builder.push(Op::Int(IntOp::Add), Type::I64, vec![pass.clone(), constant(1)]);
            let operands = vec![next.clone(), constant(self.strip.passes)];
            let over = builder.push(Op::ICmp(IntPredicate::Eq), Type::BOOL, operands);
            let no = self.copies.block(self.header);
            builder.push(Op::CondBr { yes: to, no }, Type::Void, vec![over]);
        } else if let Some((id, inst)) = insts_of(function, block).next_back() {
            self.copies.copy(builder, id, inst);
        }
    }

    fn fill_phis(&self, builder: &mut Builder, begin: BlockId) {
        let function = self.writer.source.function;
        let round = self.copies.block(self.latch);
        if let Some((pass, next)) = &self.pass {
            set_phi(builder, pass, vec![(begin, constant(0)), (round, next.clone())]);
        }
        for id in &self.strip.insts {
            let Some(inst) = function.inst(*id) else { continue };
            match (&inst.op, self.starts.get(id)) {
                (Op::Phi { from }, Some(start)) => {
                    let Some(at) = from.iter().position(|block| *block == self.latch) else { continue };
                    let again = self.copies.operand(&inst.operands[at]);
                    set_phi(builder, &self.copies.values[id], vec![(begin, start.clone()), (round, again)]);
                }
                (Op::Phi { .. }, None) => self.copies.fill_phi(builder, *id, inst),
                _ => {}
            }
        }
    }
}

/// Where a counter stood in the first pass of the strip of which this is the last.
fn count_to_begin(writer: &ReverseWriter, builder: &mut Builder, strip: &Strip, counter: ValueId) -> Operand {
    let ty = writer.source.function.value_type(counter).clone();
    let now = load(builder, &writer.cells.kept[&counter], ty.clone());
    let Some(Storage::Invert { step, .. }) =
        writer.source.plan.storage.get(&counter).map(|stored| &stored.choice)
    else {
        unreachable!("%{} is counted back, by nothing", counter.0)
    };
    let passes = match &ty {
        Type::Int(64) => constant(strip.passes - 1),
        // What is too many or too few, it is modulo its range.
        Type::Int(bits) if *bits > 64 => {
            builder.push(Op::Cast(CastOp::ZExt), ty.clone(), vec![constant(strip.passes - 1)])
        }
        _ => builder.push(Op::Cast(CastOp::Trunc), ty.clone(), vec![constant(strip.passes - 1)]),
    };
    let step = Operand::Const(step.clone());
    let way = builder.push(Op::Int(IntOp::Mul), ty.clone(), vec![passes, step]);
    builder.push(Op::Int(IntOp::Sub), ty, vec![now, way])
}

//! Loops of which each pass is reversed as soon as it has run.
//!
//! The copy of such a loop does not go round by itself: it goes on to the reverse of its last block, with the adjoints of the
//! sums, which were found where the loop is entered; and where that comes to the header, the next pass begins. In the
//! reverse sweep the header leads to the block before the loop.

use std::collections::BTreeMap;

use super::Source;
use super::adjoint::AdjointWriter;
use super::builder::Builder;
use super::cells::{Cells, load};
use super::copies::{Copies, insts_of};
use super::cursor::store_cursor;
use super::reverse::ReverseWriter;
use crate::analyses::flow::Flow;
use crate::model::{BlockId, Op, Operand, Type, ValueId};
use crate::plan::Fused;

/// The places where a pass turns round, in the function being written.
pub struct Turn {
    /// Behind the copy of the last block: here the reverse of the pass begins.
    pub there: BlockId,
    /// Where it ends.
    pub back: BlockId,
    /// The copy of the header.
    pub header: BlockId,
}

/// By the headers of the loops.
pub type Turns = BTreeMap<BlockId, Turn>;

pub fn make_turns(source: &Source, builder: &mut Builder, copies: &Copies) -> Turns {
    let turn = |header: &BlockId| {
        let (there, back) = (builder.add_block("turn"), builder.add_block("turn.back"));
        (*header, Turn { there, back, header: copies.block(*header) })
    };
    source.plan.fused.keys().map(turn).collect()
}

/// Where the copy of a block leads that ends a pass.
pub fn turn_of<'a>(source: &Source, turns: &'a Turns, block: BlockId) -> Option<&'a Turn> {
    turns.get(&source.fused_ended(block)?)
}

/// Finds the adjoints of the sums of the loops that are entered from a block.
pub fn find_adjoints(
    source: &Source,
    builder: &mut Builder,
    (flow, cells, params, seeds): (&Flow, &Cells, &[Operand], Vec<Operand>),
    entry: BlockId,
) {
    for (header, fused) in source.fused_entered(entry) {
        let (cells, turns) = (&cells.early(header), &Turns::new());
        let writer = ReverseWriter {
            source,
            flow,
            cells,
            params,
            seeds: seeds.clone(),
            turns,
            again: Default::default(),
            stepped: Default::default(),
        };
        let adjoints = AdjointWriter { source, cells, primals: &writer };
        for id in fused.early.iter().rev() {
            let Some(inst) = source.function.inst(*id) else { continue };
            match inst.op {
                Op::Ret => writer.seed_result(builder, &adjoints, inst.operands.first()),
                Op::Phi { .. } => {
                    for lane in 0..source.plan.width() {
                        let d = adjoints.take_adjoint(builder, *id, lane);
                        adjoints.add_to(builder, &inst.operands[0], lane, d);
                    }
                }
                _ => adjoints.write_inst(builder, *id, inst),
            }
        }
    }
}

/// Turns each pass round, and what comes back to the next pass.
pub fn write_turns(writer: &ReverseWriter, builder: &mut Builder, blocks: &BTreeMap<BlockId, BlockId>) {
    let (source, cells) = (writer.source, writer.cells);
    let adjoints = AdjointWriter { source, cells, primals: writer };
    let lanes = || 0..source.plan.width();
    for (header, fused) in &source.plan.fused {
        let turn = &writer.turns[header];
        let early = cells.early(*header);
        builder.move_to(turn.there);
        for (sum, last) in last_of_pass(source, *header, fused) {
            for lane in lanes() {
                let Some(cell) = early.adjoint(sum, lane) else { continue };
                let d = load(builder, cell, source.function.value_type(sum).clone());
                adjoints.add_to(builder, &last, lane, d);
            }
        }
        store_cursor(builder, cells);
        builder.push(Op::Br { to: blocks[&fused.latch] }, Type::Void, Vec::new());
        builder.move_to(turn.back);
        for (sum, lane) in fused.sums.iter().flat_map(|sum| lanes().map(move |lane| (*sum, lane))) {
            adjoints.take_adjoint(builder, sum, lane);
        }
        builder.push(Op::Br { to: turn.header }, Type::Void, Vec::new());
    }
}

/// The sums with what a pass hands on of them.
fn last_of_pass(source: &Source, header: BlockId, fused: &Fused) -> Vec<(ValueId, Operand)> {
    let phis = insts_of(source.function, header).filter(|(id, _)| fused.sums.contains(id));
    phis.filter_map(|(id, inst)| {
        let Op::Phi { from } = &inst.op else { return None };
        let at = from.iter().position(|block| *block == fused.latch)?;
        Some((id, inst.operands[at].clone()))
    })
    .collect()
}

//! Loops that are passed by on the way back where the adjoints of all that they hand on are zero.

use std::collections::BTreeMap;

use super::adjoint::AdjointWriter;
use super::builder::{Builder, zero_of};
use super::cells::load;
use super::expand::compare_floats;
use super::reverse::ReverseWriter;
use crate::model::{BlockId, Flags, FloatPredicate, IntOp, Op, Operand, Type};

/// Between the reverse of the block behind a loop and that of the loop: goes on to what is before it where nothing is said.
pub fn pass_by(
    writer: &ReverseWriter,
    adjoints: &AdjointWriter,
    builder: &mut Builder,
    (block, header): (BlockId, BlockId),
    blocks: &BTreeMap<BlockId, BlockId>,
) {
    let plan = writer.source.plan;
    let Some(idle) = plan.idle.get(&header).filter(|idle| idle.exit == block) else { return };
    let mut silent: Option<Operand> = None;
    for value in &idle.asked {
        let ty = writer.source.function.value_type(*value).clone();
        for lane in 0..plan.width() {
            let cell = writer.cells.adjoint(*value, lane);
            let Some(cell) = cell else { unreachable!("%{} is handed on, and has no adjoint", value.0) };
            let d = load(builder, cell, ty.clone());
            let none = Operand::Const(zero_of(&ty));
            let test = compare_floats(builder, FloatPredicate::Oeq, d, none);
            silent = Some(match silent {
                Some(others) => builder.push(Op::Int(IntOp::And), Type::BOOL, vec![others, test]),
                None => test,
            });
        }
    }
    let Some(silent) = silent else { return };
    let (idle_block, busy) = (builder.add_block("reverse.idle"), builder.add_block("reverse.busy"));
    builder.push(Op::CondBr { yes: idle_block, no: busy }, Type::Void, vec![silent]);
    builder.flag_last(Flags::ZERO);
    builder.move_to(idle_block);
    // Nothing was said, and LLVM is to see that nothing is left to say when control comes again.
    for value in &idle.asked {
        for lane in 0..plan.width() {
            adjoints.take_adjoint(builder, *value, lane);
        }
    }
    let to = writer.way_back(header, idle.entry, blocks);
    builder.push(Op::Br { to }, Type::Void, Vec::new());
    builder.move_to(busy);
}

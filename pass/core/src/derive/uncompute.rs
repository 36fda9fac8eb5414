//! What a pass of a loop has added is taken back, between the reverse of its header and that of the pass before.

use super::adjoint::Primals;
use super::builder::Builder;
use super::cells::{load, store};
use super::reverse::ReverseWriter;
use crate::model::{BlockId, FloatOp, Inst, IntOp, Op, Operand, ValueId};
use crate::plan::{Merge, Storage};

/// On the way from the reverse of a header to that of the latch: there the counters stand where they stood in that pass.
pub fn take_back(writer: &ReverseWriter, builder: &mut Builder, header: BlockId, from: BlockId) {
    let (function, plan) = (writer.source.function, writer.source.plan);
    match plan.merges.get(&header).map(|merge| &merge.choice) {
        Some(Merge::Count { latch, .. }) if *latch == from => {}
        _ => return,
    }
    writer.again.borrow_mut().clear();
    for value in writer.stepped.get(&header).into_iter().flatten() {
        let here = matches!(plan.storage[value].choice, Storage::Uncompute { .. });
        let Some(phi) = function.inst(*value).filter(|_| here) else { continue };
        let Op::Phi { from: blocks } = &phi.op else { continue };
        let at = blocks.iter().position(|block| *block == from);
        let next = at.and_then(|at| phi.operands[at].value()).and_then(|next| function.inst(next));
        let Some(next) = next else { continue };
        let cell = &writer.cells.kept[value];
        let now = load(builder, cell, phi.ty.clone());
        let before = undo(writer, builder, *value, next, now);
        store(builder, cell, before);
    }
    writer.again.borrow_mut().clear();
}

/// What a value was before an instruction changed it to what it is now.
fn undo(writer: &ReverseWriter, builder: &mut Builder, value: ValueId, next: &Inst, now: Operand) -> Operand {
    let ty = next.ty.clone();
    let mut others = next.operands[..if next.op.call().is_some() { 3 } else { 2 }]
        .iter()
        .filter(|operand| **operand != Operand::Value(value))
        .map(|operand| writer.primal(builder, operand))
        .collect::<Vec<_>>();
    builder.loc = next.loc;
    builder.flags = super::derived_flags(next.flags);
    if let (Op::Call(_), [x, y]) = (&next.op, others.as_slice()) {
        let operands = vec![x.clone(), y.clone()];
        others = vec![builder.push_float(Op::Float(FloatOp::Mul), ty.clone(), operands)];
    }
    let Some(by) = others.pop() else { unreachable!("%{} is changed by nothing", value.0) };
    let way = match &next.op {
        Op::Int(IntOp::Add) => Op::Int(IntOp::Sub),
        Op::Int(IntOp::Sub) => Op::Int(IntOp::Add),
        Op::Int(_) => Op::Int(IntOp::Xor),
        Op::Float(FloatOp::Sub) => Op::Float(FloatOp::Add),
        _ => Op::Float(FloatOp::Sub),
    };
    match way {
        Op::Float(_) => builder.push_float(way, ty, vec![now, by]),
        _ => builder.push(way, ty, vec![now, by]),
    }
}

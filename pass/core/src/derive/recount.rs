//! Where the reverse sweep comes back to a loop: how often it ran, and where its counters stood in the last pass.

use super::adjoint::Primals;
use super::arrays::count_passes;
use super::builder::Builder;
use super::cells::store;
use super::reverse::ReverseWriter;
use crate::model::{BlockId, CastOp, Constant, IntOp, Op, Operand, Type};
use crate::plan::{Merge, Order, Storage, start_of};

/// On the way from the reverse of a block to that of the one before.
pub fn count_anew(writer: &ReverseWriter, builder: &mut Builder, block: BlockId, from: BlockId) {
    let plan = writer.source.plan;
    let Some(recount) = plan.recounts.get(&from).filter(|recount| recount.exit == block) else { return };
    let (start, bound) = (&recount.trips.start, &recount.trips.bound);
    let (start, bound) = (writer.primal(builder, start), writer.primal(builder, bound));
    let passes = count_passes(builder, &recount.trips, start, bound);
    store(builder, &writer.cells.counters[&from], passes.clone());
    let one = Operand::Const(Constant::int(64, 1));
    let turns = builder.push(Op::Int(IntOp::Sub), Type::I64, vec![passes, one]);
    let Some(Merge::Count { latch, .. }) = plan.merges.get(&from).map(|merge| &merge.choice) else { return };
    for counter in &recount.counters {
        let decision = plan.storage.get(counter).map(|decision| &decision.choice);
        let (Some(Storage::Invert { step, .. }), Some(start)) =
            (decision, start_of(writer.source.function, *counter, *latch))
        else {
            continue;
        };
        let ty = writer.source.function.value_type(*counter).clone();
        let start = writer.primal(builder, start);
        let step = Operand::Const(step.clone());
        let first = match recount.order {
            // The first step leads to the start.
            Order::Forwards => builder.push(Op::Int(IntOp::Sub), ty, vec![start, step]),
            Order::Backwards => {
                let turns = fit(builder, turns.clone(), &ty);
                let way = builder.push(Op::Int(IntOp::Mul), ty.clone(), vec![turns, step]);
                builder.push(Op::Int(IntOp::Add), ty, vec![start, way])
            }
        };
        store(builder, &writer.cells.kept[counter], first);
    }
}

/// A number of 64 bits as one of another width: what a counter has too many or too few, it has modulo its range.
fn fit(builder: &mut Builder, turns: Operand, ty: &Type) -> Operand {
    let cast = match ty {
        Type::Int(64) => return turns,
        Type::Int(bits) if *bits > 64 => CastOp::ZExt,
        _ => CastOp::Trunc,
    };
    builder.push(Op::Cast(cast), ty.clone(), vec![turns])
}

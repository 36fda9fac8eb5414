//! Atomic instructions that count in memory, as counts of references are kept: nobody adds one to a float's bits, or exchanges them for
//! a sum with a small constant.
//!
//! Instruction → whether it counts. Safe error: it does not.

use crate::model::{Function, Inst, IntOp, Op, Operand};

pub fn counts_atomically(function: &Function, inst: &Inst) -> bool {
    match &inst.op {
        Op::AtomicRmw { op, .. } => op.counts(),
        Op::CompareExchange { .. } => inst.operands.get(2).is_some_and(|x| is_stepped(function, x)),
        _ => false,
    }
}

/// Whether an integer is another one and a small constant.
fn is_stepped(function: &Function, operand: &Operand) -> bool {
    let small = |x: &Operand| match x {
        Operand::Const(constant) => constant.as_signed().is_some_and(|step| step.unsigned_abs() <= 1 << 16),
        Operand::Value(_) => false,
    };
    let made_by = |operand: &Operand| operand.value().and_then(|id| function.inst(id));
    let Some(inst) = made_by(operand) else { return false };
    match &inst.op {
        Op::Int(IntOp::Add | IntOp::Sub) => inst.operands.iter().any(small),
        // Where a sanitizer looks for overflow.
        Op::ExtractValue { .. } => made_by(&inst.operands[0]).is_some_and(|sum| {
            sum.callee_name().is_some_and(is_sum_with_overflow) && sum.arguments().iter().any(small)
        }),
        _ => false,
    }
}

fn is_sum_with_overflow(name: &str) -> bool {
    [
        "llvm.sadd.with.overflow.",
        "llvm.uadd.with.overflow.",
        "llvm.ssub.with.overflow.",
        "llvm.usub.with.overflow.",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
}

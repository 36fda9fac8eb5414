//! Counting that is done atomically: by an instruction that adds, or by putting what was found and some small number more or less.
//! What is counted so is an integer, in whatever memory it lies.

use crate::model::{Function, Inst, IntOp, Op, Operand, ValueId};

/// How much a count goes up or down at once, at most.
const LARGEST_STEP: i128 = 1 << 16;

pub fn is_atomic_count(function: &Function, inst: &Inst) -> bool {
    match (&inst.op, &inst.operands[..]) {
        (Op::AtomicRmw { op, .. }, _) => op.counts(),
        (Op::CompareExchange { .. }, [_, _, Operand::Value(put)]) => is_step(function, *put),
        _ => false,
    }
}

fn is_step(function: &Function, put: ValueId) -> bool {
    let Some(inst) = function.inst(put) else { return false };
    let terms = match (&inst.op, &inst.operands[..]) {
        (Op::Int(IntOp::Add | IntOp::Sub), terms) => terms,
        (Op::ExtractValue { .. }, [Operand::Value(checked)]) => match function.inst(*checked) {
            Some(sum) if adds_watched(sum) => sum.arguments(),
            _ => return false,
        },
        _ => return false,
    };
    terms.iter().any(|term| {
        let Operand::Const(step) = term else { return false };
        step.as_signed().is_some_and(|step| (-LARGEST_STEP..=LARGEST_STEP).contains(&step))
    })
}

/// A sum or difference that says whether it went over the edge, as sanitizers ask.
fn adds_watched(call: &Inst) -> bool {
    let Some(name) = call.callee_name().and_then(|name| name.strip_prefix("llvm.")) else { return false };
    let (operation, rest) = name.split_once('.').unwrap_or((name, ""));
    matches!(operation, "sadd" | "uadd" | "ssub" | "usub") && rest.starts_with("with.overflow")
}

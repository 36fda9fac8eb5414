//! Which multiples an index is of: 2i + 1 is every second number.
//!
//! A number is written as a start and steps from it, whose length is a power of two, so that nothing changes where it overflows.

use std::collections::BTreeMap;

use super::stands::{Stand, divisor, join};
use crate::model::{CastOp, Function, Inst, IntOp, Op, Operand, Type, ValueId};

/// Steps are no longer than this.
const LONGEST: i128 = 1 << 24;

/// Indices that were not reached are `None`.
pub type Endings = BTreeMap<ValueId, Option<Stand>>;

pub fn find_endings(function: &Function) -> Endings {
    let whole = function.inst_ids().filter(|id| matches!(function.value_type(*id), Type::Int(_)));
    let mut endings: Endings = whole.map(|id| (id, None)).collect();
    loop {
        let before = endings.clone();
        for id in before.keys() {
            let Some(inst) = function.inst(*id) else { continue };
            let made = make(inst, &endings).map(|stand| shortened(stand, &inst.ty));
            endings.insert(*id, made);
        }
        if endings == before {
            return endings;
        }
    }
}

pub fn ending_of(index: &Operand, endings: &Endings) -> Stand {
    find(index, endings).unwrap_or(Stand::ANYWHERE)
}

fn find(index: &Operand, endings: &Endings) -> Option<Stand> {
    match index {
        Operand::Value(id) => endings.get(id).copied().unwrap_or(Some(Stand::ANYWHERE)),
        Operand::Const(constant) => Some(
            constant
                .as_signed()
                .map_or(Stand::ANYWHERE, |start| shortened(Stand { start, step: LONGEST }, &constant.ty())),
        ),
    }
}

/// Steps as long as the number of such a type allows.
fn shortened(stand: Stand, ty: &Type) -> Stand {
    let Type::Int(bits) = ty else { return Stand::ANYWHERE };
    let power = 1 << stand.step.max(1).trailing_zeros();
    Stand { start: stand.start, step: LONGEST.min(power).min(1 << (*bits).min(24)) }.plain()
}

fn make(inst: &Inst, endings: &Endings) -> Option<Stand> {
    let at = |operand: usize| find(&inst.operands[operand], endings);
    let constant = |operand: usize| match &inst.operands[operand] {
        Operand::Const(constant) => constant.as_signed(),
        Operand::Value(_) => None,
    };
    let both = |a: Stand, b: Stand, sign: i128| Stand {
        start: a.start + sign * b.start,
        step: divisor(a.step, b.step),
    };
    Some(match &inst.op {
        Op::Int(IntOp::Add) => both(at(0)?, at(1)?, 1),
        Op::Int(IntOp::Sub) => both(at(0)?, at(1)?, -1),
        Op::Int(IntOp::Mul) => {
            let (a, b) = (at(0)?, at(1)?);
            let step = divisor(divisor(a.start * b.step, b.start * a.step).abs(), a.step * b.step);
            Stand { start: a.start * b.start, step }
        }
        Op::Int(IntOp::Shl) => match constant(1) {
            Some(by @ 0..=24) => {
                let a = at(0)?;
                Stand { start: a.start << by, step: a.step << by }
            }
            _ => Stand::ANYWHERE,
        },
        // The lower bits of a mask and of what it is laid on, as far as both are known.
        Op::Int(op @ (IntOp::And | IntOp::Or | IntOp::Xor)) => {
            let (a, b) = (at(0)?, at(1)?);
            let start = match op {
                IntOp::And => a.start & b.start,
                IntOp::Or => a.start | b.start,
                _ => a.start ^ b.start,
            };
            // A mask of zeros at the end says more than what it is laid on.
            let zeros = |x: Stand| 1 << (x.start | x.step).trailing_zeros().min(24);
            let masked = if *op == IntOp::And { zeros(a).max(zeros(b)) } else { 1 };
            let known = divisor(a.step, b.step);
            if masked > known { Stand { start: 0, step: masked } } else { Stand { start, step: known } }
        }
        Op::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Trunc) | Op::Freeze => at(0)?,
        Op::Phi { .. } => (0..inst.operands.len()).filter_map(at).reduce(join)?,
        Op::Select => [at(1), at(2)].into_iter().flatten().reduce(join)?,
        _ => Stand::ANYWHERE,
    })
}

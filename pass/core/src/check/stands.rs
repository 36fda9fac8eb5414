//! Where pointers stand in the memory they lead to, as far as address arithmetic tells.

use std::collections::BTreeMap;

use crate::model::{CastOp, Constant, Function, Inst, IntOp, Op, Operand, Stride, ValueId};

/// Where a pointer stands in its place: at `start`, or any number of steps from it. A step of 0 is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Stand {
    pub start: i128,
    pub step: i128,
}

/// `None` for what is not reached yet, or leads nowhere.
pub fn reached(pointer: &Operand, stands: &BTreeMap<ValueId, Option<Stand>>) -> Option<Stand> {
    match pointer {
        Operand::Value(id) => stands.get(id).copied().unwrap_or(Some(Stand::default())),
        Operand::Const(Constant::Undef(_) | Constant::Poison(_)) => None,
        Operand::Const(constant) if constant.is_nowhere() => None,
        Operand::Const(Constant::Offset { bytes, .. }) => Some(Stand { start: (*bytes).into(), step: 0 }),
        Operand::Const(_) => Some(Stand::default()),
    }
}

pub fn join(a: Stand, b: Stand) -> Stand {
    let step = divisor(divisor(a.step, b.step), (a.start - b.start).abs());
    Stand { start: a.start, step }.plain()
}

/// What address arithmetic adds.
pub fn advance(mut stand: Stand, function: &Function, inst: &Inst) -> Stand {
    let Op::Gep(gep) = &inst.op else { return stand };
    for (stride, index) in gep.strides.iter().zip(&inst.operands[1..]) {
        match (stride, index) {
            (Stride::Field(bytes), _) => stand.start += i128::from(*bytes),
            (Stride::Unknown, _) => stand.step = 1,
            (Stride::Scale(bytes), Operand::Const(constant)) if constant.as_signed().is_some() => {
                stand.start += constant.as_signed().unwrap_or(0) * i128::from(*bytes);
            }
            (Stride::Scale(bytes), _) => {
                let (start, step) = index_of(function, index, 6);
                stand.start += start * i128::from(*bytes);
                stand.step = divisor(stand.step, step * i128::from(*bytes));
            }
        }
    }
    stand.plain()
}

/// What an index is, and by which power of two others may differ from it. Steps up to 128 outlast any wrapping.
fn index_of(function: &Function, index: &Operand, depth: u32) -> (i128, i128) {
    let number = |x: &Operand| if let Operand::Const(constant) = x { constant.as_signed() } else { None };
    let inst = index.value().filter(|_| depth > 0).and_then(|id| function.inst(id));
    let (start, step) = match inst.map(|inst| (&inst.op, inst.operands.as_slice())) {
        Some((Op::Cast(CastOp::SExt | CastOp::ZExt | CastOp::Trunc) | Op::Freeze, [x])) => {
            return index_of(function, x, depth - 1);
        }
        Some((Op::Int(op @ (IntOp::Mul | IntOp::Shl)), [x, y])) => {
            let (x, factor) = match (op, number(x), number(y)) {
                (IntOp::Mul, _, Some(factor)) => (x, factor),
                (IntOp::Mul, Some(factor), None) => (y, factor),
                (IntOp::Shl, _, Some(bits @ 0..=7)) => (x, 1 << bits),
                _ => return (0, 1),
            };
            let (start, step) = index_of(function, x, depth - 1);
            (start * factor, step * factor)
        }
        Some((Op::Int(op @ (IntOp::Add | IntOp::Sub)), [x, y])) => {
            let sign = if *op == IntOp::Sub { -1 } else { 1 };
            let of = |x: &Operand| match number(x) {
                Some(number) => (number, 0),
                None => index_of(function, x, depth - 1),
            };
            let ((x, left), (y, right)) = (of(x), of(y));
            (x + sign * y, divisor(left, right))
        }
        _ => (0, 1),
    };
    let step = divisor(step, 128).abs();
    (start.rem_euclid(step), step)
}

impl Stand {
    /// One form for one set of places.
    pub fn plain(self) -> Stand {
        match self.step {
            0 => self,
            step => Stand { start: self.start.rem_euclid(step), step },
        }
    }
}

pub fn divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { divisor(b, a % b) }
}

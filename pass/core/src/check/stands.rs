//! Where pointers stand in the memory they lead to, as far as address arithmetic tells.

use std::collections::BTreeMap;

use crate::model::{Constant, Inst, Op, Operand, Stride, ValueId};

/// Where a pointer stands in its place: at `start`, or any number of steps from it. A step of 0 is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
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

/// What address arithmetic adds, where it is told which numbers an index may be.
pub fn advance(mut stand: Stand, inst: &Inst, indices: &dyn Fn(&Operand) -> Stand) -> Stand {
    let Op::Gep(gep) = &inst.op else { return stand };
    for (stride, index) in gep.strides.iter().zip(&inst.operands[1..]) {
        match (stride, index) {
            (Stride::Field(bytes), _) => stand.start += i128::from(*bytes),
            (Stride::Unknown, _) => stand.step = 1,
            (Stride::Scale(bytes), Operand::Const(constant)) if constant.as_signed().is_some() => {
                stand.start += constant.as_signed().unwrap_or(0) * i128::from(*bytes);
            }
            (Stride::Scale(bytes), _) => {
                let every = indices(index);
                stand.start += every.start * i128::from(*bytes);
                stand.step = divisor(stand.step, every.step * i128::from(*bytes));
            }
        }
    }
    stand.plain()
}

impl Stand {
    pub const ANYWHERE: Stand = Stand { start: 0, step: 1 };

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

/// Where an access may meet bytes, from their first on.
pub fn meetings(stand: Stand, bytes: i128, (there, length): (Stand, i128)) -> Vec<i128> {
    let apart = there.start - stand.start;
    let meets = |at: &i128| -length < *at && *at < bytes;
    match divisor(stand.step, there.step) {
        0 => Some(apart).filter(meets).into_iter().collect(),
        step => {
            let first = (apart + length).rem_euclid(step) - length;
            (0..).map(|turn| first + turn * step).take_while(|at| *at < bytes).filter(meets).collect()
        }
    }
}

/// Whether wherever the one stands there is the other, at the same distance.
pub fn is_everywhere(stand: Stand, seen: Stand) -> bool {
    if seen.step == 0 { stand.step == 0 } else { stand.step % seen.step == 0 }
}

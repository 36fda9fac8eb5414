//! What is done with integers that is done with numbers only, and what is made by doing so.
//!
//! It is an index, a case, becomes a float by its value, or meets a small constant or a count in arithmetic or in a comparison.

use std::collections::BTreeSet;

use super::bits::{is_checked, is_extreme, is_limited, is_ordering, may_be_float};
use super::counted::Seeing;
use super::declared::is_declared;
use crate::model::{CastOp, Inst, IntOp, Op, Operand, Type, ValueId};

/// Which loads of integers are counts to what is made of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Loaded {
    None,
    /// What is counted with, and of which the bits go nowhere but to memory, as they are.
    Kept,
    /// What is counted with and goes nowhere, or is known to be moved as an integer only.
    Counted,
}

impl Seeing<'_> {
    /// Whether what was loaded is no float's bits, and somebody does with it what is done with numbers only: it is an
    /// index, a case, becomes a float by its value, or meets a small constant or a count in arithmetic or in a
    /// comparison. What is shorter than any float is a number wherever it is not moved.
    pub(super) fn is_number(&self, load: ValueId) -> bool {
        if may_be_float(self.function, &self.users, self.program, load) {
            return false;
        }
        let short = |bits: u32| matches!(bits, 8 | 16) && i128::from(bits) < 8 * self.least_float();
        if matches!(self.function.value_type(load), Type::Int(bits) if short(*bits)) {
            return true;
        }
        !self.find_counting(load).is_empty()
    }

    /// Who does with an integer, or with what is made of it unchanged, what is done with numbers only.
    pub(super) fn find_counting(&self, load: ValueId) -> BTreeSet<ValueId> {
        let mut counting = BTreeSet::new();
        let small = |operand: &Operand| match operand {
            Operand::Const(constant) => constant.as_signed().filter(|value| value.unsigned_abs() <= 1 << 16),
            counted => self.is_made_by_counting(counted, Loaded::None, &mut BTreeSet::new()).then_some(1),
        };
        let (mut same, mut waiting) = (BTreeSet::from([load]), vec![load]);
        while let Some(value) = waiting.pop() {
            for (user, at) in self.users.get(&value).into_iter().flatten() {
                let Some(inst) = self.function.inst(*user) else { continue };
                let other = || inst.operands.get(1 - (*at).min(1)).and_then(small);
                let counts = match &inst.op {
                    Op::Cast(CastOp::SiToFp | CastOp::UiToFp) | Op::Switch { .. } => true,
                    Op::Gep(_) => *at != 0,
                    Op::ICmp(_) => other().is_some_and(|value| value != 0),
                    // A sign makes no sense where bits are divided.
                    Op::Int(IntOp::SDiv | IntOp::SRem) => true,
                    Op::Int(IntOp::Add | IntOp::Sub | IntOp::Mul | IntOp::UDiv | IntOp::URem) => {
                        other().is_some()
                    }
                    Op::Call(_) if is_limited(inst) || is_checked(inst) => other().is_some(),
                    Op::Call(_) if is_extreme(inst) || is_ordering(inst) => {
                        other().is_some_and(|value| value != 0)
                    }
                    _ => false,
                };
                let passes = match &inst.op {
                    Op::Cast(CastOp::SExt | CastOp::ZExt) | Op::Phi { .. } | Op::Freeze => true,
                    Op::Select => *at != 0,
                    Op::Call(_) => is_extreme(inst),
                    _ => false,
                };
                if counts {
                    counting.insert(*user);
                } else if passes && same.insert(*user) {
                    waiting.push(*user);
                }
            }
        }
        counting
    }

    pub(super) fn is_made_by_counting(
        &self,
        value: &Operand,
        loads: Loaded,
        seen: &mut BTreeSet<ValueId>,
    ) -> bool {
        let Operand::Value(id) = value else { return true };
        if !seen.insert(*id) {
            return true;
        }
        let Some(inst) = self.function.inst(*id) else { return true };
        let operands = match &inst.op {
            Op::ICmp(_) | Op::FCmp(_) | Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => &[][..],
            Op::Load(_) => {
                return match loads {
                    Loaded::None => false,
                    _ if is_declared(inst) => true,
                    Loaded::Kept => !self.lets_go(*id) && !self.find_counting(*id).is_empty(),
                    Loaded::Counted => self.is_number(*id) || self.counts_beside(*id) == Some(true),
                };
            }
            Op::Int(_) | Op::Phi { .. } | Op::Freeze => &inst.operands,
            Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt) => &inst.operands,
            Op::Select => &inst.operands[1..],
            Op::Call(_) if is_ordering(inst) => &[],
            Op::Call(_) if is_extreme(inst) || is_limited(inst) || is_checked(inst) => inst.arguments(),
            // Of other structs the parts were put together somehow.
            Op::ExtractValue { .. } if self.is_part_of_checked(inst) => &inst.operands,
            _ => return false,
        };
        operands.iter().all(|x| self.is_made_by_counting(x, loads, seen))
    }

    fn is_part_of_checked(&self, part: &Inst) -> bool {
        part.operands[0].value().and_then(|id| self.function.inst(id)).is_some_and(is_checked)
    }
}

//! How often loops go round and how far addresses reach, where that follows from constants and from what parameters are known to be.
//!
//! Safe error: any (costs time or tape, never truth). What is not known is a guess, which is said.

use std::collections::BTreeMap;

use super::joint::{Joint, Memory, Touch, Way};
use crate::model::{BlockId, CastOp, Function, IntOp, Loop, Op, Operand, Scev, ValueId};

/// How often a loop is taken to go round where nobody knows better.
pub const TRIPS: u64 = 16;

/// Parameters of which the value is known.
pub type Known = BTreeMap<u32, i128>;

/// How often loops go round, and how far addresses reach.
pub struct Extents<'a> {
    pub function: &'a Function,
    pub known: &'a Known,
    /// How often a loop is taken to go round of which nothing is known.
    pub guess: u64,
}

pub type Range = (i128, i128);

impl Extents<'_> {
    pub fn count(&self, block: BlockId, counts: &dyn Fn(&Loop) -> bool) -> (u64, bool) {
        let around =
            self.function.loops.iter().filter(|known| known.blocks.contains(&block) && counts(known));
        around.fold((1, false), |(times, guessed), found| match self.turns(found) {
            Some((low, high)) => {
                (times.saturating_mul(((low + high) / 2 + 1).clamp(0, i128::from(u32::MAX)) as u64), guessed)
            }
            None => (times.saturating_mul(self.guess), true),
        })
    }

    pub fn turns(&self, around: &Loop) -> Option<Range> {
        self.of(around.back_edges.as_ref()?)
    }

    /// From the lowest to the highest byte of each place.
    pub fn of_snapshot(&self, joint: &Joint) -> Option<u64> {
        let read = joint.places.iter().filter(|place| place.read);
        read.map(|place| match &place.memory {
            Memory::Global(_, bytes) => Some(*bytes),
            Memory::Param(_, touches) => {
                let ranges: Vec<Range> =
                    touches.iter().map(|touch| self.of_touch(touch)).collect::<Option<_>>()?;
                let filled = place.fill.and_then(|fill| ranges.get(fill));
                let within = |inner: &Range| filled.is_some_and(|all| all.0 <= inner.0 && inner.1 <= all.1);
                let mut read = touches.iter().zip(&ranges).filter(|(touch, _)| touch.way == Way::Read);
                if read.all(|(_, range)| within(range)) {
                    return Some(0);
                }
                let (low, high) = ranges.into_iter().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
                u64::try_from(high - low).ok()
            }
        })
        .try_fold(0u64, |sum, bytes| sum.checked_add(bytes?))
    }

    fn of_touch(&self, touch: &Touch) -> Option<Range> {
        let (low, high) = self.of(&touch.address)?;
        Some((low, high.checked_add(self.of(&touch.length)?.1)?))
    }

    fn of(&self, scev: &Scev) -> Option<Range> {
        let each = |terms: &[Scev]| terms.iter().map(|term| self.of(term)).collect::<Option<Vec<Range>>>();
        let join = |terms: &[Scev], pick: fn(i128, i128) -> i128| {
            each(terms)?.into_iter().reduce(|a, b| (pick(a.0, b.0), pick(a.1, b.1)))
        };
        match scev {
            Scev::Const { bits, value } => {
                let shift = 128 - (*bits).clamp(1, 128);
                let signed = (*value << shift) >> shift;
                Some((signed, signed))
            }
            Scev::Value(operand) => self.of_operand(operand),
            Scev::Add(_, terms) => each(terms)?.into_iter().try_fold((0, 0), add),
            Scev::Mul(_, terms) => each(terms)?.into_iter().try_fold((1, 1), multiply),
            Scev::UDiv(x, by) => {
                let (x, by) = (self.of(x)?, same(self.of(by)?)?);
                (by > 0).then(|| (x.0 / by, x.1 / by))
            }
            Scev::Rec { start, step, of, .. } => {
                let turns = self.turns(self.function.loops.get(of.0 as usize)?);
                let last = turns.map_or(i128::from(self.guess) - 1, |(_, most)| most.max(0));
                add(self.of(start)?, multiply((0, last), self.of(step)?)?)
            }
            Scev::ZExt(_, x) | Scev::SExt(_, x) | Scev::Trunc(_, x) => self.of(x),
            Scev::SMax(terms) | Scev::UMax(terms) => join(terms, i128::max),
            Scev::SMin(terms) | Scev::UMin(terms) => join(terms, i128::min),
            Scev::PtrToInt(..) | Scev::Unknown => None,
        }
    }

    pub fn of_operand(&self, operand: &Operand) -> Option<Range> {
        match operand {
            Operand::Const(constant) => constant.as_signed().map(|value| (value, value)),
            Operand::Value(id) => self.of_value(*id),
        }
    }

    /// Addresses are told from where their parameter leads.
    fn of_value(&self, id: ValueId) -> Option<Range> {
        let Some(inst) = self.function.inst(id) else {
            let pointer = self.function.params.get(id.0 as usize)?.ty.is_pointer();
            let known = if pointer { Some(&0) } else { self.known.get(&id.0) };
            return known.map(|value| (*value, *value));
        };
        let operand = |at: usize| self.of_operand(&inst.operands[at]);
        match &inst.op {
            Op::Int(IntOp::Add) => add(operand(0)?, operand(1)?),
            Op::Int(IntOp::Sub) => add(operand(0)?, multiply(operand(1)?, (-1, -1))?),
            Op::Int(IntOp::Mul) => multiply(operand(0)?, operand(1)?),
            Op::Cast(CastOp::SExt | CastOp::ZExt | CastOp::Trunc) => operand(0),
            _ => None,
        }
    }
}

/// The one number of a range that has no other.
pub fn same((low, high): Range) -> Option<i128> {
    (low == high).then_some(low)
}

fn add(a: Range, b: Range) -> Option<Range> {
    Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))
}

fn multiply(a: Range, b: Range) -> Option<Range> {
    let ends: Vec<i128> =
        [a.0, a.1].into_iter().flat_map(|x| [b.0, b.1].map(|y| x.checked_mul(y))).collect::<Option<_>>()?;
    Some((*ends.iter().min()?, *ends.iter().max()?))
}

//! How whole numbers end, written in binary: what is known of an index beside the size of what it counts.
//!
//! Function → for each integer how many of its last bits are always the same, and which.
//! Lattice: endings, ordered by length, the longest first. Bottom: no ending yet. Transfer: sums, products and what is done bit by bit
//! know the last bits of what they make from those of what they take, whatever overflows; phis and selects keep what all have in
//! common. Safe error: a shorter ending.

use super::by_value::ByValue;
use crate::model::{CastOp, Function, Inst, IntOp, Op, Operand, Type, ValueId};

/// Longer endings are not told apart from these: an index that is so many times anything counts nothing we know.
const MOST: u32 = 32;

/// The last `known` bits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    pub known: u32,
    pub bits: u64,
}

impl Ending {
    const UNKNOWN: Ending = Ending { known: 0, bits: 0 };

    fn new(known: u32, bits: u64) -> Ending {
        let known = known.min(MOST);
        Ending { known, bits: bits & ((1 << known) - 1) }
    }

    /// What of an ending lies within so many bits: what is above them depends on how the number is widened.
    fn within(self, bits: u32) -> Ending {
        Ending::new(self.known.min(bits), self.bits)
    }

    fn join(self, other: Ending) -> Ending {
        let same = (self.bits ^ other.bits).trailing_zeros();
        Ending::new(same.min(self.known).min(other.known), self.bits)
    }

    /// One number that ends so, and how far it is from the next.
    pub fn steps(self) -> (u64, u64) {
        (self.bits, 1 << self.known)
    }

    /// How many zeros it surely ends with.
    fn zeros(self) -> u32 {
        self.bits.trailing_zeros().min(self.known)
    }

    fn times(self, other: Ending) -> Ending {
        let known = (self.known + other.zeros()).min(other.known + self.zeros());
        Ending::new(known, self.bits.wrapping_mul(other.bits))
    }
}

/// The endings of what instructions make; of one not reached yet there is none.
pub struct LowBits(ByValue<Option<Ending>>);

impl LowBits {
    pub fn of(function: &Function) -> LowBits {
        let integers: Vec<(ValueId, &Inst)> = function
            .inst_ids()
            .filter(|id| matches!(function.value_type(*id), Type::Int(_)))
            .filter_map(|id| Some((id, function.inst(id)?)))
            .collect();
        let mut endings = LowBits(ByValue::of(function, integers.iter().map(|(id, _)| *id)));
        loop {
            let mut changed = false;
            for (id, inst) in &integers {
                let found = endings.find(inst).map(|ending| ending.within(bits_of(&inst.ty)));
                changed |= endings.0.replace(*id, found) != found;
            }
            if !changed {
                return endings;
            }
        }
    }

    pub fn of_operand(&self, integer: &Operand) -> Ending {
        self.known(integer).unwrap_or(Ending::UNKNOWN)
    }

    fn known(&self, integer: &Operand) -> Option<Ending> {
        match integer {
            Operand::Value(value) => self.0.get(*value).unwrap_or(Some(Ending::UNKNOWN)),
            Operand::Const(constant) => {
                let whole =
                    constant.as_signed().map_or(Ending::UNKNOWN, |number| Ending::new(MOST, number as u64));
                Some(whole.within(bits_of(&constant.ty())))
            }
        }
    }

    fn find(&self, inst: &Inst) -> Option<Ending> {
        let joined =
            |operands: &[Operand]| operands.iter().filter_map(|x| self.known(x)).reduce(Ending::join);
        match &inst.op {
            Op::Int(IntOp::Shl) => {
                let times = match &inst.operands[1] {
                    Operand::Const(constant) => {
                        constant.as_signed().filter(|count| (0..MOST.into()).contains(count))
                    }
                    Operand::Value(_) => None,
                };
                let Some(times) = times else { return Some(Ending::UNKNOWN) };
                Some(self.known(&inst.operands[0])?.times(Ending::new(MOST, 1 << times)))
            }
            Op::Int(op) => {
                let [a, b] = [self.known(&inst.operands[0])?, self.known(&inst.operands[1])?];
                Some(compute(*op, a, b))
            }
            // What a number is widened from ends as it does, up to its own bits.
            Op::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Trunc) | Op::Freeze => joined(&inst.operands[..1]),
            Op::Phi { .. } => joined(&inst.operands),
            Op::Select => joined(&inst.operands[1..]),
            _ => Some(Ending::UNKNOWN),
        }
    }
}

fn bits_of(ty: &Type) -> u32 {
    if let Type::Int(bits) = ty { *bits } else { 0 }
}

fn compute(op: IntOp, a: Ending, b: Ending) -> Ending {
    let both = a.known.min(b.known);
    match op {
        IntOp::Add => Ending::new(both, a.bits.wrapping_add(b.bits)),
        IntOp::Sub => Ending::new(both, a.bits.wrapping_sub(b.bits)),
        IntOp::Mul => a.times(b),
        IntOp::Or => Ending::new(both, a.bits | b.bits),
        IntOp::Xor => Ending::new(both, a.bits ^ b.bits),
        // Zeros of one are zeros, whatever the other is.
        IntOp::And => Ending::new(both.max(a.zeros()).max(b.zeros()), a.bits & b.bits),
        _ => Ending::UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each known bit is that of every pair of numbers that end so.
    #[test]
    fn endings_hold_for_all_numbers_that_end_so() {
        let all =
            |ending: Ending| (0..64).filter(move |x: &u64| x & ((1 << ending.known) - 1) == ending.bits);
        let endings: Vec<Ending> =
            (0..4).flat_map(|known| (0..1 << known).map(move |bits| Ending::new(known, bits))).collect();
        let ops = [IntOp::Add, IntOp::Sub, IntOp::Mul, IntOp::Or, IntOp::Xor, IntOp::And];
        for op in ops {
            for (a, b) in endings.iter().flat_map(|a| endings.iter().map(move |b| (*a, *b))) {
                let made = compute(op, a, b);
                for (x, y) in all(a).flat_map(|x| all(b).map(move |y| (x, y))) {
                    let number = match op {
                        IntOp::Add => x + y,
                        IntOp::Sub => x.wrapping_sub(y),
                        IntOp::Mul => x * y,
                        IntOp::Or => x | y,
                        IntOp::Xor => x ^ y,
                        _ => x & y,
                    };
                    assert_eq!(number & ((1 << made.known) - 1), made.bits, "{op:?} {a:?} {b:?} {x} {y}");
                }
            }
        }
    }
}

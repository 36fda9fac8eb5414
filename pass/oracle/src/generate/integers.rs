//! Integer code between floats: it decides selects and branches, and becomes factors.

use backsweep_core::model::{CastOp, IntOp, Op, Operand, Type};

use super::scope::Scope;
use crate::build::int;

impl Scope<'_> {
    pub fn make_integer(&mut self) {
        match self.rng.below(10) {
            0..6 => self.make_integer_operation(),
            6..8 => {
                let kind = super::real_kind(self.rng, &self.options);
                let real = self.real_from_int(kind);
                self.keep(real);
            }
            8 if self.options.kinks => {
                let x = self.any_real();
                let whole = self.f.push(Op::Cast(CastOp::FpToSi), Type::I32, vec![x.operand]);
                self.ints.push(whole);
            }
            _ => self.make_wide_integer(),
        }
    }

    fn make_integer_operation(&mut self) {
        let x = self.any_int();
        let op = *self.rng.pick(&[
            IntOp::Add,
            IntOp::Sub,
            IntOp::Mul,
            IntOp::And,
            IntOp::Or,
            IntOp::Xor,
            IntOp::Shl,
            IntOp::AShr,
            IntOp::LShr,
            IntOp::SRem,
            IntOp::UDiv,
        ]);
        let y = match op {
            // Within what is defined: shifts below the width, divisors that are not zero.
            IntOp::Shl | IntOp::AShr | IntOp::LShr => int(32, self.rng.below(5) as i128),
            IntOp::SRem | IntOp::UDiv | IntOp::SDiv | IntOp::URem => int(32, self.rng.between(2, 9) as i128),
            IntOp::Add | IntOp::Sub | IntOp::Mul | IntOp::And | IntOp::Or | IntOp::Xor => self.any_int(),
        };
        let result = self.f.same(Op::Int(op), vec![x, y]);
        self.ints.push(result);
    }

    /// Through another width and back.
    fn make_wide_integer(&mut self) {
        let x = self.any_int();
        let wide = Type::Int([33, 64, 128][self.rng.below(3)]);
        let extend = if self.rng.chance(50) { CastOp::SExt } else { CastOp::ZExt };
        let extended = self.f.push(Op::Cast(extend), wide, vec![x]);
        let squared = self.f.same(Op::Int(IntOp::Mul), vec![extended.clone(), extended]);
        let back = self.f.push(Op::Cast(CastOp::Trunc), Type::I32, vec![squared]);
        self.ints.push(back);
    }

    /// An index of 64 bits below `limit`, a power of two.
    pub fn index(&mut self, limit: usize) -> Operand {
        if !self.counters.is_empty() && self.rng.chance(60) {
            let index = self.rng.below(self.counters.len());
            return self.counters[index].clone();
        }
        if self.rng.chance(60) {
            return int(64, self.rng.below(limit) as i128);
        }
        let x = self.any_int();
        let masked = self.f.same(Op::Int(IntOp::And), vec![x, int(32, limit as i128 - 1)]);
        self.f.push(Op::Cast(CastOp::ZExt), Type::I64, vec![masked])
    }
}

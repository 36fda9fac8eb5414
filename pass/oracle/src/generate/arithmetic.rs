//! Straight-line float code: arithmetic, conversions, selects.

use backsweep_core::model::{CastOp, FloatKind, FloatOp, FloatPredicate, IntPredicate, Op, Operand, Type};

use super::scope::{LIMIT, Real, Scope};
use crate::build::int;
use crate::format::store_bytes;

impl Scope<'_> {
    pub fn make_arithmetic(&mut self) {
        let x = self.any_real();
        let result = match self.rng.below(12) {
            0..3 => self.sum(x, FloatOp::Add),
            3..5 => self.sum(x, FloatOp::Sub),
            5..8 => self.product(x),
            8 => self.quotient(x),
            9 => Real { operand: self.f.same(Op::FNeg, vec![x.operand]), ..x },
            10 if self.options.mixed_kinds => self.round_trip(x),
            11 if self.options.kinks => self.rest(x),
            _ => self.product(x),
        };
        self.keep(result);
    }

    fn sum(&mut self, x: Real, op: FloatOp) -> Real {
        let y = self.real_of(x.kind);
        let bound = x.bound + y.bound;
        self.combine(op, &x, &y, bound)
    }

    fn product(&mut self, x: Real) -> Real {
        let y = self.real_of(x.kind);
        let bound = x.bound * y.bound;
        self.combine(FloatOp::Mul, &x, &y, bound)
    }

    /// `x / (y² + c)`: the divisor stays away from zero.
    fn quotient(&mut self, x: Real) -> Real {
        let y = self.real_of(x.kind);
        let (divisor, least) = self.positive(&y);
        let bound = x.bound / least;
        self.combine(FloatOp::Div, &x, &divisor, bound)
    }

    fn rest(&mut self, x: Real) -> Real {
        let y = self.real_of(x.kind);
        let (divisor, _) = self.positive(&y);
        let bound = x.bound;
        self.combine(FloatOp::Rem, &x, &divisor, bound)
    }

    /// `y² + c` with its least value.
    pub fn positive(&mut self, y: &Real) -> (Real, f64) {
        let least = [0.5, 0.75, 1.0, 1.5][self.rng.below(4)];
        let square = self.combine(FloatOp::Mul, y, y, y.bound * y.bound);
        let offset = self.constant(y.kind, least);
        (self.combine(FloatOp::Add, &square, &offset, y.bound * y.bound + least), least)
    }

    /// Into another kind and back.
    fn round_trip(&mut self, x: Real) -> Real {
        let other = [FloatKind::Single, FloatKind::Double][self.rng.below(2)];
        let converted = self.convert(x, other);
        self.reals.push(converted.clone());
        converted
    }

    pub fn convert(&mut self, x: Real, kind: FloatKind) -> Real {
        if x.kind == kind {
            return x;
        }
        let wider = store_bytes(kind) > store_bytes(x.kind);
        let op = if wider { CastOp::FpExt } else { CastOp::FpTrunc };
        let operand = self.f.push(Op::Cast(op), Type::Float(kind), vec![x.operand]);
        Real { operand, kind, bound: x.bound }
    }

    pub fn make_select(&mut self) {
        let condition = self.condition();
        let x = self.any_real();
        let y = self.real_of(x.kind);
        let ty = Type::Float(x.kind);
        let operand = self.f.push(Op::Select, ty, vec![condition, x.operand, y.operand]);
        self.keep(Real { operand, kind: x.kind, bound: x.bound.max(y.bound) });
    }

    /// A truth value: on integers, or on floats where kinks are wanted.
    pub fn condition(&mut self) -> Operand {
        if self.options.kinks && self.rng.chance(60) {
            let x = self.any_real();
            let y = self.real_of(x.kind);
            let ordered =
                [FloatPredicate::Olt, FloatPredicate::Ogt, FloatPredicate::Ole, FloatPredicate::Uge];
            let predicate = *self.rng.pick(&ordered);
            return self.f.push(Op::FCmp(predicate), Type::BOOL, vec![x.operand, y.operand]);
        }
        let operands = vec![self.any_int(), self.any_int()];
        let predicates =
            [IntPredicate::Slt, IntPredicate::Ne, IntPredicate::Sge, IntPredicate::Ult, IntPredicate::Eq];
        let predicate = *self.rng.pick(&predicates);
        self.f.push(Op::ICmp(predicate), Type::BOOL, operands)
    }

    /// Small whole numbers of integers, as floats.
    pub fn real_from_int(&mut self, kind: FloatKind) -> Real {
        let whole = self.any_int();
        let small = self.f.same(Op::Int(backsweep_core::model::IntOp::And), vec![whole, int(32, 7)]);
        let operand = self.f.push(Op::Cast(CastOp::SiToFp), Type::Float(kind), vec![small]);
        Real { operand, kind, bound: LIMIT }
    }
}

//! Vectors and structs: scalars go in, are worked on together, and come out again.

use backsweep_core::model::{Constant, FloatKind, FloatOp, Lanes, Op, Operand, Type};

use super::mathematics::suffix;
use super::scope::{Real, STORED, Scope};
use crate::build::int;

impl Scope<'_> {
    pub fn make_vector(&mut self) {
        let kind = super::real_kind(self.rng, &self.options);
        let count = [2u32, 4][self.rng.below(2)];
        let ty = Type::Vector(Lanes { count, scalable: false }, Box::new(Type::Float(kind)));
        let a = self.pack(&ty, kind, count);
        let b = self.pack(&ty, kind, count);
        let op = [FloatOp::Add, FloatOp::Sub, FloatOp::Mul][self.rng.below(3)];
        let mut result = self.f.same(Op::Float(op), vec![a.clone(), b.clone()]);
        let mut bound = 2.0 * STORED;
        if self.rng.chance(40) {
            let mask = (0..count).map(|_| self.rng.below(2 * count as usize) as i32).collect();
            result = self.f.push(Op::ShuffleVector { mask }, ty.clone(), vec![result, a]);
        }
        if self.rng.chance(40) {
            let name = format!("llvm.sin.v{count}{}", suffix(kind));
            result = self.f.call(&name, ty.clone(), vec![result], true);
            bound = 1.0;
        }
        if self.rng.chance(30) {
            let name = format!("llvm.vector.reduce.fadd.v{count}{}", suffix(kind));
            let start = self.constant(kind, 0.0);
            let operand = self.f.call(&name, Type::Float(kind), vec![start.operand, result], true);
            return self.keep(Real { operand, kind, bound: bound * f64::from(count) });
        }
        for _ in 0..2 {
            let lane = int(64, self.rng.below(count as usize) as i128);
            let operand = self.f.push(Op::ExtractElement, Type::Float(kind), vec![result.clone(), lane]);
            self.keep(Real { operand, kind, bound });
        }
    }

    /// A vector of floats at hand.
    fn pack(&mut self, ty: &Type, kind: FloatKind, count: u32) -> Operand {
        let mut vector = Operand::Const(Constant::Poison(ty.clone()));
        for lane in 0..count {
            let part = self.real_within(kind, STORED).operand;
            vector =
                self.f.push(Op::InsertElement, ty.clone(), vec![vector, part, int(64, i128::from(lane))]);
        }
        vector
    }

    pub fn make_structure(&mut self) {
        if self.rng.chance(30) {
            return self.make_pair_of_results();
        }
        let (a, b) = (self.any_real(), self.any_real());
        let inner = Type::Array(2, Box::new(Type::Float(b.kind)));
        let ty = Type::structure(vec![Type::Float(a.kind), inner]);
        let mut whole = Operand::Const(Constant::Zero(ty.clone()));
        for (path, part) in [(vec![0], &a), (vec![1, 1], &b)] {
            whole = self.f.push(Op::InsertValue { path }, ty.clone(), vec![whole, part.operand.clone()]);
        }
        if self.rng.chance(30) {
            let other = Operand::Const(Constant::Zero(ty.clone()));
            let condition = self.condition();
            whole = self.f.push(Op::Select, ty, vec![condition, whole, other]);
        }
        for (path, part) in [(vec![0], a), (vec![1, 1], b)] {
            let operand = self.f.push(Op::ExtractValue { path }, Type::Float(part.kind), vec![whole.clone()]);
            self.keep(Real { operand, ..part });
        }
    }

    /// An intrinsic with two results.
    fn make_pair_of_results(&mut self) {
        let kind = FloatKind::Double;
        let x = self.real_of(kind);
        let ty = Type::structure(vec![Type::DOUBLE, Type::DOUBLE]);
        let (name, bound) =
            if self.options.kinks && self.rng.chance(40) { ("modf", 8.0) } else { ("sincos", 1.0) };
        let both = self.f.call(&format!("llvm.{name}.f64"), ty, vec![x.operand], true);
        for part in 0..2 {
            let op = Op::ExtractValue { path: vec![part] };
            let operand = self.f.push(op, Type::DOUBLE, vec![both.clone()]);
            self.keep(Real { operand, kind, bound });
        }
    }
}

//! Branches that join again, several ways into one block, and returns before the end.

use backsweep_core::model::{BlockId, CastOp, Constant, FloatKind, IntOp, Op, Operand, Type};

use super::scope::{LIMIT, Real, Scope};
use crate::build::int;

impl Scope<'_> {
    /// Two ways that join; one of them may be empty.
    pub fn make_diamond(&mut self, room: usize) {
        let condition = self.condition();
        let kind = super::real_kind(self.rng, &self.options);
        let (yes, join) = (self.f.add_block(), self.f.add_block());
        let no = if self.rng.chance(30) { join } else { self.f.add_block() };
        let outside = self.real_within(kind, LIMIT).operand;
        let here = self.f.here();
        self.f.branch(condition, yes, no);
        let mut edges = vec![self.make_arm(yes, join, kind, room)];
        edges.push(if no == join { (outside, here) } else { self.make_arm(no, join, kind, room) });
        self.join(join, kind, edges);
    }

    /// Fills one way, which ends in the join; what it brings there, and from which block.
    fn make_arm(
        &mut self,
        block: BlockId,
        join: BlockId,
        kind: FloatKind,
        room: usize,
    ) -> (Operand, BlockId) {
        let mut edge = (int(1, 0), block);
        self.f.go_to(block);
        self.inside(&mut |scope| {
            let size = scope.rng.between(1, room.max(1));
            scope.fill(size);
            edge = (scope.real_within(kind, LIMIT).operand, scope.f.here());
            scope.f.jump(join);
        });
        edge
    }

    fn join(&mut self, join: BlockId, kind: FloatKind, edges: Vec<(Operand, BlockId)>) {
        self.f.go_to(join);
        let (operands, from) = edges.into_iter().unzip();
        let operand = self.f.push(Op::Phi { from }, Type::Float(kind), operands);
        self.reals.push(Real { operand, kind, bound: LIMIT });
    }

    /// Up to four ways by an integer; the default may lead to the join at once, and twice.
    pub fn make_switch(&mut self, room: usize) {
        let value = self.any_int();
        let small = self.f.same(Op::Int(IntOp::And), vec![value, int(32, 3)]);
        let kind = super::real_kind(self.rng, &self.options);
        let outside = self.real_within(kind, LIMIT).operand;
        let here = self.f.here();
        let arms: Vec<BlockId> = (0..self.rng.between(1, 3)).map(|_| self.f.add_block()).collect();
        let join = self.f.add_block();
        let mut cases: Vec<(Constant, BlockId)> = Vec::new();
        for (index, arm) in arms.iter().enumerate() {
            cases.push((Constant::int(32, index as i128), *arm));
        }
        let mut edges = vec![(outside.clone(), here)];
        if self.rng.chance(40) {
            cases.push((Constant::int(32, 3), join));
            edges.push((outside, here));
        }
        self.f.push(Op::Switch { cases, default: join }, Type::Void, vec![small]);
        for arm in arms {
            edges.push(self.make_arm(arm, join, kind, room));
        }
        self.join(join, kind, edges);
    }

    /// A chain of tests, each of which may leave for the same block.
    pub fn make_merge(&mut self) {
        let kind = super::real_kind(self.rng, &self.options);
        let join = self.f.add_block();
        let mut edges = Vec::new();
        self.inside(&mut |scope| {
            for _ in 0..scope.rng.between(2, 4) {
                let value = scope.real_within(kind, LIMIT).operand;
                let condition = scope.condition();
                let next = scope.f.add_block();
                edges.push((value, scope.f.here()));
                scope.f.branch(condition, join, next);
                scope.f.go_to(next);
                let size = scope.rng.between(1, 4);
                scope.fill_straight(size);
            }
            edges.push((scope.real_within(kind, LIMIT).operand, scope.f.here()));
            scope.f.jump(join);
        });
        self.join(join, kind, edges);
    }

    fn fill_straight(&mut self, statements: usize) {
        for _ in 0..statements {
            if self.rng.chance(50) { self.make_arithmetic() } else { self.make_call_of_mathematics() }
        }
    }

    /// A way out of the function.
    pub fn make_early_return(&mut self) {
        let condition = self.condition();
        let (leave, stay) = (self.f.add_block(), self.f.add_block());
        self.f.branch(condition, leave, stay);
        self.f.go_to(leave);
        self.inside(&mut |scope| {
            scope.fill_straight(1);
            scope.make_return();
        });
        self.f.go_to(stay);
    }

    /// A small whole number of 64 bits from integers at hand: a trip count.
    pub fn small_count(&mut self) -> Operand {
        if self.rng.chance(50) {
            return int(64, self.rng.below(5) as i128);
        }
        let x = self.any_int();
        let masked = self.f.same(Op::Int(IntOp::And), vec![x, int(32, 3)]);
        self.f.push(Op::Cast(CastOp::ZExt), Type::I64, vec![masked])
    }
}

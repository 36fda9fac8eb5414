//! Counted loops: tested at the head or at the end, with values carried along, and with breaks.

use backsweep_core::model::{BlockId, FloatKind, IntOp, IntPredicate, Op, Operand, Type};

use super::scope::{Real, STORED, Scope};
use crate::build::int;

impl Scope<'_> {
    pub fn make_loop(&mut self, room: usize) {
        if self.rng.chance(50) { self.make_while(room) } else { self.make_until(room) }
    }

    /// Tested before each iteration, so that it may run no times; may be left from its middle.
    fn make_while(&mut self, room: usize) {
        let count = self.small_count();
        let start = self.real_within(FloatKind::Double, STORED).operand;
        let entry = self.f.here();
        let (head, body, exit) = (self.f.add_block(), self.f.add_block(), self.f.add_block());
        self.f.jump(head);
        self.f.go_to(head);
        let (i, carried) = self.make_head(entry, start);
        let more = self.f.push(Op::ICmp(IntPredicate::Ult), Type::BOOL, vec![i.clone(), count]);
        self.f.branch(more, body, exit);
        self.f.go_to(body);
        let mut edges = vec![(carried.clone(), head)];
        self.inside(&mut |scope| {
            scope.enter_iteration(&i, &carried, room);
            if scope.rng.chance(30) {
                let value = scope.real_within(FloatKind::Double, STORED).operand;
                let condition = scope.condition();
                let rest = scope.f.add_block();
                edges.push((value, scope.f.here()));
                scope.f.branch(condition, exit, rest);
                scope.f.go_to(rest);
            }
            scope.close(&i, &carried);
            scope.f.jump(head);
        });
        self.f.go_to(exit);
        let (operands, from) = std::mem::take(&mut edges).into_iter().unzip();
        let operand = self.f.push(Op::Phi { from }, Type::DOUBLE, operands);
        self.reals.push(Real { operand, kind: FloatKind::Double, bound: STORED });
    }

    /// Tested after each iteration, as rotated loops are; what it carries is used behind it.
    fn make_until(&mut self, room: usize) {
        let count = self.small_count();
        let start = self.real_within(FloatKind::Double, STORED).operand;
        let entry = self.f.here();
        let (head, exit) = (self.f.add_block(), self.f.add_block());
        self.f.jump(head);
        self.f.go_to(head);
        let (i, carried) = self.make_head(entry, start);
        let mut last = carried.clone();
        let mut latch = head;
        self.inside(&mut |scope| {
            scope.enter_iteration(&i, &carried, room);
            let (next, value) = scope.close(&i, &carried);
            let more = scope.f.push(Op::ICmp(IntPredicate::Ult), Type::BOOL, vec![next, count.clone()]);
            latch = scope.f.here();
            last = value;
            scope.f.branch(more, head, exit);
        });
        self.f.go_to(exit);
        let operand = self.f.push(Op::Phi { from: vec![latch] }, Type::DOUBLE, vec![last]);
        self.reals.push(Real { operand, kind: FloatKind::Double, bound: STORED });
    }

    /// The counter and the value that is carried, still without what comes back.
    fn make_head(&mut self, entry: BlockId, start: Operand) -> (Operand, Operand) {
        let i = self.f.push(Op::Phi { from: vec![entry] }, Type::I64, vec![int(64, 0)]);
        let carried = self.f.push(Op::Phi { from: vec![entry] }, Type::DOUBLE, vec![start]);
        (i, carried)
    }

    fn enter_iteration(&mut self, i: &Operand, carried: &Operand, room: usize) {
        self.counters.push(i.clone());
        self.reals.push(Real { operand: carried.clone(), kind: FloatKind::Double, bound: STORED });
        let size = self.rng.between(3, room.max(3));
        self.fill(size);
    }

    /// What the next iteration gets: the counter and the carried value.
    fn close(&mut self, i: &Operand, carried: &Operand) -> (Operand, Operand) {
        let value = self.real_within(FloatKind::Double, STORED).operand;
        self.free_buffers();
        let next = self.f.same(Op::Int(IntOp::Add), vec![i.clone(), int(64, 1)]);
        let here = self.f.here();
        self.f.add_incoming(i, next.clone(), here);
        self.f.add_incoming(carried, value.clone(), here);
        (next, value)
    }
}

//! An array of records has room for every pass of its loop, and no record is laid twice in one pass.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::{Obligation, Proof};
use crate::analyses::trips::Trips;
use crate::model::{BlockId, IntOp, IntPredicate as P, Op, Operand, Type, ValueId};
use crate::plan::{Merge, RecordArray};

impl Proof<'_> {
    pub fn check_arrays(&mut self) {
        let mut owned = BTreeSet::new();
        for (header, array) in &self.plan.arrays {
            let shared = array.blocks.iter().any(|block| !owned.insert(*block));
            let problem = if shared {
                Some("holds records of a block that another holds too")
            } else {
                self.find_array_fault(*header, array)
            };
            if let Some(problem) = problem {
                self.report(Obligation::Records, format!("the array of ^{} {problem}", header.0));
            }
        }
    }

    fn find_array_fault(&self, header: BlockId, array: &RecordArray) -> Option<&'static str> {
        let Some(Merge::Count { entry, latch }) = self.plan.merges.get(&header).map(|merge| &merge.choice)
        else {
            return Some("is of a loop whose passes are not counted");
        };
        if *entry != array.entry || self.paths.successors(*entry) != [header] {
            return Some("is not laid where the loop is entered, and only it");
        }
        let body = self.body_of(header);
        let inside = body.iter().copied().filter(|block| *block != header).collect();
        let again = self.paths.circling(&inside);
        for block in &array.blocks {
            if *block != header && (again.contains(block) || !body.contains(block)) {
                return Some("holds records of a block that does not run once in each pass");
            }
        }
        self.find_wrong_trips(header, *latch, &array.trips).or_else(|| self.find_short_frame(array))
    }

    /// An array in the stack frame that has not enough room, or is laid anew before it was read.
    fn find_short_frame(&self, array: &RecordArray) -> Option<&'static str> {
        let room = i128::from(array.in_frame?);
        let fused = self.plan.fused.values().any(|fused| fused.blocks.contains(&array.entry));
        if !fused || self.comes_again(array.entry) {
            return Some("lies in the stack frame, and is laid more often than it is read");
        }
        let trips = &array.trips;
        let end = |x: &Operand| match x {
            Operand::Const(end) => end.as_signed(),
            Operand::Value(_) => None,
        };
        // Between small numbers signs play no part.
        let enough = end(&trips.start).zip(end(&trips.bound)).is_some_and(|(start, bound)| {
            let small = [start, bound].iter().all(|end| (0..1 << 31).contains(end));
            let (from, to) = if trips.upwards { (start, bound) } else { (bound, start) };
            let meets = from <= to || !trips.exact;
            small && meets && room > 0 && room > to - from + i128::from(trips.inclusive)
        });
        (!enough).then_some("lies in the stack frame, and has more records than fit there")
    }

    /// The blocks from which control can come round to the header of a loop, and the header.
    pub fn body_of(&self, header: BlockId) -> Rc<BTreeSet<BlockId>> {
        // Of each block that lays records it is asked what loop it is in.
        let known = self.bodies.borrow().get(&header).cloned();
        known.unwrap_or_else(|| {
            let body = Rc::new(self.find_body(header));
            self.bodies.borrow_mut().insert(header, body.clone());
            body
        })
    }

    fn find_body(&self, header: BlockId) -> BTreeSet<BlockId> {
        let Some(Merge::Count { latch, .. }) = self.plan.merges.get(&header).map(|merge| &merge.choice)
        else {
            return BTreeSet::new();
        };
        let to_latch = match self.paths.leads(*latch, header) {
            true => self.paths.walk_back(*latch, header),
            false => BTreeSet::new(),
        };
        // Who comes from the header to one of these without passing it again stays among them.
        let mut body = self.paths.walk_within(self.paths.successors(header), &to_latch);
        body.insert(header);
        body
    }

    /// What is wrong with how often a loop is said to run.
    pub fn find_wrong_trips(&self, header: BlockId, latch: BlockId, trips: &Trips) -> Option<&'static str> {
        let body = self.body_of(header);
        let changes = |value: ValueId| self.paths.home(value).is_some_and(|home| body.contains(&home));
        if [&trips.start, &trips.bound].into_iter().filter_map(Operand::value).any(changes) {
            return Some("is as long as something says that changes in the loop");
        }
        let leaves = |block: &BlockId| self.paths.successors(*block).iter().any(|to| !body.contains(to));
        if body.iter().any(|block| *block != header && leaves(block)) {
            return Some("is of a loop that is left by more than its test");
        }
        (!self.has_trips(header, latch, &body, trips))
            .then_some("is not as long as the test of the loop says")
    }

    /// Whether the header's branch stays in the loop as long as its counter has not met the bound.
    fn has_trips(&self, header: BlockId, latch: BlockId, body: &BTreeSet<BlockId>, trips: &Trips) -> bool {
        let inst = |id: ValueId| self.function.inst(id);
        let Some(branch) = self.function.terminator(header).and_then(inst) else { return false };
        let Op::CondBr { yes, no } = branch.op else { return false };
        let Some(test) = branch.operands[0].value().and_then(inst) else { return false };
        let Op::ICmp(found) = test.op else { return false };
        let stays = |block| body.contains(&block) || block == header;
        let (up, down) = match (trips.signed, trips.inclusive) {
            _ if trips.exact => (P::Ne, P::Ne),
            (true, false) => (P::Slt, P::Sgt),
            (true, true) => (P::Sle, P::Sge),
            (false, false) => (P::Ult, P::Ugt),
            (false, true) => (P::Ule, P::Uge),
        };
        let wanted = if trips.upwards { up } else { down };
        let opposite = if trips.upwards { down } else { up };
        // The counter may stand on either side, and the loop may go on where the test holds or where it does not.
        let negated = |predicate: P| match predicate {
            P::Ne => P::Eq,
            P::Slt => P::Sge,
            P::Sle => P::Sgt,
            P::Sgt => P::Sle,
            P::Sge => P::Slt,
            P::Ult => P::Uge,
            P::Ule => P::Ugt,
            P::Ugt => P::Ule,
            P::Uge => P::Ult,
            P::Eq => P::Ne,
        };
        let says = |predicate: P| match (stays(yes), stays(no)) {
            (true, false) => found == predicate,
            (false, true) => found == negated(predicate),
            _ => false,
        };
        let [left, right] = test.operands.as_slice() else { return false };
        let counts = |counter: &Operand| self.counts_by_one(counter, header, latch, trips);
        counts(left) && *right == trips.bound && says(wanted)
            || counts(right) && *left == trips.bound && says(opposite)
    }

    fn counts_by_one(&self, counter: &Operand, header: BlockId, latch: BlockId, trips: &Trips) -> bool {
        let Some(id) = counter.value().filter(|id| self.paths.home(*id) == Some(header)) else {
            return false;
        };
        let Some(phi) = self.function.inst(id) else { return false };
        let Op::Phi { from } = &phi.op else { return false };
        let other =
            |block: BlockId| from.iter().position(|known| *known == block).map(|at| &phi.operands[at]);
        let starts = from.iter().zip(&phi.operands).all(|(block, x)| *block == latch || *x == trips.start);
        let next = other(latch).and_then(Operand::value).and_then(|next| self.function.inst(next));
        let step = next.and_then(|next| match (&next.op, next.operands.as_slice()) {
            (Op::Int(IntOp::Add), [from, Operand::Const(step)]) if from == counter => step.as_signed(),
            (Op::Int(IntOp::Sub), [from, Operand::Const(step)]) if from == counter => {
                Some(-step.as_signed()?)
            }
            _ => None,
        });
        starts && phi.ty == Type::Int(trips.bits) && step == Some(if trips.upwards { 1 } else { -1 })
    }
}

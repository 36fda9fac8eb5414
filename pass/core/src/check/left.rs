//! Who looks at memory after the derivative finds there what the primal has left.
//!
//! Each store that is undone in such memory is one that the runtime is told of: then or behind its loop. What is told of a
//! loop is where the store wrote in each of its passes, and nothing else: the store runs once in each of them, the loop is
//! left at its header alone for the block that tells, and from one pass to the next the address moves by the same
//! number of bytes. The memory is still there when it is written back: nobody here made it.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use super::{Obligation, Proof};
use crate::model::{BlockId, CastOp, Constant, Flags, Gep, Inst, IntOp, Op, Operand, Stride, Type, ValueId};
use crate::plan::{Merge, Told};
use crate::request::Mode;

/// A loop whose passes are compared.
struct Around {
    header: BlockId,
    latch: BlockId,
    body: Rc<BTreeSet<BlockId>>,
}

/// Longer computations of an address are not followed.
const LONGEST: usize = 40;

impl Proof<'_> {
    pub fn check_left(&mut self) {
        let mut problems = Vec::new();
        for (store, told) in &self.plan.left {
            let problem = self.find_untold(*store).or_else(|| match told {
                Told::Each => None,
                Told::Row { header, exit, step } => self.find_other_row(*store, *header, *exit, *step),
            });
            problems.extend(problem.map(|problem| format!("{} {problem}", self.describe(*store))));
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Storage, problem));
    }

    /// Whether the runtime is told what lies there, so that the caller finds it.
    pub fn is_told(&self, store: ValueId) -> bool {
        self.plan.left.contains_key(&store)
    }

    fn find_untold(&self, store: ValueId) -> Option<&'static str> {
        if !self.plan.restored.contains(&store) {
            return Some("is told of, and not undone");
        }
        if self.plan.may_be_left || self.plan.request.mode != Mode::Gradient || self.plan.request.nested {
            return Some("is told of, though control may leave before it is written back");
        }
        let inst = self.function.inst(store)?;
        let stays = |place: &Place| match place {
            Place::Param(_) | Place::Global(_) => true,
            Place::Found(_) | Place::Outside => !self.makes_anything(),
            Place::Slot(_) | Place::Made(_) | Place::Returned(_) => self.is_given_up(place),
        };
        let places = self.places.lead(&inst.operands[1]);
        (!places.iter().all(stays)).then_some("is told of, and its memory may be gone by then")
    }

    /// Whether anything allocates, here or out of sight.
    fn makes_anything(&self) -> bool {
        let makes = |inst: &Inst| match memory_call(inst) {
            Some(call) => call == MemoryCall::Allocate,
            None => inst.op.call().is_some() && !self.leaves_memory_alone(inst),
        };
        self.live_insts().iter().any(|(_, inst)| makes(inst))
    }

    fn find_other_row(
        &self,
        store: ValueId,
        header: BlockId,
        exit: BlockId,
        step: i64,
    ) -> Option<&'static str> {
        let Some(Merge::Count { latch, .. }) = self.plan.merges.get(&header).map(|merge| &merge.choice)
        else {
            return Some("is told of behind a loop whose passes are not counted");
        };
        let around = Around { header, latch: *latch, body: self.body_of(header) };
        let home = self.paths.home(store)?;
        let inside: BTreeSet<BlockId> =
            around.body.iter().copied().filter(|block| *block != header).collect();
        if !inside.contains(&home)
            || self.paths.circling(&inside).contains(&home)
            || !self.paths.dominates(home, around.latch)
        {
            return Some("is told of as if it ran once in each pass");
        }
        let leaves =
            |block: &BlockId| self.paths.successors(*block).iter().any(|to| !around.body.contains(to));
        let behind: Vec<BlockId> =
            self.paths.successors(header).iter().copied().filter(|to| !around.body.contains(to)).collect();
        if inside.iter().any(leaves) || behind != [exit] || self.paths.predecessors(exit) != [header] {
            return Some("is told of where its loop does not end");
        }
        let address = &self.function.inst(store)?.operands[1];
        let moves = self.advance(address, &around, LONGEST);
        (moves != Some(i128::from(step))).then_some("is told of as a row, and does not write one")
    }

    /// By how much a number, or an address in bytes, is further in the next pass, modulo its width.
    fn advance(&self, of: &Operand, around: &Around, fuel: usize) -> Option<i128> {
        let Operand::Value(id) = of else { return Some(0) };
        if !self.paths.home(*id).is_some_and(|home| around.body.contains(&home)) {
            return Some(0);
        }
        let inst = self.function.inst(*id).filter(|_| fuel > 0)?;
        let fuel = fuel - 1;
        match &inst.op {
            Op::Phi { .. } if self.paths.home(*id) == Some(around.header) => self.one_pass(*id, inst, around),
            Op::Gep(gep) => {
                let base = self.advance(&inst.operands[0], around, fuel)?;
                let by = self.advance_of_indices(gep, inst, around, fuel)?;
                base.checked_add(by)
            }
            Op::Int(op) => {
                let [left, right] = inst.operands.as_slice() else { return None };
                let (x, y) = (self.advance(left, around, fuel)?, self.advance(right, around, fuel)?);
                match (op, constant(left), constant(right)) {
                    (IntOp::Add, ..) => x.checked_add(y),
                    (IntOp::Sub, ..) => x.checked_sub(y),
                    (IntOp::Mul, _, Some(times)) => x.checked_mul(times),
                    (IntOp::Mul, Some(times), _) => y.checked_mul(times),
                    (IntOp::Shl, _, Some(by @ 0..=30)) => x.checked_mul(1 << by),
                    _ => (x == 0 && y == 0).then_some(0),
                }
            }
            Op::Cast(kind @ (CastOp::SExt | CastOp::ZExt)) => {
                let further = self.advance(&inst.operands[0], around, fuel)?;
                let signed = *kind == CastOp::SExt;
                let flag = if signed { Flags::NSW } else { Flags::NUW };
                let exact = further == 0 || self.is_exact(&inst.operands[0], around, flag, fuel);
                exact.then_some(further)
            }
            _ => None,
        }
    }

    fn advance_of_indices(&self, gep: &Gep, inst: &Inst, around: &Around, fuel: usize) -> Option<i128> {
        let mut sum = 0i128;
        for (stride, index) in gep.strides.iter().zip(&inst.operands[1..]) {
            let further = self.advance(index, around, fuel)?;
            let narrow = self.function.operand_type(index) != Type::I64;
            match stride {
                Stride::Field(_) => {}
                _ if further == 0 => {}
                Stride::Scale(bytes) if !narrow => {
                    sum = sum.checked_add(further.checked_mul(i128::from(*bytes))?)?;
                }
                Stride::Scale(_) | Stride::Unknown => return None,
            }
        }
        let known = !gep.strides.contains(&Stride::Unknown);
        known.then_some(sum)
    }

    /// By how much a phi of the header is further: what comes round is the phi itself, and a number more.
    fn one_pass(&self, phi: ValueId, inst: &Inst, around: &Around) -> Option<i128> {
        let next = self.function.inst(self.coming_round(inst, around)?.value()?)?;
        let own = |operand: &Operand| *operand == Operand::Value(phi);
        match (&next.op, next.operands.as_slice()) {
            (Op::Int(IntOp::Add), [x, by]) if own(x) => constant(by),
            (Op::Int(IntOp::Add), [by, x]) if own(x) => constant(by),
            (Op::Int(IntOp::Sub), [x, by]) if own(x) => Some(-constant(by)?),
            (Op::Gep(gep), [x, indices @ ..]) if own(x) => {
                let by = |(stride, index): (&Stride, &Operand)| match stride {
                    Stride::Field(bytes) => Some(i128::from(*bytes)),
                    Stride::Scale(bytes) => constant(index)?.checked_mul(i128::from(*bytes)),
                    Stride::Unknown => None,
                };
                gep.strides.iter().zip(indices).try_fold(0i128, |sum, part| sum.checked_add(by(part)?))
            }
            _ => None,
        }
    }

    fn coming_round<'b>(&self, phi: &'b Inst, around: &Around) -> Option<&'b Operand> {
        let Op::Phi { from } = &phi.op else { return None };
        from.iter().position(|block| *block == around.latch).map(|at| &phi.operands[at])
    }

    /// Whether no step on the way to a number has left its width, in any pass that uses it.
    fn is_exact(&self, of: &Operand, around: &Around, flag: Flags, fuel: usize) -> bool {
        let Operand::Value(id) = of else { return true };
        if !self.paths.home(*id).is_some_and(|home| around.body.contains(&home)) {
            return true;
        }
        let Some(inst) = self.function.inst(*id).filter(|_| fuel > 0) else { return false };
        match &inst.op {
            Op::Phi { .. } if self.paths.home(*id) == Some(around.header) => {
                let next = self.coming_round(inst, around).and_then(Operand::value);
                next.and_then(|next| self.function.inst(next)).is_some_and(|next| next.flags.has(flag))
            }
            Op::Int(IntOp::Add | IntOp::Sub) => {
                let exact = |x: &Operand| self.is_exact(x, around, flag, fuel - 1);
                inst.flags.has(flag) && inst.operands.iter().all(exact)
            }
            _ => false,
        }
    }
}

fn constant(of: &Operand) -> Option<i128> {
    match of {
        Operand::Const(number @ Constant::Int { .. }) => number.as_signed(),
        _ => None,
    }
}

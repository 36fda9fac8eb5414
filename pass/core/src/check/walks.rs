//! Whether an access goes from each element to the one beside it.
//!
//! Its address is written as a sum of multiples of what is not computed further. One of these is counted up or down by its loop, and makes
//! a step of one element; all others stay as they are in that loop.

use std::collections::{BTreeMap, BTreeSet};

use super::counted::Seeing;
use crate::model::{BlockId, CastOp, IntOp, Op, Operand, Stride, Type, ValueId};

/// A sum of more parts is not followed.
const MOST_PARTS: usize = 64;

#[derive(Default)]
struct Sum {
    times: BTreeMap<ValueId, i128>,
    known: i128,
    parts: usize,
}

impl Seeing<'_> {
    /// Whether what is accessed is a number each time, and not only where something else is so.
    pub(super) fn walks(&self, access: ValueId, pointer: &Operand, bytes: i128) -> bool {
        let Some(inst) = self.function.inst(access) else { return false };
        if !matches!(inst.op, Op::Load(_)) {
            return self.steps_through(access, pointer, bytes);
        }
        let is_given_to = |user: ValueId| {
            let given = self.function.inst(user).into_iter().flat_map(|inst| &inst.operands);
            given.filter_map(Operand::value).any(|id| self.before_widening(id) == access)
        };
        let counting = self.find_counting(access).into_iter().filter(|user| is_given_to(*user));
        counting.into_iter().any(|user| self.steps_through(user, pointer, bytes))
    }

    fn before_widening(&self, id: ValueId) -> ValueId {
        match self.function.inst(id).map(|inst| (&inst.op, inst.operands.first())) {
            Some((Op::Cast(CastOp::SExt | CastOp::ZExt) | Op::Freeze, Some(Operand::Value(narrow)))) => {
                self.before_widening(*narrow)
            }
            _ => id,
        }
    }

    fn steps_through(&self, access: ValueId, pointer: &Operand, bytes: i128) -> bool {
        let Some(sum) = self.sum_of(pointer) else { return false };
        let is_step = |(id, times): &(&ValueId, &i128)| {
            self.step_of(**id).is_some_and(|step| (step * **times).abs() == bytes)
        };
        let counted: Vec<ValueId> = sum.times.iter().filter(is_step).map(|(id, _)| *id).collect();
        let [counter] = counted[..] else { return false };
        self.comes_back_by(access, counter)
            && sum.times.keys().all(|id| *id == counter || self.stays(*id, counter))
    }

    /// Whether no way round the loop of a counter leaves an access out.
    fn comes_back_by(&self, access: ValueId, counter: ValueId) -> bool {
        let (Some(home), Some(header)) = (self.home_of(access), self.home_of(counter)) else { return false };
        let mut ways = if home == header { Vec::new() } else { vec![header] };
        let mut met = BTreeSet::new();
        while let Some(block) = ways.pop() {
            for next in self.function.successors(block) {
                if next == header {
                    return false;
                }
                if next != home && met.insert(next) {
                    ways.push(next);
                }
            }
        }
        true
    }

    fn sum_of(&self, value: &Operand) -> Option<Sum> {
        let mut sum = Sum::default();
        self.add(value, 1, &mut sum)?;
        sum.times.retain(|_, times| *times != 0);
        Some(sum)
    }

    fn add(&self, value: &Operand, times: i128, sum: &mut Sum) -> Option<()> {
        sum.parts += 1;
        if sum.parts > MOST_PARTS {
            return None;
        }
        let id = match value {
            Operand::Const(constant) => {
                sum.known += times * constant.as_signed().unwrap_or(0);
                return Some(());
            }
            Operand::Value(id) => *id,
        };
        let Some(inst) = self.function.inst(id) else {
            *sum.times.entry(id).or_default() += times;
            return Some(());
        };
        let factor = |at: usize| match &inst.operands[at] {
            Operand::Const(constant) => constant.as_signed(),
            Operand::Value(_) => None,
        };
        match &inst.op {
            Op::Cast(_) | Op::Freeze => self.add(&inst.operands[0], times, sum),
            Op::Int(IntOp::Add) => {
                self.add(&inst.operands[0], times, sum)?;
                self.add(&inst.operands[1], times, sum)
            }
            Op::Int(IntOp::Sub) => {
                self.add(&inst.operands[0], times, sum)?;
                self.add(&inst.operands[1], -times, sum)
            }
            Op::Int(IntOp::Mul) if factor(1).is_some() => {
                self.add(&inst.operands[0], times.checked_mul(factor(1)?)?, sum)
            }
            Op::Int(IntOp::Shl) if factor(1).is_some_and(|by| (0..32).contains(&by)) => {
                self.add(&inst.operands[0], times.checked_mul(1 << factor(1)?)?, sum)
            }
            Op::Gep(gep) => {
                self.add(&inst.operands[0], times, sum)?;
                for (stride, index) in gep.strides.iter().zip(&inst.operands[1..]) {
                    match stride {
                        Stride::Scale(bytes) => {
                            self.add(index, times.checked_mul(i128::from(*bytes))?, sum)?;
                        }
                        Stride::Field(bytes) => sum.known += times * i128::from(*bytes),
                        Stride::Unknown => return None,
                    }
                }
                Some(())
            }
            _ => {
                *sum.times.entry(id).or_default() += times;
                Some(())
            }
        }
    }

    /// By how much a phi is moved on each time that its loop comes back, whichever way round.
    fn step_of(&self, phi: ValueId) -> Option<i128> {
        let inst = self.function.inst(phi).filter(|inst| matches!(inst.op, Op::Phi { .. }))?;
        let mut step = None;
        for from in &inst.operands {
            let sum = self.sum_of(from)?;
            if sum.times.get(&phi) == Some(&1) && sum.times.len() == 1 {
                let by = sum.known.abs();
                if *step.get_or_insert(by) != by {
                    return None;
                }
            } else if !sum.times.keys().all(|id| self.stays(*id, phi)) {
                return None;
            }
        }
        step
    }

    /// Whether a value is the same until the loop of a counter is left, unless memory changes under it.
    fn stays(&self, value: ValueId, counter: ValueId) -> bool {
        let loop_of = self.home_of(counter);
        let (mut met, mut waiting) = (BTreeSet::new(), vec![value]);
        while let Some(id) = waiting.pop() {
            let Some(inst) = self.function.inst(id).filter(|_| met.insert(id)) else { continue };
            let other_number = matches!(inst.op, Op::Load(_)) && !matches!(inst.ty, Type::Ptr(_));
            let made_elsewhere = matches!(inst.op, Op::Call(_) | Op::Invoke { .. });
            let counted_there = matches!(inst.op, Op::Phi { .. }) && self.home_of(id) == loop_of;
            if other_number || made_elsewhere || counted_there {
                return false;
            }
            waiting.extend(inst.operands.iter().filter_map(Operand::value));
        }
        true
    }

    fn home_of(&self, id: ValueId) -> Option<BlockId> {
        self.function.block_ids().find(|block| self.function.block(*block).insts.contains(&id))
    }
}

//! Integers that are added up: the starts of columns, counted first and then summed.
//!
//! Stores of sums + touches → what they say of the memory they go to. Who adds loaded integers says by that alone neither what he
//! reads nor what he writes; somebody who counts with what lies there does.
//! Safe error: a sum says nothing that can be relied upon.

use std::collections::BTreeSet;

use super::evidence::Evidence;
use super::touches::{Kind, Reader, Touches, is_declared};
use crate::model::{BlockId, CastOp, Op, Operand, Type, ValueId};

/// A store of what is computed from integers that are loaded, and of some of which nothing else is known.
pub struct Sum {
    pub store: ValueId,
    pub block: BlockId,
    pub loads: BTreeSet<ValueId>,
}

impl Touches<'_> {
    /// A sum of integers is one. Of memory that holds sums of what lies in such memory somebody else says that integers lie there, so
    /// all sums are taken for integers until one adds something of which that is not said.
    pub(super) fn settle_sums(&mut self, mut open: Vec<Sum>) {
        loop {
            let is_integer = |load: &ValueId, sum: &Sum| {
                self.function.inst(*load).is_some_and(|load| Evidence::is_read(load, sum.store, self))
            };
            let (kept, lost): (Vec<Sum>, Vec<Sum>) =
                open.into_iter().partition(|sum| sum.loads.iter().all(|load| is_integer(load, sum)));
            open = kept;
            if lost.is_empty() {
                break;
            }
            lost.into_iter().for_each(|sum| self.add_sum(&sum, Kind::Unclear));
        }
        open.into_iter().for_each(|sum| self.add_sum(&sum, Kind::Integer));
    }

    fn add_sum(&mut self, sum: &Sum, kind: Kind) {
        let Some(inst) = self.function.inst(sum.store) else { return };
        let ty = self.function.accessed_type(inst).unwrap_or(Type::Void);
        // A sum is made of what lies there, and says no more of it than that does.
        self.add((&inst.operands[1], &ty), Some(kind), (sum.block, inst), false);
    }
}

impl Reader<'_> {
    /// The loads that are only looked at from which an integer is computed; `None` where there are none, or it may be something else.
    pub(super) fn find_summed(&self, value: &Operand) -> Option<BTreeSet<ValueId>> {
        let (mut seen, mut waiting, mut loads) = (BTreeSet::new(), vec![value], BTreeSet::new());
        while let Some(operand) = waiting.pop() {
            let Some(id) = operand.value().filter(|id| seen.insert(*id)) else { continue };
            let Some(inst) = self.function.inst(id) else { continue };
            match &inst.op {
                Op::ICmp(_) | Op::FCmp(_) | Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => {}
                Op::Load(_) if is_declared(inst) => {}
                Op::Load(_) if self.carriers.contains(&id) && !self.counted_moves.contains(&id) => {
                    return None;
                }
                Op::Load(_) if self.is_counted_with(id) => {}
                Op::Load(_) => drop(loads.insert(id)),
                Op::Int(_) | Op::Phi { .. } | Op::Freeze => waiting.extend(&inst.operands),
                Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt) => waiting.extend(&inst.operands),
                Op::Select => waiting.extend(&inst.operands[1..]),
                Op::Call(_) if inst.compares_integers() => {}
                Op::Call(_) if inst.picks_integer() || inst.saturates() => waiting.extend(inst.arguments()),
                _ => return None,
            }
        }
        (!loads.is_empty()).then_some(loads)
    }
}

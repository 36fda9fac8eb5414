//! Is what is added up of loaded integers an integer, and what does that say of the memory it is put into?
//!
//! It is if all that is added was read from memory of which somebody says that integers lie there, and nobody takes it for anything else.

use std::collections::BTreeSet;

use super::bits::{is_extreme, is_limited, is_ordering, may_be_float};
use super::counted::{Seeing, Seen};
use super::declared::is_declared;
use crate::model::{CastOp, Op, Operand, ValueId};

/// What is seen of a store of integers that are added up, and the loads of them of which nothing else is known.
pub(super) struct Sum {
    pub loads: BTreeSet<ValueId>,
    pub seen: Vec<Seen>,
}

impl Seeing<'_> {
    /// Sums of what lies in memory of integers are integers themselves. They are believed to be until one is found out that adds
    /// something else; that integers lie there somebody says who does more than to add them up.
    pub(super) fn settle_sums(&mut self, mut open: Vec<Sum>) {
        let found_out =
            |seeing: &Seeing, sum: &Sum| !sum.loads.iter().all(|load| seeing.reads_integer(*load));
        loop {
            let (lost, kept): (Vec<Sum>, Vec<Sum>) = open.into_iter().partition(|sum| found_out(self, sum));
            open = kept;
            if lost.is_empty() {
                break;
            }
            self.seen.extend(lost.into_iter().flat_map(|sum| sum.seen));
        }
        let believed = open.into_iter().flat_map(|sum| sum.seen);
        self.seen.extend(believed.map(|seen| Seen { counted: seen.ty.is_none(), ..seen }));
    }

    /// Whether all who touch what a load reads say that it is an integer, and no other function knows it.
    fn reads_integer(&self, load: ValueId) -> bool {
        let Some(inst) = self.function.inst(load) else { return false };
        let pointer = &inst.operands[0];
        let lent = self.named(pointer).iter().any(|place| self.is_lent(place));
        !lent && self.are_integers(&[pointer], self.sizes_of(&inst.ty), &|_| true)
    }

    /// The loads that are only looked at, of which an integer is computed; `None` where there are none, or some may be a float's bits.
    pub(super) fn find_summed(&self, value: &Operand) -> Option<BTreeSet<ValueId>> {
        let (mut met, mut waiting, mut summed) = (BTreeSet::new(), vec![value], BTreeSet::new());
        while let Some(x) = waiting.pop() {
            let Some(id) = x.value().filter(|id| met.insert(*id)) else { continue };
            let Some(inst) = self.function.inst(id) else { continue };
            let counted = || is_declared(inst) || self.is_number(id) || self.counts_beside(id) == Some(true);
            match &inst.op {
                Op::ICmp(_) | Op::FCmp(_) | Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => {}
                Op::Load(_) if counted() => {}
                // What is moved beside is asked about for itself.
                Op::Load(_)
                    if self.counts_beside(id).is_none()
                        && may_be_float(self.function, &self.users, self.program, id) =>
                {
                    return None;
                }
                Op::Load(_) => drop(summed.insert(id)),
                Op::Int(_) | Op::Phi { .. } | Op::Freeze => waiting.extend(&inst.operands),
                Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt) => waiting.extend(&inst.operands),
                Op::Select => waiting.extend(&inst.operands[1..]),
                Op::Call(_) if is_ordering(inst) => {}
                Op::Call(_) if is_extreme(inst) || is_limited(inst) => waiting.extend(inst.arguments()),
                _ => return None,
            }
        }
        (!summed.is_empty()).then_some(summed)
    }
}

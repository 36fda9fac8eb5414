//! What is taken back on the way back is what was there.
//!
//! A value of a loop's header is changed once in a pass, by an addition, a subtraction or an exclusive or of something else,
//! and whatever that is can be had where the reverse of the pass begins, without what is taken back there. Of integers this
//! gives the very number; of floats it does not, and the user has asked for it.

use std::collections::BTreeSet;

use super::reads::{Moment, Read};
use super::{Obligation, Proof};
use crate::config::Invert;
use crate::model::{BlockId, FloatOp, Inst, IntOp, Op, Operand, ValueId};
use crate::plan::{Merge, Order, Storage};

impl Proof<'_> {
    fn taken_back(&self) -> impl Iterator<Item = (ValueId, BlockId)> + '_ {
        self.plan.storage.iter().filter_map(|(value, decision)| match decision.choice {
            Storage::Uncompute { header } => Some((*value, header)),
            _ => None,
        })
    }

    /// What each pass has changed its values by.
    pub fn find_uncompute_reads(&self) -> Vec<Read> {
        let mut reads = Vec::new();
        for (value, header) in self.taken_back() {
            let Some((latch, by)) = self.find_change(value, header) else { continue };
            let why = format!("what takes back {}", self.describe(value));
            reads.extend(by.iter().filter_map(Operand::value).map(|value| Read {
                value,
                at: latch,
                moment: Moment::Leaving(header),
                why: why.clone(),
            }));
        }
        reads
    }

    pub fn check_uncomputed(&mut self) {
        let mut problems = Vec::new();
        for (value, header) in self.taken_back() {
            let problem = self.find_untakeable(value, header);
            problems.extend(
                problem.map(|problem| format!("{} is taken back, and {problem}", self.describe(value))),
            );
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Storage, problem));
    }

    fn find_untakeable(&self, value: ValueId, header: BlockId) -> Option<&'static str> {
        let Some((_, by)) = self.find_change(value, header) else {
            return Some("is not changed once in a pass by what can be undone");
        };
        let float = self.function.value_type(value).holds_float();
        if self.plan.invert == Invert::Off || float && self.plan.invert != Invert::Floats {
            return Some("nobody has asked for rounding");
        }
        let forwards = |recount: &crate::plan::Recount| recount.order == Order::Forwards;
        if self.plan.recounts.get(&header).is_some_and(forwards) {
            return Some("its iterations are reversed in their own order");
        }
        let of_loop = self.taken_back().filter(|(_, at)| *at == header).map(|(value, _)| value).collect();
        let (made, _) = self.find_repeated(of_loop, BTreeSet::new());
        let tied = by.iter().filter_map(Operand::value).any(|by| made.contains(&by));
        tied.then_some("what it is changed by depends on what is taken back")
    }

    /// The latch, and the operands that change a value of the header there.
    fn find_change(&self, value: ValueId, header: BlockId) -> Option<(BlockId, Vec<Operand>)> {
        let Merge::Count { latch, .. } = self.plan.merges.get(&header)?.choice else { return None };
        let phi = self.function.inst(value).filter(|_| self.paths.home(value) == Some(header))?;
        let Op::Phi { from } = &phi.op else { return None };
        let at = from.iter().position(|block| *block == latch)?;
        let next = self.function.inst(phi.operands[at].value()?)?;
        let changed = |place: usize, by: &[usize]| {
            let old = Operand::Value(value);
            let by: Vec<Operand> = by.iter().filter_map(|at| next.operands.get(*at).cloned()).collect();
            (next.operands.get(place) == Some(&old) && !by.contains(&old)).then_some((latch, by))
        };
        match &next.op {
            Op::Int(IntOp::Add | IntOp::Xor) | Op::Float(FloatOp::Add) => {
                changed(0, &[1]).or_else(|| changed(1, &[0]))
            }
            Op::Int(IntOp::Sub) | Op::Float(FloatOp::Sub) => changed(0, &[1]),
            Op::Call(_) if is_multiply_add(next) => changed(2, &[0, 1]),
            _ => None,
        }
    }
}

fn is_multiply_add(inst: &Inst) -> bool {
    let name = inst.callee_name().unwrap_or_default();
    ["llvm.fmuladd.", "llvm.fma."].iter().any(|known| name.starts_with(known)) && inst.arguments().len() == 3
}

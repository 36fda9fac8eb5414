//! What a record says is an integer is no float's bits to anybody.
//!
//! Nobody of the function hands the bits on, and no float is made of the integer by its value, in sight or out of it, unless
//! everything that it is made of was counted, or is declared to be an integer.

use std::collections::BTreeSet;

use super::declared::is_declared;
use super::memory_calls::memory_call;
use super::{Obligation, Proof};
use crate::model::{CastOp, Function, Inst, Op, Operand, Type, ValueId};

impl<'a> Proof<'a> {
    pub fn check_numbers(&mut self) {
        for value in &self.plan.numbers {
            let integer = matches!(self.function.value_type(*value), Type::Int(_));
            let open = || self.becomes_number(*value) && !self.is_counted_up(*value);
            if !integer || self.may_carry(*value) || open() {
                let message = format!("{} is recorded as a number, and may be bits", self.describe(*value));
                self.report(Obligation::NothingUnknown, message);
            }
        }
    }

    /// Whether an integer, or what is computed from it, may be made a float of by its value, in whatever function it comes to.
    fn becomes_number(&self, integer: ValueId) -> bool {
        let mut seen: BTreeSet<(&str, ValueId)> = BTreeSet::new();
        let mut waiting = vec![(self.function, integer)];
        while let Some((function, value)) = waiting.pop() {
            if !seen.insert((&function.name, value)) {
                continue;
            }
            let users: Vec<ValueId> = match std::ptr::eq(function, self.function) {
                true => self.users(value).to_vec(),
                false => function.inst_ids().collect(),
            };
            for id in users {
                let Some(user) = function.inst(id).filter(|user| uses(user, value)) else { continue };
                match &user.op {
                    Op::Cast(CastOp::SiToFp | CastOp::UiToFp) => return true,
                    Op::Call(_) | Op::Invoke { .. } => match self.given_to(user, value) {
                        Some(params) => waiting.extend(params),
                        None => return true,
                    },
                    _ => {}
                }
                // What is handed back to whoever called a callee is among the results of the call.
                if hands_on(user, value) {
                    waiting.push((function, id));
                }
            }
        }
        false
    }

    /// The parameters that a value is for a callee with a body, and nothing for what LLVM computes itself or what takes lengths of memory. `None` where it is given to
    /// somebody out of sight.
    fn given_to(&self, call: &Inst, value: ValueId) -> Option<Vec<(&'a Function, ValueId)>> {
        let name = call.callee_name()?;
        if name.starts_with("llvm.") || memory_call(call).is_some() {
            return Some(Vec::new());
        }
        let callee = self.program.function(name).filter(|callee| !callee.blocks.is_empty())?;
        let at = (0..).zip(&call.operands).filter(|(_, operand)| operand.value() == Some(value));
        let at: Vec<u32> = at.map(|(at, _)| at).collect();
        let known = at.iter().all(|at| (*at as usize) < callee.params.len());
        known.then(|| at.into_iter().map(|at| (callee, ValueId(at))).collect())
    }

    fn is_counted_up(&self, integer: ValueId) -> bool {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![integer]);
        while let Some(value) = waiting.pop() {
            let Some(inst) = self.function.inst(value) else { return false };
            let computed = matches!(
                inst.op,
                Op::Int(_)
                    | Op::Phi { .. }
                    | Op::Freeze
                    | Op::Select
                    | Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt)
            );
            let asked = matches!(inst.op, Op::ICmp(_) | Op::FCmp(_));
            let rounded = matches!(inst.op, Op::Cast(CastOp::FpToSi | CastOp::FpToUi));
            if computed && seen.insert(value) {
                waiting.extend(inst.operands.iter().filter_map(Operand::value));
            } else if !computed && !asked && !rounded && !is_declared(inst) {
                return false;
            }
        }
        true
    }
}

fn uses(inst: &Inst, value: ValueId) -> bool {
    inst.operands.iter().any(|operand| operand.value() == Some(value))
}

/// Whether a value is in the result, or computed with: which of two ways is taken is no number.
fn hands_on(inst: &Inst, value: ValueId) -> bool {
    match &inst.op {
        // How many bits come first is no number made of them.
        Op::Call(_) if inst.counts_leading() => false,
        Op::Call(_) | Op::Invoke { .. } | Op::ExtractValue { .. } | Op::InsertValue { .. } => {
            !matches!(inst.ty.scalar(), Type::Float(_) | Type::Void) && !inst.ty.is_pointer()
        }
        Op::Select => inst.operands[1..].iter().any(|operand| operand.value() == Some(value)),
        Op::Int(_) | Op::Phi { .. } | Op::Freeze => true,
        Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::BitCast) => true,
        Op::ExtractElement | Op::InsertElement | Op::ShuffleVector { .. } => true,
        _ => false,
    }
}

//! Integers that are computed from floats' bits and kept in memory of this call's own, among integers: hashes, sums to check by, exponents.
//!
//! Such memory has no shadow, and needs none, if all that is read there is compared, used as an index, or makes a number
//! of which the floats' fractions are no part. Whatever else is done with what is read, or with the memory, and it counts as varied.

use std::collections::BTreeSet;

use super::Proof;
use super::bits::find_users;
use super::memory::Varied;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use crate::model::{CastOp, Inst, Op, Operand, Type, ValueId};

impl<'a> Proof<'a> {
    /// Whether a store puts an integer where all are, and become nothing else.
    pub fn is_kept_among_integers(&self, store: &'a Inst, varied: &Varied) -> bool {
        let [value, pointer, ..] = store.operands.as_slice() else { return false };
        let places = self.places.lead(pointer);
        if !matches!(store.op, Op::Store(_))
            || !self.is_integer(value)
            || places.is_empty()
            || !places.iter().all(|place| self.is_private(place))
        {
            return false;
        }
        let steps = self.holds_no_fraction(value, &varied.values);
        self.function.inst_ids().all(|id| match self.function.inst(id) {
            Some(inst) => !self.touches(inst, &places) || self.touches_integers(id, inst, steps),
            None => true,
        })
    }

    fn touches(&self, inst: &'a Inst, places: &BTreeSet<Place>) -> bool {
        let pointers = match (&inst.op, memory_call(inst)) {
            (Op::Load(_), _) => &inst.operands[..1],
            (Op::Store(_), _) => &inst.operands[1..2],
            (Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::VaArg | Op::Opaque { .. }, _) => {
                &inst.operands[..]
            }
            (_, Some(_)) => inst.arguments(),
            _ => &[],
        };
        pointers.iter().any(|pointer| self.leads_to(pointer, places))
    }

    fn touches_integers(&self, id: ValueId, inst: &'a Inst, steps: bool) -> bool {
        match (&inst.op, memory_call(inst)) {
            (Op::Load(_), _) => matches!(inst.ty, Type::Int(_)) && self.ends_here(id, steps),
            (Op::Store(_), _) => self.is_integer(&inst.operands[0]),
            (_, Some(MemoryCall::Free | MemoryCall::Fill)) => true,
            _ => false,
        }
    }

    /// Whether an integer, and all that is computed from it, is compared, chosen by, or used as an index; or becomes a number by its
    /// value, where it may.
    fn ends_here(&self, integer: ValueId, may_be_number: bool) -> bool {
        let users = find_users(self.function);
        let (mut met, mut waiting) = (BTreeSet::new(), vec![integer]);
        while let Some(value) = waiting.pop() {
            if !met.insert(value) {
                continue;
            }
            for (user, at) in users.get(&value).into_iter().flatten() {
                let Some(inst) = self.function.inst(*user) else { return false };
                match &inst.op {
                    Op::ICmp(_) | Op::Switch { .. } => {}
                    Op::Gep(_) if *at > 0 => {}
                    Op::Select if *at == 0 => {}
                    Op::Cast(CastOp::SiToFp | CastOp::UiToFp) if may_be_number => {}
                    Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt) => waiting.push(*user),
                    Op::Int(_) | Op::Phi { .. } | Op::Select | Op::Freeze => waiting.push(*user),
                    _ => return false,
                }
            }
        }
        true
    }

    fn is_integer(&self, operand: &Operand) -> bool {
        matches!(self.function.operand_type(operand), Type::Int(_))
    }
}

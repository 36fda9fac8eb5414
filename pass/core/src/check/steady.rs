//! What is decided once more is decided alike.
//!
//! A number that is computed again may differ in its last bits where its arithmetic says that LLVM may round as it likes. Nobody who jumps
//! with these bits may be computed again from such a number: not a comparison, not an integer, not the question whether an
//! operand is the one that a maximum has given. What is stored, and what memory holds, keeps its bits.

use std::collections::{BTreeMap, BTreeSet};

use super::Proof;
use super::role::{Role, numbers_of};
use crate::model::{Flags, FloatOp, Inst, Op, Operand, ValueId};
use crate::plan::Storage;

impl<'a> Proof<'a> {
    /// Whatever decides otherwise than the first time, perhaps, and why.
    pub fn find_unsteady(&self) -> Vec<(ValueId, &'static str)> {
        let rounded = self.find_rounded_anew();
        let mut found = Vec::new();
        for id in self.function.inst_ids().filter(|_| !rounded.is_empty()) {
            let Some(inst) = self.function.inst(id) else { continue };
            let is_rounded = |number: &Operand| number.value().is_some_and(|value| rounded.contains(&value));
            if self.is_again(id) && numbers_of(inst).iter().any(is_rounded) && self.jumps(id, inst) {
                found.push((id, "is computed again, and decides by numbers that may be rounded otherwise"));
            }
            let Role::Row { row, operands, .. } = self.role(inst) else { continue };
            let asked = row.equated().into_iter().any(|operand| is_rounded(&operands[operand]));
            if asked && self.plan.activity.is_active(id) {
                found.push((id, "is asked whether it is an operand, which may be rounded otherwise"));
            }
        }
        found
    }

    fn is_again(&self, value: ValueId) -> bool {
        self.plan.storage.get(&value).is_some_and(|kept| kept.choice == Storage::Recompute)
    }

    /// The numbers for which arithmetic that may round as it likes is done again.
    fn find_rounded_anew(&self) -> BTreeSet<ValueId> {
        let mut rounded = BTreeSet::new();
        let mut users: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
        let mut waiting = Vec::new();
        for id in self.function.inst_ids().filter(|id| self.is_again(*id)) {
            let Some(inst) = self.function.inst(id).filter(|inst| inst.ty.is_real()) else { continue };
            if matches!(inst.op, Op::Load(_)) {
                continue;
            }
            if self.is_loosely_rounded(inst) {
                waiting.push(id);
            }
            for number in numbers_of(inst).iter().filter_map(Operand::value) {
                users.entry(number).or_default().push(id);
            }
        }
        while let Some(value) = waiting.pop() {
            if rounded.insert(value) {
                waiting.extend(users.get(&value).into_iter().flatten());
            }
        }
        rounded
    }

    fn jumps(&self, value: ValueId, inst: &'a Inst) -> bool {
        match &inst.op {
            Op::FCmp(_) => !self.only_picks(value, inst),
            Op::Call(_) => match self.role(inst) {
                Role::Row { row, .. } => {
                    let reals = (0..row.operands.len()).filter(|operand| row.is_real_operand(*operand));
                    let still = reals.into_iter().any(|operand| row.form(0, operand).is_zero());
                    still || ["fmod", "remainder"].contains(&row.name)
                }
                _ => true,
            },
            // Whole numbers, and bits, of floats.
            Op::Cast(_) => !inst.ty.is_real(),
            _ => false,
        }
    }

    /// Whether a comparison is asked by nobody but those who pick one of the two numbers compared.
    fn only_picks(&self, value: ValueId, inst: &Inst) -> bool {
        let asking = self.users(value).iter().filter_map(|user| self.function.inst(*user));
        let pair = BTreeSet::from_iter(inst.operands.iter().filter_map(Operand::value));
        asking.into_iter().all(|user| {
            let picked = user.operands.iter().skip(1).all(|one| inst.operands.contains(one));
            let both = BTreeSet::from_iter(user.operands.iter().skip(1).filter_map(Operand::value)) == pair;
            user.op == Op::Select && picked && both
        })
    }

    fn is_loosely_rounded(&self, inst: &Inst) -> bool {
        let loose = [Flags::REASSOC, Flags::ARCP, Flags::AFN].iter().any(|flag| inst.flags.has(*flag));
        match inst.op {
            Op::Float(FloatOp::Add | FloatOp::Sub) => {
                let operands = inst.operands.iter().filter_map(Operand::value);
                let mut products = operands.filter(|value| self.holds_product(*value));
                loose
                    || inst.flags.has(Flags::CONTRACT) && !self.rounds_products() && products.next().is_some()
            }
            Op::Float(_) | Op::Call(_) => loose,
            _ => false,
        }
    }

    /// Whether a number may be a product, for all that is known where it is used.
    fn holds_product(&self, value: ValueId) -> bool {
        let Some(inst) = self.function.inst(value) else { return false };
        match inst.op {
            Op::Float(FloatOp::Mul) | Op::FNeg | Op::Select | Op::Phi { .. } | Op::Load(_) => true,
            Op::Float(_) => false,
            Op::Cast(_) => inst.operands.iter().any(|operand| self.function.operand_type(operand).is_real()),
            _ => true,
        }
    }

    /// The plain 64-bit processors of Intel's line have no operation that multiplies and adds, unless it is said that they have.
    fn rounds_products(&self) -> bool {
        let texts = &self.function.attributes;
        let plain = texts.iter().any(|text| {
            text.strip_prefix("\"target-cpu\"=\"x86-64").is_some_and(|rest| matches!(rest, "\"" | "-v2\""))
        });
        plain && !texts.iter().any(|text| text.contains("+fma") || text.contains("+avx512f"))
    }
}

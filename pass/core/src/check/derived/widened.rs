//! Forward mode over a derivative that uses the tape: a record with something active in it is as wide as it and its tangents
//! together wherever it is pushed or popped, the tangents behind it; every other record is as it was. Where memory is put off, so are its shadows.

use std::collections::BTreeSet;

use super::Derivative;
use crate::check::Obligation::Records;
use crate::check::taped::{POP, PUSH, is_record, sides_of};
use crate::model::{Constant, Inst, IntOp, Op, Operand, ValueId};

const PUT_OFF: [&str; 2] = ["bs_rt_put_off", "bs_rt_put_off_sized"];

impl Derivative<'_> {
    pub fn check_widened(&mut self) {
        let ids = self
            .function
            .inst_ids()
            .filter(|id| self.paths.home(*id).is_some_and(|block| self.paths.is_live(block)));
        let records: Vec<(ValueId, &Inst)> = ids
            .filter_map(|id| Some((id, self.function.inst(id)?)))
            .filter(|(_, inst)| is_record(inst))
            .collect();
        let is_wide = |id: &ValueId| self.plan.activity.is_value_shadowed(*id);
        let mut problems = Vec::new();
        for (id, inst) in records {
            let sides = sides_of(self.function, inst);
            let called = |name: &str| {
                sides.iter().any(|side| self.function.inst(*side).and_then(Inst::callee_name) == Some(name))
            };
            if !called(PUSH) || !called(POP) {
                problems.push(format!("%{} is one side of a record, and the other is not here", id.0));
            }
            if sides.iter().any(|side| is_wide(side) != is_wide(&id)) {
                problems.push(format!("%{} is as wide as before, and its other side is wider", id.0));
            }
            let copies = self.derived.inst_ids().filter_map(|id| self.derived.inst(id));
            let copies: Vec<&Inst> = copies.filter(|copy| copy.origin == Some(id)).collect();
            let factor = if is_wide(&id) { 1 + u128::from(self.plan.width()) } else { 1 };
            let wide = matches!(copies.as_slice(), [copy] if self.is_multiple(&inst.operands[1], &copy.operands[1], factor));
            if !wide {
                problems.push(format!("%{} is not {factor} times as wide as it was", id.0));
            }
        }
        problems.extend(self.find_shadow_left());
        problems.into_iter().for_each(|problem| self.report(Records, problem));
    }

    /// What is freed when the first derivative is over has shadows, which are put off with it.
    fn find_shadow_left(&self) -> Option<String> {
        let is_put_off = |inst: &&Inst| PUT_OFF.iter().any(|name| inst.callee_name() == Some(name));
        let ids = self.function.inst_ids();
        let live = ids.filter(|id| self.paths.home(*id).is_some_and(|block| self.paths.is_live(block)));
        let memory =
            live.filter_map(|id| self.function.inst(id)).filter(is_put_off).map(|inst| &inst.operands[1]);
        let shadowed = memory.filter(|memory| self.plan.activity.is_shadowed(memory)).count();
        let ours = self.derived.insts.iter().filter(is_put_off).filter(|inst| inst.origin.is_none());
        let freed: BTreeSet<Option<ValueId>> = ours.map(|inst| inst.operands[1].value()).collect();
        let (found, wanted) = (freed.len(), shadowed * self.plan.width() as usize);
        (found != wanted)
            .then(|| format!("{found} shadows are put off with their memory, and there are {wanted}"))
    }

    /// Whether the second is that many times the first, by its value or as it is computed.
    fn is_multiple(&self, bytes: &Operand, whole: &Operand, factor: u128) -> bool {
        let number = |x: &Operand| match x {
            Operand::Const(Constant::Int { value, .. }) => Some(*value),
            _ => None,
        };
        if let (Some(bytes), Some(whole)) = (number(bytes), number(whole)) {
            return whole == bytes * factor;
        }
        let made = whole.value().and_then(|id| self.derived.inst(id));
        let copied = |x: &Operand| {
            let copy = x.value().and_then(|id| self.derived.inst(id));
            let copy = copy.is_some_and(|copy| copy.origin.is_some() && copy.origin == bytes.value());
            // Numbers and parameters.
            copy || self.image(bytes).as_ref() == Some(x)
        };
        match made {
            _ if factor == 1 => copied(whole),
            Some(Inst { op: Op::Int(IntOp::Mul), operands, .. }) => {
                copied(&operands[0]) && number(&operands[1]) == Some(factor)
            }
            _ => false,
        }
    }
}

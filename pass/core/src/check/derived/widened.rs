//! Forward mode over a derivative that uses the tape: a record with something active in it is as wide as it and its tangents
//! together wherever it is pushed or popped, the tangents behind it; every other record is as it was. Where memory is put off, so are its shadows.

use super::Derivative;
use crate::check::Obligation::Records;
use crate::check::taped::{PUSH, calls_half, is_record, is_shared, sides_of};
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
            let sides = if is_shared(inst) { vec![id] } else { sides_of(self.function, inst) };
            let called = |name: &str| {
                sides.iter().any(|side| self.function.inst(*side).and_then(Inst::callee_name) == Some(name))
            };
            if is_shared(inst) && !is_wide(&id) {
                problems
                    .push(format!("%{} is for another function, which takes it for wider than it is", id.0));
            }
            // One that is laid and not taken back is left where the derivative is.
            if !is_shared(inst) && !called(PUSH) {
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
        problems.extend(self.find_narrow_half());
        problems.extend(self.find_shadow_left());
        problems.into_iter().for_each(|problem| self.report(Records, problem));
    }

    /// One half as it was, where the other may be differentiated, would find the other's records wider than its own.
    fn find_narrow_half(&self) -> Option<String> {
        let ids = self.function.inst_ids();
        let mut live = ids.filter(|id| self.paths.home(*id).is_some_and(|block| self.paths.is_live(block)));
        let narrow = |id: &ValueId| {
            self.function.inst(*id).is_some_and(calls_half) && !self.plan.calls.contains_key(id)
        };
        live.find(narrow).map(|id| format!("%{} calls one half of a derivative as it was", id.0))
    }

    /// What is freed when the first derivative is over, and the shadow that goes with it, have shadows, which are put off with them.
    fn find_shadow_left(&self) -> Option<String> {
        let is_put_off = |inst: &&Inst| PUT_OFF.iter().any(|name| inst.callee_name() == Some(name));
        let given = |inst: &Inst| {
            let shadow = inst.arguments().len().checked_sub(2).map(|at| inst.operands[at].clone());
            [Some(inst.operands[1].clone()), shadow].into_iter().flatten().collect::<Vec<Operand>>()
        };
        let ids = self.function.inst_ids();
        let live = ids.filter(|id| self.paths.home(*id).is_some_and(|block| self.paths.is_live(block)));
        let memory = live.filter_map(|id| self.function.inst(id)).filter(is_put_off).flat_map(given);
        let shadowed = memory.filter(|memory| self.plan.activity.is_shadowed(memory)).count();
        let ours = self.derived.insts.iter().filter(is_put_off).filter(|inst| inst.origin.is_none());
        let alone = |inst: &&Inst| matches!(&given(inst)[..], [Operand::Const(Constant::Null(_)), shadow] if shadow.value().is_some());
        let (found, wanted) = (ours.filter(alone).count(), shadowed * self.plan.width() as usize);
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

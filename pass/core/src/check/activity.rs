//! Nothing that carries a derivative is treated as zero, and everything active can be differentiated.
//!
//! A value is *varied* when it depends on an active parameter, *wanted* when an active result depends on it, each
//! through anything that is not positively known to carry nothing. What is both has to be active in the plan.

use std::collections::BTreeSet;

use super::memory::Varied;
use super::places::Place;
use super::role::{Role, role_of};
use super::{Obligation, Proof};
use crate::model::{CastOp, Inst, Op, Operand, Type, ValueId};
use crate::rules::{Expr, OperandKind, Row, Shape};

type Values = BTreeSet<ValueId>;

impl<'a> Proof<'a> {
    pub fn check_activity(&mut self) {
        let insts = self.live_insts();
        let varied = self.find_varied(&insts);
        let wanted = self.find_wanted(&insts, &varied);
        for value in varied.values.intersection(&wanted) {
            if !self.is_active(*value) {
                let message = format!(
                    "{} depends on an active parameter and influences an active result, and is not active",
                    self.describe(*value)
                );
                self.report(Obligation::Closed, message);
            }
        }
        for (id, inst) in &insts {
            self.check_escape(*id, inst, &varied.values);
            if self.is_active(*id) {
                self.check_differentiable(*id, inst);
            }
        }
        self.check_types(&varied.values, &wanted);
        self.check_bit_numbers(&insts, &varied, &wanted);
        self.check_memory(&insts, &varied);
        self.check_stale(&insts, &varied);
        self.check_pointers_in(&varied);
        self.check_arrivals(&insts, &varied);
        self.check_hidden_access(&insts, &varied);
        self.check_globals_given(&insts, &varied);
        self.check_numbers_given(&insts, &varied);
        self.check_unfollowed(&insts, &varied);
        self.check_either(&insts, &varied);
        self.check_misread(&insts, &varied);
    }

    pub fn role(&self, inst: &'a Inst) -> Role<'a> {
        role_of(inst, self.function, self.program, self.rules)
    }

    pub fn find_varied(&self, insts: &[(ValueId, &'a Inst)]) -> Varied {
        let mut varied = Varied { values: Values::new(), shadowed: self.claimed_places().clone() };
        for id in self.function.param_ids().filter(|id| self.plan.request.activity(id.0 as usize).is_active())
        {
            match self.function.value_type(id).is_pointer() {
                true => drop(varied.shadowed.insert(Place::Param(id))),
                false => drop(varied.values.insert(id)),
            }
        }
        varied.shadowed.extend(self.globals_on_entry(insts));
        loop {
            let before = (varied.values.len(), varied.shadowed.len());
            for (id, inst) in insts {
                self.spread(*id, inst, &mut varied);
                let only_pointers = inst.ty.holds_pointer() && !inst.ty.holds_float();
                if inst.ty != Type::Void && !only_pointers && self.is_varied(*id, inst, &varied) {
                    varied.values.insert(*id);
                }
            }
            if (varied.values.len(), varied.shadowed.len()) == before {
                return varied;
            }
        }
    }

    fn is_varied(&self, id: ValueId, inst: &'a Inst, varied: &Varied) -> bool {
        if matches!(inst.op, Op::Load(_)) {
            return self.is_load_varied(id, inst, varied);
        }
        if matches!(self.role(inst), Role::Call) {
            return self.is_call_varied(id, inst, varied);
        }
        let varied = &varied.values;
        if let Op::ExtractValue { path } = &inst.op {
            // A struct of integers may have counts in it beside a float's bits.
            let numbers = self.function.operand_type(&inst.operands[0]).holds_numbers_only();
            return (!numbers || self.may_carry(id)) && self.is_part_varied(&inst.operands[0], path, varied);
        }
        let number = makes_number(inst);
        let flowing = self.flowing_operands(inst);
        flowing.into_iter().any(|x| holds(varied, x) && !(number && self.holds_no_fraction(x, varied)))
    }

    /// Whether one part of an aggregate is varied: found by going up the chain of insertions that made it.
    fn is_part_varied(&self, whole: &Operand, path: &[u32], varied: &Values) -> bool {
        let (mut whole, mut path) = (whole, path);
        while let Some(value) = whole.value().filter(|value| varied.contains(value)) {
            let Some(inst) = self.function.inst(value) else { return true };
            match &inst.op {
                Op::InsertValue { path: put } if path.starts_with(put) => {
                    (whole, path) = (&inst.operands[1], &path[put.len()..]);
                }
                Op::InsertValue { path: put } if !put.starts_with(path) => whole = &inst.operands[0],
                _ => return self.is_result_varied(inst, path, varied),
            }
        }
        false
    }

    /// A part of what an instruction gives: result `path[0]` of a row that gives several, or as varied as the whole.
    fn is_result_varied(&self, inst: &'a Inst, path: &[u32], varied: &Values) -> bool {
        match (self.role(inst), path.first()) {
            (Role::Row { row, operands, shape: Shape::Struct }, Some(k)) => (0..row.operands.len())
                .any(|i| !row.form(*k as usize, i).is_zero() && holds(varied, &operands[i])),
            _ => true,
        }
    }

    fn find_wanted(&self, insts: &[(ValueId, &'a Inst)], varied: &Varied) -> Values {
        let mut wanted = Values::new();
        loop {
            let before = wanted.len();
            for (id, inst) in insts.iter().rev() {
                let returned = matches!(inst.op, Op::Ret) && self.plan.request.active_return;
                if let Op::Store(_) = inst.op
                    && self.leads_to(&inst.operands[1], &varied.shadowed)
                {
                    wanted.extend(inst.operands[0].value());
                }
                // Of what is made of a float's bits by value, and does not vary, the float's derivative is no part.
                let ends = makes_number(inst) && !varied.values.contains(id);
                if returned || wanted.contains(id) && !ends || self.plan.calls.contains_key(id) {
                    wanted.extend(self.flowing_operands(inst).into_iter().filter_map(Operand::value));
                }
            }
            if wanted.len() == before {
                return wanted;
            }
        }
    }

    /// The operands that a derivative of the result can come from.
    fn flowing_operands(&self, inst: &'a Inst) -> Vec<&'a Operand> {
        match self.role(inst) {
            Role::Row { row, operands, .. } => {
                (0..row.operands.len()).filter(|i| flows(row, *i)).map(|i| &operands[i]).collect()
            }
            Role::Carry { moved: at, .. } | Role::Unknown { given: at, .. } => {
                at.into_iter().filter_map(|at| inst.operands.get(at)).collect()
            }
            Role::Return => inst.operands.iter().collect(),
            Role::Call => inst.arguments().iter().collect(),
            Role::Memory | Role::Nothing => Vec::new(),
        }
    }

    /// What varies is handed to nothing that could carry it out of sight.
    fn check_escape(&mut self, id: ValueId, inst: &'a Inst, varied: &Values) {
        let lost: Vec<&Operand> = match self.role(inst) {
            Role::Unknown { given, escapes: true } => given.iter().map(|at| &inst.operands[*at]).collect(),
            Role::Row { row, operands, shape } => {
                let mut lost: Vec<&Operand> = operands[row.operands.len()..].iter().collect();
                if let Shape::Stored { returned, .. } = shape {
                    let hidden = |i: &usize| stores_derivative(row, *i, returned);
                    lost.extend((0..row.operands.len()).filter(hidden).map(|i| &operands[i]));
                }
                lost
            }
            Role::Call => self.unplanned_arguments(id, inst),
            Role::Unknown { .. } | Role::Carry { .. } | Role::Memory | Role::Nothing | Role::Return => return,
        };
        for value in lost.into_iter().filter(|x| holds(varied, x)).filter_map(Operand::value) {
            let message = format!(
                "{} varies and is given to {}, whose effect on derivatives is not known",
                self.describe(value),
                self.describe(id)
            );
            self.report(Obligation::NothingUnknown, message);
        }
    }

    fn check_differentiable(&mut self, id: ValueId, inst: &'a Inst) {
        let problem = match self.role(inst) {
            Role::Row { row, .. } => match self.find_unspelled(inst, row) {
                Some(name) => format!("its derivative calls `{name}`, which has no spelling for its type"),
                None => return,
            },
            Role::Carry { .. } => return,
            Role::Call if self.plan.calls.contains_key(&id) => return,
            Role::Memory if matches!(inst.op, Op::Load(_)) => return,
            Role::Memory | Role::Nothing => "it carries no derivative".into(),
            Role::Unknown { .. } | Role::Return | Role::Call => "there is no way to differentiate it".into(),
        };
        let message = format!("{} is active, and {problem}", self.describe(id));
        self.report(Obligation::Differentiable, message);
    }

    /// A function that the forms of a row call and that cannot be written for the types at hand.
    fn find_unspelled(&self, inst: &Inst, row: &Row) -> Option<String> {
        let first = inst.operands.first().and_then(|x| self.function.known_type(x));
        let real = first.filter(Type::is_real).unwrap_or(inst.ty.clone());
        if matches!(&real, Type::Vector(lanes, _) if lanes.scalable) {
            return Some(row.name.into());
        }
        let mut missing = None;
        for (k, i) in (0..row.results.len()).flat_map(|k| (0..row.operands.len()).map(move |i| (k, i))) {
            row.form(k, i).visit(&mut |expr| {
                let Expr::Call(name, arguments) = expr else { return };
                let kinds = self.rules.operand_kinds(name);
                let is_int = |at: usize| kinds.get(at) == Some(&OperandKind::Int);
                let types: Vec<Type> = (0..arguments.len())
                    .map(|at| if is_int(at) { Type::I32 } else { real.clone() })
                    .collect();
                if self.rules.spell(name, &types).is_none() {
                    missing = Some(name.clone());
                }
            });
        }
        missing
    }

    /// What is active is of a type that has derivatives; and an active parameter's derivative has a way out.
    fn check_types(&mut self, varied: &Values, wanted: &Values) {
        let values: Vec<ValueId> = self.plan.activity.values().collect();
        for value in values {
            let Some(ty) = self.function.known_type(&Operand::Value(value)) else {
                self.report(Obligation::Differentiable, format!("%{} is active and no value", value.0));
                continue;
            };
            if !ty.holds_float() && !ty.holds_pointer() {
                let message = format!("{} is active, and {ty} carries no derivative", self.describe(value));
                self.report(Obligation::Differentiable, message);
            }
        }
        let shadowed = |id: &ValueId| self.plan.request.activity(id.0 as usize).has_shadow();
        let by_value = |id: &ValueId| self.function.params[id.0 as usize].ty.holds_float();
        let lost = |id: &ValueId| varied.contains(id) && wanted.contains(id) && shadowed(id) && by_value(id);
        let params: Vec<ValueId> = self.function.param_ids().filter(lost).collect();
        for param in params.into_iter().filter(|_| self.plan.request.mode.is_reverse()) {
            let message =
                format!("{} is passed by value, so nothing can be added to its shadow", self.describe(param));
            self.report(Obligation::Closed, message);
        }
    }
}

fn holds(values: &Values, operand: &Operand) -> bool {
    operand.value().is_some_and(|value| values.contains(&value))
}

fn flows(row: &Row, operand: usize) -> bool {
    row.operands[operand] == OperandKind::Real
        && (0..row.results.len()).any(|k| !row.form(k, operand).is_zero())
}

/// Whether a derivative of this operand goes to a result in memory, or needs one.
fn stores_derivative(row: &Row, operand: usize, returned: Option<u8>) -> bool {
    let hidden = |k: usize| returned.map(usize::from) != Some(k);
    (0..row.results.len()).any(|k| {
        let form = row.form(k, operand);
        let mut reads_hidden = false;
        form.visit(&mut |expr| reads_hidden |= matches!(expr, Expr::Y(y) if hidden(usize::from(*y))));
        !form.is_zero() && (hidden(k) || reads_hidden)
    })
}

fn makes_number(inst: &Inst) -> bool {
    matches!(inst.op, Op::Cast(CastOp::SiToFp | CastOp::UiToFp))
}

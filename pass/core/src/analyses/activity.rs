//! Which values carry a derivative: those that depend on an active input *and* influence an active output.
//!
//! Function + request → [`Activity`], or the refusals.
//! Lattice: a bit per value, twice (varied, useful). Bottom: not. Direction: varied forward, useful backward.
//! Transfer: a row passes a derivative from operand to result where its form is not zero; moves pass everything;
//! what is listed as inactive passes nothing.
//! Safe error: active (costs work, never truth). An operation that is varied and of which nothing is known is
//! refused, never taken for inactive.

use std::collections::BTreeSet;

use super::flow::Flow;
use super::meaning::{Meaning, meaning};
use crate::model::{Function, Inst, Op, Operand, Program, Type, ValueId};
use crate::refusal::{Code, Refusal};
use crate::request::Request;
use crate::rules::{Expr, OperandKind, Reduction, Row, Rules, Shape};

pub struct Activity {
    active: BTreeSet<ValueId>,
    varied: BTreeSet<ValueId>,
    useful: BTreeSet<ValueId>,
}

/// What the passes over a function share.
struct Pass<'a> {
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
    request: &'a Request,
    flow: Flow,
}

/// Finds the active values of a function, or says which of them cannot be differentiated.
pub fn find_activity(
    function: &Function,
    program: &Program,
    rules: &Rules,
    request: &Request,
) -> Result<Activity, Vec<Refusal>> {
    let pass = Pass { function, program, rules, request, flow: Flow::of(function) };
    let varied = pass.find_varied();
    let useful = pass.find_useful();
    let active = varied.intersection(&useful).copied().collect();
    let activity = Activity { active, varied, useful };
    let refusals: Vec<Refusal> =
        pass.live_insts().filter_map(|(id, inst)| pass.refuse(id, inst, &activity)).collect();
    if refusals.is_empty() { Ok(activity) } else { Err(refusals) }
}

impl Activity {
    /// The claim that these values are active and no others. Tests make wrong ones with it.
    pub fn claim(values: impl IntoIterator<Item = ValueId>) -> Activity {
        let active: BTreeSet<ValueId> = values.into_iter().collect();
        Activity { varied: active.clone(), useful: active.clone(), active }
    }

    pub fn is_active(&self, value: ValueId) -> bool {
        self.active.contains(&value)
    }

    pub fn is_operand_active(&self, operand: &Operand) -> bool {
        operand.value().is_some_and(|value| self.is_active(value))
    }

    /// The active values, in order.
    pub fn values(&self) -> impl Iterator<Item = ValueId> {
        self.active.iter().copied()
    }

    /// Why a value is active or not, in a few words.
    pub fn reason(&self, value: ValueId) -> &'static str {
        match (self.varied.contains(&value), self.useful.contains(&value)) {
            (true, true) => "depends on an active input and influences the result",
            (true, false) => "influences no active result",
            (false, true) => "depends on no active input",
            (false, false) => "neither depends on an active input nor influences the result",
        }
    }
}

impl Pass<'_> {
    fn live_insts(&self) -> impl Iterator<Item = (ValueId, &Inst)> {
        let blocks = self.function.block_ids().filter(|block| self.flow.is_reachable(*block));
        let ids = blocks.flat_map(|block| self.function.block(block).insts.clone());
        ids.filter_map(|id| Some((id, self.function.inst(id)?)))
    }

    fn meaning(&self, inst: &Inst) -> Meaning<'_> {
        meaning(inst, self.function, self.program, self.rules)
    }

    fn find_varied(&self) -> BTreeSet<ValueId> {
        let params = self.function.param_ids().filter(|id| self.request.activity(id.0 as usize).is_active());
        let mut varied: BTreeSet<ValueId> = params.collect();
        loop {
            let before = varied.len();
            for (id, inst) in self.live_insts() {
                if inst.ty != Type::Void && self.is_varied(inst, &varied) {
                    varied.insert(id);
                }
            }
            if varied.len() == before {
                return varied;
            }
        }
    }

    fn is_varied(&self, inst: &Inst, varied: &BTreeSet<ValueId>) -> bool {
        let holds = |operand: &Operand| operand.value().is_some_and(|value| varied.contains(&value));
        if let Op::ExtractValue { path } = &inst.op {
            return self.is_part_varied(&inst.operands[0], path, varied);
        }
        match self.meaning(inst) {
            Meaning::Row { row, operands, .. } => {
                let flows = |i: usize| (0..row.results.len()).any(|k| !row.form(k, i).is_zero());
                (0..row.operands.len()).any(|i| row.is_real_operand(i) && holds(&operands[i]) && flows(i))
            }
            Meaning::Move | Meaning::Bits | Meaning::Memory | Meaning::Reduction(_) => {
                inst.operands.iter().any(holds)
            }
            Meaning::Call(_) | Meaning::Foreign(_) | Meaning::Opaque(_) => inst.operands.iter().any(holds),
            Meaning::Inactive(_) | Meaning::Control => false,
        }
    }

    /// Whether the part of an aggregate at `path` varies: the integer beside a float does not because the float does.
    fn is_part_varied(&self, whole: &Operand, path: &[u32], varied: &BTreeSet<ValueId>) -> bool {
        let Some(value) = whole.value().filter(|value| varied.contains(value)) else { return false };
        let Some(inst) = self.function.inst(value) else { return true };
        if let Op::InsertValue { path: put } = &inst.op {
            return match (path.strip_prefix(put.as_slice()), put.starts_with(path)) {
                (Some([]), _) => inst.operands[1].value().is_some_and(|part| varied.contains(&part)),
                (Some(rest), _) => self.is_part_varied(&inst.operands[1], rest, varied),
                // The part asked for holds the part put in, and more.
                (None, true) => true,
                (None, false) => self.is_part_varied(&inst.operands[0], path, varied),
            };
        }
        match (self.meaning(inst), path.first()) {
            (Meaning::Row { row, shape: Shape::Struct, .. }, Some(k)) => {
                (0..row.operands.len()).any(|i| !row.form(*k as usize, i).is_zero())
            }
            _ => true,
        }
    }

    fn find_useful(&self) -> BTreeSet<ValueId> {
        let mut useful = BTreeSet::new();
        loop {
            let before = useful.len();
            for (id, inst) in self.live_insts() {
                for operand in self.useful_operands(id, inst, &useful) {
                    useful.extend(operand.value());
                }
            }
            if useful.len() == before {
                return useful;
            }
        }
    }

    /// Operands whose derivative somebody may want, given what is useful so far.
    fn useful_operands(&self, id: ValueId, inst: &Inst, useful: &BTreeSet<ValueId>) -> Vec<Operand> {
        let wanted = useful.contains(&id);
        if inst.op == Op::Ret {
            return if self.request.active_return { inst.operands.clone() } else { Vec::new() };
        }
        match self.meaning(inst) {
            Meaning::Row { row, operands, .. } if wanted => {
                let flows = |i: usize| (0..row.results.len()).any(|k| !row.form(k, i).is_zero());
                let real = (0..row.operands.len()).filter(|i| row.is_real_operand(*i) && flows(*i));
                real.map(|i| operands[i].clone()).collect()
            }
            Meaning::Move | Meaning::Bits | Meaning::Reduction(_) if wanted => inst.operands.clone(),
            // What memory and unknown code do with a value is not followed here.
            Meaning::Memory | Meaning::Call(_) | Meaning::Foreign(_) | Meaning::Opaque(_) => {
                inst.operands.clone()
            }
            Meaning::Row { .. }
            | Meaning::Move
            | Meaning::Bits
            | Meaning::Reduction(_)
            | Meaning::Inactive(_)
            | Meaning::Control => Vec::new(),
        }
    }

    fn refuse(&self, id: ValueId, inst: &Inst, activity: &Activity) -> Option<Refusal> {
        let varied = inst.operands.iter().any(|x| x.value().is_some_and(|x| activity.varied.contains(&x)));
        if !varied {
            return None;
        }
        let active = activity.is_active(id);
        let carries = "an active value (one that depends on the inputs you differentiate)";
        let (code, message) = match self.meaning(inst) {
            Meaning::Row { row, operands, shape: Shape::Stored { returned, stored } }
                if self.hides_derivative(inst, row, &operands, returned, stored, activity) =>
            {
                (
                    Code::ActiveMemory,
                    format!(
                        "{} stores a result through a pointer, where its derivative is not followed yet",
                        self.name_of(inst)
                    ),
                )
            }
            Meaning::Row { row, .. } if active && !self.is_spelled(inst, row) => (
                Code::NoRule,
                format!("the derivative of {} has no spelling for this type", self.name_of(inst)),
            ),
            Meaning::Bits if active => (
                Code::NoRule,
                format!(
                    "the bits of {carries} are used as an integer by {}; compute with floats here, or mark the \
                     function inactive if it has no derivative",
                    self.name_of(inst)
                ),
            ),
            Meaning::Reduction(kind) if active && kind != Reduction::Add => (
                Code::NoRule,
                format!(
                    "{} folds a vector by other than a sum, which is not differentiated yet",
                    self.name_of(inst)
                ),
            ),
            Meaning::Memory => (
                Code::ActiveMemory,
                format!(
                    "{} touches {carries} in memory, which is not differentiated yet",
                    self.name_of(inst)
                ),
            ),
            Meaning::Call(name) => (
                Code::Recursion,
                format!("the call of `{name}` was not inlined (recursion), and is not differentiated yet"),
            ),
            Meaning::Foreign(name) => (
                Code::UnknownCallee,
                format!(
                    "{carries} is passed to {name}, of which neither a body nor a rule is known; make its body \
                     visible (same file, or full LTO), register a rule with __backsweep_rule_reverse, or mark it \
                     __attribute__((annotate(\"backsweep_inactive\")))"
                ),
            ),
            Meaning::Opaque(reason) => (
                Code::ActiveOpaque,
                format!("{carries} reaches an operation that has no derivative: {reason}"),
            ),
            Meaning::Row { .. }
            | Meaning::Move
            | Meaning::Bits
            | Meaning::Reduction(_)
            | Meaning::Inactive(_)
            | Meaning::Control => return None,
        };
        Some(Refusal::new(code, message).at(inst.loc.or(self.function.loc)))
    }

    /// Whether a call that stores results puts a derivative, or what one needs, where it cannot be seen: a stored
    /// result that varies, a form that reads a stored result, or a pointer into memory that has a shadow.
    fn hides_derivative(
        &self,
        inst: &Inst,
        row: &Row,
        operands: &[Operand],
        returned: Option<u8>,
        stored: &[(u8, u8)],
        activity: &Activity,
    ) -> bool {
        let varied = |x: &Operand| x.value().is_some_and(|x| activity.varied.contains(&x));
        let hidden = |k: usize| returned != Some(k as u8);
        let loses = (0..row.operands.len()).filter(|i| varied(&operands[*i])).any(|i| {
            (0..row.results.len()).any(|k| {
                let form = row.form(k, i);
                !form.is_zero() && (hidden(k) || form.needs().results.iter().any(|y| hidden(usize::from(y))))
            })
        });
        loses || stored.iter().any(|(argument, _)| varied(&inst.operands[usize::from(*argument)]))
    }

    /// Whether every function that the row's forms call can be spelled for the types at hand.
    fn is_spelled(&self, inst: &Inst, row: &Row) -> bool {
        let ty = if inst.ty.is_real() { inst.ty.clone() } else { Type::DOUBLE };
        let fixed = !matches!(&ty, Type::Vector(lanes, _) if lanes.scalable);
        let forms = (0..row.results.len()).flat_map(|k| (0..row.operands.len()).map(move |i| row.form(k, i)));
        let mut spelled = true;
        for form in forms {
            form.visit(&mut |expr| {
                if let Expr::Call(name, arguments) = expr {
                    let kinds = self.rules.operand_kinds(name);
                    let types: Vec<Type> = (0..arguments.len())
                        .map(|i| if kinds.get(i) == Some(&OperandKind::Int) { Type::I32 } else { ty.clone() })
                        .collect();
                    spelled &= self.rules.spell(name, &types).is_some();
                }
            });
        }
        spelled && fixed
    }

    fn name_of(&self, inst: &Inst) -> String {
        match inst.callee_name() {
            Some(name) => format!("the call of `{name}`"),
            None => format!("the operation `{}`", mnemonic(&inst.op)),
        }
    }
}

/// The operation's name in messages.
pub fn mnemonic(op: &Op) -> String {
    let text = format!("{op:?}");
    let end = text.find([' ', '{']).unwrap_or(text.len());
    text[..end].to_lowercase()
}

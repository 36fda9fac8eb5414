//! What a local Jacobian says of a value is what the chain rule says.
//!
//! The function with local Jacobians attached is the one that was given, with arithmetic put in between that does nothing but
//! compute; who used a value may use what is attached to it, which is the same number. And for each chain `dv = Σ c du`:
//! the chain rule, taken through the instructions behind `v` back to the `u`, gives each factor `c`. Both are evaluated on
//! random numbers modulo a large prime (`residues`), where rounding does not blur anything: two formulas that differ agree
//! with a chance of their degree over the prime. Nothing that varies may be met on the way that is no `u`.
//! Safe error: not proved.

use std::collections::{BTreeMap, BTreeSet};

use super::residues::{Residue, Residues};
use super::role::Role;
use super::{Obligation, Proof};
use crate::model::{Inst, Link, Op, Operand, ValueId};
use crate::plan::Local;
use crate::rules::Shape;

/// A derivative as factors of the derivatives that it is made of.
type Form = BTreeMap<ValueId, Residue>;

/// Chains of instructions beyond this are not followed.
const LONGEST: usize = 20_000;

impl<'a> Proof<'a> {
    pub fn check_preaccumulated(&mut self) {
        let Some(local) = &self.plan.local else { return };
        let mut problems = self.find_changes(local);
        let insts = self.live_insts();
        let varied = self.find_varied(&insts).values;
        let mut residues = Residues::new(self.function, self.program, self.rules);
        let terms = insts.iter().filter(|(_, inst)| matches!(inst.op, Op::Attach(Link::Term { .. })));
        let continued: BTreeSet<ValueId> = terms.filter_map(|(_, inst)| inst.operands[0].value()).collect();
        let links = insts.iter().filter(|(_, inst)| matches!(inst.op, Op::Attach(_)));
        // What is attached to a call that gives partials is proved otherwise.
        let links = links.filter(|(id, _)| !self.is_contracted_link(*id));
        for (end, _) in links.filter(|(id, _)| !continued.contains(id)) {
            problems.extend(self.find_wrong_factor(*end, &varied, &mut residues));
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Preaccumulated, problem));
    }

    /// Where the function is more than the one that was given with arithmetic between its instructions.
    fn find_changes(&self, local: &Local) -> Vec<String> {
        let Some(given) = self.program.function(&self.plan.function) else {
            return vec!["there is no function that it was made from".into()];
        };
        let origin = |id: ValueId| local.attached.origins.get(id.0 as usize).copied().flatten();
        let mut problems = Vec::new();
        let blocks = given.blocks.len() == self.function.blocks.len();
        let params = given.params == self.function.params && given.ret == self.function.ret;
        if !blocks || !params || self.function.param_ids().any(|id| origin(id) != Some(id)) {
            problems.push("it has other blocks or parameters than were given".into());
            return problems;
        }
        for (block, known) in self.function.blocks.iter().zip(&given.blocks) {
            let kept: Vec<ValueId> = block.insts.iter().filter_map(|id| origin(*id)).collect();
            if kept != known.insts {
                problems.push("instructions that were given are missing, or in another order".into());
            }
            for id in &block.insts {
                let Some(inst) = self.function.inst(*id) else { continue };
                let problem = match origin(*id).and_then(|id| given.inst(id)) {
                    // The end of such a chain stands for the call.
                    Some(_) if self.is_contracted_link(*id) => None,
                    Some(before) => {
                        let images: Vec<Option<Operand>> = inst
                            .operands
                            .iter()
                            .map(|operand| match self.number_of(operand) {
                                Operand::Value(value) => origin(value).map(Operand::Value),
                                constant => Some(constant),
                            })
                            .collect();
                        let same = images.iter().map(Option::as_ref).eq(before.operands.iter().map(Some));
                        let alike =
                            inst.op == before.op && inst.ty == before.ty && inst.flags == before.flags;
                        (!same || !alike).then_some("is not what was given")
                    }
                    None if self.is_part_of_contracted(*id, inst) => None,
                    None => self.does_more(inst).then_some("was put in, and does more than compute"),
                };
                problems.extend(problem.map(|problem| format!("{} {problem}", self.describe(*id))));
            }
        }
        problems
    }

    fn does_more(&self, inst: &'a Inst) -> bool {
        match &inst.op {
            Op::Attach(_) | Op::FNeg | Op::Float(_) | Op::FCmp(_) | Op::Select | Op::Int(_) => false,
            Op::ICmp(_) | Op::Cast(_) => inst.ty.is_pointer(),
            Op::Call(_) => {
                let number = matches!(self.role(inst), Role::Row { shape: Shape::Value, .. });
                !number || !self.leaves_memory_alone(inst)
            }
            _ => true,
        }
    }

    /// The value that derivatives were attached to. To what a contracted call gives they always are.
    pub(super) fn number_of(&self, operand: &Operand) -> Operand {
        let mut at = operand.clone();
        while let Some((id, inst)) = at.value().and_then(|id| Some((id, self.function.inst(id)?))) {
            if !matches!(inst.op, Op::Attach(_)) || self.is_contracted_link(id) {
                break;
            }
            at = inst.operands[0].clone();
        }
        at
    }

    fn is_contracted_link(&self, id: ValueId) -> bool {
        let contracted = self.plan.local.iter().flat_map(|local| &local.contracted);
        contracted.into_iter().any(|contracted| contracted.at.links.contains(&id))
    }

    /// A call that gives partials, or one part of what it gives.
    fn is_part_of_contracted(&self, id: ValueId, inst: &Inst) -> bool {
        let whole = match inst.op {
            Op::ExtractValue { .. } => inst.operands[0].value(),
            _ => Some(id),
        };
        let contracted = self.plan.local.iter().flat_map(|local| &local.contracted);
        contracted.into_iter().any(|contracted| Some(contracted.at.call) == whole)
    }

    fn find_wrong_factor(
        &self,
        end: ValueId,
        varied: &BTreeSet<ValueId>,
        residues: &mut Residues<'a>,
    ) -> Option<String> {
        let name = self.describe(end);
        let (mut said, mut at) = (Form::new(), end);
        loop {
            let inst = self.function.inst(at)?;
            match inst.op {
                Op::Attach(Link::Start) => break,
                Op::Attach(Link::Term { .. }) => {}
                _ => return Some(format!("the chain of {name} has no start")),
            }
            let Operand::Value(of) = self.number_of(&inst.operands[2]) else {
                return Some(format!("{name} has the derivative of a constant"));
            };
            let factor = residues.of(&inst.operands[1]);
            let sum = said.get(&of).copied().unwrap_or(Residue::ZERO) + factor;
            said.insert(of, sum);
            at = inst.operands[0].value()?;
        }
        let Operand::Value(value) = self.number_of(&Operand::Value(end)) else {
            return Some(format!("{name} is a constant"));
        };
        let ends: BTreeSet<ValueId> = said.keys().copied().collect();
        match self.differentiate(value, &ends, varied, residues) {
            Err(lost) => {
                Some(format!("{name} depends on {}, which its chain leaves out", self.describe(lost)))
            }
            Ok(found) => {
                let of = |form: &Form, id: &ValueId| form.get(id).copied().unwrap_or(Residue::ZERO);
                let wrong = said.keys().chain(found.keys()).find(|id| of(&said, id) != of(&found, id));
                wrong.map(|id| format!("the factor of {} in {name} is another", self.describe(*id)))
            }
        }
    }

    /// The chain rule from a value back to some others. The error is what varies and can be taken no further.
    fn differentiate(
        &self,
        value: ValueId,
        ends: &BTreeSet<ValueId>,
        varied: &BTreeSet<ValueId>,
        residues: &mut Residues<'a>,
    ) -> Result<Form, ValueId> {
        let mut links: BTreeMap<ValueId, Form> = BTreeMap::new();
        // Blocks may stand in any order: an adjoint is complete when all have had their turn that come behind it here.
        let (mut order, mut done) = (Vec::new(), BTreeSet::new());
        let mut open: Vec<(ValueId, Vec<ValueId>)> = Vec::new();
        let mut next = Some(value);
        while let Some(at) = next.take() {
            if links.len() > LONGEST || links.contains_key(&at) {
                return Err(at);
            }
            let form = self.one_step(at, varied, residues)?;
            open.push((at, form.keys().copied().filter(|from| !ends.contains(from)).collect()));
            links.insert(at, form);
            while let Some((at, waiting)) = open.last_mut() {
                next = waiting.pop();
                if next.is_some_and(|from| !done.contains(&from)) {
                    break;
                }
                if next.take().is_none() {
                    order.push(*at);
                    done.insert(*at);
                    open.pop();
                }
            }
        }
        let mut adjoints: Form = BTreeMap::from([(value, Residue::ONE)]);
        for at in order.iter().rev() {
            let adjoint = adjoints.remove(at).unwrap_or(Residue::ZERO);
            for (from, partial) in &links[at] {
                *adjoints.entry(*from).or_insert(Residue::ZERO) += adjoint * *partial;
            }
        }
        Ok(adjoints)
    }

    /// What an instruction says about the values that it takes and that vary.
    fn one_step(
        &self,
        at: ValueId,
        varied: &BTreeSet<ValueId>,
        residues: &mut Residues<'a>,
    ) -> Result<Form, ValueId> {
        let inst = self.function.inst(at).ok_or(at)?;
        let mut form = Form::new();
        for (operand, partial) in self.partials(at, inst, residues).ok_or(at)? {
            // Whether a number varies is asked of what was attached to as of the number itself.
            if let Operand::Value(from) = self.number_of(operand)
                && varied.contains(&from)
            {
                *form.entry(from).or_insert(Residue::ZERO) += partial;
            }
        }
        Ok(form)
    }

    /// The operands that a derivative comes from, each with its factor.
    fn partials(
        &self,
        id: ValueId,
        inst: &'a Inst,
        residues: &mut Residues<'a>,
    ) -> Option<Vec<(&'a Operand, Residue)>> {
        match self.role(inst) {
            Role::Row { row, operands, shape: Shape::Value } => {
                let forms = (0..row.operands.len()).filter(|i| !row.form(0, *i).is_zero());
                Some(
                    forms
                        .map(|i| (&operands[i], residues.partial(row.form(0, i), operands, id, inst)))
                        .collect(),
                )
            }
            Role::Carry { moved, steering: None } if matches!(inst.op, Op::Freeze | Op::Phi { .. }) => {
                let alone = moved.len() == 1;
                alone.then(|| vec![(&inst.operands[moved[0]], Residue::ONE)])
            }
            Role::Nothing => Some(Vec::new()),
            _ => None,
        }
    }
}

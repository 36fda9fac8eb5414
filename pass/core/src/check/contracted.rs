//! A call that gives partial derivatives stands for the call that was given, and what is attached to its result is what it gives.
//!
//! Of the callee nothing is proved here: its gradient has a plan and a proof of its own. What is proved is that this gradient is
//! asked for, with these arguments and one as the adjoint of its result; that each partial is attached to the argument that it is
//! of, once; that nothing else of the caller's that varies goes in or comes out; and that it writes nothing that anybody reads again.
//! Safe error: not proved.

use std::collections::BTreeSet;

use super::memory::Varied;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::{Place, Places};
use super::{Obligation, Proof};
use crate::config::StrongZero;
use crate::model::{DECLARED_INACTIVE, GIVES_PARTIALS, Inst, Link, Op, Operand, Type, ValueId};
use crate::plan::Contracted;
use crate::request::{Activity, Mode};

impl<'a> Proof<'a> {
    pub(super) fn check_contracted(&mut self) {
        let insts = self.live_insts();
        let planned: &[Contracted] = self.plan.local.as_ref().map_or(&[], |local| &local.contracted);
        let mut problems = Vec::new();
        for (id, _) in insts.iter().filter(|(_, inst)| inst.gives_partials()) {
            if planned.iter().filter(|contracted| contracted.at.call == *id).count() != 1 {
                problems.push(format!("{} gives partials that are not planned", self.describe(*id)));
            }
        }
        if !planned.is_empty() {
            let varied = self.find_varied(&insts);
            for contracted in planned {
                let found = self.find_fault_of_contracted(contracted, &varied);
                problems
                    .extend(found.map(|problem| format!("{}: {problem}", self.describe(contracted.at.call))));
            }
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Contracted, problem));
    }

    fn find_fault_of_contracted(&self, contracted: &Contracted, varied: &Varied) -> Option<String> {
        let Some(inst) = self.function.inst(contracted.at.call).filter(|inst| inst.gives_partials()) else {
            return Some("it is no call that gives partials".into());
        };
        self.find_other_call(contracted, inst)
            .or_else(|| self.find_other_request(contracted, inst))
            .or_else(|| self.find_other_chain(contracted, inst))
            .or_else(|| self.find_active_beside(contracted, inst, varied))
            .or_else(|| self.find_effect_of_contracted(inst))
    }

    /// Where it is not the call that was given, with marks and partials.
    fn find_other_call(&self, contracted: &Contracted, inst: &Inst) -> Option<String> {
        let local = self.plan.local.as_ref()?;
        let origin = |id: ValueId| local.attached.origins.get(id.0 as usize).copied().flatten();
        let given = self.program.function(&self.plan.function);
        let before = contracted.at.links.last().and_then(|end| given?.inst(origin(*end)?));
        let Some((before, Op::Call(told))) = before.map(|before| (before, &before.op)) else {
            return Some("it stands for no call".into());
        };
        let images = inst.operands.iter().map(|operand| match self.number_of(operand) {
            Operand::Value(value) => origin(value).map(Operand::Value),
            constant => Some(constant),
        });
        if !images.eq(before.operands.iter().cloned().map(Some)) {
            return Some("it is called with other arguments than were given, or goes elsewhere".into());
        }
        let marks = [DECLARED_INACTIVE, GIVES_PARTIALS];
        let told = told.attributes.iter().map(String::as_str).chain(marks);
        let attributes = inst.op.call().map(|call| call.attributes.as_slice()).unwrap_or_default();
        let same = attributes.iter().map(String::as_str).eq(told) && matches!(inst.op, Op::Call(_));
        if !self.stands_where_it_stood(contracted, &origin) {
            return Some("it stands in another place than was given".into());
        }
        let parts = vec![before.ty.clone(); contracted.at.links.len()];
        let alike = inst.ty == Type::structure(parts) && matches!(before.ty, Type::Float(_));
        (!same || !alike).then(|| "it is not the call that was given".into())
    }

    /// Whether nothing that was given, and no other such call, stands between the call and what stands for its result.
    fn stands_where_it_stood(
        &self,
        contracted: &Contracted,
        origin: &dyn Fn(ValueId) -> Option<ValueId>,
    ) -> bool {
        let (call, end) = (contracted.at.call, contracted.at.links.last());
        let Some(home) = self.paths.home(call) else { return false };
        let behind = self.function.block(home).insts.iter().skip_while(|id| **id != call).skip(1);
        let between: Vec<&ValueId> = behind.clone().take_while(|id| Some(*id) != end).collect();
        let put_in = |id: &ValueId| {
            origin(*id).is_none() && self.function.inst(*id).is_some_and(|inst| !inst.gives_partials())
        };
        behind.count() > between.len() && between.into_iter().all(put_in)
    }

    /// Where the request is for something else than the result and its partials.
    fn find_other_request(&self, contracted: &Contracted, inst: &Inst) -> Option<String> {
        let request = &contracted.request;
        let whole = self.plan.request.mode == Mode::Gradient
            && request.mode == Mode::Gradient
            && request.contracted
            && request.primal_return
            && request.active_return
            && request.seeds.is_empty()
            && request.width == 1
            && request.carried == self.plan.request.carried
            && request.arguments.len() == inst.arguments().len();
        let more = request.nested
            || request.joint
            || request.shadow_return
            || request.seed_behind
            || request.keep_tape
            || request.tape.is_some()
            || !request.globals.is_empty();
        if inst.callee_name() != Some(request.function.as_str()) {
            return Some(format!("the partials are those of `{}`", request.function));
        }
        if self.has_custom_derivative(inst) {
            return Some("the callee has a rule of the user's, which is not applied".into());
        }
        (!whole || more).then(|| "what is asked for is not the result with its partials".into())
    }

    /// Where the partials are not attached to the arguments that they are of, each to one.
    fn find_other_chain(&self, contracted: &Contracted, inst: &Inst) -> Option<String> {
        let arguments = contracted.request.arguments.iter().enumerate();
        let active = arguments.filter(|(_, x)| x.activity == Activity::Out).map(|(at, _)| at);
        let of: Vec<&Operand> = active.filter_map(|at| inst.arguments().get(at)).collect();
        let links = &contracted.at.links;
        if links.len() != of.len() + 1 {
            return Some("there is not one partial for each active argument".into());
        }
        for (at, id) in links.iter().enumerate() {
            let Some(link) = self.function.inst(*id) else { return Some("a link is missing".into()) };
            let right = match (&link.op, at.checked_sub(1)) {
                (Op::Attach(Link::Start), None) => self.is_part(&link.operands[0], contracted.at.call, 0),
                (Op::Attach(Link::Term { guarded }), Some(before)) => {
                    let stays_zero = *guarded || self.plan.strong_zero == StrongZero::Never;
                    stays_zero
                        && link.operands[0] == Operand::Value(links[before])
                        && self.is_part(&link.operands[1], contracted.at.call, at)
                        && link.operands[2] == *of[before]
                }
                _ => false,
            };
            if !right {
                return Some(format!("link {at} of its chain is another"));
            }
        }
        None
    }

    fn is_part(&self, operand: &Operand, whole: ValueId, at: usize) -> bool {
        let part = operand.value().and_then(|value| self.function.inst(value));
        part.is_some_and(|part| {
            part.operands == [Operand::Value(whole)] && part.op == Op::ExtractValue { path: vec![at as u32] }
        })
    }

    /// What varies, or leads to what does, and is given to the callee without a partial.
    fn find_active_beside(&self, contracted: &Contracted, inst: &Inst, varied: &Varied) -> Option<String> {
        for (argument, told) in inst.arguments().iter().zip(&contracted.request.arguments) {
            match told.activity {
                Activity::Out if !self.function.operand_type(argument).holds_pointer() => {}
                Activity::Const => {
                    let active = varied.holds(argument) || varied.holds(&self.number_of(argument));
                    if active || self.leads_to(argument, &varied.shadowed) {
                        return Some("it is given something active that has no partial".into());
                    }
                }
                _ => return Some("an argument is neither a number nor inactive".into()),
            }
        }
        let globals = self.globals_given(inst, varied);
        globals.into_iter().next().map(|name| format!("it may touch `{name}`, which is active"))
    }

    /// What it does beside giving numbers that the caller would have to know of.
    fn find_effect_of_contracted(&self, inst: &Inst) -> Option<String> {
        if is_caught(inst) {
            return Some("what it throws is caught".into());
        }
        let Some(reach) = self.reach_of(inst) else { return Some("what it does is not known".into()) };
        if reach.leaves || reach.unfollowed {
            return Some("it runs what is not in sight".into());
        }
        let pointer = |at: &usize| {
            inst.arguments().get(*at).is_none_or(|x| self.function.operand_type(x).holds_pointer())
        };
        if reach.params.iter().any(pointer) {
            return Some("it may write behind what it is given".into());
        }
        if let Some(name) = reach.written.iter().next() {
            return Some(format!("it may write to `{name}`"));
        }
        self.find_fault_of_bodies(inst.callee_name()?)
    }

    /// Where a body that runs then calls the first again, or frees what no call of it has made.
    fn find_fault_of_bodies(&self, callee: &str) -> Option<String> {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![callee]);
        while let Some(name) = waiting.pop() {
            let Some(body) = self.program.function(name) else { continue };
            let places = Places::of(body, self.program);
            for inst in &body.insts {
                let freed = memory_call(inst) == Some(MemoryCall::Free);
                let made = |place: &Place| matches!(place, Place::Made(_));
                if freed && !places.lead(&inst.operands[0]).iter().all(made) {
                    return Some(format!("`{name}` may free what it has not made"));
                }
                let Some(next) = inst.callee_name() else { continue };
                if next == callee {
                    return Some("it may come to call itself".into());
                }
                if seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        None
    }
}

/// Whether there is a question behind the call whether it has thrown.
fn is_caught(inst: &Inst) -> bool {
    let attributes = inst.op.call().map(|call| call.attributes.as_slice()).unwrap_or_default();
    attributes.iter().any(|text| text.contains("backsweep-guarded"))
}

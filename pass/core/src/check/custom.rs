//! Where the user gave a derivative for the mode asked for, his functions are called, with what they take.
//!
//! Arguments are counted one by one against the parameters of the functions, so that none can stand in another's
//! place.

use super::places::Place;
use super::{Obligation, Proof};
use crate::analyses::custom::CustomCall;
use crate::model::{Function, Global, GlobalDerivative, Inst, Operand, Type, ValueId};
use crate::request::{Activity, Request};

impl<'a> Proof<'a> {
    pub fn check_custom_calls(&mut self) {
        let planned: Vec<(ValueId, &'a Inst)> =
            self.live_insts().into_iter().filter(|(id, _)| self.plan.calls.contains_key(id)).collect();
        for (id, inst) in planned {
            if let Some(problem) = self.find_custom_fault(id, inst) {
                let message = format!("{} {problem}", self.describe(id));
                self.report(Obligation::Differentiable, message);
            }
        }
    }

    /// Whether the user gave a derivative of the callee for the mode asked for.
    pub fn has_custom_derivative(&self, inst: &Inst) -> bool {
        let rule = inst.callee_name().and_then(|name| self.program.custom_rule(name));
        rule.is_some_and(|rule| match self.plan.request.mode.is_reverse() {
            true => rule.halves.is_some(),
            false => rule.tangent.is_some(),
        })
    }

    fn find_custom_fault(&self, id: ValueId, inst: &Inst) -> Option<String> {
        let call = &self.plan.calls[&id];
        let backward = self.plan.request.mode.is_reverse();
        let rule = inst.callee_name().and_then(|name| self.program.custom_rule(name));
        match (&call.custom, rule) {
            (None, None) => None,
            (None, Some(_)) if self.has_custom_derivative(inst) => {
                Some("has a rule of the user's, which is not applied".into())
            }
            (None, Some(rule)) => {
                let bare =
                    self.program.function(&rule.function).is_none_or(|callee| callee.blocks.is_empty());
                bare.then(|| "has neither a rule for this mode nor a body".into())
            }
            (Some(_), None) => Some("is differentiated by a rule that nobody gave".into()),
            (Some(CustomCall::Tangent(name)), Some(rule)) => {
                let known = !backward && rule.tangent.as_ref() == Some(name);
                self.find_call_fault(inst, &call.request, known.then_some(name), None, Pass::Tangent)
            }
            (Some(CustomCall::Halves { augmented, reverse, tape, shadow }), Some(rule)) => {
                let given = rule.halves.as_ref().filter(|_| backward);
                let first = given.filter(|halves| halves.augmented == *augmented).map(|_| augmented);
                let second = given.filter(|halves| halves.reverse == *reverse).map(|_| reverse);
                let shadow = shadow.then_some(&inst.ty);
                let forward = Pass::Augmented { shadow };
                self.find_call_fault(inst, &call.request, first, tape.as_ref(), forward).or_else(|| {
                    self.find_call_fault(inst, &call.request, second, tape.as_ref(), Pass::Reverse)
                })
            }
        }
    }

    /// What is wrong with one call: whom it calls, what it hands over, what it takes for the result.
    fn find_call_fault(
        &self,
        inst: &Inst,
        request: &Request,
        name: Option<&String>,
        tape: Option<&Type>,
        pass: Pass,
    ) -> Option<String> {
        let Some(called) = name.and_then(|name| self.program.function(name)) else {
            return Some("is differentiated by a function that the rule does not name".into());
        };
        // Called again for another direction, a rule that is handed numbers finds all as it was.
        let numbers = !inst.ty.is_pointer()
            && inst.arguments().iter().all(|x| !self.function.operand_type(x).is_pointer());
        if request.width != 1 && !(numbers && matches!(pass, Pass::Tangent)) {
            return Some("is differentiated in several directions by a rule for one".into());
        }
        let mut given: Vec<Type> = Vec::new();
        let mut back: Vec<Type> = Vec::new();
        for (operand, argument) in inst.arguments().iter().zip(&request.arguments) {
            let ty = self.function.operand_type(operand);
            if ty.is_pointer() && !self.has_own_shadow(operand) {
                return Some("passes a pointer without a shadow to a rule".into());
            }
            let doubled = ty.is_pointer() || ty.holds_float() && matches!(pass, Pass::Tangent);
            let (shadow, out) =
                (matches!(argument.activity, Activity::Dup), matches!(argument.activity, Activity::Out));
            if doubled != shadow || out != (ty.holds_float() && !shadow) {
                return Some("passes an argument to a rule in another way than rules take it".into());
            }
            given.extend(std::iter::repeat_n(ty.clone(), 1 + usize::from(doubled)));
            back.extend(out.then_some(ty));
        }
        let result = || std::iter::once(inst.ty.clone()).filter(|ty| *ty != Type::Void);
        let returned: Vec<Type> = match pass {
            Pass::Tangent => {
                let varies = inst.ty.holds_float() || inst.ty.is_pointer();
                result().chain(result().filter(|_| varies)).collect()
            }
            Pass::Augmented { shadow } => {
                tape.cloned().into_iter().chain(result()).chain(shadow.cloned()).collect()
            }
            Pass::Reverse => {
                given.extend(inst.ty.holds_float().then(|| inst.ty.clone()));
                given.extend(tape.cloned());
                back
            }
        };
        let fits = takes(called, &given) && gives(called, &returned);
        (!fits)
            .then(|| format!("is differentiated by @{}, which takes or returns something else", called.name))
    }

    /// Whether every place that a pointer may lead to has a shadow, or is constant and needs none.
    fn has_own_shadow(&self, pointer: &Operand) -> bool {
        let shadowed =
            |place: &Place| self.plan.activity.has_shadow(&place.base()) || self.is_constant(place);
        self.places.lead(pointer).iter().all(shadowed)
    }

    /// Memory whose shadow nobody adds to; and functions.
    pub fn is_constant(&self, place: &Place) -> bool {
        let Place::Global(name) = place else { return false };
        let untouched =
            |global: &Global| global.constant || matches!(global.derivative, GlobalDerivative::Nothing);
        self.program.global(name).map_or(self.program.function(name).is_some(), untouched)
    }
}

/// Which of a rule's functions is called.
enum Pass<'a> {
    Tangent,
    Augmented { shadow: Option<&'a Type> },
    Reverse,
}

fn takes(called: &Function, given: &[Type]) -> bool {
    !called.variadic && called.params.iter().map(|param| &param.ty).eq(given)
}

fn gives(called: &Function, parts: &[Type]) -> bool {
    match parts {
        [] => called.ret == Type::Void,
        [only] => called.ret == *only,
        several => called.ret == Type::structure(several.to_vec()),
    }
}

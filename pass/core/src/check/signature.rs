//! Parameters and results are those that the request asks for.

use super::{Obligation, Proof};
use crate::model::Type;
use crate::plan::Slot;
use crate::request::{Activity, Mode, Part};

impl Proof<'_> {
    pub fn check_signature(&mut self) {
        if self.plan.function != self.function.name {
            let message = format!("the plan is for @{}", self.plan.function);
            self.report(Obligation::Signature, message);
        }
        self.check_request();
        self.check_params();
        self.check_results();
    }

    /// The activities fit the mode and the types, so that every derivative has a way in or out.
    fn check_request(&mut self) {
        let request = &self.plan.request;
        let mut problems = Vec::new();
        for (param, argument) in request.arguments.iter().enumerate() {
            let ty = &self.function.params[param].ty;
            let problem = match argument.activity {
                Activity::Const => continue,
                Activity::Out if request.mode == Mode::Tangent => "`out` gives nothing back in forward mode",
                Activity::Out if ty.holds_pointer() || !ty.holds_float() => "`out` is for floats by value",
                Activity::Out => continue,
                Activity::Dup | Activity::DupNoNeed | Activity::DupFresh => {
                    if ty.holds_pointer() || ty.holds_float() && request.mode == Mode::Tangent {
                        continue;
                    }
                    "a shadow is for pointers, and in forward mode for floats"
                }
            };
            problems.push(format!("%{param} is {ty}, and {problem}"));
        }
        if request.width == 0 {
            problems.push("a derivative has one direction at least".into());
        }
        if request.active_return && !self.function.ret.holds_float() {
            problems.push(format!("an active result of type {}", self.function.ret));
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Signature, problem));
    }

    fn check_params(&mut self) {
        let mut missing = self.expected_slots();
        let slots = &self.plan.params;
        let mut problems = Vec::new();
        for slot in slots {
            match missing.iter().position(|wanted| wanted == slot) {
                Some(at) => {
                    missing.remove(at);
                }
                None => {
                    problems.push(format!("the derivative takes {slot}, which is not asked for, or twice"))
                }
            }
        }
        problems.extend(missing.iter().map(|slot| format!("the derivative does not take {slot}")));
        problems.into_iter().for_each(|problem| self.report(Obligation::Signature, problem));
    }

    fn expected_slots(&self) -> Vec<Slot> {
        let request = &self.plan.request;
        let mut slots: Vec<Slot> =
            (0..self.function.params.len()).map(|param| Slot::Primal { param }).collect();
        for lane in 0..request.width {
            for (param, argument) in request.arguments.iter().enumerate() {
                match argument.activity {
                    Activity::Dup | Activity::DupNoNeed | Activity::DupFresh => {
                        slots.push(Slot::Shadow { param, lane });
                    }
                    Activity::Const | Activity::Out => {}
                }
            }
            slots.extend((0..request.globals.len()).map(|global| Slot::Global { global, lane }));
            if !request.seeds.is_empty() {
                slots.push(Slot::Seed { lane });
            }
        }
        if request.mode == Mode::Reverse || request.nested && request.mode == Mode::Augmented {
            slots.push(Slot::Tape);
        }
        slots
    }

    /// Results are found by their position, so their order counts.
    fn check_results(&mut self) {
        let expected = self.expected_results();
        if self.plan.results != expected {
            let message =
                format!("the derivative returns {:?}; asked for is {expected:?}", self.plan.results);
            self.report(Obligation::Signature, message);
        }
    }

    /// The tape, the primal result, then derivatives: of the result forwards, of parameters in their order backwards.
    fn expected_results(&self) -> Vec<Part> {
        let request = &self.plan.request;
        let primal = self.function.ret != Type::Void;
        let lanes = 0..request.width;
        match request.mode {
            Mode::Augmented => {
                // What one derivative calls has its records on the tape of the caller, so it hands over none.
                let mut parts: Vec<Part> = (!request.nested).then_some(Part::Tape).into_iter().collect();
                parts.extend(primal.then_some(Part::Primal));
                if request.shadow_return {
                    parts.extend(lanes.map(|lane| Part::Shadow { lane }));
                }
                parts
            }
            Mode::Tangent => {
                let mut parts = Vec::new();
                if primal && request.primal_return {
                    parts.push(Part::Primal);
                }
                if request.active_return || request.shadow_return {
                    parts.extend((0..request.width).map(|lane| Part::Shadow { lane }));
                }
                parts
            }
            Mode::Gradient | Mode::Reverse => {
                let mut parts = Vec::new();
                if primal && request.primal_return && request.mode == Mode::Gradient {
                    parts.push(Part::Primal);
                }
                for (param, argument) in request.arguments.iter().enumerate() {
                    if argument.activity == Activity::Out {
                        parts.extend((0..request.width).map(|lane| Part::Gradient { param, lane }));
                    }
                }
                parts
            }
        }
    }
}

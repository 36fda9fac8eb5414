//! Active memory lives as long as the reverse sweep looks at it, and is freed once.
//!
//! The plan says which memory lives until the primal frees it; what is freed of that is put off until the outermost
//! derivative is over. All other active memory is freed where the reverse sweep reaches its allocation, so nobody else may have
//! its address then, or free it.

use std::collections::BTreeSet;

use super::memory::Varied;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use super::{Obligation, Proof};
use crate::model::{Inst, Op, ValueId};
use crate::request::Mode;

type Fault = Option<(Obligation, &'static str)>;

impl<'a> Proof<'a> {
    pub fn find_made_fault(&self, made: ValueId, varied: &Varied) -> Fault {
        let place = Place::Made(made);
        if !varied.shadowed.contains(&place) {
            return None;
        }
        if self.lasts(&place) {
            return None;
        }
        if self.is_found_by_others(made) {
            return Some((
                Obligation::NothingUnknown,
                "may be found by others, and its shadow is gone by then",
            ));
        }
        if let Some(fault) = self.find_listed_fault(made) {
            return Some(fault);
        }
        let handed = |call: &Inst| {
            let given = call.arguments().iter().flat_map(|x| self.made_behind(x)).collect();
            self.frees_something(call) && self.reached_from(&given).contains(&place)
        };
        let mut calls = self.plan.calls.keys().filter_map(|call| self.function.inst(*call));
        calls
            .any(handed)
            .then_some((Obligation::Differentiable, "may be freed by a callee, and is freed here"))
    }

    pub fn find_free_fault(&self, id: ValueId, inst: &'a Inst, varied: &Varied) -> Fault {
        let with = |place: &Place| varied.shadowed.contains(place);
        let behind = self.made_behind(&inst.operands[0]);
        // Nobody may free a slot or a constant: beside an allocation they are not what is meant, and where there is none
        // control never comes here with anything but null.
        let freed: Vec<&Place> =
            behind.iter().filter(|place| !matches!(place, Place::Slot(_) | Place::Global(_))).collect();
        if self.plan.activity.lasting().freed.contains(&id) {
            let right = |place: &&Place| **place == Place::Outside || with(place) && self.lasts(place);
            return (!freed.iter().all(right))
                .then_some((Obligation::Differentiable, "puts off freeing what is freed otherwise"));
        }
        if self.puts_off_kept(inst) {
            let bare = |place: &&Place| matches!(place, Place::Made(_)) && !with(place);
            let right =
                freed.iter().all(bare) && self.plan.request.mode == Mode::Gradient && is_by_address(inst);
            return (!right).then_some((
                Obligation::Differentiable,
                "puts off freeing what may have a shadow, or be freed otherwise",
            ));
        }
        // What is put off, and what is not, are freed once.
        let made = |place: &&Place| matches!(place, Place::Made(_)) && with(place) && !self.lasts(place);
        let slot = inst.operands[0].value().and_then(|id| self.function.inst(id));
        if slot.is_some_and(|inst| matches!(inst.op, Op::Alloca(_))) {
            return Some((Obligation::Differentiable, "frees a slot, which was not made here"));
        }
        let clear = match self.leads_to(&inst.operands[0], &varied.shadowed) {
            true => freed.iter().all(made),
            false => !behind.iter().any(with),
        };
        (!clear).then_some((Obligation::Differentiable, "frees what was not made here with a shadow"))
    }

    /// Where the reverse sweep may never come to the allocation, its end is listed when it is made, and nowhere else.
    pub fn find_listed_fault(&self, made: ValueId) -> Fault {
        let lasting = self.plan.activity.lasting();
        let may_not_come = match self.plan.request.mode {
            Mode::Tangent => return None,
            Mode::Gradient => self.plan.may_be_left,
            Mode::Augmented | Mode::Reverse => true,
        };
        let planned = lasting.reverse_may_not_come && lasting.listed.contains(&made);
        (planned != may_not_come).then_some((
            Obligation::Tape,
            "is freed where the reverse sweep comes to it, or with the tape, and not both",
        ))
    }

    /// A callee may put off what it frees.
    pub fn find_freeing_call_fault(&self, call: &Inst) -> Fault {
        let frees = self.frees_something(call);
        (frees && !self.plan.activity.lasting().freed_by_callees)
            .then_some((Obligation::Differentiable, "frees, and the plan does not know"))
    }

    /// Whether a call frees memory without a shadow that the plan keeps for the reverse sweep.
    pub fn puts_off_kept(&self, inst: &Inst) -> bool {
        let kept = &self.plan.activity.lasting().kept;
        memory_call(inst) == Some(MemoryCall::Free)
            && inst.operands[0].value().is_some_and(|pointer| kept.contains(&pointer))
    }

    fn lasts(&self, place: &Place) -> bool {
        matches!(place, Place::Made(made) if self.plan.activity.lasting().made.contains(made))
    }

    /// Whether a callee, or what it calls, frees something, as far as bodies can be seen.
    fn frees_something(&self, call: &Inst) -> bool {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![call.callee_name()]);
        while let Some(name) = waiting.pop() {
            let body = name.filter(|name| self.program.custom_rule(name).is_none());
            let Some(body) = body.and_then(|name| self.program.function(name)) else { continue };
            if !seen.insert(&body.name) {
                continue;
            }
            for inst in &body.insts {
                if memory_call(inst) == Some(MemoryCall::Free) {
                    return true;
                }
                if inst.op.call().is_some() && !self.program.is_declared_inactive(inst) {
                    waiting.push(inst.callee_name());
                }
            }
        }
        false
    }
}

/// Whether memory is freed by its address alone.
fn is_by_address(free: &Inst) -> bool {
    matches!(free.callee_name(), Some("free" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm"))
}

//! A shadow pointer that is found belongs to the pointer that is found.
//!
//! A pointer without a shadow leaves the shadow of the place where it is stored as it was. And a slot of one half of
//! split mode is gone in the other, so that no shadow pointer that was kept may lead there.

use std::collections::BTreeSet;

use super::memory::Varied;
use super::memory_calls::{MemoryCall, memory_call};
use super::numbered::Set;
use super::places::Place;
use super::standing::Standing;
use super::{Obligation, Proof};
use crate::model::{Constant, Inst, Op, Operand, Program, ValueId};
use crate::plan::Storage;
use crate::request::Mode;

impl<'a> Proof<'a> {
    /// Stores of pointers without a shadow to where a pointer may be found that floats are then reached through.
    pub fn check_stale(&mut self, insts: &[(ValueId, &'a Inst)], varied: &Varied) {
        let mut found = self.find_reaching(insts);
        found.retain(|id| varied.shadowed.contains(&Place::Found(*id)));
        let mut standing = self.find_standing(insts);
        let given = self.find_given(insts, &mut standing);
        let place = |load: &ValueId| self.function.inst(*load).map(|load| &load.operands[0]);
        let found: Vec<(ValueId, Set)> = found
            .iter()
            .filter_map(|load| Some((*load, standing.under_all_names(&self.places.lead(place(load)?)))))
            .collect();
        for (id, inst) in insts.iter().filter(|(_, inst)| matches!(inst.op, Op::Store(_))) {
            let [value, pointer] = inst.operands.as_slice() else { continue };
            let bare = |place: &&Place| !varied.shadowed.contains(place);
            let without: Vec<Place> = self.places.lead(value).iter().filter(bare).cloned().collect();
            // What is taken back from there is not taken for one with a shadow.
            let stale =
                !self.is_unshadowed(inst) && !without.is_empty() && self.leads_to(pointer, &varied.shadowed);
            if !stale {
                continue;
            }
            let may_hold_floats = || without.iter().any(|place| self.may_hold_floats(place));
            if self.is_left_for_caller(pointer) && may_hold_floats() {
                let message = format!(
                    "{} leaves a pointer without a shadow where the caller may take it for one with",
                    self.describe(*id)
                );
                self.report(Obligation::NothingUnknown, message);
                continue;
            }
            let into = standing.under_all_names(&self.places.lead(pointer));
            if into.meets(&given) && may_hold_floats() {
                let message = format!(
                    "{} stores a pointer without a shadow where a derivative that is called finds it",
                    self.describe(*id)
                );
                self.report(Obligation::NothingUnknown, message);
                continue;
            }
            if let Some((load, _)) = found.iter().find(|(_, from)| standing.may_meet(&into, from)) {
                let message = format!(
                    "{} stores a pointer without a shadow, which {} may take for one with",
                    self.describe(*id),
                    self.describe(*load)
                );
                self.report(Obligation::NothingUnknown, message);
            }
        }
    }

    /// The places that the derivatives which are called here can find from what they are given, by what is stored in this function.
    fn find_given(&self, insts: &[(ValueId, &'a Inst)], standing: &mut Standing) -> Set {
        let calls = insts.iter().filter(|(id, _)| self.plan.calls.contains_key(id));
        let given = calls.flat_map(|(_, call)| self.looked_behind(call)).flat_map(|x| self.places.lead(x));
        standing.reach(&given.collect())
    }

    /// Whether another derivative has called this one, and may look at what is left there.
    fn is_left_for_caller(&self, pointer: &Operand) -> bool {
        let outlasts = |place: &Place| !matches!(place, Place::Slot(_));
        self.plan.request.nested && self.places.lead(pointer).iter().any(outlasts)
    }

    pub fn may_hold_floats(&self, place: &Place) -> bool {
        if let Place::Global(name) = place { may_lead_to_floats(self.program, name) } else { true }
    }

    /// The loads of pointers through which something is freed or floats are accessed, also through pointers found there in
    /// turn, or which go on to where others find them.
    fn find_reaching(&self, insts: &[(ValueId, &'a Inst)]) -> BTreeSet<ValueId> {
        self.loads_before(insts.iter().copied(), &|_, inst| match (&inst.op, memory_call(inst)) {
            (Op::Load(_), _) if !inst.ty.holds_float() => Vec::new(),
            (Op::Store(_), _) if !self.function.operand_type(&inst.operands[0]).holds_float() => {
                vec![&inst.operands[0]]
            }
            (_, Some(MemoryCall::Free)) => vec![&inst.operands[0]],
            (Op::Store(_), _) => inst.operands.iter().collect(),
            _ => self.accessed_by(inst).iter().collect(),
        })
    }

    /// In split mode the second half has slots of its own, so a slot that is found there by other ways than its name
    /// has its shadow on the tape.
    pub fn check_slots(&mut self) {
        if !matches!(self.plan.request.mode, Mode::Augmented | Mode::Reverse) {
            return;
        }
        let mut found: BTreeSet<Place> = BTreeSet::new();
        for (id, inst) in self.live_insts() {
            match inst.op {
                Op::Store(_) => found.extend(self.places.lead(&inst.operands[0])),
                _ if self.plan.calls.contains_key(&id) => {
                    found.extend(inst.arguments().iter().flat_map(|x| self.places.lead(x)));
                }
                _ => {}
            }
        }
        for (value, decision) in &self.plan.shadows {
            if matches!(decision.choice, Storage::Keep | Storage::SaveOnOverwrite) {
                found.extend(self.places.lead(&Operand::Value(*value)));
            }
        }
        for place in found {
            let Place::Slot(id) = place else { continue };
            // What is made anew each time has its shadows on the heap.
            let in_frame = !self.is_made_anew(id) && !self.plan.slots.contains(&id);
            if self.plan.activity.has_shadow(&place.base()) && in_frame {
                let message = format!(
                    "the shadow of {} is found again in the second half, where the first half's slots are gone",
                    self.describe(id)
                );
                self.report(Obligation::Tape, message);
            }
        }
    }
}

/// Nothing is differentiated behind constants in which there is neither a float nor a way to one: texts, and the tables
/// that C++ compilers make of functions.
pub(super) fn may_lead_to_floats(program: &Program, first: &str) -> bool {
    let (mut seen, mut waiting) = (BTreeSet::from([first.to_owned()]), vec![first.to_owned()]);
    while let Some(name) = waiting.pop() {
        // What the C++ runtime says of types is declared as if it were written to.
        if name.starts_with("_ZTVN10__cxxabiv1") {
            continue;
        }
        if program.function(&name).is_some() {
            continue;
        }
        let Some(global) = program.global(&name) else { return true };
        let made_by_compiler =
            ["_ZTV", "_ZTI", "_ZTS", "_ZTT", "_ZTC"].iter().any(|start| name.starts_with(start));
        if !global.constant || global.ty.holds_float() || global.initial.is_none() && !made_by_compiler {
            return true;
        }
        let mut unclear = false;
        if let Some(initial) = &global.initial {
            initial.walk(&mut |part| match part {
                Constant::Symbol { name, .. } if program.function(name).is_some() => {}
                Constant::Symbol { name, .. } if seen.insert(name.clone()) => waiting.push(name.clone()),
                Constant::Expr { .. } | Constant::Opaque { .. } => unclear = true,
                _ => {}
            });
        }
        if unclear && !made_by_compiler {
            return true;
        }
    }
    false
}

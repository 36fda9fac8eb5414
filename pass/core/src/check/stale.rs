//! A shadow pointer that is found belongs to the pointer that is found.
//!
//! A pointer without a shadow leaves the shadow of the place where it is stored as it was. And a slot of one half of
//! split mode is gone in the other, so that no shadow pointer that was kept may lead there.

use std::collections::BTreeSet;

use super::memory::Varied;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use super::{Obligation, Proof};
use crate::model::{Inst, Op, Operand, ValueId};
use crate::plan::Storage;
use crate::request::Mode;

impl<'a> Proof<'a> {
    /// Stores of pointers without a shadow to where a pointer may be found that floats are then reached through.
    pub fn check_stale(&mut self, insts: &[(ValueId, &'a Inst)], varied: &Varied) {
        let found: Vec<ValueId> = insts
            .iter()
            .filter(|(id, inst)| {
                matches!(inst.op, Op::Load(_))
                    && varied.shadowed.contains(&Place::Found(*id))
                    && self.reaches_floats(insts, *id)
            })
            .map(|(id, _)| *id)
            .collect();
        for (id, inst) in insts.iter().filter(|(_, inst)| matches!(inst.op, Op::Store(_))) {
            let [value, pointer] = inst.operands.as_slice() else { continue };
            let without = self.places.lead(value).iter().any(|place| !varied.shadowed.contains(place));
            let stale = without && self.leads_to(pointer, &varied.shadowed);
            let met = |load: &&ValueId| {
                let from = self.function.inst(**load).map(|load| &load.operands[0]);
                from.is_some_and(|from| self.may_meet(pointer, from))
            };
            if let Some(load) = found.iter().find(met).filter(|_| stale) {
                let message = format!(
                    "{} stores a pointer without a shadow, which {} may take for one with",
                    self.describe(*id),
                    self.describe(*load)
                );
                self.report(Obligation::NothingUnknown, message);
            }
        }
    }

    fn may_meet(&self, a: &Operand, b: &Operand) -> bool {
        let (a, b) = (self.places.lead(a), self.places.lead(b));
        let open = |places: &BTreeSet<Place>| {
            places.iter().any(|place| !matches!(place, Place::Slot(_) | Place::Made(_)))
        };
        !a.is_disjoint(&b) || open(&a) && open(&b)
    }

    /// Whether something is freed or floats are accessed through what a load found, or through pointers found there in turn.
    fn reaches_floats(&self, insts: &[(ValueId, &'a Inst)], load: ValueId) -> bool {
        let mut places = BTreeSet::from([Place::Found(load)]);
        loop {
            let before = places.len();
            for (id, inst) in insts {
                let freed = || {
                    memory_call(inst) == Some(MemoryCall::Free) && self.leads_to(&inst.operands[0], &places)
                };
                if freed() {
                    return true;
                }
                if !self.accessed_by(inst).iter().any(|pointer| self.leads_to(pointer, &places)) {
                    continue;
                }
                match inst.op {
                    Op::Load(_) if inst.ty.holds_float() => return true,
                    Op::Load(_) => drop(places.insert(Place::Found(*id))),
                    Op::Store(_) if !self.function.operand_type(&inst.operands[0]).holds_float() => {}
                    _ => return true,
                }
            }
            if places.len() == before {
                return false;
            }
        }
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

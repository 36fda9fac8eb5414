//! A shadow pointer that is found belongs to the pointer that is found.
//!
//! A pointer without a shadow leaves the shadow of the place where it is stored as it was. And a slot of one half of
//! split mode is gone in the other, so that no shadow pointer that was kept may lead there.

use std::collections::BTreeSet;

use super::memory::Varied;
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
            let without = !self.places.lead(value).is_empty() && !self.leads_to(value, &varied.shadowed);
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

    /// Whether floats are accessed through what a load found, or through pointers found there in turn.
    fn reaches_floats(&self, insts: &[(ValueId, &'a Inst)], load: ValueId) -> bool {
        let mut places = BTreeSet::from([Place::Found(load)]);
        loop {
            let before = places.len();
            for (id, inst) in insts {
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

    /// In split mode the second half has slots of its own.
    pub fn check_slots(&mut self) {
        if !matches!(self.plan.request.mode, Mode::Augmented | Mode::Reverse) {
            return;
        }
        let insts = self.live_insts();
        let is_slot =
            |place: &Place| matches!(place, Place::Slot(_)) && self.plan.activity.has_shadow(&place.base());
        let stored = insts.iter().any(|(_, inst)| {
            matches!(inst.op, Op::Store(_)) && self.places.lead(&inst.operands[0]).iter().any(is_slot)
        });
        let mut gone = Vec::new();
        for (value, decision) in &self.plan.shadows {
            let kept = matches!(decision.choice, Storage::Keep | Storage::SaveOnOverwrite);
            let leads = self.places.lead(&Operand::Value(*value));
            let slot = leads.iter().any(|place| is_slot(place) || stored && matches!(place, Place::Found(_)));
            if kept && slot {
                gone.push(format!(
                    "the shadow of {} may lead to a slot of the first half, which is gone in the second",
                    self.describe(*value)
                ));
            }
        }
        gone.into_iter().for_each(|message| self.report(Obligation::Tape, message));
    }
}

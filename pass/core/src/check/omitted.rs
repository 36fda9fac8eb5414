//! Nobody misses what the forward sweep leaves out.
//!
//! What is left out computes and does nothing else, and nothing that runs has it as an operand. A store that is left out
//! writes to memory that nobody looks at after the function, and nothing that runs later reads what it may have written:
//! neither in the forward sweep nor as a load that the reverse sweep does again.

use std::collections::{BTreeMap, BTreeSet};

use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use super::role::numbers_of;
use super::{Obligation, Proof};
use crate::model::{Inst, Op, Operand, Ordering, Type, ValueId};
use crate::plan::Storage;
use crate::request::{Activity, Mode, Part};

impl Proof<'_> {
    pub fn check_omitted(&mut self) {
        let omitted: Vec<ValueId> = self.plan.omitted.keys().copied().collect();
        let whole = self.plan.request.mode == Mode::Gradient && !self.plan.request.nested;
        if !whole && !omitted.is_empty() {
            return self.report(Obligation::Omitted, "another half may need what is left out");
        }
        for id in &omitted {
            if let Some(problem) = self.find_effect(*id).or_else(|| self.find_holder(*id)) {
                let message = format!("{} is left out, and {problem}", self.describe(*id));
                self.report(Obligation::Omitted, message);
            }
        }
        self.check_operands_run();
        self.check_stores_unread();
    }

    fn is_omitted(&self, id: ValueId) -> bool {
        self.plan.omitted.contains_key(&id)
    }

    /// Whatever an instruction does beside giving a result, and writing where [`Self::check_stores_unread`] looks.
    fn find_effect(&self, id: ValueId) -> Option<&'static str> {
        let Some(inst) = self.function.inst(id) else { return Some("is no instruction") };
        if inst.op.is_terminator() || self.plan.calls.contains_key(&id) {
            return Some("something depends on its running");
        }
        let harmless = match &inst.op {
            Op::Load(access) => !access.volatile && access.ordering == Ordering::NotAtomic,
            Op::Store(access) => {
                let ordinary = !access.volatile && access.ordering == Ordering::NotAtomic;
                // Beside a pointer its shadow is stored.
                ordinary && !self.function.operand_type(&inst.operands[0]).holds_pointer()
            }
            Op::Call(_) => {
                let gives = inst.ty != Type::Void && !inst.ty.holds_pointer();
                gives && memory_call(inst).is_none() && self.leaves_memory_alone(inst)
            }
            Op::FNeg | Op::Float(_) | Op::Int(_) | Op::Cast(_) | Op::ICmp(_) | Op::FCmp(_) => true,
            Op::Select | Op::Freeze | Op::Attach(_) | Op::Phi { .. } | Op::Gep(_) => true,
            Op::ExtractElement | Op::InsertElement | Op::ShuffleVector { .. } => true,
            Op::ExtractValue { .. } | Op::InsertValue { .. } => true,
            _ => false,
        };
        (!harmless).then_some("does more than compute")
    }

    /// Where the forward sweep writes the value, or asks for it.
    fn find_holder(&self, id: ValueId) -> Option<&'static str> {
        let plan = self.plan;
        let in_cell =
            |choice: &Storage| !matches!(choice, Storage::Recompute | Storage::Rerun | Storage::Argument);
        let is_kept = |decision: Option<&crate::plan::Decision<Storage>>| {
            decision.is_some_and(|decision| in_cell(&decision.choice))
        };
        let bounds = |operand: &Operand| *operand == Operand::Value(id);
        let counts =
            plan.arrays.values().any(|array| bounds(&array.trips.start) || bounds(&array.trips.bound));
        if is_kept(plan.storage.get(&id)) || is_kept(plan.shadows.get(&id)) {
            return Some("the plan keeps it");
        }
        let place = |load: ValueId| self.function.inst(load).is_some_and(|load| bounds(&load.operands[0]));
        let lays = plan.rooms.values().any(|room| place(room.load));
        let asked = counts || lays || plan.arrivals.contains_key(&id);
        asked.then_some("the forward sweep asks for it")
    }

    /// Nothing that runs has as an operand what does not.
    fn check_operands_run(&mut self) {
        let seen = |part: &Part| matches!(part, Part::Primal | Part::Shadow { .. });
        let returns = self.plan.results.iter().any(seen);
        let mut problems = Vec::new();
        for (id, inst) in self.live_insts() {
            if self.is_omitted(id) || inst.op == Op::Ret && !returns {
                continue;
            }
            let lost =
                numbers_of(inst).iter().filter_map(Operand::value).find(|value| self.is_omitted(*value));
            if let Some(value) = lost {
                problems.push(format!(
                    "{} is left out, and {} is computed from it",
                    self.describe(value),
                    self.describe(id)
                ));
            }
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Omitted, problem));
    }

    fn check_stores_unread(&mut self) {
        let mut stores: BTreeMap<BTreeSet<Place>, Vec<ValueId>> = BTreeMap::new();
        for id in self.plan.omitted.keys() {
            if let Some(inst) = self.function.inst(*id).filter(|inst| matches!(inst.op, Op::Store(_))) {
                stores.entry(self.places.lead(&inst.operands[1])).or_default().push(*id);
            }
        }
        let mut problems = Vec::new();
        for (written, stores) in stores {
            if written.is_empty() || !written.iter().all(|place| self.is_given_up(place)) {
                problems.extend(stores.iter().map(|id| (*id, "somebody may look at it afterwards".into())));
                continue;
            }
            let readers: Vec<ValueId> = self.find_readers(&written);
            for store in stores {
                if let Some(reader) = readers.iter().find(|reader| self.runs_behind(store, **reader)) {
                    problems.push((store, format!("{} may read it", self.describe(*reader))));
                }
            }
        }
        for (store, problem) in problems {
            let message = format!("{} is left out, and {problem}", self.describe(store));
            self.report(Obligation::Omitted, message);
        }
    }

    /// Memory of this call alone, found where nobody else looks or not found anywhere, or behind a parameter of which the caller has said that nobody reads what is left
    /// there; unless that may be memory behind one of which he has not.
    pub fn is_given_up(&self, place: &Place) -> bool {
        let Place::Param(param) = place else { return self.is_private(place) || self.is_never_met(place) };
        let given_up = |id: &ValueId| self.plan.request.activity(id.0 as usize) == Activity::DupNoNeed;
        let pointer = |id: &ValueId| self.function.value_type(*id).holds_pointer();
        let kept = self.function.param_ids().filter(|id| pointer(id) && !given_up(id));
        given_up(param)
            && !self.is_handed_on(place)
            && kept.map(Place::Param).all(|other| !self.may_be_one(place, &other))
    }

    /// What runs, or is done again in the reverse sweep, and may read these places.
    fn find_readers(&self, places: &BTreeSet<Place>) -> Vec<ValueId> {
        let again = |id: &ValueId| {
            let decision = self.plan.storage.get(id);
            decision.is_some_and(|decision| decision.choice == Storage::Recompute)
                || self.plan.reruns.values().any(|rerun| rerun.insts.contains(id))
                || self.plan.strips.values().any(|strip| strip.insts.contains(id))
        };
        let insts = self.live_insts().into_iter();
        let running = insts.filter(|(id, _)| !self.is_omitted(*id) || again(id));
        running.filter(|(_, inst)| self.may_read(inst, places)).map(|(id, _)| id).collect()
    }

    fn may_read(&self, inst: &Inst, places: &BTreeSet<Place>) -> bool {
        let through: &[Operand] = match (&inst.op, memory_call(inst)) {
            (Op::Load(_) | Op::AtomicRmw { .. } | Op::CompareExchange { .. }, _) => &inst.operands[..1],
            (Op::VaArg | Op::Fence { .. } | Op::Opaque { .. }, _) => return true,
            _ if inst.op.call().is_none() => return false,
            (_, Some(MemoryCall::Copy)) => &inst.operands[1..2],
            (_, Some(MemoryCall::Fill | MemoryCall::Free | MemoryCall::Allocate)) => return false,
            (_, None) if self.leaves_memory_alone(inst) => return false,
            (_, None) if !places.iter().all(|place| self.is_private(place)) => return true,
            (_, None) => &inst.operands,
        };
        let read: BTreeSet<Place> = through.iter().flat_map(|x| self.places.lead(x)).collect();
        read.iter().any(|a| places.iter().any(|b| self.may_be_one(a, b)))
    }

    /// Whether control may come from the first to the second.
    fn runs_behind(&self, first: ValueId, second: ValueId) -> bool {
        let (Some(from), Some(to)) = (self.paths.home(first), self.paths.home(second)) else { return true };
        from == to && self.paths.place(first) < self.paths.place(second) || self.paths.leads(from, to)
    }
}

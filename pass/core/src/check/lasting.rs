//! What is read again in the reverse sweep has not been overwritten since it was read.
//!
//! Nothing that may run after the load may write to a place that it may have read from.

use std::collections::BTreeSet;

use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use super::writers::Counted;
use super::{Obligation, Proof};
use crate::dependence::guarded::Condition;
use crate::dependence::overwriting::Overwriting;
use crate::model::{BlockId, CastOp, Inst, Layout, Linkage, Op, Operand, Ordering, Program, Scev, ValueId};
use crate::plan::{Parting, Separation};
use crate::request::Mode;
use crate::rules::{CalleeRule, Rules, Shape};

impl Proof<'_> {
    pub fn is_found_again(&self, load: ValueId, inst: &Inst) -> bool {
        let Op::Load(access) = &inst.op else { return false };
        let Some((home, at)) = self.paths.place(load) else { return false };
        // Between two halves anybody may write.
        let one = self.plan.request.mode == Mode::Gradient;
        let ordinary = !access.volatile && access.ordering == Ordering::NotAtomic;
        let read = self.places.lead(&inst.operands[0]);
        let alive = read.iter().all(|place| self.is_alive_at_the_end(place));
        one && ordinary
            && alive
            && !read.is_empty()
            && (!self.writers(Counted::All, inst).follow(home, at) || self.is_left_alone(load, inst))
    }

    /// Whether nothing that writes to the memory that was read does so, at any later moment, to the cells that were.
    fn is_left_alone(&self, load: ValueId, inst: &Inst) -> bool {
        let overwriting = self.overwriting.get_or_init(|| Overwriting::of(self.function, self.program));
        let parted = |writer: ValueId| {
            let partings = self.plan.apart.iter().flat_map(|guard| &guard.partings);
            partings.into_iter().any(|parting| parting.load == load && parting.store == writer)
        };
        let behind = self.writers_behind(load, inst);
        let leaves = |writer: &ValueId| {
            parted(*writer) || self.is_made_behind(load, *writer) || !overwriting.may_come(load, *writer)
        };
        behind.iter().all(leaves)
    }

    /// Slots of the entry live as long as the function; so does what others made, unless it is freed.
    pub fn is_alive_at_the_end(&self, place: &Place) -> bool {
        let Place::Slot(id) = place else { return true };
        let sized = self.function.inst(*id).is_some_and(|slot| slot.operands[0].value().is_none());
        sized && self.paths.home(*id) == Some(BlockId(0))
    }

    pub fn may_overwrite(&self, inst: &Inst, read: &BTreeSet<Place>) -> bool {
        let written: &[Operand] = match (&inst.op, memory_call(inst)) {
            (Op::Store(_), _) => &inst.operands[1..2],
            (Op::AtomicRmw { .. } | Op::CompareExchange { .. }, _) => &inst.operands[..1],
            (Op::VaArg | Op::Opaque { .. }, _) => return true,
            _ if inst.op.call().is_none() => return false,
            (_, Some(MemoryCall::Allocate)) => return false,
            (_, Some(MemoryCall::Free)) if self.frees_behind_reverse(inst) => return false,
            (_, Some(MemoryCall::Copy | MemoryCall::Fill | MemoryCall::Free)) => &inst.operands[..1],
            (_, None) if self.leaves_memory_alone(inst) => return false,
            // What a contracted call may not do is an obligation of its own.
            (_, None) if inst.gives_partials() => return false,
            // What comes to its end lies on this frame.
            (_, None) if inst.callee_name().is_some_and(|name| name.contains("llvm.stackrestore")) => {
                let ended: Vec<Place> =
                    self.live_insts().into_iter().filter_map(|(id, _)| self.moving_slot(id)).collect();
                return read.iter().any(|place| ended.iter().any(|slot| self.may_be_one(place, slot)));
            }
            (_, None) if inst.callee_name().is_some_and(|name| name.contains("llvm.lifetime.")) => {
                let ended: BTreeSet<Place> =
                    inst.arguments().iter().flat_map(|x| self.places.lead(x)).collect();
                return read.iter().any(|place| ended.iter().any(|slot| self.may_be_one(place, slot)));
            }
            (_, None) => {
                let given = inst.arguments().iter().any(|x| !self.places.lead(x).is_disjoint(read));
                let out = |place: &Place| {
                    !self.is_private(place) && !self.is_restrict(place) && !self.is_kept_from_outside(place)
                };
                return given || read.iter().any(out);
            }
        };
        let written: BTreeSet<Place> = written.iter().flat_map(|x| self.places.lead(x)).collect();
        read.iter().any(|a| written.iter().any(|b| self.may_be_one(a, b)))
    }

    /// A slot that does not last as long as the frame.
    fn moving_slot(&self, id: ValueId) -> Option<Place> {
        let inst = self.function.inst(id).filter(|inst| matches!(inst.op, Op::Alloca(_)))?;
        let fixed = matches!(inst.operands[0], Operand::Const(_)) && self.paths.home(id) == Some(BlockId(0));
        (!fixed).then_some(Place::Slot(id))
    }

    /// Memory that the plan gives a shadow is freed with it, behind all that the reverse sweep reads there; that everything
    /// the call may free has one is an obligation of its own, and so it is of what is kept without a shadow.
    fn frees_behind_reverse(&self, inst: &Inst) -> bool {
        self.plan.request.mode.is_reverse()
            && (self.leads_to(&inst.operands[0], self.claimed_places()) || self.puts_off_kept(inst))
    }

    pub fn leaves_memory_alone(&self, inst: &Inst) -> bool {
        leaves_memory_alone(inst, self.program, self.rules)
    }

    /// Whether two places may be one, at whatever moments.
    pub fn may_be_one(&self, a: &Place, b: &Place) -> bool {
        let own = |place: &Place| matches!(place, Place::Slot(_) | Place::Made(_));
        let outer = |place: &Place| matches!(place, Place::Param(_) | Place::Global(_));
        match (a, b) {
            _ if a == b => true,
            (Place::Global(_), Place::Global(_)) => false,
            (Place::Param(a), Place::Param(b)) if self.is_compared(*a) && self.is_compared(*b) => false,
            // Neither pointer is made from the other parameter, whoever else was given one.
            (Place::Param(a), Place::Param(b)) if self.is_promised(*a) || self.is_promised(*b) => false,
            (Place::Global(global), Place::Param(_) | Place::Found(_) | Place::Returned(_))
            | (Place::Param(_) | Place::Found(_) | Place::Returned(_), Place::Global(global))
                if self.program.global(global).is_some_and(|global| global.only_named) =>
            {
                false
            }
            (Place::Param(a), Place::Global(global)) | (Place::Global(global), Place::Param(a))
                if self.is_compared(*a) && self.is_compared_global(global) =>
            {
                false
            }
            _ if own(a) && own(b) || own(a) && outer(b) || outer(a) && own(b) => false,
            _ if self.is_private(a) || self.is_private(b) => false,
            _ if self.is_restrict(a) || self.is_restrict(b) => false,
            _ => !self.have_own_trails(a, b),
        }
    }

    fn is_compared(&self, param: ValueId) -> bool {
        self.plan.apart.as_ref().is_some_and(|guard| guard.extents.contains_key(&param))
    }

    fn is_compared_global(&self, name: &str) -> bool {
        self.plan.apart.as_ref().is_some_and(|guard| guard.globals.contains_key(name))
    }

    /// The test that leads to a version compares every byte that is accessed behind its parameters.
    pub fn check_separation(&mut self) {
        let tests: Vec<&Separation> = self.plan.separation.iter().chain(&self.plan.apart).collect();
        let mut problems = Vec::new();
        for (param, extent) in tests.iter().flat_map(|test| &test.extents) {
            let place = Place::Param(*param);
            for id in self.function.inst_ids() {
                let Some(inst) = self.function.inst(id) else { continue };
                let touched = self.accessed_by(inst).iter().any(|x| self.places.lead(x).contains(&place));
                let is_listed = |(known, address, _): &(ValueId, Scev, u64)| {
                    let fact = self.function.memory.get(&id).and_then(|fact| fact.address.as_ref());
                    *known == id && fact == Some(address)
                };
                let ordinary = matches!(inst.op, Op::Load(_) | Op::Store(_));
                if touched && !(ordinary && extent.accesses.iter().any(is_listed)) {
                    problems.push(format!("{} is not part of the test on entry", self.describe(id)));
                }
                if touched && matches!(inst.op, Op::Store(_)) && !extent.written {
                    problems.push(format!("{} writes to what the test takes for read", self.describe(id)));
                }
            }
            if self.is_handed_on(&place) {
                problems.push(format!("the address of %{} is handed on behind the test", param.0));
            }
        }
        problems.extend(self.find_overwritten_partings(&tests));
        let layout = Layout::parse(&self.program.layout);
        for (name, bytes) in tests.iter().flat_map(|test| &test.globals) {
            let whole = self.program.global(name).filter(|global| {
                let elsewhere =
                    global.thread_local || global.space != 0 || global.linkage == Linkage::Declared;
                !elsewhere && layout.store_size(&global.ty).is_some_and(|size| size <= *bytes)
            });
            if whole.is_none() {
                problems.push(format!("the test does not compare all of @{name}"));
            }
        }
        problems.into_iter().for_each(|problem| self.report(Obligation::Storage, problem));
    }

    /// The partings whose conditions do not keep the store away from what was read, in any order in which they may run.
    fn find_overwritten_partings(&self, tests: &[&Separation]) -> Vec<String> {
        let overwriting = || self.overwriting.get_or_init(|| Overwriting::of(self.function, self.program));
        let partings = tests.iter().flat_map(|test| &test.partings);
        let asked = |one: &Condition| one.can_be_asked(self.function);
        let can_be_asked = |parting: &Parting| parting.clauses.iter().flatten().all(asked);
        let broken = |parting: &&Parting| {
            !can_be_asked(parting) || !overwriting().is_broken(parting.load, parting.store, &parting.clauses)
        };
        let describe = |parting: &Parting| {
            let (load, store) = (self.describe(parting.load), self.describe(parting.store));
            format!("the test does not keep {store} from what {load} has read")
        };
        partings.filter(broken).map(describe).collect()
    }

    fn is_restrict(&self, place: &Place) -> bool {
        matches!(place, Place::Param(id) if !self.is_handed_on(place) && self.is_promised(*id))
    }

    fn is_promised(&self, param: ValueId) -> bool {
        self.function.params[param.0 as usize].attributes.iter().any(|text| text == "noalias")
    }

    /// Memory of this call whose address went nowhere.
    pub fn is_private(&self, place: &Place) -> bool {
        matches!(place, Place::Slot(_) | Place::Made(_)) && !self.is_handed_on(place)
    }

    pub fn is_handed_on(&self, place: &Place) -> bool {
        if let Some(known) = self.handed_on.borrow().get(place) {
            return *known;
        }
        let answer = self.find_handed_on(place);
        self.handed_on.borrow_mut().insert(place.clone(), answer);
        answer
    }

    fn find_handed_on(&self, place: &Place) -> bool {
        let leads = |x: &Operand| self.places.lead(x).contains(place);
        let handed = |inst: &Inst| match &inst.op {
            Op::Store(_) => leads(&inst.operands[0]),
            Op::Ret | Op::InsertValue { .. } | Op::Cast(CastOp::PtrToInt) => inst.operands.iter().any(leads),
            _ => {
                inst.op.call().is_some() && memory_call(inst).is_none() && inst.arguments().iter().any(leads)
            }
        };
        self.function.insts.iter().any(handed)
    }
}

pub fn leaves_memory_alone(inst: &Inst, program: &Program, rules: &Rules) -> bool {
    let Some(name) = inst.callee_name() else { return false };
    // A body in sight, or a rule of the user's, counts for more than a name.
    if program.is_followed(name) {
        return false;
    }
    let ends = name.contains("lifetime") || name.contains("stackrestore") || name.contains(".va_");
    match rules.lookup_callee(name) {
        CalleeRule::Row(found) => !matches!(found.shape, Shape::Stored { .. }),
        CalleeRule::Reduction(_) => true,
        CalleeRule::Inactive(_) => name.starts_with("llvm.") && !ends,
        CalleeRule::Unknown => false,
    }
}

//! Which memory becomes active because of what one instruction does.
//!
//! Instruction + what is active so far → places. A place is active if something active may be put there, if what is found
//! there needs a shadow, or if it cannot be told from one that is.

use std::collections::{BTreeMap, BTreeSet};

use super::activity::{Activity, Pass};
use super::carried::is_bare;
use super::custom::needs_shadow;
use super::effects::Effect;
use super::meaning::Meaning;
use super::memory_calls::{MemoryCall, memory_call};
use super::pointers::Base;
use super::shared_words::SharedWords;
use super::stale::is_found_again;
use super::tape_records::is_always_followed;
use crate::model::{Inst, Op, Operand, Type, ValueId};

impl Pass<'_> {
    /// What a store, a copy or a load of a pointer makes active in memory.
    pub(super) fn spread_through_memory(&self, id: ValueId, inst: &Inst, activity: &mut Activity) {
        let mut reached = BTreeSet::new();
        match &inst.op {
            Op::Store(_) => {
                let [value, pointer] = inst.operands.as_slice() else { return };
                if activity.is_varied(value) || activity.is_shadowed(value) {
                    reached.extend(activity.bases(pointer));
                }
                // Found again, a local place is reached through a shadow, so it needs one.
                if activity.may_lack_shadow(value) && is_found_again(self.function, activity, inst) {
                    let given = |base: &Base| {
                        self.can_have_shadow(base) || self.is_found_where_shadows_can_be(base, activity)
                    };
                    reached.extend(activity.bases(value).into_iter().filter(given));
                }
                // What is copied from there word by word is copied with its shadow.
                if activity.may_lack_shadow(value) && self.is_moved_by_words(pointer, activity) {
                    reached.extend(self.can_have_shadows(value, activity));
                }
                // A place that is one thing or another is both: a local one gets a shadow for the sake of the other.
                reached.extend(self.mixed_locals(pointer, activity));
            }
            Op::Load(_) => {
                reached.extend(self.mixed_locals(&inst.operands[0], activity));
                reached.extend(self.spread_through_globals(id, inst, activity));
                if self.followed.contains(&id)
                    && inst.ty.is_pointer()
                    && activity.is_shadowed(&inst.operands[0])
                    && !is_bare(self.function, self.request, inst)
                {
                    reached.insert(Base::Loaded(id));
                }
                // Behind what is found something active was put, or it may lead to a table with a shadow: its own shadow has to be
                // found, too, wherever it is found.
                if activity.is_shadowed(&Operand::Value(id)) {
                    let given = |base: &Base| {
                        matches!(base, Base::Loaded(_))
                            || !matches!(base, Base::Global(_)) && self.can_have_shadow(base)
                    };
                    reached.extend(activity.bases(&inst.operands[0]).into_iter().filter(given));
                }
            }
            Op::Call(_) if self.is_followed(inst) => {
                self.spread_through_call(id, inst, activity, &mut reached)
            }
            Op::Call(_) => match memory_call(inst) {
                Some(MemoryCall::Copy) => {
                    let [to, from, ..] = inst.operands.as_slice() else { return };
                    if activity.is_shadowed(from) {
                        reached.extend(activity.bases(to));
                    } else if self.is_moved_by_words(to, activity) {
                        reached.extend(self.can_have_shadows(from, activity));
                    }
                    reached.extend(self.mixed_locals(to, activity));
                    reached.extend(self.mixed_locals(from, activity));
                }
                Some(MemoryCall::Fill) => reached.extend(self.mixed_locals(&inst.operands[0], activity)),
                _ => {}
            },
            _ => {}
        }
        // Wherever a pointer that may lead to either goes, whoever finds it there needs its shadow.
        if inst.ty.holds_pointer() {
            reached.extend(self.mixed_locals(&Operand::Value(id), activity));
        }
        reached.remove(&Base::Null);
        reached.retain(|base| !self.is_declared_inactive(base));
        activity.memory.extend(reached);
    }

    /// Whether what lies behind a pointer is copied word by word, with its shadow.
    fn is_moved_by_words(&self, pointer: &Operand, activity: &Activity) -> bool {
        let shared = || SharedWords::of(self.function, self.program).behind(pointer);
        activity.is_shadowed(pointer) && shared().is_some_and(|class| class.copied && class.doubles)
    }

    fn can_have_shadows(&self, pointer: &Operand, activity: &Activity) -> Vec<Base> {
        let found = |base: &Base| matches!(base, Base::Loaded(_));
        let bases = activity.bases(pointer).into_iter();
        bases.filter(|base| self.can_have_shadow(base) || found(base)).collect()
    }

    /// Whether a pointer is found in memory that has a shadow, or can have one: who has put it there, a callee that makes what it
    /// leads to among others, then puts its shadow beside it.
    fn is_found_where_shadows_can_be(&self, base: &Base, activity: &Activity) -> bool {
        let Base::Loaded(load) = base else { return false };
        let Some(load) = self.function.inst(*load).filter(|inst| matches!(inst.op, Op::Load(_))) else {
            return false;
        };
        let holders = activity.bases(&load.operands[0]);
        let can = |base: &Base| {
            self.can_have_shadow(base) && !matches!(base, Base::Global(_)) || activity.has_shadow(base)
        };
        load.ty.is_pointer() && !holders.is_empty() && holders.iter().all(can)
    }

    /// Whether a call is of a function with a body, so that its derivative can be made.
    pub(super) fn is_followed(&self, inst: &Inst) -> bool {
        matches!(self.meaning(inst), Meaning::Call(_))
    }

    /// A call that is given something active may put it wherever it writes, and into what it returns.
    fn spread_through_call(
        &self,
        id: ValueId,
        inst: &Inst,
        activity: &mut Activity,
        reached: &mut BTreeSet<Base>,
    ) {
        let given = |x: &Operand| activity.is_varied(x) || activity.is_shadowed(x);
        let effect = self.effect_of(inst).unwrap_or_default();
        let finds = effect.globals.iter().any(|name| activity.has_shadow(&Base::Global(name.clone())));
        let wanted = activity.has_shadow(&Base::Returned(id)) || is_always_followed(self, inst);
        if !finds && !inst.arguments().iter().any(given) && !wanted {
            return;
        }
        reached.extend(effect.written.iter().cloned().map(Base::Global));
        // Behind the pointers that are found in a global the callee may put something active, which the next call finds.
        reached.extend(
            effect.globals.iter().filter(|name| self.lends(name, activity)).cloned().map(Base::Global),
        );
        let custom = self.find_custom_call(inst).is_some();
        let kept = self.stays_among_integers(inst, &effect, activity);
        for (at, argument) in inst.arguments().iter().enumerate() {
            // A callee that takes a number for an address is refused itself, if what it puts there is active.
            if !self.function.operand_type(argument).holds_pointer() {
                continue;
            }
            match effect.changed.contains(&at) {
                true if custom => {
                    let bases = activity.bases(argument).into_iter();
                    reached.extend(bases.filter(|base| needs_shadow(self.program, base)));
                }
                true if kept && effect.is_closed(at) => reached.extend(self.mixed_locals(argument, activity)),
                true => reached.extend(activity.bases(argument)),
                false => reached.extend(self.mixed_locals(argument, activity)),
            }
        }
        if inst.ty.is_pointer() {
            reached.insert(Base::Returned(id));
        }
        activity.calls.insert(id, effect);
    }

    /// Whether what a callee moves among some of what it is given stays inactive there, see `closed`. A pointer that it returns might
    /// be taken for one to active memory.
    fn stays_among_integers(&self, inst: &Inst, effect: &Effect, activity: &Activity) -> bool {
        let carries = |argument: &Operand| {
            matches!(self.function.operand_type(argument).scalar(), Type::Int(_))
                && activity.is_varied(argument)
        };
        let shadowed =
            |at: &usize| inst.arguments().get(*at).is_none_or(|argument| activity.is_shadowed(argument));
        !inst.ty.holds_pointer()
            && !effect.frees_others
            && !inst.arguments().iter().any(carries)
            && !effect.tapped.iter().any(shadowed)
    }

    /// Whether this function puts pointers to memory of its own into a global, and no others.
    fn lends(&self, global: &str, activity: &Activity) -> bool {
        let Some(lent) = self.lent.get_or_init(|| self.find_lent(activity)).get(global) else { return false };
        let made = |base: &Base| matches!(base, Base::Heap(_) | Base::Stack(_));
        self.can_have_shadow(&Base::Global(global.to_owned()))
            && lent.iter().any(made)
            && lent.iter().all(|base| made(base) || *base == Base::Null)
    }

    /// Where the pointers lead that this function puts into each global. Where pointers lead does not change as more becomes active.
    fn find_lent(&self, activity: &Activity) -> BTreeMap<String, BTreeSet<Base>> {
        let mut lent: BTreeMap<String, BTreeSet<Base>> = BTreeMap::new();
        for (_, inst) in self.live_insts().filter(|(_, inst)| matches!(inst.op, Op::Store(_))) {
            if !self.function.operand_type(&inst.operands[0]).is_pointer() {
                continue;
            }
            for base in activity.bases(&inst.operands[1]) {
                let Base::Global(name) = base else { continue };
                lent.entry(name).or_default().extend(activity.bases(&inst.operands[0]));
            }
        }
        lent
    }

    /// The places a pointer may lead to beside memory that has a shadow, and that can have one too.
    fn mixed_locals(&self, pointer: &Operand, activity: &Activity) -> Vec<Base> {
        if !activity.is_shadowed(pointer) {
            return Vec::new();
        }
        activity.bases(pointer).into_iter().filter(|base| self.can_have_shadow(base)).collect()
    }

    /// All that one call may free is freed in the same sweep, so all of it is active if some is. Whether that is more
    /// than was active.
    pub(super) fn spread_through_frees(&self, activity: &mut Activity) -> bool {
        let before = activity.memory.len();
        for (_, inst) in self.live_insts() {
            if !matches!(memory_call(inst), Some(MemoryCall::Free { .. })) {
                continue;
            }
            let behind = activity.allocations(&inst.operands[0]);
            let shadowed = activity.is_shadowed(&inst.operands[0]);
            if shadowed || behind.iter().any(|base| activity.has_shadow(base)) {
                let found = activity.bases(&inst.operands[0]).into_iter();
                let found = found.filter(|base| matches!(base, Base::Loaded(_)));
                let made = behind.into_iter().filter(|base| matches!(base, Base::Heap(_)));
                activity.memory.extend(found.chain(made).collect::<Vec<_>>());
            }
        }
        activity.memory.len() > before
    }
}

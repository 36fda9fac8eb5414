//! Memory that may hold something active has a shadow, and nothing active gets where there is none.
//!
//! The plan claims which places have shadows. To these is added whatever a value that varies, or a pointer to a place
//! with a shadow, is stored into, and whatever is accessed by one pointer together with such a place, until nothing
//! is added. The claim is right if nothing was.

use std::collections::BTreeSet;

use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use super::role::Role;
use super::taped::{is_laid, is_shared};
use super::{Obligation, Proof};
use crate::model::{Access, BlockId, Constant, Inst, Op, Operand, Ordering, Type, ValueId};
use crate::rules::Shape;

/// What depends on an active parameter.
#[derive(Default)]
pub struct Varied {
    pub values: BTreeSet<ValueId>,
    /// Places with a shadow.
    pub shadowed: BTreeSet<Place>,
}

impl Varied {
    pub fn holds(&self, operand: &Operand) -> bool {
        operand.value().is_some_and(|value| self.values.contains(&value))
    }
}

impl<'a> Proof<'a> {
    /// The places that the plan gives a shadow.
    pub fn claimed_places(&self) -> &BTreeSet<Place> {
        self.claimed.get_or_init(|| self.find_claimed())
    }

    fn find_claimed(&self) -> BTreeSet<Place> {
        let all = self.function.param_ids().map(Place::Param).chain(
            self.function
                .inst_ids()
                .flat_map(|id| [Place::Slot(id), Place::Made(id), Place::Found(id), Place::Returned(id)]),
        );
        let globals = self.program.globals.iter().map(|global| Place::Global(global.name.clone()));
        let all = all.chain(globals);
        all.filter(|place| self.plan.activity.has_shadow(&place.base())).collect()
    }

    pub fn leads_to(&self, pointer: &Operand, places: &BTreeSet<Place>) -> bool {
        self.places.leads_to(pointer, places)
    }

    /// What an instruction adds to the places with shadows.
    pub fn spread(&self, id: ValueId, inst: &'a Inst, varied: &mut Varied) {
        let shadowed = |x: &Operand, varied: &Varied| self.leads_to(x, &varied.shadowed);
        let (written, from) = match (&inst.op, memory_call(inst)) {
            (Op::Store(_), _) => (Some(&inst.operands[1]), Some(&inst.operands[0])),
            (_, Some(MemoryCall::Copy)) => (Some(&inst.operands[0]), Some(&inst.operands[1])),
            (_, Some(MemoryCall::Fill)) => (Some(&inst.operands[0]), None),
            (Op::Load(_), _) if inst.ty.holds_pointer() && shadowed(&inst.operands[0], varied) => {
                if self.leads_on(id) && !self.is_unshadowed(inst) {
                    varied.shadowed.insert(Place::Found(id));
                }
                (None, None)
            }
            _ => (None, None),
        };
        if let (Some(written), Some(from)) = (written, from)
            && (varied.holds(from) || shadowed(from, varied))
            && !self.is_kept_among_integers(inst, varied)
        {
            let places = self.places.lead(written);
            varied.shadowed.extend(places.into_iter().filter(|place| !self.is_declared_inactive(place)));
        }
        self.spread_globals(id, inst, varied);
        if matches!(self.role(inst), Role::Call) {
            self.spread_call(id, inst, varied);
        }
        for pointer in self.accessed_by(inst) {
            if shadowed(pointer, varied) && self.reads_shadow(id, inst, varied) {
                varied.shadowed.extend(self.places.lead(pointer));
            }
        }
    }

    /// Whether a shadow is asked for where an instruction touches memory. A load of a number without a derivative, or of a pointer
    /// to what has no shadow, asks for none, so it may read beside what has shadows what has none.
    fn reads_shadow(&self, id: ValueId, inst: &Inst, varied: &Varied) -> bool {
        let Op::Load(_) = inst.op else { return true };
        let carries = || matches!(inst.ty.scalar(), Type::Int(_)) && self.may_carry(id);
        let leads = || {
            self.leads_on(id)
                || self.plan.activity.is_value_shadowed(id)
                || self.leads_to(&Operand::Value(id), &varied.shadowed)
        };
        inst.ty.holds_float() || carries() || inst.ty.holds_pointer() && leads()
    }

    /// The pointers that an instruction reads or writes through.
    pub fn accessed_by(&self, inst: &'a Inst) -> &'a [Operand] {
        match (&inst.op, memory_call(inst)) {
            (Op::Load(_), _) => &inst.operands[..1],
            (Op::Store(_), _) => &inst.operands[1..2],
            (_, Some(MemoryCall::Copy)) => &inst.operands[..2],
            (_, Some(MemoryCall::Fill)) => &inst.operands[..1],
            _ => &[],
        }
    }

    /// Whether a load may give a derivative.
    pub fn is_load_varied(&self, id: ValueId, inst: &Inst, varied: &Varied) -> bool {
        let float = inst.ty.holds_float() || matches!(inst.ty.scalar(), Type::Int(_)) && self.may_carry(id);
        float && self.leads_to(&inst.operands[0], &varied.shadowed)
    }

    pub fn check_memory(&mut self, insts: &[(ValueId, &'a Inst)], varied: &Varied) {
        let claimed = self.claimed_places().clone();
        for place in &varied.shadowed {
            let without = match place {
                Place::Param(id) => !self.plan.request.activity(id.0 as usize).has_shadow(),
                Place::Slot(_) | Place::Made(_) => false,
                Place::Found(id) => {
                    let load = self.function.inst(*id);
                    !load.is_some_and(|load| {
                        !self.is_unshadowed(load) && self.leads_to(&load.operands[0], &varied.shadowed)
                    })
                }
                Place::Global(name) => {
                    let problem = self.find_bad_shadow(name);
                    let message = problem.map(|problem| format!("the global `{name}` {problem}"));
                    message.into_iter().for_each(|message| self.report(Obligation::NothingUnknown, message));
                    false
                }
                Place::Returned(id) if self.function.inst(*id).is_some_and(is_shared) => {
                    self.plan.request.mode.is_reverse()
                }
                Place::Returned(id) => {
                    !self.plan.calls.get(id).is_some_and(|call| call.request.shadow_return)
                }
                Place::Outside => true,
            };
            if without {
                let message = format!("{place:?} may hold something active, and can have no shadow");
                self.report(Obligation::NothingUnknown, message);
            } else if !claimed.contains(place) {
                let message = format!("{place:?} may hold something active, and has no shadow");
                self.report(Obligation::Closed, message);
            }
        }
        for (id, inst) in insts {
            let shadowed = self.leads_to(&Operand::Value(*id), &varied.shadowed);
            if inst.ty.holds_pointer() && shadowed && !self.plan.activity.is_value_shadowed(*id) {
                let message = format!("{} leads to a shadow, and the plan does not know", self.describe(*id));
                self.report(Obligation::Closed, message);
            }
            if let Some((obligation, problem)) = self.find_memory_fault(*id, inst, varied) {
                let message = format!("{} {problem}", self.describe(*id));
                self.report(obligation, message);
            }
        }
    }

    fn find_memory_fault(
        &self,
        id: ValueId,
        inst: &'a Inst,
        varied: &Varied,
    ) -> Option<(Obligation, &'static str)> {
        let shadowed = |x: &Operand| self.leads_to(x, &varied.shadowed);
        let any = inst.operands.iter().any(&shadowed);
        let unknown = |problem| Some((Obligation::NothingUnknown, problem));
        let lost = |problem| Some((Obligation::Differentiable, problem));
        match (&inst.op, memory_call(inst)) {
            (Op::Load(access), _) if self.is_active(id) && !is_ordinary(access) => {
                lost("is atomic or volatile")
            }
            (Op::Load(_) | Op::Store(_), _) if self.is_laid_unclear(inst) => {
                unknown("lays a pointer in a record, or takes one back, nobody knows where")
            }
            (Op::Store(_), _) if self.is_unshadowed(inst) && shadowed(&inst.operands[0]) => {
                unknown("lays a pointer with a shadow where others take it for one without")
            }
            (Op::Load(_), _) => None,
            (Op::Store(access), _) if varied.holds(&inst.operands[0]) && !is_ordinary(access) => {
                lost("is atomic or volatile")
            }
            (Op::Store(_), _) if varied.holds(&inst.operands[0]) && self.leads_nowhere(&inst.operands[1]) => {
                unknown("puts what varies nobody knows where")
            }
            (Op::Store(_) | Op::Ret | Op::Alloca(_), _) => None,
            (_, Some(MemoryCall::Allocate)) => self.find_made_fault(id, varied),
            (_, Some(MemoryCall::Free)) => self.find_free_fault(id, inst, varied),
            (_, Some(MemoryCall::Copy))
                if !any && !varied.shadowed.is_empty() && self.hands_on_unknown(inst) =>
            {
                unknown("copies what nobody knows to where it is read")
            }
            (_, Some(_)) if !any => None,
            (_, Some(MemoryCall::Fill)) => {
                let known = matches!(&inst.operands[1], Operand::Const(Constant::Int { .. }));
                let floats = || self.contents(&inst.operands[..1]).iter().all(|ty| !ty.holds_pointer());
                let laid =
                    || inst.operands[0].value().and_then(|id| self.function.inst(id)).is_some_and(is_laid);
                // A derivative has cleared a shadow, in which it knew that there are no pointers; or all of the program takes what is
                // there for integers.
                let told = || {
                    let call = inst.op.call().into_iter().flat_map(|call| &call.attributes);
                    let marks = ["backsweep-pointerless", "backsweep.integers"];
                    call.into_iter().any(|text| marks.iter().any(|mark| text.contains(mark)))
                };
                if known && (self.is_ours(&inst.operands[0]) || floats() || laid() || told()) {
                    None
                } else {
                    lost("fills what has a shadow with an unknown byte, or may hold pointers")
                }
            }
            (_, Some(MemoryCall::Copy)) => self.find_copy_fault(id, inst, varied),
            _ if self.plan.calls.contains_key(&id) => self.find_freeing_call_fault(inst),
            _ if matches!(self.role(inst), Role::Call) => None,
            _ => self.find_lost_pointer(inst, any),
        }
    }

    /// Whether a copy is of memory that is not followed, to where a float or a pointer may be read, by whatever name.
    fn hands_on_unknown(&self, copy: &Inst) -> bool {
        let target = self.places.lead(&copy.operands[0]);
        let reads = |inst: &Inst| {
            let kind = inst.ty.holds_float() || inst.ty.holds_pointer();
            matches!(inst.op, Op::Load(_)) && kind && self.leads_to(&inst.operands[0], &target)
        };
        let apart = target.iter().all(|place| self.is_private(place));
        self.places.lead(&copy.operands[1]).contains(&Place::Outside)
            && (!apart || self.live_insts().iter().any(|(_, inst)| reads(inst)))
    }

    /// A pointer to a shadowed place goes nowhere but where its shadow can follow.
    fn find_lost_pointer(&self, inst: &'a Inst, any: bool) -> Option<(Obligation, &'static str)> {
        let packs = inst.ty.holds_pointer() && !inst.ty.is_pointer();
        match self.role(inst) {
            _ if !any => None,
            Role::Unknown { escapes: true, .. } | Role::Row { shape: Shape::Stored { .. }, .. } => {
                Some((Obligation::NothingUnknown, "is given a pointer to what has a shadow"))
            }
            Role::Carry { .. } if packs => {
                Some((Obligation::Differentiable, "packs a pointer with a shadow"))
            }
            Role::Row { .. }
            | Role::Carry { .. }
            | Role::Unknown { .. }
            | Role::Memory
            | Role::Nothing
            | Role::Call
            | Role::Return => None,
        }
    }

    fn leads_nowhere(&self, pointer: &Operand) -> bool {
        let null = matches!(pointer, Operand::Const(constant) if constant.is_nowhere());
        !null && self.places.lead(pointer).is_empty() && pointer.value().is_none()
    }

    /// The types with which the places of some pointers are accessed. A constant that is written as an integer may be the bits of anything,
    /// and brings no derivative; and so may what was read as one where nothing has a shadow.
    pub fn contents(&self, pointers: &[Operand]) -> Vec<Type> {
        let places: BTreeSet<Place> = pointers.iter().flat_map(|x| self.places.lead(x)).collect();
        let accesses = self.function.inst_ids().filter_map(|id| self.function.inst(id));
        let types = accesses.filter_map(|inst| {
            let pointer = self.accessed_by(inst).first()?;
            let ty = match inst.op {
                Op::Load(_) => inst.ty.clone(),
                Op::Store(_) if self.is_without_derivative(&inst.operands[0]) => return None,
                Op::Store(_) => self.function.operand_type(&inst.operands[0]),
                _ => return None,
            };
            self.leads_to(pointer, &places).then_some(ty)
        });
        types.collect()
    }

    fn is_without_derivative(&self, integer: &Operand) -> bool {
        let load = match integer {
            Operand::Const(constant) => return matches!(constant, Constant::Int { .. }),
            Operand::Value(id) => self.function.inst(*id).filter(|inst| matches!(inst.op, Op::Load(_))),
        };
        let integer = load.filter(|load| matches!(load.ty.scalar(), Type::Int(_)));
        integer.is_some_and(|load| self.has_no_shadow(&load.operands[0], self.claimed_places()))
    }

    /// Whether a pointer leads to memory of which all is known, and to none that has a shadow.
    pub fn has_no_shadow(&self, pointer: &Operand, shadowed: &BTreeSet<Place>) -> bool {
        let places = self.places.lead(pointer);
        let known = |place: &Place| {
            matches!(place, Place::Param(_) | Place::Slot(_) | Place::Made(_) | Place::Global(_))
        };
        !places.is_empty() && places.iter().all(known) && !self.leads_to(pointer, shadowed)
    }

    /// Whether a block's instructions run once in each call.
    pub fn runs_once(&self, value: ValueId) -> bool {
        let once = |home: BlockId| !self.paths.repeats(home);
        self.paths.home(value).is_some_and(once)
    }
}

fn is_ordinary(access: &Access) -> bool {
    !access.volatile && access.ordering == Ordering::NotAtomic
}

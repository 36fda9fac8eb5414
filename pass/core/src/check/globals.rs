//! Every global that may hold something active has a shadow of its size, whose pointers lead where the global's do, and
//! no pointer of unknown origin gets past it.

use std::collections::BTreeSet;

use super::finds::calls_body;
use super::memory::Varied;
use super::memory_calls::{MemoryCall, memory_call};
use super::places::Place;
use super::role::Role;
use super::{Obligation, Proof};
use crate::model::{
    Constant, Global, GlobalDerivative, Inst, Layout, Linkage, Op, Operand, Program, Stands, Type, ValueId,
};
use crate::plan::{Arrival, GlobalShadow, LeadsTo, PointerIn};
use crate::request::Mode;
use crate::rules::only_reads_for_program;

/// The global or function that an address leads into, through other names for it, and how far behind its start.
pub fn target_of(program: &Program, address: &Constant) -> Option<(String, i64)> {
    match address {
        Constant::Offset { base, bytes } => {
            let (name, at) = target_of(program, base)?;
            Some((name, at + bytes))
        }
        Constant::Symbol { name, .. } => match program.aliases.iter().find(|alias| alias.name == *name) {
            None => Some((name.clone(), 0)),
            Some(alias) if alias.stands == Stands::ForAddress => target_of(program, &alias.to),
            Some(_) => None,
        },
        _ => None,
    }
}

/// The pointers among the parts of a constant, as far as its type shows them, by their distance from its start.
pub fn pointers_in(ty: &Type, value: &Constant, at: u64, layout: &Layout, found: &mut Vec<(u64, Constant)>) {
    match (ty, value) {
        (Type::Ptr(_), _) => found.push((at, value.clone())),
        (_, Constant::Aggregate { parts, .. }) => {
            for (index, part) in (0..).zip(parts) {
                let place = layout.field_offset(ty, index).unwrap_or_default();
                pointers_in(&part.ty(), part, at + place, layout, found);
            }
        }
        _ => {}
    }
}

/// Where the pointers that a global of fixed contents holds lead; `None` where that is not known.
pub fn fixed_contents(program: &Program, global: &Global) -> Option<BTreeSet<String>> {
    let initial = global.initial.as_ref().filter(|_| global.constant)?;
    let (mut names, mut known) = (BTreeSet::new(), true);
    initial.walk(&mut |part| match part {
        Constant::Symbol { .. } | Constant::Offset { .. } => match target_of(program, part) {
            Some((name, _)) => names.extend(program.global(&name).map(|_| name)),
            None => known = false,
        },
        Constant::Expr { .. } => known = false,
        Constant::Opaque { ty, .. } => known &= !ty.holds_pointer(),
        _ => {}
    });
    let mut pointers = Vec::new();
    pointers_in(&global.ty, initial, 0, &Layout::parse(&program.layout), &mut pointers);
    (known && pointers.len() <= 1024).then_some(names)
}

/// The globals that the initial value of one leads to.
pub fn initial_targets(program: &Program, name: &str) -> BTreeSet<String> {
    let mut targets = BTreeSet::new();
    if let Some(initial) = program.global(name).and_then(|global| global.initial.as_ref()) {
        initial.walk(&mut |part| {
            if let Constant::Symbol { .. } = part {
                let target = target_of(program, part).map(|(name, _)| name);
                targets.extend(target.filter(|name| program.global(name).is_some()));
            }
        });
    }
    targets
}

/// Those, and theirs.
pub fn reached_from(program: &Program, name: &str) -> BTreeSet<String> {
    let (mut reached, mut waiting) = (BTreeSet::new(), Vec::from([name.to_owned()]));
    while let Some(name) = waiting.pop() {
        waiting
            .extend(initial_targets(program, &name).into_iter().filter(|name| reached.insert(name.clone())));
    }
    reached
}

/// Whether a global and all that it leads to are tables that C++ compilers lay out for classes: constant, and without a number.
fn stands_for_itself(program: &Program, name: &str) -> bool {
    let is_table = |name: &String| {
        let is_named = ["_ZTV", "_ZTI", "_ZTS", "_ZTT", "_ZTC"].iter().any(|start| name.starts_with(start));
        let fixed = program.global(name).is_some_and(|global| global.constant && !global.ty.holds_float());
        name.starts_with("_ZTVN10__cxxabiv1") || is_named && fixed
    };
    is_table(&name.to_owned()) && reached_from(program, name).iter().all(is_table)
}

/// Whether the attributes of a call say that it touches no memory of the program but what its arguments point to.
pub fn stays_outside(inst: &Inst, program: &Program) -> bool {
    let callee = inst.callee_name().and_then(|name| program.function(name));
    let mut attributes: Vec<&String> = callee.into_iter().flat_map(|callee| &callee.attributes).collect();
    attributes.extend(inst.op.call().into_iter().flat_map(|call| &call.attributes));
    attributes.into_iter().any(|text| {
        let inner = text.strip_prefix("memory(").and_then(|text| text.strip_suffix(')'));
        let known = ["argmem: ", "inaccessiblemem: ", "errnomem: "];
        let named = |part: &str| known.iter().any(|place| part.starts_with(place));
        inner.is_some_and(|inner| inner == "none" || inner.split(", ").all(named))
    })
}

impl<'a> Proof<'a> {
    pub fn is_declared_inactive(&self, place: &Place) -> bool {
        let Place::Global(name) = place else { return false };
        self.program.global(name).is_some_and(|global| global.derivative == GlobalDerivative::Nothing)
    }

    /// Pointers found in a global have their shadows in its shadow, if any of them or what they lead to has one.
    pub fn spread_globals(&self, id: ValueId, inst: &Inst, varied: &mut Varied) {
        if !matches!(inst.op, Op::Load(_)) || !inst.ty.holds_pointer() {
            return;
        }
        let found = self.leads_to(&Operand::Value(id), &varied.shadowed);
        if !found && !self.leads_on(id) {
            return;
        }
        let mut names = self.places.found_at_start(id);
        for place in self.places.lead(&inst.operands[0]) {
            match place {
                Place::Global(name) => drop(names.insert(name)),
                Place::Found(load) => names.extend(self.places.found_at_start(load)),
                _ => {}
            }
        }
        names.retain(|name| self.could_have_shadow(name));
        let family: BTreeSet<Place> = names.into_iter().map(Place::Global).collect();
        if found || !family.is_disjoint(&varied.shadowed) {
            varied.shadowed.extend(family);
        }
    }

    /// Whether a shadow can be made for a global, or was declared. What leads to others is looked at where it is used.
    fn could_have_shadow(&self, name: &str) -> bool {
        let size = |global: &Global| Layout::parse(&self.program.layout).size_of(&global.ty);
        self.program.global(name).is_some_and(|global| match &global.derivative {
            GlobalDerivative::Nothing => false,
            GlobalDerivative::Declared(_) => true,
            GlobalDerivative::Made => global.space == 0 && size(global).is_some_and(|bytes| bytes > 0),
        })
    }

    /// Why the shadow that the plan gives a global is none.
    pub fn find_bad_shadow(&self, name: &str) -> Option<&'static str> {
        let layout = Layout::parse(&self.program.layout);
        let global = self.program.global(name);
        let size = |global: &Global| layout.size_of(&global.ty).filter(|bytes| *bytes > 0);
        let (Some(global), Some(bytes)) = (global, global.and_then(size)) else { return Some("has no size") };
        let Some(decision) = self.plan.globals.get(name) else { return Some("is given no shadow") };
        let split = matches!(self.plan.request.mode, Mode::Augmented | Mode::Reverse);
        match (&decision.choice, &global.derivative) {
            (GlobalShadow::Declared(given), GlobalDerivative::Declared(declared)) => {
                let room = self.program.global(declared).and_then(size);
                let wanted = bytes * u64::from(self.plan.request.width);
                (given != declared || room.is_none_or(|room| room < wanted))
                    .then_some("has a declared shadow that is another, or too small")
            }
            (GlobalShadow::Declared(_), _)
            | (_, GlobalDerivative::Declared(_) | GlobalDerivative::Nothing) => {
                Some("has not the shadow that was declared")
            }
            (GlobalShadow::Itself, _) => (!stands_for_itself(self.program, name))
                .then_some("is taken for its own shadow, and may hold a number"),
            (GlobalShadow::Given, _) => (!self.plan.request.globals.iter().any(|given| given == name))
                .then_some("has a shadow that the caller does not hand over"),
            (GlobalShadow::Slot { .. }, _) if split => {
                Some("has a shadow that the second half does not find")
            }
            (GlobalShadow::Slot { bytes: given } | GlobalShadow::Heap { bytes: given }, _) => {
                (*given < bytes || global.space != 0).then_some("has a shadow that does not fit")
            }
        }
    }

    fn makes_shadow_of(&self, name: &str) -> bool {
        let made =
            |choice: &GlobalShadow| !matches!(choice, GlobalShadow::Declared(_) | GlobalShadow::Itself);
        self.plan.globals.get(name).is_some_and(|decision| made(&decision.choice))
    }

    /// The shadows of fixed pointers lead to the shadows of where these lead; the others are looked up, or null.
    pub fn check_pointers_in(&mut self, varied: &Varied) {
        let layout = Layout::parse(&self.program.layout);
        // What initial values say, and what of that is needed: a plan may give shadows to more than that.
        let (mut said, mut expected) = (Vec::new(), Vec::new());
        let needed = |name: &str| varied.shadowed.contains(&Place::Global(name.to_owned()));
        for global in &self.program.globals {
            let constant = self.makes_shadow_of(&global.name) && global.constant;
            let Some(initial) = global.initial.as_ref().filter(|_| constant) else { continue };
            let fixed = needed(&global.name) && fixed_contents(self.program, global).is_some();
            let mut pointers = Vec::new();
            pointers_in(&global.ty, initial, 0, &layout, &mut pointers);
            for (offset, pointer) in pointers {
                let Some((to, bytes)) = target_of(self.program, &pointer) else { continue };
                let both = fixed && needed(&to);
                if both || self.plan.globals.contains_key(&to) {
                    let leads_to = LeadsTo::Place { global: to, bytes };
                    let pointer = PointerIn { global: global.name.clone(), offset, leads_to };
                    expected.extend(both.then(|| pointer.clone()));
                    said.push(pointer);
                }
            }
        }
        let planned = &self.plan.pointers_in;
        let missing = expected.iter().filter(|pointer| !planned.contains(pointer));
        let mut messages: Vec<String> =
            missing.map(|pointer| format!("the shadow of {pointer:?} is not filled in")).collect();
        for pointer in planned {
            let sure = matches!(pointer.leads_to, LeadsTo::Place { .. });
            let constant = self.program.global(&pointer.global).is_some_and(|global| global.constant);
            let elements = pointer.leads_to == LeadsTo::Elements;
            if elements && !self.may_have_elements(pointer) {
                messages.push(format!("{pointer:?} is no array whose elements may have a shadow"));
            }
            if sure && !said.contains(pointer) || !sure && constant {
                messages.push(format!("{pointer:?} is not what the initial value says"));
            }
        }
        messages.into_iter().for_each(|message| self.report(Obligation::Storage, message));
    }

    /// No pointer from out of sight is used for what may be derived before it was compared with the globals whose
    /// shadows the derivative makes.
    pub fn check_arrivals(&mut self, insts: &[(ValueId, &'a Inst)], varied: &Varied) {
        let mut exposed: Vec<Arrival> = self
            .program
            .globals
            .iter()
            .filter(|global| {
                let open = global.address_taken || global.linkage != Linkage::Local;
                open && self.makes_shadow_of(&global.name)
                    && varied.shadowed.contains(&Place::Global(global.name.clone()))
            })
            .map(|global| Arrival::Belongs(global.name.clone()))
            .collect();
        if self.plan.globals.keys().any(|name| self.holds_arrays(name)) {
            exposed.push(Arrival::Elements);
        }
        let mut problems = Vec::new();
        let params = self.function.param_ids().filter(|id| self.function.value_type(*id).is_pointer());
        let returned = insts.iter().map(|(id, _)| *id).filter(|id| {
            self.places.lead(&Operand::Value(*id)).contains(&Place::Returned(*id))
                && self.is_touched(insts, &Place::Returned(*id), varied).derived
        });
        let mut wanted: Vec<(ValueId, Vec<Arrival>)> = Vec::new();
        for param in params.filter(|id| self.is_touched(insts, &Place::Param(*id), varied).derived) {
            wanted.push((param, exposed.clone()));
            if self.leads_to(&Operand::Value(param), &varied.shadowed) {
                wanted.push((param, self.bare_globals(insts, varied)));
            }
        }
        wanted.extend(returned.map(|id| (id, exposed.clone())));
        for (id, inst) in
            insts.iter().filter(|(_, inst)| matches!(inst.op, Op::Load(_)) && inst.ty.is_pointer())
        {
            let found = Place::Found(*id);
            let from = self.places.lead(&inst.operands[0]);
            let touched = self.is_touched(insts, &found, varied);
            let mut arrivals = Vec::new();
            if touched.derived && !from.iter().all(|place| matches!(place, Place::Slot(_) | Place::Made(_))) {
                arrivals.extend(exposed.clone());
            }
            let filled = |place: &Place| match place {
                Place::Global(name) => self.holds_arrays(name),
                _ => matches!(place, Place::Slot(_) | Place::Made(_)),
            };
            if from.iter().all(filled) {
                arrivals.retain(|arrival| *arrival != Arrival::Elements);
            }
            let global = |place: &Place| matches!(place, Place::Global(name) if self.makes_shadow_of(name));
            if touched.shadow && varied.shadowed.contains(&found) && from.iter().any(global) {
                arrivals.push(Arrival::HasShadow);
            }
            wanted.push((*id, arrivals));
        }
        for (pointer, arrivals) in wanted {
            let planned = self.plan.arrivals.get(&pointer).map_or(&[][..], Vec::as_slice);
            for arrival in arrivals.iter().filter(|arrival| !planned.contains(arrival)) {
                problems
                    .push(format!("{} is not compared when it arrives: {arrival:?}", self.describe(pointer)));
            }
        }
        problems.into_iter().for_each(|message| self.report(Obligation::NothingUnknown, message));
    }

    /// Globals of floats without a shadow, which an argument with one must not lead to.
    fn bare_globals(&self, insts: &[(ValueId, &'a Inst)], varied: &Varied) -> Vec<Arrival> {
        let bare = self.program.globals.iter().filter(|global| {
            let open = global.address_taken || global.linkage != Linkage::Local;
            let place = Place::Global(global.name.clone());
            open && !global.constant
                && global.derivative == GlobalDerivative::Made
                && !varied.shadowed.contains(&place)
                && self.is_touched(insts, &place, varied).derived
        });
        bare.map(|global| Arrival::Outside(global.name.clone())).collect()
    }

    /// The instructions that touch memory, with the pointers by which they do.
    fn find_touches(&self, insts: &[(ValueId, &'a Inst)]) -> Vec<Touching<'a>> {
        let pointers = |inst: &'a Inst| match inst.op {
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } => vec![&inst.operands[0]],
            _ if memory_call(inst) == Some(MemoryCall::Free) => vec![&inst.operands[0]],
            // Of what a callee only compares and hands on it neither finds nor leaves anything.
            _ if memory_call(inst).is_none() && calls_body(self.program, inst) => self.looked_behind(inst),
            _ => self.accessed_by(inst).iter().collect(),
        };
        let touching = insts.iter().map(|(id, inst)| (*id, *inst, pointers(inst)));
        touching.filter(|(_, _, pointers)| !pointers.is_empty()).collect()
    }

    fn is_touched(&self, insts: &[(ValueId, &'a Inst)], place: &Place, varied: &Varied) -> Touched {
        let place = BTreeSet::from([place.clone()]);
        let mut touched = Touched::default();
        for (id, inst, pointers) in self.touches.get_or_init(|| self.find_touches(insts)) {
            let behind = pointers.iter().any(|pointer| self.leads_to(pointer, &place));
            let has_shadow = |x: &Operand| self.leads_to(x, &varied.shadowed);
            let (derived, shadow) = match &inst.op {
                _ if !behind => continue,
                Op::Load(_) if inst.ty.holds_float() => (true, true),
                Op::Load(_) if inst.ty.holds_pointer() => (false, has_shadow(&Operand::Value(*id))),
                Op::Load(_) => {
                    let float = self.may_carry(*id);
                    (float, float)
                }
                Op::Store(_) => {
                    let ty = self.function.operand_type(&inst.operands[0]);
                    let pointer = ty.holds_pointer() && has_shadow(&inst.operands[0]);
                    (!ty.holds_pointer(), ty.holds_float() || pointer)
                }
                // What is called takes what it is given as it is.
                Op::Call(_) | Op::Invoke { .. } if memory_call(inst).is_none() => (true, false),
                _ => (true, true),
            };
            touched.derived |= derived;
            touched.shadow |= shadow;
        }
        touched
    }

    /// Code out of sight may touch any global.
    pub fn check_hidden_access(&mut self, insts: &[(ValueId, &'a Inst)], varied: &Varied) {
        // Of a constant nobody reads a derivative that was not declared, and nobody writes there.
        let varies = |name: &str| {
            let declared = |global: &Global| matches!(global.derivative, GlobalDerivative::Declared(_));
            self.program.global(name).is_none_or(|global| !global.constant || declared(global))
        };
        let matters = |place: &Place| match place {
            Place::Global(name) => varies(name) && self.may_hold_floats(place),
            _ => false,
        };
        if !varied.shadowed.iter().any(matters) {
            return;
        }
        let is_found_by_libraries = |place: &Place| match place {
            Place::Global(name) => self.program.global(name).is_none_or(Global::is_exposed),
            _ => false,
        };
        let found = varied.shadowed.iter().any(|place| matters(place) && is_found_by_libraries(place));
        let mut calls = Vec::new();
        for (id, inst) in insts {
            let call = matches!(inst.op, Op::Call(_) | Op::Invoke { .. } | Op::CallBr { .. });
            let unknown = match self.role(inst) {
                Role::Call => self.may_leave(inst),
                Role::Unknown { escapes: true, .. } if only_reads_for_program(inst) => found,
                Role::Unknown { escapes: true, .. } => !stays_outside(inst, self.program),
                _ => false,
            };
            if call && unknown {
                calls.push(format!("{} may touch globals that have shadows", self.describe(*id)));
            }
        }
        calls.into_iter().for_each(|message| self.report(Obligation::NothingUnknown, message));
    }
}

/// An instruction that touches memory, and the pointers by which it does.
pub(super) type Touching<'a> = (ValueId, &'a Inst, Vec<&'a Operand>);

/// How the places behind a pointer are used.
#[derive(Default)]
struct Touched {
    /// Something that may be derived is read or written.
    derived: bool,
    /// The shadow behind the pointer's shadow is.
    shadow: bool,
}

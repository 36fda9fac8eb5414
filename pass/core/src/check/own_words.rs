//! Copies between memory that this call made and that nobody else finds, of which not every word is spoken of.
//!
//! To a word of such a shadow something is added only where a float is read there. So a copy may be taken for one of an array of
//! floats if all floats in the memory are of that kind and stand where its elements would, whatever else lies there, unless
//! that is a pointer. Where it is not known at which words a copy starts, or pointers lie between doubles, the reverse sweep seeks
//! the numbers. And it may be taken for one of pointers if there is no float, and each pointer stored there has a shadow.

use std::collections::{BTreeMap, BTreeSet};

use super::Proof;
use super::atomic_counts::is_atomic_count;
use super::memory::Varied;
use super::memory_calls::{MemoryCall, memory_call, tells_alignment};
use super::places::Place;
use super::stands::Stand;
use crate::model::{Access, Constant, FloatKind, Inst, Op, Operand, Type, ValueId};

/// One who touches the memory: how, and as what.
struct Toucher<'a> {
    access: &'a Access,
    ty: Type,
    /// By what address, if it is one of this function.
    address: Option<&'a Operand>,
    /// What is stored, if something is.
    stored: Option<&'a Operand>,
    /// What has no derivative, by the plan or by what it was computed from.
    idle: bool,
}

impl<'a> Proof<'a> {
    pub fn copies_own_array(&self, copy: &'a Inst, kind: FloatKind, varied: &Varied) -> bool {
        let Some(joined) = self.find_joined(copy, Some(kind), varied) else { return false };
        let size = u64::from(kind.bits() / 8);
        let fits = |toucher: &Toucher| match toucher.ty.scalar() {
            Type::Float(found) => toucher.idle || *found == kind && self.fits_at(toucher, size),
            Type::Int(_) => true,
            _ => false,
        };
        let stored = self.live_insts().into_iter().filter(|(_, inst)| matches!(inst.op, Op::Store(_)));
        let mut kept =
            stored.map(|(_, inst)| &inst.operands[0]).filter(|x| !self.made_behind(x).is_disjoint(&joined));
        let length = match &copy.operands[2] {
            Operand::Const(bytes) => bytes.as_signed().is_some_and(|bytes| bytes % i128::from(size) == 0),
            Operand::Value(_) => true,
        };
        length
            && joined.iter().all(|place| self.starts_at(place, size))
            && copy.operands[..2].iter().all(|x| self.stands_at(x, size))
            && kept.all(|x| self.stands_at(x, size))
            && self.touchers(&joined, varied).is_some_and(|touchers| touchers.iter().all(fits))
    }

    pub fn copies_own_pointers(&self, copy: &'a Inst, varied: &Varied) -> bool {
        let Some(joined) = self.find_joined(copy, None, varied) else { return false };
        let has_shadow = |place: &Place| varied.shadowed.contains(place);
        let known = |place: &Place| has_shadow(place) || !self.may_hold_floats(place);
        let fits = |toucher: &Toucher| match &toucher.ty {
            Type::Ptr(_) => toucher.stored.is_none_or(|x| self.places.lead(x).iter().all(known)),
            other => {
                toucher.idle && matches!(other.scalar(), Type::Float(_))
                    || matches!(other.scalar(), Type::Int(_))
            }
        };
        let ends = copy.operands[..2].iter().all(|x| self.leads_to(x, &varied.shadowed));
        ends && joined.iter().all(has_shadow)
            && self.touchers(&joined, varied).is_some_and(|touchers| touchers.iter().all(fits))
    }

    /// The reverse sweep finds the floats by what is in the shadow: a number, or what no sum of adjoints is, an address or nothing.
    /// So there has to be nothing but doubles at their places, and pointers whose shadows the forward sweep moves. What is
    /// foreign may only be an array of doubles.
    pub fn copies_own_words(&self, copy: &'a Inst, pointers: bool, varied: &Varied) -> bool {
        let Some(joined) = self.find_joined(copy, Some(FloatKind::Double), varied) else { return false };
        let has_shadow = |place: &Place| varied.shadowed.contains(place);
        let known = |place: &Place| has_shadow(place) || !self.may_hold_floats(place);
        let fits = |toucher: &Toucher| match (&toucher.ty, toucher.ty.scalar()) {
            (_, Type::Float(FloatKind::Double)) if !toucher.idle => self.fits_at(toucher, 8),
            (_, Type::Int(_)) => true,
            (Type::Ptr(_), _) => {
                pointers && toucher.stored.is_none_or(|x| self.places.lead(x).iter().all(known))
            }
            (_, Type::Float(_)) => toucher.idle,
            _ => false,
        };
        let moved = || {
            copy.operands[..2].iter().all(|x| self.leads_to(x, &varied.shadowed))
                && joined.iter().all(has_shadow)
        };
        (!pointers || moved())
            && self.touchers(&joined, varied).is_some_and(|touchers| touchers.iter().all(fits))
    }

    /// The memory at both ends and what other copies join with it, if all of it was made here and is found by nobody else.
    /// Copies of foreign memory have to be of floats of the kind.
    fn find_joined(
        &self,
        copy: &'a Inst,
        kind: Option<FloatKind>,
        varied: &Varied,
    ) -> Option<BTreeSet<Place>> {
        let made = |place: &Place| matches!(place, Place::Slot(_) | Place::Made(_));
        let behind = |copy: &Inst| [0, 1].map(|at| self.copied_behind(&copy.operands[at]));
        // Nothing is moved from null, as where memory grows that there was not yet.
        let lost =
            |copy: &Inst| copy.operands[..2].iter().any(|x| !is_null(x) && self.copied_behind(x).is_empty());
        let mut joined: BTreeSet<Place> = behind(copy).into_iter().flatten().collect();
        if lost(copy) || !joined.iter().all(made) {
            return None;
        }
        let copies = self.asked.copies.get_or_init(|| {
            let insts = self.live_insts().into_iter().map(|(_, inst)| inst);
            let copies = insts.filter(|inst| memory_call(inst) == Some(MemoryCall::Copy));
            copies.map(|inst| (inst, behind(inst))).collect()
        });
        let mut known = 0;
        while known < joined.len() {
            known = joined.len();
            for (other, ends) in copies {
                if ends.iter().all(|end| end.is_disjoint(&joined)) {
                    continue;
                }
                if lost(other) {
                    return None;
                }
                let foreign = !ends.iter().flatten().all(made);
                if foreign
                    && !self.is_text(&other.operands[1], varied)
                    && !kind.is_some_and(|kind| self.copies_array(other, &other.operands[..2], kind))
                {
                    return None;
                }
                joined.extend(ends.iter().flatten().filter(|place| made(place)).cloned());
            }
            for call in self.calls_given(&joined)? {
                let mut given: BTreeSet<Place> =
                    call.arguments.iter().flat_map(|x| self.made_behind(x)).collect();
                given.retain(|place| self.may_hold_floats(place));
                if call.touched.iter().any(|(_, ty)| ty.is_pointer()) {
                    let reached = self.reached_from(&given).into_iter();
                    given.extend(reached.filter(|place| self.may_hold_floats(place)));
                }
                if !given.iter().all(made) {
                    return None;
                }
                joined.extend(given);
            }
        }
        let seen = BTreeSet::from([Place::Outside]);
        self.reached_from(&seen).is_disjoint(&joined).then_some(joined)
    }

    /// All who read or write a value there; `None` where somebody does in another way.
    fn touchers(&self, joined: &BTreeSet<Place>, varied: &Varied) -> Option<Vec<Toucher<'a>>> {
        let mut touchers = Vec::new();
        for call in self.calls_given(joined)? {
            touchers.extend(call.touched.iter().map(|(access, ty)| Toucher {
                access,
                ty: ty.clone(),
                address: None,
                stored: None,
                idle: false,
            }));
        }
        let touching = self.asked.touching.get_or_init(|| self.find_touching());
        let ids: BTreeSet<ValueId> =
            joined.iter().filter_map(|place| touching.get(place)).flatten().copied().collect();
        for (id, inst) in ids.into_iter().filter_map(|id| Some((id, self.function.inst(id)?))) {
            let meets = |x: &Operand| !self.made_behind(x).is_disjoint(joined);
            match &inst.op {
                Op::Load(access) if meets(&inst.operands[0]) => {
                    let idle = !self.is_active(id);
                    let address = Some(&inst.operands[0]);
                    touchers.push(Toucher { access, ty: inst.ty.clone(), address, stored: None, idle });
                }
                Op::Store(access) if meets(&inst.operands[1]) => {
                    let ty = self.function.operand_type(&inst.operands[0]);
                    let value = &inst.operands[0];
                    let idle = !varied.holds(value);
                    let address = Some(&inst.operands[1]);
                    touchers.push(Toucher { access, ty, address, stored: Some(value), idle });
                }
                Op::AtomicRmw { .. } | Op::CompareExchange { .. } if is_atomic_count(self.function, inst) => {
                }
                Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::VaArg | Op::Opaque { .. }
                    if inst.operands.iter().any(meets) =>
                {
                    return None;
                }
                _ => {}
            }
        }
        Some(touchers)
    }

    /// Every copy asks who touches its memory.
    fn find_touching(&self) -> BTreeMap<Place, Vec<ValueId>> {
        let mut touching: BTreeMap<Place, Vec<ValueId>> = BTreeMap::new();
        for (id, inst) in self.live_insts() {
            let pointers: &[Operand] = match &inst.op {
                Op::Load(_) => &inst.operands[..1],
                Op::Store(_) => &inst.operands[1..2],
                Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::VaArg | Op::Opaque { .. } => {
                    &inst.operands
                }
                _ => continue,
            };
            let memories: BTreeSet<Place> = pointers.iter().flat_map(|x| self.made_behind(x)).collect();
            for memory in memories {
                touching.entry(memory).or_default().push(id);
            }
        }
        touching
    }

    /// What a copy may move bytes from or to: code for virtual calls and questions of types reads the tables of classes, and nobody copies
    /// them.
    fn copied_behind(&self, pointer: &Operand) -> BTreeSet<Place> {
        self.made_behind(pointer).into_iter().filter(|place| !self.is_table(place)).collect()
    }

    /// Whether a place is a table that a compiler has made of functions and types.
    pub fn is_table(&self, place: &Place) -> bool {
        let Place::Global(name) = place else { return false };
        let starts = ["_ZTV", "_ZTI", "_ZTT", "_ZTC"];
        starts.iter().any(|start| name.starts_with(start)) && !self.may_hold_floats(place)
    }

    /// Whether floats of so many bytes are touched where they lie in an array: it says so itself, or its address does.
    fn fits_at(&self, toucher: &Toucher, size: u64) -> bool {
        let by_address = |address: &Operand| {
            let memory = self.copied_behind(address);
            let leads = |x: &&Operand| !self.made_behind(x).is_disjoint(&memory);
            let stores = self.live_insts().into_iter().filter(|(_, inst)| matches!(inst.op, Op::Store(_)));
            self.stands_at(address, size)
                && memory.iter().all(|place| self.starts_at(place, size))
                && stores.map(|(_, inst)| &inst.operands[0]).filter(leads).all(|x| self.stands_at(x, size))
        };
        toucher.access.align.is_multiple_of(size) || toucher.address.is_some_and(by_address)
    }

    /// Whether a pointer stands a multiple of so many bytes behind the start of what it leads to.
    fn stands_at(&self, pointer: &Operand, size: u64) -> bool {
        let Stand { start, step } = self.seeing().stand_of(pointer);
        start % i128::from(size) == 0 && step % i128::from(size) == 0
    }

    /// Whether memory starts at a multiple of so many bytes. Rust's allocator is told at which.
    fn starts_at(&self, place: &Place, size: u64) -> bool {
        let (Place::Slot(id) | Place::Made(id)) = place else { return false };
        self.function.inst(*id).is_some_and(|made| starts_at_multiple(made, size))
    }
}

pub(super) fn starts_at_multiple(made: &Inst, size: u64) -> bool {
    match (&made.op, made.arguments()) {
        (Op::Alloca(slot), _) => slot.align.is_multiple_of(size),
        (_, [_, Operand::Const(align)]) if tells_alignment(made) => {
            align.as_signed().is_some_and(|align| align % i128::from(size) == 0)
        }
        _ => !tells_alignment(made) && memory_call(made) == Some(MemoryCall::Allocate),
    }
}

fn is_null(pointer: &Operand) -> bool {
    matches!(pointer, Operand::Const(Constant::Null(_)))
}

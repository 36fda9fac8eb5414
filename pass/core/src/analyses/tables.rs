//! What pointers lead to that are found in memory of this call: the rows of a table that a function has made itself.
//!
//! Function + bases + what lies where (`ownership`) → for each base what it may be, under the names of allocations. That is known
//! where a pointer is found in memory that is not *loose*: of loose memory others may have the address, or there may be pointers in
//! it that were put there as something else or by somebody else. What lies in loose memory is loose.
//! Lattice: the set of loose memory, by inclusion. Bottom: none. Neither order nor offsets are looked at.
//! Safe error: loose, so that what is found may be whatever others know.

use std::collections::{BTreeMap, BTreeSet};

use super::activity::Activity;
use super::later::ends_slots;
use super::memory_calls::{MemoryCall, memory_call};
use super::pointers::Base;
use crate::model::{CastOp, FloatKind, Function, Inst, IntOp, Op, Operand, Type, ValueId};

#[derive(Default)]
pub struct Tables {
    /// What each pointer that is found may lead to.
    led: BTreeMap<ValueId, BTreeSet<Base>>,
    loose: BTreeSet<Base>,
    /// Memory in which pointers stand, or are looked for.
    holding: BTreeSet<Base>,
    /// Addresses as numbers of which nothing but distances is asked.
    distances: BTreeSet<ValueId>,
}

/// Where more pointers than this are found, none is followed.
const MOST_FOUND: usize = 500;

impl Tables {
    pub fn of(function: &Function, activity: &Activity) -> Tables {
        let mut tables = Tables { distances: find_distances(function), ..Tables::default() };
        let finds = |inst: &Inst| matches!(inst.op, Op::Load(_)) && inst.ty.holds_pointer();
        let loads: Vec<ValueId> =
            function.inst_ids().filter(|id| function.inst(*id).is_some_and(finds)).collect();
        if loads.is_empty() || loads.len() > MOST_FOUND {
            return tables;
        }
        for load in loads {
            let mut led = activity.found_by(load);
            if led.remove(&Base::Unknown) || led.is_empty() {
                led.insert(Base::Loaded(load));
            }
            tables.led.insert(load, led);
        }
        while function.inst_ids().fold(false, |grew, id| {
            let Some(inst) = function.inst(id) else { return grew };
            tables.take(function, activity, id, inst) || grew
        }) {}
        tables
    }

    /// What a base may be, itself where nothing more is known.
    pub fn lead(&self, base: &Base) -> BTreeSet<Base> {
        match base {
            Base::Loaded(load) => self.led.get(load).cloned(),
            _ => None,
        }
        .unwrap_or_else(|| BTreeSet::from([base.clone()]))
    }

    /// Whether nobody but this call has the address of some memory, wherever it stands.
    pub fn is_kept(&self, base: &Base) -> bool {
        !self.led.is_empty() && base.is_local() && !self.loose.contains(base)
    }

    fn behind(&self, activity: &Activity, pointer: &Operand) -> BTreeSet<Base> {
        let bases = activity.bases(pointer);
        bases.iter().flat_map(|base| self.lead(base)).filter(|base| *base != Base::Null).collect()
    }

    /// Adds what one instruction makes loose, or finds in what is.
    fn take(&mut self, function: &Function, activity: &Activity, id: ValueId, inst: &Inst) -> bool {
        let behind = |tables: &Tables, at: usize| tables.behind(activity, &inst.operands[at]);
        match (&inst.op, memory_call(inst)) {
            (Op::Load(_), _) => {
                let places = behind(self, 0);
                if !inst.ty.holds_pointer() {
                    return may_carry(&inst.ty) && self.mix(places);
                }
                let mut grew = extend(&mut self.holding, places.clone());
                if places.is_empty() || !places.iter().all(|base| self.is_kept(base)) {
                    let led = self.led.entry(id).or_default();
                    grew |= led.insert(Base::Loaded(id));
                }
                grew
            }
            (Op::Store(_), _) => {
                let (stored, places) = (&inst.operands[0], behind(self, 1));
                let ty = function.operand_type(stored);
                if !ty.holds_pointer() {
                    return may_carry(&ty) && stored.value().is_some() && self.mix(places);
                }
                let grew = extend(&mut self.holding, places.clone());
                let kept = !places.is_empty() && places.iter().all(|base| self.is_kept(base));
                let stored = behind(self, 0);
                !kept && self.loosen(stored) || grew
            }
            (_, Some(MemoryCall::Copy)) => {
                let (from, to) = (behind(self, 1), behind(self, 0));
                let kept = from.union(&to).all(|base| self.is_kept(base));
                let holds = !from.is_disjoint(&self.holding);
                let grew = holds && extend(&mut self.holding, to.clone());
                !kept && self.loosen(from.union(&to).cloned().collect()) || grew
            }
            (_, Some(MemoryCall::Fill | MemoryCall::Free { .. } | MemoryCall::Allocate { .. })) => false,
            _ => {
                let moved = self.moved(id, inst).iter().flat_map(|x| self.behind(activity, x)).collect();
                self.loosen(moved)
            }
        }
    }

    /// The pointers that an instruction takes to where they are not followed.
    fn moved<'a>(&self, id: ValueId, inst: &'a Inst) -> &'a [Operand] {
        match &inst.op {
            Op::Cast(CastOp::PtrToInt | CastOp::PtrToAddr) if self.distances.contains(&id) => &[],
            Op::Gep(_) | Op::Freeze | Op::Phi { .. } | Op::Select | Op::ICmp(_) => &[],
            Op::Cast(CastOp::BitCast | CastOp::AddrSpaceCast) => &[],
            Op::Br { .. } | Op::CondBr { .. } | Op::Switch { .. } => &[],
            _ if ends_slots(inst) => &[],
            _ if inst.op.call().is_some() => inst.arguments(),
            _ => &inst.operands,
        }
    }

    /// Where pointers stand, something as wide as one is moved that is none.
    fn mix(&mut self, places: BTreeSet<Base>) -> bool {
        let mixed = places.intersection(&self.holding).cloned().collect();
        self.loosen(mixed)
    }

    fn loosen(&mut self, bases: BTreeSet<Base>) -> bool {
        extend(&mut self.loose, bases.into_iter().filter(Base::is_local).collect())
    }
}

/// Numbers of addresses that are only compared, or taken from each other.
fn find_distances(function: &Function) -> BTreeSet<ValueId> {
    let insts = || function.inst_ids().filter_map(|id| Some((id, function.inst(id)?)));
    let is_number = |inst: &Inst| matches!(inst.op, Op::Cast(CastOp::PtrToInt | CastOp::PtrToAddr));
    let mut numbers: BTreeSet<ValueId> =
        insts().filter(|(_, inst)| is_number(inst)).map(|(id, _)| id).collect();
    let all = numbers.clone();
    for (_, inst) in insts() {
        let used = || inst.operands.iter().filter_map(Operand::value).filter(|id| all.contains(id));
        let distance = match inst.op {
            Op::ICmp(_) => true,
            Op::Int(IntOp::Sub) => used().count() == 2,
            _ => false,
        };
        if !distance {
            let others: Vec<ValueId> = used().collect();
            numbers.retain(|id| !others.contains(id));
        }
    }
    numbers
}

/// Whether a pointer may be moved as such a value: as a whole, or byte by byte.
fn may_carry(ty: &Type) -> bool {
    !matches!(ty, Type::Int(1 | 16 | 32) | Type::Float(FloatKind::Single))
}

fn extend(set: &mut BTreeSet<Base>, more: BTreeSet<Base>) -> bool {
    let before = set.len();
    set.extend(more);
    set.len() > before
}

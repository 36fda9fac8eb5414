//! What a copy of active memory moves.
//!
//! Copies + activity → where the floats in each are, or nothing where that cannot be told. All are found at once, since what others touch
//! is asked for all. Whoever refuses, plans or derives a copy
//! asks here, so that what was accepted is what is moved.
//! Safe error: nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::accessed::Accessed;
use super::activity::Activity;
use super::covered::is_covered;
use super::globals::Globals;
use super::memory_calls::{MemoryCall, memory_call};
use super::otherwise::is_taken_otherwise;
use super::own_words::OwnWords;
use super::pointers::Base;
use super::shared_words::SharedWords;
use crate::kinds::{Spaced, find_spaced};
use crate::model::{FloatKind, Function, Inst, Op, Operand, Program, Type, ValueId};

impl Activity {
    pub(super) fn accessed(&self, function: &Function) -> &Accessed {
        self.known_words().accessed.get_or_init(|| Accessed::of(function, self))
    }

    /// What each copy of active memory moves, of those of which it can be told.
    pub fn copied(&self, function: &Function, program: &Program) -> &BTreeMap<ValueId, Spaced> {
        self.known_words().copied.get_or_init(|| find_copied(function, program, self))
    }
}

fn find_copied(function: &Function, program: &Program, activity: &Activity) -> BTreeMap<ValueId, Spaced> {
    let active = |id: &ValueId| {
        let copy = function.inst(*id).filter(|inst| memory_call(inst) == Some(MemoryCall::Copy));
        copy.is_some_and(|copy| copy.operands[..2].iter().any(|x| activity.is_shadowed(x)))
    };
    let mut found = BTreeMap::new();
    let mut open: Vec<(ValueId, &Inst)> = Vec::new();
    for (id, copy) in function.inst_ids().filter(active).filter_map(|id| Some((id, function.inst(id)?))) {
        match find_own(function, program, activity, copy) {
            Some(moved) => drop(found.insert(id, moved)),
            None => open.push((id, copy)),
        }
    }
    // Where nothing comes from a shadow that of the target is cleared, integers and all, so it has to be ours.
    let ours = |copy: &Inst| activity.is_shadowed(&copy.operands[1]) || activity.is_own(&copy.operands[0]);
    let asked: Vec<(ValueId, &Inst)> = open.iter().copied().filter(|(_, copy)| ours(copy)).collect();
    let mut spaced = find_spaced(function, program, &asked);
    for (id, copy) in open {
        let told = spaced.remove(&id).or_else(|| declared_element(copy).map(Spaced::array));
        // What else lies in a struct is of no matter to an array that is a member.
        let kind = |told: &Spaced| told.float_of_all().filter(|_| !is_declared_member(copy));
        let disputed = |kind| is_taken_otherwise(function, program, activity, (copy, kind));
        let told = told.filter(|told| !kind(told).is_some_and(|kind| disputed(Some(kind))));
        let told = told.filter(|_| takes_known_words(function, activity, copy));
        // What is cleared where nothing comes from a shadow has to be ours as well.
        let numbers = || (are_declared_numbers(copy) && ours(copy) && !disputed(None)).then(Spaced::text);
        let shared = || find_shared(function, program, activity, copy);
        found.extend(told.or_else(numbers).or_else(shared).map(|told| (id, told)));
    }
    found
}

/// Whether what is put into both ends of a copy as words is known: not where it was found in memory of which nobody knows what it is, as
/// where a pointer in a table leads. Of globals nobody can ask others.
fn takes_known_words(function: &Function, activity: &Activity, copy: &Inst) -> bool {
    let places: BTreeSet<Base> = copy.operands[..2].iter().flat_map(|x| activity.bases(x)).collect();
    if !places.iter().any(|base| matches!(base, Base::Global(_))) {
        return true;
    }
    let is_known = |base: &Base| base.is_local() || matches!(base, Base::Param(_) | Base::Global(_));
    let known = |word: &Operand| {
        let load =
            word.value().and_then(|id| function.inst(id)).filter(|inst| matches!(inst.op, Op::Load(_)));
        load.is_none_or(|load| activity.bases(&load.operands[0]).iter().all(is_known))
    };
    let is_word = |x: &Operand| matches!(function.operand_type(x).scalar(), Type::Int(_));
    let stores = activity.accessed(function).insts_at(function, &places);
    let mut words = stores.filter(|inst| matches!(inst.op, Op::Store(_))).map(|store| &store.operands[0]);
    words.all(|word| !is_word(word) || known(word))
}

/// In memory that functions made for each other whatever is moved is told by the shadow, in which every pointer that is put there has
/// its own: here, as elsewhere, where `stale` sees to it.
fn find_shared(function: &Function, program: &Program, activity: &Activity, copy: &Inst) -> Option<Spaced> {
    let shared = SharedWords::of(function, program);
    let ends = &copy.operands[..2];
    let shadowed = |x: &Operand| activity.is_shadowed(x) && !activity.may_lack_shadow(x);
    let put = function.insts.iter().filter(|inst| matches!(inst.op, Op::Store(_)));
    let mut put = put.filter(|store| shared.behind(&store.operands[1]).is_some());
    let found = ends.iter().all(|x| shadowed(x) && shared.behind(x).is_some())
        && put.all(|store| has_known_shadow(program, activity, &store.operands[0]));
    found.then(|| Spaced::sought(true))
}

/// Whether a pointer has a shadow, or leads to no float.
fn has_known_shadow(program: &Program, activity: &Activity, value: &Operand) -> bool {
    let bare = || Globals::of(program).without_floats();
    let known = |base: &Base| match base {
        Base::Null => true,
        Base::Global(name) if program.function(name).is_some() => true,
        Base::Global(name) if !activity.has_shadow(base) => bare().contains(name),
        _ => activity.has_shadow(base),
    };
    activity.bases(value).iter().all(known)
}

/// What is moved where that follows from the copied memory as this function knows it.
fn find_own(function: &Function, program: &Program, activity: &Activity, copy: &Inst) -> Option<Spaced> {
    if let Some(kind) = find_one_kind(function, program, activity, copy) {
        return Some(Spaced::array(kind));
    }
    let kind_of_foreign = |copy: &Inst| find_one_kind(function, program, activity, copy);
    OwnWords { function, program, activity, kind_of_foreign: &kind_of_foreign }.find(copy)
}

/// Whether what is copied is an array that is declared to be a member of a struct.
fn is_declared_member(copy: &Inst) -> bool {
    let call = copy.op.call();
    call.is_some_and(|call| call.attributes.iter().any(|text| text.trim_matches('"') == "backsweep.member"))
}

/// Whether all of the program takes the memory that is copied or filled for integers.
pub(super) fn are_declared_numbers(copy: &Inst) -> bool {
    let call = copy.op.call();
    call.is_some_and(|call| call.attributes.iter().any(|text| text.trim_matches('"') == "backsweep.integers"))
}

/// What the program steps through the copied memory by.
fn declared_element(copy: &Inst) -> Option<FloatKind> {
    let (Op::Call(call) | Op::Invoke { call, .. }) = &copy.op else { return None };
    call.attributes.iter().find_map(|text| match text.trim_matches('"') {
        "backsweep.doubles" => Some(FloatKind::Double),
        "backsweep.singles" => Some(FloatKind::Single),
        _ => None,
    })
}

/// The kind of the floats in a copy of nothing else.
pub(super) fn find_one_kind(
    function: &Function,
    program: &Program,
    activity: &Activity,
    copy: &Inst,
) -> Option<FloatKind> {
    let mut places = activity.bases(&copy.operands[0]);
    places.extend(activity.bases(&copy.operands[1]));
    places.remove(&Base::Null);
    let Type::Float(kind @ (FloatKind::Double | FloatKind::Single)) =
        kind_of_memory(function, activity, &places)?
    else {
        return None;
    };
    let size = u64::from(kind.bits() / 8);
    let whole = match &copy.operands[2] {
        Operand::Const(bytes) => bytes.as_signed().is_none_or(|bytes| bytes % i128::from(size) == 0),
        Operand::Value(_) => true,
    };
    let told = whole && is_covered(function, activity, copy, size);
    (told && !is_taken_otherwise(function, program, activity, (copy, Some(kind)))).then_some(kind)
}

/// The one float type with which these allocations are accessed; `None` where there are several, or other types.
fn kind_of_memory(function: &Function, activity: &Activity, places: &BTreeSet<Base>) -> Option<Type> {
    if activity.is_opened_by_call(function, places) {
        return None;
    }
    let mut kind = None;
    for (_, ty) in activity.accessed(function).at(function, places) {
        if !ty.is_real() || kind.as_ref().is_some_and(|known: &Type| known != ty.scalar()) {
            return None;
        }
        kind = Some(ty.scalar().clone());
    }
    kind
}

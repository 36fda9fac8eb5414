//! Which integers and pointers stored into active memory overwrite floats there.
//!
//! Function + pointers → for each integer store, whether it meets accesses of floats or of integers; and the stores of pointers that
//! may meet some of floats.
//! Safe error: overlaps, and a float. A store that may meet both kinds is refused.

use std::collections::BTreeSet;

use super::activity::Activity;
use super::copied::find_one_kind;
use super::memory_calls::{MemoryCall, memory_call};
use super::offsets::{Extent, Offsets, find_start};
use super::own_words::OwnWords;
use super::pointers::Base;
use super::tape_records::lies_in_record;
use crate::model::{CastOp, Constant, Function, Inst, Op, Operand, Program, Type, ValueId};

/// What an integer store into active memory means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrites {
    /// An integer beside the floats.
    Integer,
    /// The same, where objects of another type, which are found by the same names, have a float: it may have been there before.
    OtherArm,
    /// A float, by its bits: its derivative ends here.
    Float,
    /// Part of a word of this call's own memory. If that were a float its shadow would hold a number when the reverse sweep comes, and
    /// so that is looked at then.
    Part,
    /// A pointer where there may be a float at another time. Who reads it as a float, as null is read as zero, has nothing of what
    /// was there before: a number in its shadow ends there.
    Address,
    /// Perhaps the one, perhaps the other.
    Unclear,
}

impl Overwrites {
    /// Whether it stands beside the floats, so that no derivative ends there.
    pub fn is_beside(self) -> bool {
        matches!(self, Overwrites::Integer | Overwrites::OtherArm)
    }
}

/// An access of memory, by what it reads or writes.
pub(super) struct Accessed<'a> {
    pub pointer: &'a Operand,
    pub extent: Extent,
    pub ty: Type,
    pub reads: bool,
    /// A member that is declared to be an integer.
    pub declared: bool,
    /// A member that is declared to be a float or a pointer: where a member of another struct is declared to be an integer, objects of both
    /// are found by the same names, and this access is of the other. A slot is one object.
    pub member: bool,
    /// An element of an array of floats in an object, by its declaration: an index to it stays in that array. How far behind the beginning
    /// of the object that begins.
    pub array: Option<i128>,
    /// Puts there what tells nothing of what is there: zero, which is every float's zero, too, or nothing at all.
    pub empties: bool,
}

pub(super) fn find_accesses<'a>(function: &'a Function, offsets: &Offsets) -> Vec<Accessed<'a>> {
    let insts = function.inst_ids().filter_map(|id| function.inst(id));
    let accesses = insts.filter_map(|inst| {
        let (pointer, ty, reads, access) = match &inst.op {
            Op::Load(access) => (&inst.operands[0], inst.ty.clone(), true, access),
            Op::Store(access) => (&inst.operands[1], function.operand_type(&inst.operands[0]), false, access),
            _ => return None,
        };
        let (declared, member) = (access.integer, access.member);
        let empties = !reads && matches!(&inst.operands[0], Operand::Const(value) if !is_telling(value));
        let extent = offsets.extent(pointer, &ty);
        let array = if access.stepped && ty.holds_float() { find_start(function, pointer) } else { None };
        Some(Accessed { pointer, extent, ty, reads, declared, member, array, empties })
    });
    accesses.collect()
}

impl Accessed<'_> {
    /// Whether this is of an array of floats in an object, beside one of integers that begins elsewhere in it.
    pub fn is_beside(&self, integer: &Operand, extent: Extent, function: &Function) -> bool {
        extent.at.stride != 0
            && self.array.is_some()
            && find_start(function, integer).is_some_and(|start| Some(start) != self.array)
    }
}

fn is_telling(value: &Constant) -> bool {
    value.as_signed().is_none_or(|value| (1..=1 << 16).contains(&value.unsigned_abs()))
        && !matches!(value, Constant::Undef(_) | Constant::Poison(_) | Constant::Zero(_))
}

fn what_is_overwritten(
    function: &Function,
    value: &Operand,
    store: &Accessed,
    accesses: &[Accessed],
    activity: &Activity,
    is_counted: &dyn Fn(&Operand) -> bool,
) -> Overwrites {
    let bases = activity.memory_behind(store.pointer);
    // Who declared a member says more than one who may step on it.
    let apart = !bases.iter().any(|base| matches!(base, Base::Stack(_) | Base::Global(_)));
    let counts = |access: &&Accessed| {
        !store.declared
            || !(access.member && apart)
                && access.extent.at.is_as_exact_as(store.extent.at)
                && !access.is_beside(store.pointer, store.extent, function)
    };
    let met = accesses.iter().filter(|access| access.extent.meets(store.extent)).filter(counts);
    let (mut floats, mut pointers, mut others) = (false, false, false);
    for access in met.filter(|access| !activity.memory_behind(access.pointer).is_disjoint(&bases)) {
        floats |= access.ty.holds_float();
        pointers |= access.ty.holds_pointer() && access.reads;
        others |= !access.ty.holds_float() && (access.reads || access.declared);
    }
    others |= store.declared;
    let of_others = |access: &&Accessed| {
        access.ty.holds_float()
            && access.extent.meets(store.extent)
            && !counts(access)
            && !activity.memory_behind(access.pointer).is_disjoint(&bases)
    };
    match (floats, others) {
        // What it puts in place of a pointer would have a shadow, and a null needs none.
        _ if pointers && (floats || !is_zero(value)) => Overwrites::Unclear,
        // In place of a float it ends a derivative; in place of an integer it is beside all floats.
        (true, true) if is_counted(value) => Overwrites::Float,
        (true, true) => Overwrites::Unclear,
        (false, true) if apart && accesses.iter().filter(of_others).any(|access| access.member) => {
            Overwrites::OtherArm
        }
        (false, true) => Overwrites::Integer,
        // Nobody here reads it as an integer. Were it one, to clear its shadow would harm nobody.
        (_, false) => Overwrites::Float,
    }
}

fn is_zero(value: &Operand) -> bool {
    matches!(value, Operand::Const(Constant::Zero(_) | Constant::Int { value: 0, .. }))
}

/// Whether an integer is computed from nothing that may be a float with a derivative: constants, arguments of what nobody
/// here calls, comparisons, rounded numbers, and what lies in memory without a shadow.
fn is_counted(function: &Function, program: &Program, activity: &Activity, value: &Operand) -> bool {
    let called = || is_called(function, program);
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![value.clone()]);
    while let Some(x) = waiting.pop() {
        let id = match x {
            Operand::Const(_) => continue,
            _ if activity.is_varied(&x) => return false,
            _ => x.value(),
        };
        let Some(id) = id else { return false };
        if !seen.insert(id) {
            continue;
        }
        let Some(inst) = function.inst(id) else {
            if called() || !matches!(function.value_type(id), Type::Int(_)) {
                return false;
            }
            continue;
        };
        let of_integers = |x: &Operand| matches!(function.operand_type(x).scalar(), Type::Int(_));
        match &inst.op {
            Op::ICmp(_) | Op::FCmp(_) | Op::Cast(CastOp::FpToSi | CastOp::FpToUi) => {}
            // What a derivative puts back may have been a float when it was saved.
            Op::Load(access) if !access.number && lies_in_record(function, &inst.operands[0]) => {
                return false;
            }
            Op::Load(_) if !activity.is_shadowed(&inst.operands[0]) => {}
            Op::Int(_)
            | Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt)
            | Op::Phi { .. }
            | Op::Freeze => {
                waiting.extend(inst.operands.iter().cloned());
            }
            Op::Select => waiting.extend(inst.operands[1..].iter().cloned()),
            Op::ExtractValue { .. } => waiting.push(inst.operands[0].clone()),
            Op::Call(_) if inst.callee_name().is_some_and(|name| name.starts_with("llvm.")) => {
                if !inst.arguments().iter().all(of_integers) {
                    return false;
                }
                waiting.extend(inst.arguments().iter().cloned());
            }
            _ => return false,
        }
    }
    true
}

/// Whether an integer is computed from the bits of floats that are in active memory, or vary: what it is then, as a
/// float, nobody knows.
pub fn is_made_of_bits(function: &Function, activity: &Activity, value: &Operand) -> bool {
    let offsets = Offsets::of(function);
    let accesses = find_accesses(function, &offsets);
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![value.clone()]);
    while let Some(x) = waiting.pop() {
        let Some(inst) = x.value().filter(|id| seen.insert(*id)).and_then(|id| function.inst(id)) else {
            continue;
        };
        match &inst.op {
            Op::Load(_) => {
                let pointer = &inst.operands[0];
                let (extent, bases) = (offsets.extent(pointer, &inst.ty), activity.memory_behind(pointer));
                let is_float = |access: &&Accessed| {
                    access.ty.holds_float()
                        && access.extent.meets(extent)
                        && !activity.memory_behind(access.pointer).is_disjoint(&bases)
                };
                if activity.is_shadowed(pointer) && accesses.iter().any(|access| is_float(&access)) {
                    return true;
                }
            }
            Op::Cast(CastOp::BitCast) if activity.is_varied(&inst.operands[0]) => return true,
            Op::Cast(CastOp::BitCast | CastOp::Trunc | CastOp::ZExt | CastOp::SExt) | Op::Int(_) => {
                waiting.extend(inst.operands.iter().cloned());
            }
            Op::Phi { .. } | Op::Freeze | Op::ExtractValue { .. } => {
                waiting.extend(inst.operands.iter().cloned());
            }
            Op::Select => waiting.extend(inst.operands[1..].iter().cloned()),
            // Arithmetic on integers of LLVM's own, which may give what it was given.
            Op::Call(_) if inst.counts_leading() => {}
            Op::Call(_) if inst.callee_name().is_some_and(|name| name.starts_with("llvm.")) => {
                waiting.extend(inst.arguments().iter().cloned());
            }
            _ => {}
        }
    }
    false
}

/// Stores of pointers where floats may be at other times: some access of floats meets them, or they may be met by a copy, or by who
/// calls this function or is called by it. A member that is declared to be a pointer is none that is declared to be a float, though an
/// index might seem to step on it: who reads the one as the other does so by another type than it was written with.
pub fn find_address_stores(function: &Function, program: &Program, activity: &Activity) -> Vec<ValueId> {
    let is_pointer_store = |inst: &Inst| {
        matches!(inst.op, Op::Store(_))
            && function.operand_type(&inst.operands[0]).scalar().is_pointer()
            && activity.is_shadowed(&inst.operands[1])
    };
    let insts = function.inst_ids().filter_map(|id| Some((id, function.inst(id)?)));
    let stores: Vec<(ValueId, &Inst)> = insts.filter(|(_, inst)| is_pointer_store(inst)).collect();
    if stores.is_empty() {
        return Vec::new();
    }
    let unseen = activity.has_calls() || is_called(function, program);
    let copies = function.insts.iter().filter(|inst| matches!(memory_call(inst), Some(MemoryCall::Copy)));
    let copied: Vec<BTreeSet<Base>> =
        copies.flat_map(|copy| copy.arguments()[..2].iter().map(|end| activity.memory_behind(end))).collect();
    let offsets = Offsets::of(function);
    let accesses = find_accesses(function, &offsets);
    let may_be_float = |inst: &Inst| {
        let extent = offsets.extent(&inst.operands[1], &function.operand_type(&inst.operands[0]));
        let bases = activity.memory_behind(&inst.operands[1]);
        let declared = matches!(&inst.op, Op::Store(access) if access.member);
        let meets = |access: &Accessed| {
            access.ty.holds_float()
                && !(declared && access.member)
                && access.extent.meets(extent)
                && !activity.memory_behind(access.pointer).is_disjoint(&bases)
        };
        let elsewhere = unseen || copied.iter().any(|ends| !ends.is_disjoint(&bases));
        !declared && elsewhere || accesses.iter().any(meets)
    };
    stores.into_iter().filter(|(_, inst)| may_be_float(inst)).map(|(id, _)| id).collect()
}

fn is_called(function: &Function, program: &Program) -> bool {
    let mut callers = program.functions.iter().flat_map(|caller| &caller.insts);
    callers.any(|inst| inst.callee_name() == Some(&function.name))
}

/// Integer stores that overwrite floats, among the instructions of a function.
pub fn find_bit_stores(
    function: &Function,
    program: &Program,
    activity: &Activity,
) -> Vec<(ValueId, Overwrites)> {
    let is_integer_store = |inst: &Inst| {
        matches!(inst.op, Op::Store(_))
            && matches!(function.operand_type(&inst.operands[0]).scalar(), Type::Int(_))
            && activity.is_shadowed(&inst.operands[1])
    };
    let stores: Vec<(ValueId, &Inst)> = function
        .inst_ids()
        .filter_map(|id| Some((id, function.inst(id)?)))
        .filter(|(_, inst)| is_integer_store(inst))
        .collect();
    if stores.is_empty() {
        return Vec::new();
    }
    let offsets = Offsets::of(function);
    let accesses = find_accesses(function, &offsets);
    let kind_of_foreign = |copy: &Inst| find_one_kind(function, program, activity, copy);
    let words = OwnWords { function, program, activity, kind_of_foreign: &kind_of_foreign };
    let judge = |inst: &Inst| {
        let (pointer, ty) = (&inst.operands[1], function.operand_type(&inst.operands[0]));
        let (declared, align) = match &inst.op {
            Op::Store(access) => (access.integer, access.align),
            _ => (false, 1),
        };
        let extent = offsets.extent(pointer, &ty);
        let (reads, member, array, empties) = (false, false, None, false);
        let store = Accessed { pointer, extent, ty, reads, declared, member, array, empties };
        let bytes = store.extent.bytes;
        let counted = |value: &Operand| is_counted(function, program, activity, value);
        match what_is_overwritten(function, &inst.operands[0], &store, &accesses, activity, &counted) {
            Overwrites::Unclear => {
                words.overwritten(&inst.operands[0], pointer, bytes, align).unwrap_or(Overwrites::Unclear)
            }
            known => known,
        }
    };
    stores.into_iter().map(|(id, inst)| (id, judge(inst))).collect()
}

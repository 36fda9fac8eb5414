//! Floats that are made, by their value, of integers which are a float's bits: the tricks by which logarithms and
//! exponents are guessed.
//!
//! Function + activity → those casts from integer to float whose derivative somebody may want, and the calls of functions with
//! derivatives that may make such casts of what they are given. What is read as an integer from
//! where a float may lie, or by a copy of bytes, is taken for a float's bits, unless it is declared to be an integer, or one is
//! stored there, or no float's bits come to it from anywhere. What takes nothing of a float but its sign and exponent is no such number: these are the same in a whole
//! neighbourhood, as what `ilogb` gives, and so is the number of zeros that come first. Nor is what takes nothing of a double but the
//! lower half of its bits, which run through all that they can be in every neighbourhood: where a program reads them alone it keeps an
//! integer there, in one word with doubles that others keep there, or it has added so large a number that they are the rounded one, as
//! `lrint` gives it.
//! Safe error: bits (is refused).

use std::collections::{BTreeMap, BTreeSet};

use super::activity::Activity;
use super::demanded::{Demand, find_demanded};
use super::offsets::Offsets;
use super::overlap::{Accessed, find_accesses};
use super::pointers::Base;
use super::whole_numbers::WholeNumbers;
use crate::model::{CastOp, FloatKind, Function, Inst, Op, Operand, Program, Type, ValueId};

/// The bits of the smallest float.
const LEAST_BITS: u32 = 16;

pub fn find_bit_numbers(function: &Function, program: &Program, activity: &Activity) -> BTreeSet<ValueId> {
    let is_cast = |id: &ValueId| activity.is_useful(*id) && function.inst(*id).is_some_and(is_number);
    let is_wanted = |id: &ValueId| is_cast(id) || activity.is_call(*id);
    let casts: Vec<ValueId> = function.inst_ids().filter(is_wanted).collect();
    let demanded = find_demanded(function, &casts, sources);
    let read = demanded.iter().filter(|(id, _)| may_be_bits(function, activity, **id));
    let read = read.filter(|(id, asked)| !is_of_steps(cast_from(function, **id), **asked));
    let read: Vec<ValueId> = read.map(|(id, _)| *id).collect();
    if read.is_empty() {
        return BTreeSet::new();
    }
    let numbers = WholeNumbers::of(function, program);
    let read = read.into_iter().filter(|id| !numbers.contains(*id));
    let offsets = Offsets::of(function);
    let accesses = find_accesses(function, &offsets);
    let bits = read.filter(|id| {
        let inst = function.inst(*id).filter(|inst| matches!(inst.op, Op::Load(_)));
        inst.is_none_or(|load| {
            is_read_from_float(function, load, demanded[id], &offsets, &accesses, activity)
        })
    });
    let made = find_made(function, bits.collect());
    casts.into_iter().filter(|cast| made.contains(cast)).collect()
}

fn is_number(inst: &Inst) -> bool {
    matches!(inst.op, Op::Cast(CastOp::SiToFp | CastOp::UiToFp))
}

/// What an integer is made of, where it may hold the bits of that. Functions of integers may hand them on.
pub fn sources(inst: &Inst) -> &[Operand] {
    match &inst.op {
        Op::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::SiToFp | CastOp::UiToFp)
        | Op::Int(_)
        | Op::Phi { .. }
        | Op::Freeze
        | Op::ExtractElement
        | Op::InsertElement
        | Op::ShuffleVector { .. } => &inst.operands,
        Op::Select => &inst.operands[1..],
        Op::ExtractValue { .. } | Op::InsertValue { .. } => &inst.operands,
        Op::Call(_) if inst.counts_leading() => &[],
        Op::Call(_) | Op::Invoke { .. } => inst.arguments(),
        Op::Cast(CastOp::BitCast) if matches!(inst.ty.scalar(), Type::Int(_)) => &inst.operands,
        _ => &[],
    }
}

/// The type of the float that a cast takes the bits of.
fn cast_from(function: &Function, id: ValueId) -> Option<Type> {
    let inst = function.inst(id).filter(|inst| matches!(inst.op, Op::Cast(CastOp::BitCast)))?;
    Some(function.operand_type(&inst.operands[0]))
}

/// Whether of one float nothing is asked but its sign and exponent, or of a double nothing but the lower half.
pub(super) fn is_of_steps(float: Option<Type>, asked: Demand) -> bool {
    let Some(Type::Float(kind)) = float else { return false };
    let fraction = match kind {
        FloatKind::Half => 10,
        FloatKind::BFloat => 7,
        FloatKind::Single => 23,
        FloatKind::Double => 52,
        // The highest bit of the fraction is stored, too.
        FloatKind::X87 => 64,
        FloatKind::Quad => 112,
        FloatKind::DoubleDouble => return false,
    };
    asked.trailing_zeros() >= fraction || kind == FloatKind::Double && asked >> 32 == 0
}

/// A float's bits for certain, or what is read as an integer where active values may be.
fn may_be_bits(function: &Function, activity: &Activity, id: ValueId) -> bool {
    let Some(inst) = function.inst(id) else { return false };
    match (&inst.op, inst.ty.scalar()) {
        (Op::Cast(CastOp::BitCast), Type::Int(_)) => {
            function.operand_type(&inst.operands[0]).holds_float() && activity.is_varied(&inst.operands[0])
        }
        (Op::Load(_), Type::Int(bits)) => {
            *bits >= LEAST_BITS && may_find_active(function, activity, &inst.operands[0])
        }
        _ => false,
    }
}

/// Whether active values may lie behind a pointer. Memory to which a pointer leads that was found in memory, or that a callee gave, has a
/// shadow only where somebody here touches floats in it: then it is asked of what the pointer was found in, or the callee was given.
fn may_find_active(function: &Function, activity: &Activity, pointer: &Operand) -> bool {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![pointer]);
    while let Some(pointer) = waiting.pop() {
        if activity.is_shadowed(pointer) {
            return true;
        }
        for base in activity.bases(pointer) {
            match base {
                Base::Unknown if activity.has_memory() => return true,
                Base::Loaded(id) | Base::Returned(id) if seen.insert(id) => {
                    let Some(inst) = function.inst(id) else { continue };
                    let from = if inst.op.call().is_some() { inst.arguments() } else { &inst.operands[..] };
                    waiting.extend(from.iter().filter(|x| function.operand_type(x).holds_pointer()));
                }
                _ => {}
            }
        }
    }
    false
}

fn is_read_from_float(
    function: &Function,
    load: &Inst,
    asked: Demand,
    offsets: &Offsets,
    accesses: &[Accessed],
    activity: &Activity,
) -> bool {
    let (pointer, declared) = (&load.operands[0], matches!(&load.op, Op::Load(access) if access.integer));
    let (extent, bases) = (offsets.extent(pointer, &load.ty), activity.memory_behind(pointer));
    let met = accesses
        .iter()
        .filter(|access| access.extent.meets(extent) && !activity.bases(access.pointer).is_disjoint(&bases));
    let apart = !bases.iter().any(|base| matches!(base, Base::Stack(_) | Base::Global(_)));
    let untyped = matches!(&load.op, Op::Load(access) if access.untyped);
    let (mut floats, mut certain, mut integers, mut steps) = (untyped, false, declared, true);
    for access in met {
        let exact = access.extent.at.is_as_exact_as(extent.at);
        // A float that is declared to be a member of another struct is in another object.
        let elsewhere = access.member && apart || access.is_beside(pointer, extent, function);
        let float = access.ty.holds_float() && !(declared && elsewhere);
        floats |= float;
        certain |= float && exact;
        steps &= !float || access.extent == extent && is_of_steps(Some(access.ty.clone()), asked) || {
            let double = access.ty == Type::Float(FloatKind::Double);
            double && extent.bytes <= 4 && access.extent.meets_at_start(extent)
        };
        integers |= !float && exact && (!access.reads && !access.empties || access.declared);
    }
    (certain || floats && !integers) && !(certain && steps)
}

/// All that is made of these, with them.
fn find_made(function: &Function, bits: Vec<ValueId>) -> BTreeSet<ValueId> {
    let mut users: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
    for (id, inst) in function.inst_ids().filter_map(|id| Some((id, function.inst(id)?))) {
        for value in sources(inst).iter().filter_map(Operand::value) {
            users.entry(value).or_default().push(id);
        }
    }
    let (mut made, mut waiting) = (BTreeSet::new(), bits);
    while let Some(value) = waiting.pop() {
        if made.insert(value) {
            waiting.extend(users.get(&value).into_iter().flatten());
        }
    }
    made
}

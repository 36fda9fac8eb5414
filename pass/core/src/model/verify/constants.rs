//! Constants and types that are well formed by themselves.

use super::{Check, Place};
use crate::model::{Constant, Inst, Op, Operand, Type, ValueId};

/// LLVM's own bound.
const WIDEST_INT: u32 = 1 << 23;

impl Check<'_> {
    pub fn check_constants(&mut self, id: ValueId, inst: &Inst) {
        for operand in &inst.operands {
            if let Operand::Const(constant) = operand {
                self.check_constant(Place::Value(id), constant);
            }
        }
        if let Op::Switch { cases, .. } = &inst.op {
            cases.iter().for_each(|(value, _)| self.check_constant(Place::Value(id), value));
        }
        self.require(type_is_sound(&inst.ty), Place::Value(id), SOUND_TYPE);
    }

    pub fn check_constant(&mut self, place: Place, constant: &Constant) {
        for fault in faults(constant) {
            self.report(place.clone(), fault);
        }
    }
}

pub const SOUND_TYPE: &str = "Integers have 1 to 2^23 bits, vectors lanes of integers, floats or pointers, and aggregates no void parts.";

/// What is wrong with a constant or a constant inside it, as sentences that state the invariant.
pub fn faults(constant: &Constant) -> Vec<String> {
    let mut faults = Vec::new();
    constant.walk(&mut |part| {
        if let Some(fault) = fault(part) {
            faults.push(fault.to_string());
        }
        if !type_is_sound(&part.ty()) {
            faults.push(SOUND_TYPE.to_string());
        }
    });
    faults
}

fn fault(constant: &Constant) -> Option<&'static str> {
    let fits = |value: u128, bits: u32| bits >= 128 || value >> bits == 0;
    match constant {
        Constant::Int { bits, value } => (!(1..=128).contains(bits) || !fits(*value, *bits))
            .then_some("An integer constant has 1 to 128 bits and none beyond its width."),
        Constant::Float { kind, bits } => (!fits(*bits, kind.bits()))
            .then_some("A float constant has no bits beyond the width of its kind."),
        Constant::Null(ty) => (!matches!(ty, Type::Ptr(_) | Type::Token | Type::Other(_)))
            .then_some("Null is a pointer or of a type without parts of its own."),
        Constant::Offset { base, .. } => {
            let nested = matches!(**base, Constant::Offset { .. });
            (nested || !base.ty().is_pointer())
                .then_some("An offset is taken from a constant address that is no offset itself.")
        }
        Constant::Aggregate { ty, parts } => {
            (!parts_fit(ty, parts)).then_some("The parts of an aggregate are those of its type.")
        }
        Constant::Undef(_) | Constant::Poison(_) | Constant::Zero(_) => None,
        Constant::Symbol { .. } | Constant::Expr { .. } | Constant::Opaque { .. } => None,
    }
}

fn parts_fit(ty: &Type, parts: &[Constant]) -> bool {
    match ty {
        Type::Struct { fields, .. } => {
            fields.iter().eq(parts.iter().map(Constant::ty).collect::<Vec<_>>().iter())
        }
        Type::Array(count, element) => {
            *count == parts.len() as u64 && parts.iter().all(|part| part.ty() == **element)
        }
        Type::Vector(lanes, element) => {
            !lanes.scalable
                && lanes.count as usize == parts.len()
                && parts.iter().all(|part| part.ty() == **element)
        }
        _ => false,
    }
}

pub fn type_is_sound(ty: &Type) -> bool {
    match ty {
        Type::Int(bits) => (1..=WIDEST_INT).contains(bits),
        Type::Vector(lanes, element) => {
            let lane = matches!(**element, Type::Int(_) | Type::Float(_) | Type::Ptr(_) | Type::Other(_));
            lanes.count > 0 && lane && type_is_sound(element)
        }
        Type::Array(_, element) => **element != Type::Void && type_is_sound(element),
        Type::Struct { fields, .. } => {
            fields.iter().all(|field| *field != Type::Void && type_is_sound(field))
        }
        Type::Void | Type::Float(_) | Type::Ptr(_) | Type::Label | Type::Token | Type::Metadata => true,
        Type::Other(_) => true,
    }
}

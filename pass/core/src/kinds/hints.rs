//! What the types that a program was written with say of memory that nobody touches.
//!
//! They are no evidence: memory may hold other things than its type says. So they only choose between what bytes may be
//! that would be moved as a float anyhow.

use std::collections::{BTreeMap, BTreeSet};

use super::places::Place;
use super::touches::Touches;
use crate::analyses::offsets::{Offset, gcd};
use crate::model::{FloatKind, Layout, Op, Operand, Type};

/// Structs and floats by the place that they are said to lie in, with where the first of them starts.
#[derive(Default)]
pub struct Hints(BTreeMap<Place, Vec<(Offset, Type)>>);

impl Hints {
    pub fn of(touches: &Touches) -> Hints {
        let mut hints = Hints::default();
        for id in touches.function.inst_ids() {
            let Some(inst) = touches.function.inst(id) else { continue };
            let (pointer, ty) = match &inst.op {
                Op::Gep(gep) => (inst.operands[0].clone(), element_of(&gep.source)),
                Op::Alloca(slot) => (Operand::Value(id), element_of(&slot.allocated)),
                _ => continue,
            };
            if matches!(ty, Type::Struct { .. } | Type::Float(_)) {
                let at = touches.seen.offsets.of_operand(&pointer);
                for place in touches.places_of(&pointer) {
                    let known = hints.0.entry(place).or_default();
                    if !known.contains(&(at, ty.clone())) {
                        known.push((at, ty.clone()));
                    }
                }
            }
        }
        hints
    }

    /// The float that some memory is said to hold nothing but.
    pub fn only_float(&self, places: &BTreeSet<Place>) -> Option<FloatKind> {
        let mut types = places.iter().filter_map(|place| self.0.get(place)).flatten().map(|(_, ty)| ty);
        let first = types.next()?;
        match first {
            Type::Float(kind) if types.all(|ty| ty == first) => Some(*kind),
            _ => None,
        }
    }

    /// The scalar that starts so many bytes behind where a pointer leads, if there is one in the struct there.
    pub fn scalar_at(&self, touches: &Touches, pointer: &Operand, bytes: u64) -> Option<Option<Type>> {
        let here = touches.seen.offsets.of_operand(pointer);
        let places = touches.places_of(pointer);
        let known = places.iter().filter_map(|place| self.0.get(place)).flatten();
        let mut found = known.filter_map(|(start, ty)| {
            let size = i128::from(touches.layout().size_of(ty)?);
            let steps = gcd(gcd(here.stride, start.stride), size as u128);
            let at = (here.start + i128::from(bytes) - start.start).rem_euclid(size);
            (steps == size as u128).then(|| scalar_of(ty, at as u64, touches.layout()))
        });
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }
}

fn element_of(ty: &Type) -> Type {
    match ty {
        Type::Array(_, element) => element_of(element),
        other => other.clone(),
    }
}

fn scalar_of(ty: &Type, at: u64, layout: &Layout) -> Option<Type> {
    let Some(parts) = ty.parts() else { return (at == 0).then(|| ty.clone()) };
    parts.into_iter().enumerate().find_map(|(index, part)| {
        let start = layout.field_offset(ty, index as u64)?;
        let inside = start <= at && at < start + layout.store_size(part)?;
        inside.then(|| scalar_of(part, at - start, layout))?
    })
}

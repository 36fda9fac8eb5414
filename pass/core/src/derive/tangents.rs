//! The tangents of active values in forward mode: one for each direction, or the tangents in all directions as one vector.
//!
//! Where the plan says so, those of single and double numbers stand abreast in a vector, and whoever needs one of them takes it out.

use std::collections::BTreeMap;

use super::Source;
use super::builder::{Builder, zero_of};
use crate::config::Switch;
use crate::model::{Constant, FloatKind, Lanes, Op, Operand, Type, ValueId};

#[derive(Default)]
pub struct Tangents {
    apart: BTreeMap<ValueId, Vec<Operand>>,
    abreast: BTreeMap<ValueId, Operand>,
}

/// The type of all tangents of a number, where they stand abreast.
pub fn abreast_type(source: &Source, ty: &Type) -> Option<Type> {
    let stands =
        source.plan.abreast == Switch::On && matches!(ty, Type::Float(FloatKind::Single | FloatKind::Double));
    let lanes = Lanes { count: source.plan.width(), scalable: false };
    stands.then(|| Type::Vector(lanes, Box::new(ty.clone())))
}

impl Tangents {
    pub fn has(&self, id: ValueId) -> bool {
        self.apart.contains_key(&id) || self.abreast.contains_key(&id)
    }

    /// Takes one tangent for each direction.
    pub fn keep(&mut self, source: &Source, builder: &mut Builder, id: ValueId, lanes: Vec<Operand>) {
        match abreast_type(source, source.function.value_type(id)) {
            Some(wide) => self.keep_abreast(id, join(builder, &wide, lanes)),
            None => drop(self.apart.insert(id, lanes)),
        }
    }

    /// Takes the tangents in all directions.
    pub fn keep_abreast(&mut self, id: ValueId, all: Operand) {
        self.abreast.insert(id, all);
    }

    /// The tangent in one direction: zero where the operand is not active.
    pub fn lane(&self, source: &Source, builder: &mut Builder, operand: &Operand, lane: usize) -> Operand {
        let ty = source.function.operand_type(operand);
        let Some(id) = operand.value() else { return Operand::Const(zero_of(&ty)) };
        if let Some(all) = self.abreast.get(&id) {
            let place = Operand::Const(Constant::int(32, lane as i128));
            return builder.push(Op::ExtractElement, ty, vec![all.clone(), place]);
        }
        self.apart.get(&id).map_or_else(|| Operand::Const(zero_of(&ty)), |lanes| lanes[lane].clone())
    }

    /// The tangents in all directions of an operand whose type has them abreast.
    pub fn all(&self, wide: &Type, operand: &Operand) -> Operand {
        let known = operand.value().and_then(|id| self.abreast.get(&id));
        known.cloned().unwrap_or_else(|| Operand::Const(zero_of(wide)))
    }

    /// What stands apart, one phi for each direction; nothing for others.
    pub fn apart(&self, id: ValueId) -> Option<&Vec<Operand>> {
        self.apart.get(&id)
    }

    pub fn abreast(&self, id: ValueId) -> Option<&Operand> {
        self.abreast.get(&id)
    }
}

fn join(builder: &mut Builder, wide: &Type, lanes: Vec<Operand>) -> Operand {
    let start = Operand::Const(Constant::Poison(wide.clone()));
    (0..).zip(lanes).fold(start, |vector, (lane, tangent)| {
        let place = Operand::Const(Constant::int(32, lane));
        builder.push(Op::InsertElement, wide.clone(), vec![vector, tangent, place])
    })
}

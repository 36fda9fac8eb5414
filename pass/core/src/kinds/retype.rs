//! A web's integers as what they carry.

use super::webs::Web;
use crate::model::{Constant, FloatKind, Function, Op, Operand, Type};

/// Gives the values of a web another type of as many bits; false, with nothing changed, where a constant in it has no
/// such type.
pub fn retype(function: &mut Function, web: &Web, ty: &Type) -> bool {
    let users = web.values.iter().chain(&web.stores).copied();
    let mut changed = Vec::new();
    for id in users {
        let Some(inst) = function.inst(id) else { return false };
        let mut inst = inst.clone();
        let moved = match inst.op {
            Op::Phi { .. } | Op::Freeze => 0..inst.operands.len(),
            Op::Select => 1..3,
            Op::Store(_) => 0..1,
            _ => 0..0,
        };
        for operand in &mut inst.operands[moved] {
            if let Operand::Const(constant) = operand {
                let Some(constant) = read_as(constant, ty) else { return false };
                *operand = Operand::Const(constant);
            }
        }
        if !matches!(inst.op, Op::Store(_)) {
            inst.ty = ty.clone();
        }
        changed.push((id, inst));
    }
    let first = function.params.len();
    for (id, inst) in changed {
        function.insts[id.0 as usize - first] = inst;
    }
    true
}

/// The constant of a type that has these bits.
fn read_as(constant: &Constant, ty: &Type) -> Option<Constant> {
    match constant {
        Constant::Undef(_) => return Some(Constant::Undef(ty.clone())),
        Constant::Poison(_) => return Some(Constant::Poison(ty.clone())),
        _ => {}
    }
    let (bits, width) = bits_of(constant)?;
    match ty {
        Type::Float(kind) if kind.bits() == width => Some(float(*kind, bits)),
        Type::Ptr(_) if bits == 0 => Some(Constant::Null(ty.clone())),
        Type::Vector(lanes, element) => {
            let Type::Float(kind) = **element else { return None };
            if kind.bits() * lanes.count != width {
                return None;
            }
            let lane = |at: u32| {
                let from = bits >> (at * kind.bits());
                float(kind, from & (u128::MAX >> (128 - kind.bits())))
            };
            Some(Constant::Aggregate { ty: ty.clone(), parts: (0..lanes.count).map(lane).collect() })
        }
        _ => None,
    }
}

fn float(kind: FloatKind, bits: u128) -> Constant {
    Constant::Float { kind, bits }
}

/// A constant's bits as they lie in memory, the first byte lowest, and how many they are.
fn bits_of(constant: &Constant) -> Option<(u128, u32)> {
    match constant {
        Constant::Int { bits, value } => Some((*value, *bits)),
        Constant::Zero(Type::Vector(lanes, element)) => match **element {
            Type::Int(bits) if bits * lanes.count <= 128 => Some((0, bits * lanes.count)),
            _ => None,
        },
        Constant::Aggregate { parts, .. } => parts.iter().try_fold((0, 0), |(bits, width), part| {
            let (more, wide) = bits_of(part)?;
            (width + wide <= 128).then(|| (bits | more << width, width + wide))
        }),
        _ => None,
    }
}

//! Which integers stored into active memory overwrite floats there.
//!
//! Function + pointers → for each access the offsets it can have from its allocations, and from these whether an
//! integer store meets accesses of floats or of integers.
//! Lattice of offsets: a remainder modulo a stride; stride 0 is one offset, stride 1 is any.
//! Safe error: overlaps, and a float. A store that may meet both kinds is refused.

use super::activity::Activity;
use crate::model::{Constant, Function, Inst, Op, Operand, Stride, Type, ValueId};

/// What an integer store into active memory means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrites {
    /// An integer beside the floats.
    Integer,
    /// A float, by its bits: its derivative ends here.
    Float,
    /// Perhaps the one, perhaps the other.
    Unclear,
}

/// Bytes `offset .. offset + bytes`, and as many further on by multiples of `stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    offset: i128,
    stride: u128,
    bytes: u64,
}

pub fn what_is_overwritten(function: &Function, activity: &Activity, store: &Inst) -> Overwrites {
    let bases = activity.bases(&store.operands[1]);
    let place = place_of(function, &store.operands[1], function.operand_type(&store.operands[0]));
    let (mut floats, mut others) = (false, false);
    for inst in function.inst_ids().filter_map(|id| function.inst(id)) {
        let (pointer, ty) = match &inst.op {
            Op::Load(_) => (&inst.operands[0], inst.ty.clone()),
            Op::Store(_) => (&inst.operands[1], function.operand_type(&inst.operands[0])),
            _ => continue,
        };
        let overlaps = !activity.bases(pointer).is_disjoint(&bases)
            && meets(place, place_of(function, pointer, ty.clone()));
        floats |= overlaps && ty.holds_float();
        others |= overlaps && !ty.holds_float() && matches!(inst.op, Op::Load(_));
    }
    match (floats, others) {
        (true, true) => Overwrites::Unclear,
        (false, true) => Overwrites::Integer,
        // Nobody here reads it as an integer. Were it one, to clear its shadow would harm nobody.
        (_, false) => Overwrites::Float,
    }
}

fn meets(a: Place, b: Place) -> bool {
    let stride = gcd(a.stride, b.stride);
    let apart = b.offset - a.offset;
    if stride == 0 {
        return apart < i128::from(a.bytes) && -apart < i128::from(b.bytes);
    }
    let stride = stride as i128;
    let ahead = apart.rem_euclid(stride);
    ahead < i128::from(a.bytes) || stride - ahead < i128::from(b.bytes)
}

fn place_of(function: &Function, pointer: &Operand, ty: Type) -> Place {
    let bytes = crate::model::Layout::default().store_size(&ty).unwrap_or(16);
    let mut place = Place { offset: 0, stride: 0, bytes };
    let mut at = pointer.clone();
    loop {
        match &at {
            Operand::Const(Constant::Offset { bytes, .. }) => {
                place.offset += i128::from(*bytes);
                return place;
            }
            Operand::Const(_) => return place,
            Operand::Value(value) => match function.inst(*value) {
                Some(inst) if matches!(inst.op, Op::Gep(_)) => {
                    add_steps(&mut place, inst);
                    at = inst.operands[0].clone();
                }
                Some(inst) if matches!(inst.op, Op::Phi { .. } | Op::Select) => {
                    place.stride = 1;
                    return place;
                }
                _ => return place,
            },
        }
    }
}

fn add_steps(place: &mut Place, inst: &Inst) {
    let Op::Gep(gep) = &inst.op else { return };
    for (stride, index) in gep.strides.iter().zip(&inst.operands[1..]) {
        let known = match index {
            Operand::Const(constant) => constant.as_signed(),
            Operand::Value(_) => None,
        };
        match (stride, known) {
            (Stride::Field(bytes), _) => place.offset += i128::from(*bytes),
            (Stride::Scale(bytes), Some(index)) => place.offset += index * i128::from(*bytes),
            (Stride::Scale(bytes), None) => place.stride = gcd(place.stride, u128::from(*bytes)),
            (Stride::Unknown, _) => place.stride = 1,
        }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Integer stores that overwrite floats, among the instructions of a function.
pub fn find_bit_stores(function: &Function, activity: &Activity) -> Vec<(ValueId, Overwrites)> {
    let stores = function.inst_ids().filter_map(|id| Some((id, function.inst(id)?)));
    let integers = stores.filter(|(_, inst)| {
        matches!(inst.op, Op::Store(_))
            && matches!(function.operand_type(&inst.operands[0]).scalar(), Type::Int(_))
            && activity.is_shadowed(&inst.operands[1])
    });
    integers.map(|(id, inst)| (id, what_is_overwritten(function, activity, inst))).collect()
}

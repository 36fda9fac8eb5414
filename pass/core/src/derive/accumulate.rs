//! Adds one derivative to another, whatever their type: floats, vectors, or structs that hold floats.

use super::builder::Builder;
use super::cells::{load, store};
use crate::model::{Flags, FloatOp, Op, Operand, Type};

/// Adds `value` to what a cell of type `ty` holds.
pub fn accumulate(builder: &mut Builder, cell: &Operand, ty: &Type, value: Operand) {
    let old = load(builder, cell, ty.clone());
    let sum = add(builder, ty, old, value);
    store(builder, cell, sum);
}

/// The sum of two derivatives of one type. Parts that are no floats stay as they are on the left.
///
/// Nothing is said by the sign of a derivative that is zero, so the sum need not keep it: then the first value that is added
/// to a cell that begins at zero is its value, where `x + 0.0` would stay an addition (it makes 0.0 of -0.0).
pub fn add(builder: &mut Builder, ty: &Type, left: Operand, right: Operand) -> Operand {
    if ty.is_real() {
        let sum = builder.push_float(Op::Float(FloatOp::Add), ty.clone(), vec![left, right]);
        builder.flag_last(Flags::NSZ);
        return sum;
    }
    let Some(parts) = ty.parts() else { return left };
    let parts: Vec<Type> = parts.into_iter().cloned().collect();
    let mut whole = left.clone();
    for (index, part) in parts.iter().enumerate().filter(|(_, part)| part.holds_float()) {
        let path = vec![index as u32];
        let take = |builder: &mut Builder, from: &Operand| {
            builder.push(Op::ExtractValue { path: path.clone() }, part.clone(), vec![from.clone()])
        };
        let old = take(builder, &left);
        let new = take(builder, &right);
        let sum = add(builder, part, old, new);
        whole = builder.push(Op::InsertValue { path: path.clone() }, ty.clone(), vec![whole, sum]);
    }
    whole
}

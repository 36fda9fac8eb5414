//! Vectors, structs and arrays as values: taking parts out and putting parts in.

use backsweep_core::model::{FloatOp, Type};

use crate::dual::Dual;
use crate::lanes::zip;
use crate::trap::Fault;
use crate::value::Value;

pub fn float(op: FloatOp, a: &Value, b: &Value) -> Result<Value, Fault> {
    match (a, b) {
        (Value::Float(x), Value::Float(y)) => Ok(Value::Float(apply(op, *x, *y))),
        (_, _) => zip(a, b, &mut |a, b| Ok(Value::Float(apply(op, a.as_float()?, b.as_float()?)))),
    }
}

#[inline]
fn apply(op: FloatOp, x: Dual, y: Dual) -> Dual {
    match op {
        FloatOp::Add => x + y,
        FloatOp::Sub => x - y,
        FloatOp::Mul => x * y,
        FloatOp::Div => x / y,
        FloatOp::Rem => x % y,
    }
}

/// Undefined content becomes zero: some fixed value, which is all that `freeze` promises.
pub fn freeze(x: &Value, ty: &Type) -> Value {
    match (x, ty) {
        (Value::Undef, _) => Value::zero(ty),
        (Value::Aggregate(parts), Type::Vector(_, element) | Type::Array(_, element)) => {
            Value::Aggregate(parts.iter().map(|part| freeze(part, element)).collect())
        }
        (Value::Aggregate(parts), Type::Struct { fields, .. }) => {
            Value::Aggregate(parts.iter().zip(fields).map(|(part, field)| freeze(part, field)).collect())
        }
        (_, _) => x.clone(),
    }
}

pub fn lanes_of(x: &Value, count: usize) -> Result<Vec<Value>, Fault> {
    match x {
        Value::Undef => Ok(vec![Value::Undef; count]),
        Value::Float(_) | Value::Int(_) | Value::Pointer(_) | Value::Aggregate(_) => {
            Ok(x.as_parts()?.to_vec())
        }
    }
}

pub fn extract_element(vector: &Value, index: &Value) -> Result<Value, Fault> {
    if vector.is_undef() {
        return Ok(Value::Undef);
    }
    let index = index.as_int()?.value as usize;
    Ok(vector.as_parts()?.get(index).cloned().unwrap_or(Value::Undef))
}

pub fn insert_element(vector: &Value, part: &Value, index: &Value, ty: &Type) -> Result<Value, Fault> {
    let mut result = if vector.is_undef() { Value::undef(ty) } else { vector.clone() };
    let index = index.as_int()?.value as usize;
    match &mut result {
        Value::Aggregate(parts) if index < parts.len() => parts[index] = part.clone(),
        // An index beyond the vector makes poison.
        _ => return Ok(Value::undef(ty)),
    }
    Ok(result)
}

/// Lanes of both vectors, one after the other, by number; the first tells the width of both.
pub fn shuffle(a: &Value, b: &Value, mask: &[i32]) -> Result<Value, Fault> {
    let width = match (a, b) {
        (Value::Aggregate(parts), _) | (_, Value::Aggregate(parts)) => parts.len(),
        (_, _) => return Ok(Value::Aggregate(vec![Value::Undef; mask.len()])),
    };
    let lane = |index: &i32| match usize::try_from(*index) {
        Ok(index) if index < width => part_at(a, index),
        Ok(index) => part_at(b, index - width),
        Err(_) => Ok(Value::Undef),
    };
    Ok(Value::Aggregate(mask.iter().map(lane).collect::<Result<_, _>>()?))
}

fn part_at(x: &Value, index: usize) -> Result<Value, Fault> {
    if x.is_undef() {
        return Ok(Value::Undef);
    }
    let missing = || Fault::Malformed(format!("part {index} does not exist"));
    x.as_parts()?.get(index).cloned().ok_or_else(missing)
}

pub fn extract(x: &Value, path: &[u32]) -> Result<Value, Fault> {
    let mut at = x;
    for step in path {
        if at.is_undef() {
            return Ok(Value::Undef);
        }
        let missing = || Fault::Malformed(format!("part {step} does not exist"));
        at = at.as_parts()?.get(*step as usize).ok_or_else(missing)?;
    }
    Ok(at.clone())
}

pub fn insert(x: &Value, part: &Value, path: &[u32], ty: &Type) -> Result<Value, Fault> {
    let mut result = if x.is_undef() { Value::undef(ty) } else { x.clone() };
    let mut at = &mut result;
    let mut ty = ty;
    for step in path {
        if at.is_undef() {
            *at = Value::undef(ty);
        }
        ty = match ty {
            Type::Struct { fields, .. } => fields.get(*step as usize).unwrap_or(&Type::Void),
            Type::Array(_, element) => element,
            _ => &Type::Void,
        };
        at = match at {
            Value::Aggregate(parts) => parts.get_mut(*step as usize),
            Value::Float(_) | Value::Int(_) | Value::Pointer(_) | Value::Undef => None,
        }
        .ok_or_else(|| Fault::Malformed(format!("part {step} does not exist")))?;
    }
    *at = part.clone();
    Ok(result)
}

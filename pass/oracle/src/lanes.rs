//! Operations on scalars, applied lane by lane to vectors.
//!
//! Invariant: a lane of undef gives a lane of undef and nothing worse; a scalar of undef is left to the caller.

use crate::trap::Fault;
use crate::value::Value;

pub fn map(a: &Value, f: &mut dyn FnMut(&Value) -> Result<Value, Fault>) -> Result<Value, Fault> {
    match a {
        Value::Aggregate(parts) => {
            let lanes = parts.iter().map(|part| map(part, f));
            Ok(Value::Aggregate(lanes.collect::<Result<_, _>>()?))
        }
        Value::Undef => Ok(Value::Undef),
        Value::Float(_) | Value::Int(_) | Value::Pointer(_) => f(a),
    }
}

pub fn zip(
    a: &Value,
    b: &Value,
    f: &mut dyn FnMut(&Value, &Value) -> Result<Value, Fault>,
) -> Result<Value, Fault> {
    match (a, b) {
        (Value::Aggregate(x), Value::Aggregate(y)) if x.len() == y.len() => {
            let lanes = x.iter().zip(y).map(|(x, y)| zip(x, y, f));
            Ok(Value::Aggregate(lanes.collect::<Result<_, _>>()?))
        }
        (Value::Aggregate(x), Value::Undef) | (Value::Undef, Value::Aggregate(x)) => {
            Ok(Value::Aggregate(vec![Value::Undef; x.len()]))
        }
        (Value::Undef, _) | (_, Value::Undef) => Ok(Value::Undef),
        (_, _) => f(a, b),
    }
}

/// Any number of operands at once; those that are no vectors are the same for each lane.
pub fn gather(
    operands: &[Value],
    f: &mut dyn FnMut(&[Value]) -> Result<Value, Fault>,
) -> Result<Value, Fault> {
    let width = operands.iter().find_map(|operand| match operand {
        Value::Aggregate(parts) => Some(parts.len()),
        Value::Float(_) | Value::Int(_) | Value::Pointer(_) | Value::Undef => None,
    });
    let Some(width) = width else {
        return if operands.iter().any(Value::is_undef) { Ok(Value::Undef) } else { f(operands) };
    };
    let mut lanes = Vec::with_capacity(width);
    for index in 0..width {
        let lane = operands.iter().map(|operand| match operand {
            Value::Aggregate(parts) => parts.get(index).cloned().unwrap_or(Value::Undef),
            Value::Float(_) | Value::Int(_) | Value::Pointer(_) | Value::Undef => operand.clone(),
        });
        lanes.push(gather(&lane.collect::<Vec<_>>(), f)?);
    }
    Ok(Value::Aggregate(lanes))
}

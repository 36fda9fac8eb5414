//! Atomic read-modify-write, as one thread sees it.

use backsweep_core::model::{AtomicOp, IntOp, IntPredicate, Type};

use crate::code::Operands;
use crate::integer::{apply, compare, word};
use crate::memory::Memory;
use crate::trap::Fault;
use crate::value::Value;

/// Stores the new content and returns the old.
pub fn modify(
    memory: &mut Memory,
    op: AtomicOp,
    pointer: &Value,
    operand: &Value,
    ty: &Type,
) -> Result<Value, Fault> {
    let at = pointer.as_pointer()?;
    let old = memory.load(ty, at)?;
    let new = combine(op, &old, operand)?;
    memory.store(ty, at, &new)?;
    Ok(old)
}

fn combine(op: AtomicOp, old: &Value, operand: &Value) -> Result<Value, Fault> {
    let int = |op: IntOp| apply(op, old.as_int()?, operand.as_int()?);
    let keep = |predicate: IntPredicate| {
        let (bits, a) = word(old)?;
        let kept = compare(predicate, bits, a, word(operand)?.1);
        Ok(if kept { old.clone() } else { operand.clone() })
    };
    let float = || Ok::<_, Fault>((old.as_float()?, operand.as_float()?));
    match op {
        AtomicOp::Exchange => Ok(operand.clone()),
        AtomicOp::Add => int(IntOp::Add),
        AtomicOp::Sub => int(IntOp::Sub),
        AtomicOp::And => int(IntOp::And),
        AtomicOp::Or => int(IntOp::Or),
        AtomicOp::Xor => int(IntOp::Xor),
        AtomicOp::Nand => match int(IntOp::And)? {
            Value::Int(both) => Ok(Value::int(both.bits, !(both.value as i128))),
            other => Ok(other),
        },
        AtomicOp::Max => keep(IntPredicate::Sge),
        AtomicOp::Min => keep(IntPredicate::Sle),
        AtomicOp::UMax => keep(IntPredicate::Uge),
        AtomicOp::UMin => keep(IntPredicate::Ule),
        AtomicOp::FAdd => float().map(|(x, y)| Value::Float(x + y)),
        AtomicOp::FSub => float().map(|(x, y)| Value::Float(x - y)),
        AtomicOp::FMax => {
            float().map(|(x, y)| Value::Float(if x.primal >= y.primal || y.primal.is_nan() { x } else { y }))
        }
        AtomicOp::FMin => {
            float().map(|(x, y)| Value::Float(if x.primal <= y.primal || y.primal.is_nan() { x } else { y }))
        }
        AtomicOp::Other => Err(Fault::Unsupported("a rare atomic operation".into())),
    }
}

/// The old content, and whether the new one was stored. `ty` is the struct of both.
pub fn compare_exchange(memory: &mut Memory, x: Operands, ty: &Type) -> Result<Value, Fault> {
    let Type::Struct { fields, .. } = ty else {
        return Err(Fault::Malformed("cmpxchg gives a struct".into()));
    };
    let at = x.get(0).as_pointer()?;
    let old = memory.load(&fields[0], at)?;
    let same = word(&old)?.1 == word(x.get(1))?.1;
    if same {
        memory.store(&fields[0], at, x.get(2))?;
    }
    Ok(Value::Aggregate(vec![old, Value::bool(same)]))
}

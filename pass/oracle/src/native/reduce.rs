//! Reductions of a vector to a scalar, in lane order.

use backsweep_core::model::{FloatOp, IntOp};

use super::{Native, bits, partials};
use crate::integer::apply;
use crate::memory::Memory;
use crate::parts::float;
use crate::trap::Fault;
use crate::value::Value;

#[derive(Clone, Copy, Debug)]
pub enum Reduce {
    Int(IntOp),
    Extreme(bits::Bits),
    /// The first argument is where the sum or product starts.
    Float(FloatOp),
    Partial(fn(f64, f64) -> [f64; 3]),
}

pub fn call(reduce: Reduce, x: &[Value]) -> Result<Value, Fault> {
    let (start, vector) = match (reduce, x) {
        (Reduce::Float(_), [start, vector]) => (Some(start.clone()), vector),
        (_, [vector]) => (None, vector),
        (_, _) => return Err(Fault::Malformed("operands of a reduction".into())),
    };
    let mut lanes = vector.as_parts()?.iter();
    let start = match start {
        Some(start) => start,
        None => lanes.next().cloned().unwrap_or(Value::Undef),
    };
    lanes.try_fold(start, |sum, lane| combine(reduce, &sum, lane))
}

fn combine(reduce: Reduce, a: &Value, b: &Value) -> Result<Value, Fault> {
    match reduce {
        Reduce::Int(op) => apply(op, a.as_int()?, b.as_int()?),
        Reduce::Extreme(op) => bits::call(op, &[a.clone(), b.clone()]),
        Reduce::Float(op) => float(op, a, b),
        Reduce::Partial(f) => {
            let pair = [a.clone(), b.clone()];
            super::call(Native::Binary(f), &mut Memory::default(), &pair, &backsweep_core::model::Type::Void)
        }
    }
}

/// The reduction of that name behind `llvm.vector.reduce.`.
pub fn named(name: &str) -> Option<Reduce> {
    Some(match name {
        "add" => Reduce::Int(IntOp::Add),
        "mul" => Reduce::Int(IntOp::Mul),
        "and" => Reduce::Int(IntOp::And),
        "or" => Reduce::Int(IntOp::Or),
        "xor" => Reduce::Int(IntOp::Xor),
        "smax" => Reduce::Extreme(bits::Bits::SMax),
        "smin" => Reduce::Extreme(bits::Bits::SMin),
        "umax" => Reduce::Extreme(bits::Bits::UMax),
        "umin" => Reduce::Extreme(bits::Bits::UMin),
        "fadd" => Reduce::Float(FloatOp::Add),
        "fmul" => Reduce::Float(FloatOp::Mul),
        "fmax" => Reduce::Partial(partials::fmax),
        "fmin" => Reduce::Partial(partials::fmin),
        "fmaximum" => Reduce::Partial(partials::maximum),
        "fminimum" => Reduce::Partial(partials::minimum),
        _ => return None,
    })
}

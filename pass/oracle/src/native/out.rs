//! Functions with more than one result: through pointers in C, as a struct in LLVM's intrinsics.

use backsweep_core::model::Type;

use super::{argument, integer, partials, slopes};
use crate::dual::Dual;
use crate::lanes::gather;
use crate::memory::Memory;
use crate::trap::Fault;
use crate::value::Value;

#[derive(Clone, Copy, Debug)]
pub enum Out {
    SinCos,
    SinCosPi,
    /// Mantissa in [1/2, 1) and exponent.
    Frexp,
    /// Fraction and whole part.
    Modf,
    RemQuo,
    /// The logarithm and the sign of the gamma function.
    LgammaR,
    /// The compiler's helpers for complex products and quotients.
    ComplexMul,
    ComplexDiv,
}

pub fn call(out: Out, memory: &mut Memory, x: &[Value], ty: &Type) -> Result<Value, Fault> {
    match out {
        Out::ComplexMul | Out::ComplexDiv => complex(out, x),
        Out::SinCos | Out::SinCosPi | Out::Frexp | Out::Modf | Out::RemQuo | Out::LgammaR => {
            let inputs = if matches!(out, Out::RemQuo) { &x[..2] } else { &x[..1] };
            let first = gather(inputs, &mut |x| Ok(pair(out, x)?.0))?;
            let second = gather(inputs, &mut |x| Ok(pair(out, x)?.1))?;
            match ty {
                Type::Struct { .. } => Ok(Value::Aggregate(vec![first, second])),
                _ => deliver(out, memory, x, first, second),
            }
        }
    }
}

/// Both results for one lane.
fn pair(out: Out, x: &[Value]) -> Result<(Value, Value), Fault> {
    let x0 = argument(x, 0)?;
    let through = |[value, slope]: [f64; 2]| Value::Float(x0.chain(value, slope));
    Ok(match out {
        Out::SinCos => (through(slopes::sin(x0.primal)), through(slopes::cos(x0.primal))),
        Out::SinCosPi => (through(slopes::sinpi(x0.primal)), through(slopes::cospi(x0.primal))),
        Out::Frexp => {
            let (mantissa, exponent) = libm::frexp(x0.primal);
            (through([mantissa, libm::ldexp(1.0, -exponent)]), Value::int(32, i128::from(exponent)))
        }
        Out::Modf => {
            let whole = x0.primal.trunc();
            let fraction = if x0.primal.is_infinite() { 0.0 } else { x0.primal - whole };
            (through([fraction.copysign(x0.primal), 1.0]), Value::Float(Dual::constant(x0.kind, whole)))
        }
        Out::RemQuo => {
            let y = argument(x, 1)?;
            let [rest, dx, dy] = partials::remainder(x0.primal, y.primal);
            let (_, quotient) = libm::remquo(x0.primal, y.primal);
            (Value::Float(x0.chain2(y, rest, [dx, dy])), Value::int(32, i128::from(quotient)))
        }
        Out::LgammaR => {
            let (_, sign) = libm::lgamma_r(x0.primal);
            (through(slopes::lgamma(x0.primal)), Value::int(32, i128::from(sign)))
        }
        Out::ComplexMul | Out::ComplexDiv => return Err(Fault::Malformed("complex in a pair".into())),
    })
}

/// Writes what C returns through pointers, and returns the rest.
fn deliver(out: Out, memory: &mut Memory, x: &[Value], first: Value, second: Value) -> Result<Value, Fault> {
    let place = |index: usize| x.get(index).unwrap_or(&Value::Undef).as_pointer();
    let real = Type::Float(argument(x, 0)?.kind);
    match out {
        Out::SinCos | Out::SinCosPi => {
            memory.store(&real, place(1)?, &first)?;
            memory.store(&real, place(2)?, &second)?;
            return Ok(Value::Undef);
        }
        Out::Frexp | Out::LgammaR => memory.store(&Type::I32, place(1)?, &second)?,
        Out::Modf => memory.store(&real, place(1)?, &second)?,
        Out::RemQuo => memory.store(&Type::I32, place(2)?, &second)?,
        Out::ComplexMul | Out::ComplexDiv => {}
    }
    Ok(first)
}

fn complex(out: Out, x: &[Value]) -> Result<Value, Fault> {
    let (a, b) = (argument(x, 0)?, argument(x, 1)?);
    let (c, d) = (argument(x, 2)?, argument(x, 3)?);
    let (real, imaginary) = match out {
        Out::ComplexDiv => {
            let size = c * c + d * d;
            ((a * c + b * d) / size, (b * c - a * d) / size)
        }
        _ => (a * c - b * d, a * d + b * c),
    };
    Ok(Value::Aggregate(vec![Value::Float(real), Value::Float(imaginary)]))
}

/// The count argument of memory functions and others, unsigned.
pub fn size(x: &[Value], index: usize) -> Result<u64, Fault> {
    Ok(integer(x, index)? as u64)
}

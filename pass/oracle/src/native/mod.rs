//! Library functions and intrinsics, known by name.
//!
//! Name → [`Native`] once, at link time; then arguments → result.

mod bits;
mod heap;
mod names;
mod out;
mod partials;
mod reduce;
mod slopes;
mod special;

use backsweep_core::model::{FloatKind, Type};

pub use names::resolve;

use crate::cast::{saturate, to_signed};
use crate::dual::{Dual, scale, sum};
use crate::lanes::gather;
use crate::memory::Memory;
use crate::trap::Fault;
use crate::value::Value;

#[derive(Clone, Copy, Debug)]
pub enum Native {
    /// `x` → value and slope.
    Unary(fn(f64) -> [f64; 2]),
    /// `x, y` → value and both partials.
    Binary(fn(f64, f64) -> [f64; 3]),
    /// `x·y + z` with one rounding.
    Fma,
    /// A float and an integer → value and slope in the float.
    Power(fn(f64, i64) -> [f64; 2]),
    /// An integer and a float → value and slope in the float.
    Order(fn(i64, f64) -> [f64; 2]),
    /// A float → an integer, which has no slope.
    Whole(fn(f64) -> f64),
    /// A float → the nearest integer that fits.
    Saturate {
        signed: bool,
    },
    Class,
    Out(out::Out),
    Heap(heap::Heap),
    Bits(bits::Bits),
    Reduce(reduce::Reduce),
    /// Returns its first argument.
    First,
    /// Does nothing that this machine could see.
    Ignored,
    /// Input and output: does nothing and returns zero.
    Silent,
    Abort(&'static str),
}

/// Runs a library function. `ty` is the type that the call site expects.
pub fn call(native: Native, memory: &mut Memory, x: &[Value], ty: &Type) -> Result<Value, Fault> {
    match native {
        Native::Unary(f) => match x {
            [Value::Float(x)] => Ok(unary(f, *x)),
            _ => gather(x, &mut |x| Ok(unary(f, x[0].as_float()?))),
        },
        Native::Binary(f) => gather(x, &mut |x| binary(f, argument(x, 0)?, argument(x, 1)?)),
        Native::Fma => gather(x, &mut |x| fma(argument(x, 0)?, argument(x, 1)?, argument(x, 2)?)),
        Native::Power(f) => gather(x, &mut |x| {
            let dual = argument(x, 0)?;
            let [value, slope] = f(dual.primal, integer(x, 1)?);
            Ok(Value::Float(dual.chain(value, slope)))
        }),
        Native::Order(f) => gather(x, &mut |x| {
            let dual = argument(x, 1)?;
            let [value, slope] = f(integer(x, 0)?, dual.primal);
            Ok(Value::Float(dual.chain(value, slope)))
        }),
        Native::Whole(f) => gather(x, &mut |x| Ok(to_signed(f(argument(x, 0)?.primal), width(ty.scalar())?))),
        Native::Saturate { signed } => {
            gather(x, &mut |x| Ok(saturate(argument(x, 0)?.primal, width(ty.scalar())?, signed)))
        }
        Native::Class => gather(x, &mut |x| {
            let (x, test) = (argument(x, 0)?.primal, integer(x, 1)?);
            Ok(Value::bool(test >> class(x) & 1 == 1))
        }),
        Native::Out(out) => out::call(out, memory, x, ty),
        Native::Heap(heap) => heap::call(heap, memory, x),
        Native::Bits(bits) => bits::call(bits, x),
        Native::Reduce(reduce) => reduce::call(reduce, x),
        Native::First => Ok(x.first().cloned().unwrap_or(Value::Undef)),
        Native::Ignored => Ok(Value::Undef),
        Native::Silent => Ok(Value::zero(ty)),
        Native::Abort(name) => Err(Fault::Aborted(name.into())),
    }
}

fn unary(f: fn(f64) -> [f64; 2], x: Dual) -> Value {
    let [value, slope] = f(x.primal);
    Value::Float(x.chain(value, slope))
}

fn binary(f: fn(f64, f64) -> [f64; 3], x: Dual, y: Dual) -> Result<Value, Fault> {
    let [value, dx, dy] = f(x.primal, y.primal);
    Ok(Value::Float(x.chain2(y, value, [dx, dy])))
}

fn fma(x: Dual, y: Dual, z: Dual) -> Result<Value, Fault> {
    let value = match x.kind {
        FloatKind::Single => f64::from((x.primal as f32).mul_add(y.primal as f32, z.primal as f32)),
        FloatKind::Half
        | FloatKind::BFloat
        | FloatKind::Double
        | FloatKind::X87
        | FloatKind::Quad
        | FloatKind::DoubleDouble => x.primal.mul_add(y.primal, z.primal),
    };
    let product = sum(&scale(&x.tangent, y.primal), &scale(&y.tangent, x.primal));
    Ok(Value::Float(Dual::new(x.kind, value, sum(&product, &z.tangent))))
}

/// The bit of LLVM's class test that a value answers to.
fn class(x: f64) -> u32 {
    let positive = x.is_sign_positive();
    match x.classify() {
        std::num::FpCategory::Nan => 1,
        std::num::FpCategory::Infinite => {
            if positive {
                9
            } else {
                2
            }
        }
        std::num::FpCategory::Normal => {
            if positive {
                8
            } else {
                3
            }
        }
        std::num::FpCategory::Subnormal => {
            if positive {
                7
            } else {
                4
            }
        }
        std::num::FpCategory::Zero => {
            if positive {
                6
            } else {
                5
            }
        }
    }
}

fn argument(x: &[Value], index: usize) -> Result<Dual, Fault> {
    x.get(index).unwrap_or(&Value::Undef).as_float()
}

fn integer(x: &[Value], index: usize) -> Result<i64, Fault> {
    Ok(x.get(index).unwrap_or(&Value::Undef).as_int()?.signed() as i64)
}

fn width(ty: &Type) -> Result<u32, Fault> {
    match ty {
        Type::Int(bits) => Ok(*bits),
        _ => Err(Fault::Malformed(format!("an integer result expected, not {ty:?}"))),
    }
}

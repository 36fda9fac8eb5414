//! Conversions.

use backsweep_core::model::{CastOp, FloatKind, FloatPredicate, Type};

use crate::dual::Dual;
use crate::integer::{resize, word};
use crate::lanes::map;
use crate::layout::bits;
use crate::memory::{Kind, Memory};
use crate::trap::Fault;
use crate::value::{Int, Pointer, Value, sign_extend};

pub fn cast(op: CastOp, x: &Value, to: &Type) -> Result<Value, Fault> {
    if op == CastOp::BitCast {
        return reinterpret(x, to);
    }
    map(x, &mut |x| cast_scalar(op, x, to.scalar()))
}

fn cast_scalar(op: CastOp, x: &Value, to: &Type) -> Result<Value, Fault> {
    match (op, to) {
        (CastOp::Trunc | CastOp::ZExt, Type::Int(bits)) => {
            let int = x.as_int()?;
            Ok(resize(int, *bits, int.value))
        }
        (CastOp::SExt, Type::Int(bits)) => {
            let int = x.as_int()?;
            Ok(resize(int, *bits, int.signed() as u128))
        }
        (CastOp::FpTrunc | CastOp::FpExt, Type::Float(kind)) => {
            let dual = x.as_float()?;
            Ok(Value::Float(Dual::new(*kind, dual.primal, dual.tangent)))
        }
        (CastOp::FpToUi, Type::Int(bits)) => Ok(to_unsigned(x.as_float()?.primal, *bits)),
        (CastOp::FpToSi, Type::Int(bits)) => Ok(to_signed(x.as_float()?.primal, *bits)),
        (CastOp::UiToFp, Type::Float(kind)) => Ok(from_unsigned(*kind, x.as_int()?.value, false)),
        (CastOp::SiToFp, Type::Float(kind)) => {
            let signed = x.as_int()?.signed();
            Ok(from_unsigned(*kind, signed.unsigned_abs(), signed < 0))
        }
        (CastOp::PtrToInt | CastOp::PtrToAddr, Type::Int(bits)) => {
            Ok(Value::Int(Int::new(*bits, word(x)?.1)))
        }
        (CastOp::IntToPtr, Type::Ptr(_)) => {
            Ok(Value::Pointer(Pointer::from_address(x.as_int()?.value as u64)))
        }
        (CastOp::AddrSpaceCast, Type::Ptr(_)) => Ok(x.clone()),
        (
            CastOp::Trunc
            | CastOp::ZExt
            | CastOp::SExt
            | CastOp::FpTrunc
            | CastOp::FpExt
            | CastOp::FpToUi
            | CastOp::FpToSi
            | CastOp::UiToFp
            | CastOp::SiToFp
            | CastOp::PtrToInt
            | CastOp::PtrToAddr
            | CastOp::IntToPtr
            | CastOp::BitCast
            | CastOp::AddrSpaceCast,
            _,
        ) => Err(Fault::Malformed(format!("{op:?} to {to:?}"))),
    }
}

/// Poison where the value does not fit.
pub fn to_signed(x: f64, bits: u32) -> Value {
    let whole = x.trunc();
    let limit = libm::ldexp(1.0, bits as i32 - 1);
    if whole >= -limit && whole < limit { Value::int(bits, whole as i128) } else { Value::Undef }
}

fn to_unsigned(x: f64, bits: u32) -> Value {
    let whole = x.trunc();
    if whole >= 0.0 && whole < libm::ldexp(1.0, bits as i32) {
        Value::Int(Int::new(bits, whole as u128))
    } else {
        Value::Undef
    }
}

/// One rounding only: a double of a wide integer is not rounded again to a float.
fn from_unsigned(kind: FloatKind, magnitude: u128, negative: bool) -> Value {
    let size = match kind {
        FloatKind::Single => f64::from(magnitude as f32),
        FloatKind::Half
        | FloatKind::BFloat
        | FloatKind::Double
        | FloatKind::X87
        | FloatKind::Quad
        | FloatKind::DoubleDouble => magnitude as f64,
    };
    Value::Float(Dual::constant(kind, if negative { -size } else { size }))
}

/// The same bits as another type: a store and a load, which is what LLVM says a bitcast is.
fn reinterpret(x: &Value, to: &Type) -> Result<Value, Fault> {
    match (x, to) {
        (Value::Pointer(_), Type::Ptr(_)) | (Value::Undef, _) => return Ok(x.clone()),
        (Value::Float(dual), Type::Float(kind)) if dual.kind == *kind => return Ok(x.clone()),
        (Value::Int(int), Type::Int(bits)) if int.bits == *bits => return Ok(x.clone()),
        (_, _) => {}
    }
    let from = type_of(x)?;
    let bytes = bits(&from)?.max(bits(to)?).div_ceil(8);
    let mut scratch = Memory::default();
    let at = scratch.allocate(Kind::Stack, bytes)?;
    // A pointer keeps meaning the same object of the real memory: addresses are plain numbers.
    scratch.store(&from, at, x)?;
    scratch.load(to, at)
}

/// The type a running value has; vectors where it has parts.
fn type_of(x: &Value) -> Result<Type, Fault> {
    match x {
        Value::Float(dual) => Ok(Type::Float(dual.kind)),
        Value::Int(int) => Ok(Type::Int(int.bits)),
        Value::Pointer(_) => Ok(Type::PTR),
        Value::Undef => Err(Fault::UndefUsed("a bitcast")),
        Value::Aggregate(parts) => {
            let known = parts.iter().find(|part| !part.is_undef());
            let element = type_of(known.unwrap_or(&Value::Undef))?;
            let lanes = backsweep_core::model::Lanes { count: parts.len() as u32, scalable: false };
            Ok(Type::Vector(lanes, Box::new(element)))
        }
    }
}

/// The value of an integer as LLVM's saturating conversions give it.
pub fn saturate(x: f64, bits: u32, signed: bool) -> Value {
    let (low, high) = if signed {
        (sign_extend(bits, 1 << (bits - 1)), (1i128 << (bits - 1)) - 1)
    } else {
        (0, if bits >= 127 { i128::MAX } else { (1i128 << bits) - 1 })
    };
    // Rust's own conversion saturates, and turns NaN to zero, as LLVM's does.
    Value::int(bits, (x as i128).clamp(low, high))
}

pub fn compare(predicate: FloatPredicate, x: f64, y: f64) -> bool {
    let unordered = x.is_nan() || y.is_nan();
    match predicate {
        FloatPredicate::False => false,
        FloatPredicate::Oeq => x == y,
        FloatPredicate::Ogt => x > y,
        FloatPredicate::Oge => x >= y,
        FloatPredicate::Olt => x < y,
        FloatPredicate::Ole => x <= y,
        FloatPredicate::One => !unordered && x != y,
        FloatPredicate::Ord => !unordered,
        FloatPredicate::Uno => unordered,
        FloatPredicate::Ueq => unordered || x == y,
        FloatPredicate::Ugt => unordered || x > y,
        FloatPredicate::Uge => unordered || x >= y,
        FloatPredicate::Ult => unordered || x < y,
        FloatPredicate::Ule => unordered || x <= y,
        FloatPredicate::Une => x != y,
        FloatPredicate::True => true,
    }
}

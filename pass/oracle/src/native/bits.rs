//! Intrinsics on integers, lane by lane.

use backsweep_core::model::IntPredicate;

use crate::integer::compare;
use crate::lanes::gather;
use crate::trap::Fault;
use crate::value::{Int, Pointer, Value, mask, sign_extend};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    SMax,
    SMin,
    UMax,
    UMin,
    Abs,
    Popcount,
    LeadingZeros,
    TrailingZeros,
    ByteSwap,
    Reverse,
    FunnelLeft,
    FunnelRight,
    /// The result and whether it wrapped.
    Overflow(Sign, Arithmetic),
    Saturate(Sign, Arithmetic),
    /// -1, 0 or 1, in eight bits or more: the call's type is not needed as values stay small.
    PointerMask,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Signed,
    Unsigned,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
}

pub fn call(bits: Bits, x: &[Value]) -> Result<Value, Fault> {
    match bits {
        Bits::PointerMask => {
            let (pointer, keep) = (x[0].as_pointer()?, x[1].as_int()?.value as u64);
            Ok(Value::Pointer(Pointer::from_address(pointer.address() & keep)))
        }
        Bits::Overflow(sign, arithmetic) => {
            let part = |index: usize| {
                gather(x, &mut |x| {
                    Ok(overflow(sign, arithmetic, x[0].as_int()?, x[1].as_int()?)[index].clone())
                })
            };
            Ok(Value::Aggregate(vec![part(0)?, part(1)?]))
        }
        _ => gather(x, &mut |x| scalar(bits, x)),
    }
}

fn scalar(op: Bits, x: &[Value]) -> Result<Value, Fault> {
    let a = x[0].as_int()?;
    let b = || x.get(1).unwrap_or(&Value::Undef).as_int();
    let pick = |predicate| {
        Ok(Value::Int(if compare(predicate, a.bits, a.value, b()?.value) { a.clone() } else { b()?.clone() }))
    };
    let int = |value: u128| Ok(Value::Int(Int::new(a.bits, value)));
    match op {
        Bits::SMax => pick(IntPredicate::Sge),
        Bits::SMin => pick(IntPredicate::Sle),
        Bits::UMax => pick(IntPredicate::Uge),
        Bits::UMin => pick(IntPredicate::Ule),
        Bits::Abs => int(a.signed().unsigned_abs()),
        Bits::Popcount => int(u128::from(a.value.count_ones())),
        Bits::LeadingZeros => int(u128::from(a.value.leading_zeros() + a.bits - 128)),
        Bits::TrailingZeros => int(u128::from(a.value.trailing_zeros().min(a.bits))),
        Bits::ByteSwap => int(a.value.swap_bytes() >> (128 - a.bits)),
        Bits::Reverse => int(a.value.reverse_bits() >> (128 - a.bits)),
        Bits::FunnelLeft | Bits::FunnelRight => funnel(op, a, b()?, x[2].as_int()?),
        Bits::Saturate(sign, arithmetic) => saturate(sign, arithmetic, a, b()?),
        Bits::Overflow(..) | Bits::PointerMask => {
            Err(Fault::Malformed("not an operation of one lane".into()))
        }
    }
}

fn funnel(op: Bits, high: &Int, low: &Int, by: &Int) -> Result<Value, Fault> {
    let bits = high.bits;
    let by = (by.value % u128::from(bits)) as u32;
    let value = match (op, by) {
        (Bits::FunnelLeft, 0) => high.value,
        (_, 0) => low.value,
        (Bits::FunnelLeft, by) => high.value << by | low.value >> (bits - by),
        (_, by) => high.value << (bits - by) | low.value >> by,
    };
    Ok(Value::Int(Int::new(bits, value)))
}

/// The wrapped result, and whether it differs from the true one.
fn overflow(sign: Sign, arithmetic: Arithmetic, a: &Int, b: &Int) -> [Value; 2] {
    let (wrapped, exact) = match sign {
        Sign::Signed => {
            let (x, y) = (a.signed(), b.signed());
            let (value, wide) = match arithmetic {
                Arithmetic::Add => x.overflowing_add(y),
                Arithmetic::Sub => x.overflowing_sub(y),
                Arithmetic::Mul => x.overflowing_mul(y),
            };
            (value as u128, !wide && sign_extend(a.bits, value as u128) == value)
        }
        Sign::Unsigned => {
            let (value, wide) = match arithmetic {
                Arithmetic::Add => a.value.overflowing_add(b.value),
                Arithmetic::Sub => a.value.overflowing_sub(b.value),
                Arithmetic::Mul => a.value.overflowing_mul(b.value),
            };
            (value, !wide && value <= mask(a.bits))
        }
    };
    [Value::Int(Int::new(a.bits, wrapped)), Value::bool(!exact)]
}

fn saturate(sign: Sign, arithmetic: Arithmetic, a: &Int, b: &Int) -> Result<Value, Fault> {
    let [value, wrapped] = overflow(sign, arithmetic, a, b);
    if wrapped == Value::bool(false) {
        return Ok(value);
    }
    let top = mask(a.bits) >> u32::from(sign == Sign::Signed);
    let down = match (sign, arithmetic) {
        (Sign::Signed, _) => a.signed() < 0,
        (Sign::Unsigned, arithmetic) => arithmetic == Arithmetic::Sub,
    };
    let bottom = if sign == Sign::Signed { top + 1 } else { 0 };
    Ok(Value::Int(Int::new(a.bits, if down { bottom } else { top })))
}

//! Integer arithmetic of any width up to 128 bits, and what happens to float bytes that pass through it.

use backsweep_core::model::{IntOp, IntPredicate};

use crate::dual::NO_TANGENT;
use crate::memory::PLAIN;
use crate::trap::Fault;
use crate::value::{Byte, Int, Value, mask, sign_extend};

/// The result; `Undef` where LLVM says poison. Wrapping flags are ignored: a wrapped value is as good as poison.
pub fn apply(op: IntOp, a: &Int, b: &Int) -> Result<Value, Fault> {
    let bits = a.bits;
    let (x, y) = (a.value, b.value);
    let value = match op {
        IntOp::Add => x.wrapping_add(y),
        IntOp::Sub => x.wrapping_sub(y),
        IntOp::Mul => x.wrapping_mul(y),
        IntOp::And => x & y,
        IntOp::Or => x | y,
        IntOp::Xor => x ^ y,
        IntOp::UDiv => x.checked_div(y).ok_or(Fault::DivisionByZero)?,
        IntOp::URem => x.checked_rem(y).ok_or(Fault::DivisionByZero)?,
        IntOp::SDiv => divide(a, b)?.0 as u128,
        IntOp::SRem => divide(a, b)?.1 as u128,
        IntOp::Shl | IntOp::LShr | IntOp::AShr if y >= u128::from(bits) => return Ok(Value::Undef),
        IntOp::Shl => x << y,
        IntOp::LShr => x >> y,
        IntOp::AShr => (a.signed() >> y) as u128,
    };
    let mut result = Int::new(bits, value);
    if a.carried.is_some() || b.carried.is_some() {
        result.carried = carry(op, a, b);
    }
    Ok(Value::Int(result))
}

/// Quotient and rest, towards zero.
fn divide(a: &Int, b: &Int) -> Result<(i128, i128), Fault> {
    let (x, y) = (a.signed(), b.signed());
    let overflow = y == -1 && x == sign_extend(a.bits, 1 << (a.bits - 1));
    if y == 0 || overflow {
        return Err(Fault::DivisionByZero);
    }
    Ok((x / y, x % y))
}

const PLAIN_BYTE: Byte = Byte { mark: PLAIN, tangent: NO_TANGENT };

/// What is known of each byte, with plain ones spelled out.
fn known(int: &Int) -> Vec<Byte> {
    match &int.carried {
        Some(bytes) => bytes.to_vec(),
        None => vec![PLAIN_BYTE; int.bits.div_ceil(8) as usize],
    }
}

fn settle(bytes: Vec<Byte>) -> Option<Box<[Byte]>> {
    bytes.iter().any(|byte| byte.mark != PLAIN).then(|| bytes.into())
}

/// The float bytes that an operation moves unchanged; any other arithmetic makes plain bytes.
fn carry(op: IntOp, a: &Int, b: &Int) -> Option<Box<[Byte]>> {
    let (x, y) = (known(a), known(b));
    let content = |int: &Int, index: usize| (int.value >> (8 * index)) as u8;
    let pick = |index: usize| match (op, content(a, index), content(b, index)) {
        (IntOp::And, 0xff, _) => y[index],
        (IntOp::And, _, 0xff) => x[index],
        (IntOp::Or | IntOp::Xor | IntOp::Add, 0, _) if x[index].mark == PLAIN => y[index],
        (IntOp::Or | IntOp::Xor | IntOp::Add, _, 0) if y[index].mark == PLAIN => x[index],
        _ => PLAIN_BYTE,
    };
    match op {
        IntOp::And | IntOp::Or | IntOp::Xor => settle((0..x.len()).map(pick).collect()),
        IntOp::Add if a.value & b.value == 0 => settle((0..x.len()).map(pick).collect()),
        IntOp::Shl if b.value.is_multiple_of(8) => settle(moved(&x, b.value as i64 / 8)),
        IntOp::LShr if b.value.is_multiple_of(8) => settle(moved(&x, -(b.value as i64 / 8))),
        IntOp::Add
        | IntOp::Sub
        | IntOp::Mul
        | IntOp::UDiv
        | IntOp::SDiv
        | IntOp::URem
        | IntOp::SRem
        | IntOp::Shl
        | IntOp::LShr
        | IntOp::AShr => None,
    }
}

/// The bytes moved up by a number of places; what comes in is plain.
fn moved(bytes: &[Byte], places: i64) -> Vec<Byte> {
    let source = |index: i64| usize::try_from(index - places).ok().and_then(|from| bytes.get(from));
    (0..bytes.len() as i64).map(|index| source(index).copied().unwrap_or(PLAIN_BYTE)).collect()
}

/// The integer in another width; `value` is already extended or cut.
pub fn resize(int: &Int, bits: u32, value: u128) -> Value {
    let mut result = Int::new(bits, value);
    if int.carried.is_some() {
        let mut bytes = known(int);
        bytes.resize(bits.div_ceil(8) as usize, PLAIN_BYTE);
        result.carried = settle(bytes);
    }
    Value::Int(result)
}

pub fn compare(predicate: IntPredicate, bits: u32, a: u128, b: u128) -> bool {
    let (x, y) = (sign_extend(bits, a), sign_extend(bits, b));
    match predicate {
        IntPredicate::Eq => a == b,
        IntPredicate::Ne => a != b,
        IntPredicate::Ugt => a > b,
        IntPredicate::Uge => a >= b,
        IntPredicate::Ult => a < b,
        IntPredicate::Ule => a <= b,
        IntPredicate::Sgt => x > y,
        IntPredicate::Sge => x >= y,
        IntPredicate::Slt => x < y,
        IntPredicate::Sle => x <= y,
    }
}

/// The bits of an integer or the address of a pointer, with the width.
pub fn word(value: &Value) -> Result<(u32, u128), Fault> {
    match value {
        Value::Pointer(pointer) => Ok((64, u128::from(pointer.address()))),
        Value::Int(int) => Ok((int.bits, int.value & mask(int.bits))),
        Value::Undef => Err(Fault::UndefUsed("a comparison")),
        Value::Float(_) | Value::Aggregate(_) => Err(Fault::Malformed("icmp of no integer".into())),
    }
}

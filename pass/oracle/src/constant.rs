//! Constants as running values.

use backsweep_core::model::{Constant, IntOp};

use crate::dual::Dual;
use crate::format::from_bits;
use crate::integer::{apply, word};
use crate::value::{Int, Pointer, Value, mask, sign_extend};

/// The value of a constant; `resolve` gives the address of a symbol. What means nothing here is undef, and
/// traps when it is used.
pub fn evaluate(constant: &Constant, resolve: &mut dyn FnMut(&str) -> Pointer) -> Value {
    match constant {
        Constant::Int { bits, value } => Value::Int(Int::new(*bits, *value)),
        Constant::Float { kind, bits } => Value::Float(Dual::constant(*kind, from_bits(*kind, *bits))),
        Constant::Null(ty) | Constant::Zero(ty) => Value::zero(ty),
        Constant::Undef(ty) | Constant::Poison(ty) => Value::undef(ty),
        Constant::Symbol { name, .. } => Value::Pointer(resolve(name)),
        Constant::Offset { base, bytes } => match evaluate(base, resolve) {
            Value::Pointer(pointer) => Value::Pointer(pointer.plus(*bytes)),
            Value::Float(_) | Value::Int(_) | Value::Aggregate(_) | Value::Undef => Value::Undef,
        },
        Constant::Aggregate { parts, .. } => {
            Value::Aggregate(parts.iter().map(|part| evaluate(part, resolve)).collect())
        }
        Constant::Expr { mnemonic, ty, operands } => {
            let operands: Vec<Value> = operands.iter().map(|part| evaluate(part, resolve)).collect();
            let bits = crate::layout::bits(ty).unwrap_or(0) as u32;
            fold(mnemonic, bits, &operands).unwrap_or(Value::Undef)
        }
        Constant::Opaque { .. } => Value::Undef,
    }
}

/// The constant expressions that LLVM still has.
fn fold(mnemonic: &str, bits: u32, operands: &[Value]) -> Option<Value> {
    let first = operands.first()?;
    let binary = |op: IntOp| match (first, operands.get(1)) {
        (Value::Int(a), Some(Value::Int(b))) => apply(op, a, b).ok(),
        _ => None,
    };
    match mnemonic {
        "ptrtoint" | "ptrtoaddr" | "trunc" | "zext" => Some(Value::Int(Int::new(bits, word(first).ok()?.1))),
        "sext" => {
            let (from, value) = word(first).ok()?;
            Some(Value::Int(Int::new(bits, sign_extend(from, value & mask(from)) as u128)))
        }
        "inttoptr" => Some(Value::Pointer(Pointer::from_address(word(first).ok()?.1 as u64))),
        "bitcast" | "addrspacecast" => Some(first.clone()),
        "add" => binary(IntOp::Add),
        "sub" => binary(IntOp::Sub),
        "mul" => binary(IntOp::Mul),
        "xor" => binary(IntOp::Xor),
        "and" => binary(IntOp::And),
        "or" => binary(IntOp::Or),
        "shl" => binary(IntOp::Shl),
        _ => None,
    }
}

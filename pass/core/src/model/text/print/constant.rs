//! Constants: the type, then the value. Addresses need no type.

use std::fmt::{self, Display, Formatter};

use super::List;
use crate::model::text::float::to_decimal;
use crate::model::text::quote::{Bare, Quoted, Symbol};
use crate::model::{Constant, FloatKind, Type};

impl Display for Constant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Constant::Int { bits: 1, value } => {
                write!(f, "i1 {}", if *value == 0 { "false" } else { "true" })
            }
            Constant::Int { bits, .. } => write!(f, "i{bits} {}", self.as_signed().unwrap_or_default()),
            Constant::Float { kind, bits } => write_float(f, *kind, *bits),
            Constant::Null(ty) => write!(f, "{ty} null"),
            Constant::Undef(ty) => write!(f, "{ty} undef"),
            Constant::Poison(ty) => write!(f, "{ty} poison"),
            Constant::Zero(ty) => write!(f, "{ty} zero"),
            Constant::Symbol { name, space: 0 } => write!(f, "{}", Symbol(name)),
            Constant::Symbol { name, space } => write!(f, "{} space({space})", Symbol(name)),
            Constant::Offset { base, bytes } => write!(f, "offset({base}, {bytes})"),
            Constant::Aggregate { ty, parts } => match as_text(ty, parts) {
                Some(text) => write!(f, "{ty} bytes {}", Quoted(&text)),
                None => write!(f, "{ty} ({})", List(parts)),
            },
            Constant::Expr { mnemonic, ty, operands } => {
                write!(f, "{ty} expr {}({})", Bare(mnemonic), List(operands))
            }
            Constant::Opaque { ty, text } => write!(f, "{ty} opaque {}", Quoted(text)),
        }
    }
}

fn write_float(f: &mut Formatter<'_>, kind: FloatKind, bits: u128) -> fmt::Result {
    match to_decimal(kind, bits) {
        Some(decimal) => write!(f, "{kind} {decimal}"),
        None => write!(f, "{kind} {bits:#x}"),
    }
}

/// The characters of an array of bytes; each stands for the byte of its number.
fn as_text(ty: &Type, parts: &[Constant]) -> Option<String> {
    let Type::Array(_, element) = ty else { return None };
    if **element != Type::Int(8) || parts.is_empty() {
        return None;
    }
    let byte = |part: &Constant| match part {
        Constant::Int { bits: 8, value } => u8::try_from(*value).ok().map(char::from),
        _ => None,
    };
    parts.iter().map(byte).collect()
}

//! Constants, as operands and as initial values of globals.

use super::types::{FloatKind, Type};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// An integer of up to 128 bits, kept unsigned and below `2^bits`. Wider ones are `Opaque`.
    Int {
        bits: u32,
        value: u128,
    },
    /// The bit pattern in the format's own width, so that NaN payloads survive.
    Float {
        kind: FloatKind,
        bits: u128,
    },
    Null(Type),
    Undef(Type),
    Poison(Type),
    /// `zeroinitializer` of an aggregate or vector.
    Zero(Type),
    /// The address of a global or function.
    Symbol {
        name: String,
        space: u32,
    },
    /// An address some bytes into another constant address, which is no offset itself: a folded `getelementptr`.
    Offset {
        base: Box<Constant>,
        bytes: i64,
    },
    Aggregate {
        ty: Type,
        parts: Vec<Constant>,
    },
    /// Any other constant expression, by its LLVM mnemonic (`ptrtoint`, `sub`, …).
    Expr {
        mnemonic: String,
        ty: Type,
        operands: Vec<Constant>,
    },
    /// Inline assembly, metadata, block addresses, wide integers: text that means nothing to us.
    Opaque {
        ty: Type,
        text: String,
    },
}

/// Nothing lies below this address, nor so close to the end of all addresses.
const LOWEST_ADDRESS: i64 = 4096;

impl Constant {
    pub fn int(bits: u32, value: i128) -> Constant {
        let mask = if bits >= 128 { u128::MAX } else { (1u128 << bits) - 1 };
        Constant::Int { bits, value: value as u128 & mask }
    }

    pub fn bool(value: bool) -> Constant {
        Constant::Int { bits: 1, value: u128::from(value) }
    }

    pub fn double(value: f64) -> Constant {
        Constant::Float { kind: FloatKind::Double, bits: u128::from(value.to_bits()) }
    }

    /// So many bytes into another constant address. An offset into an offset is one offset, so that whoever asks how far from the start
    /// of a global an address is need not look further than this.
    pub fn offset(base: Constant, bytes: i64) -> Constant {
        match base {
            Constant::Offset { base, bytes: before } => {
                Constant::Offset { base, bytes: before.wrapping_add(bytes) }
            }
            base => Constant::Offset { base: Box::new(base), bytes },
        }
    }

    pub fn ty(&self) -> Type {
        match self {
            Constant::Int { bits, .. } => Type::Int(*bits),
            Constant::Float { kind, .. } => Type::Float(*kind),
            Constant::Null(ty) | Constant::Undef(ty) | Constant::Poison(ty) | Constant::Zero(ty) => {
                ty.clone()
            }
            Constant::Symbol { space, .. } => Type::Ptr(*space),
            Constant::Offset { base, .. } => base.ty(),
            Constant::Aggregate { ty, .. } | Constant::Expr { ty, .. } | Constant::Opaque { ty, .. } => {
                ty.clone()
            }
        }
    }

    /// Visits this constant and every one inside it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Constant)) {
        visit(self);
        match self {
            Constant::Offset { base, .. } => base.walk(visit),
            Constant::Aggregate { parts, .. } | Constant::Expr { operands: parts, .. } => {
                parts.iter().for_each(|part| part.walk(visit));
            }
            Constant::Int { .. } | Constant::Float { .. } | Constant::Symbol { .. } => {}
            Constant::Null(_) | Constant::Undef(_) | Constant::Poison(_) | Constant::Zero(_) => {}
            Constant::Opaque { .. } => {}
        }
    }

    /// Whether it is made with the address of a global or function.
    pub fn mentions(&self, symbol: &str) -> bool {
        let mut found = false;
        self.walk(&mut |part| found |= matches!(part, Constant::Symbol { name, .. } if name == symbol));
        found
    }

    /// The integer read as signed, where this is one.
    pub fn as_signed(&self) -> Option<i128> {
        let Constant::Int { bits, value } = self else { return None };
        let shift = 128 - (*bits).clamp(1, 128);
        Some(((*value << shift) as i128) >> shift)
    }

    /// Whether this is an address behind which there is nothing: null, or a number in the page around it, which no system
    /// gives to anybody. Rust's empty vectors point there; what steps back from null, as from the end of nothing, does below it.
    pub fn is_nowhere(&self) -> bool {
        match self {
            Constant::Null(_) => true,
            Constant::Offset { base, bytes } => {
                base.is_nowhere() && (-LOWEST_ADDRESS..LOWEST_ADDRESS).contains(bytes)
            }
            Constant::Expr { mnemonic, operands, .. } if mnemonic == "inttoptr" => {
                let Some(number @ Constant::Int { bits, .. }) = operands.first() else { return false };
                // A shorter number is not extended by its sign.
                let lowest = if *bits == 64 { -LOWEST_ADDRESS } else { 0 };
                let within = i128::from(lowest)..i128::from(LOWEST_ADDRESS);
                number.as_signed().is_some_and(|number| within.contains(&number))
            }
            _ => false,
        }
    }

    /// The symbol whose address (plus some bytes) this is.
    pub fn symbol(&self) -> Option<&str> {
        match self {
            Constant::Symbol { name, .. } => Some(name),
            Constant::Offset { base, .. } => base.symbol(),
            _ => None,
        }
    }
}

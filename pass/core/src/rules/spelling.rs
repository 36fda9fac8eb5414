//! How functions are spelled: from a callee's symbol to its row, and from a row to the symbol for a type.
//!
//! Invariant: says nothing of derivatives. A symbol stands for at most one row.

use crate::model::{FloatKind, Op, Type};

use super::families::Family;

/// What a symbol stands for, beside its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// An LLVM intrinsic; the types of the call tell its float format.
    Intrinsic,
    /// A function of a library, for that precision.
    Library(Precision),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    Single,
    Double,
    /// `long double`, whatever that is on the target.
    LongDouble,
    Quad,
}

/// How a call's arguments and result stand for the operands and results of the row.
/// Arguments beyond those named (rounding modes, source lines) mean nothing to the derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Arguments are the operands, the result is the result.
    Value,
    /// Arguments are the operands, the result is a structure of the results.
    Struct,
    /// Some results are stored through pointers that are passed after the operands.
    Stored {
        /// The result that is returned.
        returned: Option<u8>,
        /// Number of the argument that is the pointer, and the result stored through it.
        stored: &'static [(u8, u8)],
    },
}

/// How to compute a function on given types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spelling {
    Instruction(Op),
    /// A call of this symbol on operands of exactly these types.
    Intrinsic(String),
    Library(String),
    /// Lane by lane: no vector form exists.
    Scalarize,
    /// Convert real operands to that format, compute there, convert back.
    Through(FloatKind),
}

/// Every symbol of a family, with its kind and shape, except intrinsics, whose names are open-ended.
pub fn list_symbols(family: &Family) -> Vec<(String, SymbolKind, Shape)> {
    let mut symbols = Vec::new();
    let mut add =
        |name: String, precision| symbols.push((name, SymbolKind::Library(precision), family.shape));
    for base in family.library.iter().chain(family.aliases) {
        for (suffix, precision) in LIBRARY_SUFFIXES {
            add(format!("{base}{suffix}"), precision);
        }
    }
    if let (true, Some(base)) = (family.finite, family.library) {
        // glibc before 2.31 under -ffast-math.
        for (suffix, precision) in &LIBRARY_SUFFIXES[..3] {
            add(format!("__{base}{suffix}_finite"), *precision);
        }
    }
    for (base, letter) in family.fortran {
        for (kind, precision) in FORTRAN_KINDS {
            add(format!("{base}{kind}{letter}"), precision);
        }
    }
    for (kind, name) in family.exact {
        add((*name).to_owned(), precision_of(*kind));
    }
    symbols
}

/// `C` names by precision; the numbered ones are those of ISO/IEC TS 18661-3 (glibc), `q` is libquadmath's.
const LIBRARY_SUFFIXES: [(&str, Precision); 9] = [
    ("", Precision::Double),
    ("f", Precision::Single),
    ("l", Precision::LongDouble),
    ("f32", Precision::Single),
    ("f64", Precision::Double),
    ("f32x", Precision::Double),
    ("f64x", Precision::LongDouble),
    ("f128", Precision::Quad),
    ("q", Precision::Quad),
];

/// Flang's runtime counts bytes.
const FORTRAN_KINDS: [(&str, Precision); 4] = [
    ("4", Precision::Single),
    ("8", Precision::Double),
    ("10", Precision::LongDouble),
    ("16", Precision::Quad),
];

fn precision_of(kind: FloatKind) -> Precision {
    match kind {
        FloatKind::Half | FloatKind::BFloat | FloatKind::Single => Precision::Single,
        FloatKind::Double => Precision::Double,
        FloatKind::X87 | FloatKind::DoubleDouble => Precision::LongDouble,
        FloatKind::Quad => Precision::Quad,
    }
}

/// The name without `llvm.` and the types after it: candidates from longest to shortest, then the same without
/// `experimental.constrained.`.
pub fn intrinsic_bases(symbol: &str) -> impl Iterator<Item = &str> {
    let name = symbol.strip_prefix("llvm.");
    let plain = name.and_then(|name| name.strip_prefix("experimental.constrained."));
    name.into_iter().chain(plain).flat_map(|name| {
        std::iter::successors(Some(name), |longer| longer.rfind('.').map(|dot| &longer[..dot]))
    })
}

/// How that family is called on operands of those types. `None` where the types do not fit it at all.
pub fn spell_family(family: &Family, operands: &[Type]) -> Option<Spelling> {
    let real = operands.iter().find(|ty| ty.is_real())?;
    let Type::Float(kind) = real.scalar() else { return None };
    if let Some(op) = super::operations::instruction_of(family.row) {
        return Some(Spelling::Instruction(op));
    }
    if let Some(base) = family.intrinsic {
        return Some(Spelling::Intrinsic(spell_intrinsic(base, real, operands)?));
    }
    if matches!(real, Type::Vector(..)) {
        return Some(Spelling::Scalarize);
    }
    if let Some((_, name)) = family.exact.iter().find(|(exact, _)| exact == kind) {
        return Some(Spelling::Library((*name).to_owned()));
    }
    if let Some((base, letter)) = family.fortran.first() {
        let digits = match kind {
            FloatKind::Half | FloatKind::BFloat => return Some(Spelling::Through(FloatKind::Single)),
            FloatKind::Single => "4",
            FloatKind::Double => "8",
            FloatKind::X87 => "10",
            FloatKind::Quad | FloatKind::DoubleDouble => "16",
        };
        return Some(Spelling::Library(format!("{base}{digits}{letter}")));
    }
    match (family.library, kind) {
        (_, FloatKind::Half | FloatKind::BFloat) => Some(Spelling::Through(FloatKind::Single)),
        (Some(base), _) => Some(Spelling::Library(format!("{base}{}", library_suffix(*kind)))),
        // Runtime functions exist for the formats listed; others compute in double.
        (None, _) => Some(Spelling::Through(FloatKind::Double)),
    }
}

fn library_suffix(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half | FloatKind::BFloat | FloatKind::Single => "f",
        FloatKind::Double => "",
        FloatKind::X87 | FloatKind::DoubleDouble => "l",
        FloatKind::Quad => "f128",
    }
}

/// Intrinsics are overloaded on the real type, and on the integer operand where there is one.
fn spell_intrinsic(base: &str, real: &Type, operands: &[Type]) -> Option<String> {
    let integer = operands.iter().find(|ty| matches!(ty.scalar(), Type::Int(_)));
    let real = overload_suffix(real)?;
    match (base, integer) {
        // The integer result, which calls of forms never ask for, is the type C gives it on our targets.
        ("lround" | "llround" | "lrint" | "llrint", _) => Some(format!("llvm.{base}.i64.{real}")),
        ("frexp", _) => Some(format!("llvm.frexp.{real}.i32")),
        (_, Some(integer)) => Some(format!("llvm.{base}.{real}.{}", overload_suffix(integer)?)),
        (_, None) => Some(format!("llvm.{base}.{real}")),
    }
}

/// A type as LLVM writes it into the name of an overloaded intrinsic.
pub fn overload_suffix(ty: &Type) -> Option<String> {
    match ty {
        Type::Int(bits) => Some(format!("i{bits}")),
        Type::Float(kind) => Some(float_suffix(*kind).to_owned()),
        Type::Ptr(space) => Some(format!("p{space}")),
        Type::Vector(lanes, element) => {
            let scalable = if lanes.scalable { "nx" } else { "" };
            Some(format!("{scalable}v{}{}", lanes.count, overload_suffix(element)?))
        }
        Type::Void
        | Type::Array(..)
        | Type::Struct { .. }
        | Type::Label
        | Type::Token
        | Type::Metadata
        | Type::Other(_) => None,
    }
}

fn float_suffix(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "f16",
        FloatKind::BFloat => "bf16",
        FloatKind::Single => "f32",
        FloatKind::Double => "f64",
        FloatKind::X87 => "f80",
        FloatKind::Quad => "f128",
        FloatKind::DoubleDouble => "ppcf128",
    }
}

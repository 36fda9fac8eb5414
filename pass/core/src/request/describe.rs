//! Types, for messages.

use crate::model::{FloatKind, Type};

/// A type in the user's words.
pub fn describe(ty: &Type) -> String {
    match ty {
        Type::Void => "nothing".into(),
        Type::Int(bits) => format!("a {bits}-bit integer"),
        Type::Float(kind) => match kind {
            FloatKind::Half => "a half".into(),
            FloatKind::BFloat => "a bfloat".into(),
            FloatKind::Single => "a float".into(),
            FloatKind::Double => "a double".into(),
            FloatKind::X87 => "a long double".into(),
            FloatKind::Quad => "a quadruple-precision float".into(),
            FloatKind::DoubleDouble => "a pair of doubles".into(),
        },
        Type::Ptr(_) => "a pointer".into(),
        Type::Vector(lanes, element) => format!("a vector of {} times {}", lanes.count, describe(element)),
        Type::Array(count, element) => format!("an array of {count} times {}", describe(element)),
        Type::Struct { fields, .. } => {
            let fields: Vec<String> = fields.iter().map(describe).collect();
            format!("a struct of {}", fields.join(", "))
        }
        Type::Label | Type::Token | Type::Metadata | Type::Other(_) => "a value of no C type".into(),
    }
}

//! Types, in LLVM's spelling where it is unambiguous without names.

use std::fmt::{self, Display, Formatter};

use super::List;
use crate::model::Type;
use crate::model::text::quote::Quoted;

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Void => write!(f, "void"),
            Type::Int(bits) => write!(f, "i{bits}"),
            Type::Float(kind) => write!(f, "{kind}"),
            Type::Ptr(0) => write!(f, "ptr"),
            Type::Ptr(space) => write!(f, "ptr({space})"),
            Type::Vector(lanes, element) => {
                let scalable = if lanes.scalable { "scalable " } else { "" };
                write!(f, "<{scalable}{} x {element}>", lanes.count)
            }
            Type::Array(count, element) => write!(f, "[{count} x {element}]"),
            Type::Struct { fields, packed: false } => write!(f, "{{{}}}", List(fields)),
            Type::Struct { fields, packed: true } => write!(f, "<{{{}}}>", List(fields)),
            Type::Label => write!(f, "label"),
            Type::Token => write!(f, "token"),
            Type::Metadata => write!(f, "metadata"),
            Type::Other(spelling) => write!(f, "other {}", Quoted(spelling)),
        }
    }
}

//! What a type is made of.

use super::touches::Kind;
use crate::model::{Layout, Type};

/// The scalars of a type, with their offsets; padding is nothing.
pub fn take_apart(
    ty: &Type,
    offset: u64,
    integers: Option<Kind>,
    layout: &Layout,
    parts: &mut Vec<(u64, u64, Kind)>,
) {
    let size = layout.store_size(ty);
    let kind = match ty {
        Type::Float(kind) => Some(Kind::Float(*kind)),
        Type::Ptr(_) => Some(Kind::Pointer),
        Type::Int(_) => integers,
        Type::Vector(lanes, element) if !lanes.scalable && **element != Type::BOOL => {
            let Some(step) = layout.store_size(element) else { return };
            for lane in 0..u64::from(lanes.count) {
                take_apart(element, offset + lane * step, integers, layout, parts);
            }
            return;
        }
        Type::Struct { .. } | Type::Array(..) => {
            for (at, part) in ty.parts().into_iter().flatten().enumerate() {
                let Some(start) = layout.field_offset(ty, at as u64) else { return };
                take_apart(part, offset + start, integers, layout, parts);
            }
            return;
        }
        _ => Some(Kind::Unclear),
    };
    if let (Some(kind), Some(size)) = (kind, size) {
        parts.push((offset, size, kind));
    }
}

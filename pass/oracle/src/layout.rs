//! Where the parts of a type lie in memory, by the rules of x86-64 and AArch64 on Linux.

use backsweep_core::model::{FloatKind, Type};

use crate::format::store_bytes;
use crate::trap::Fault;

/// Bits of a scalar or vector as it is packed into a vector or a register.
pub fn bits(ty: &Type) -> Result<u64, Fault> {
    match ty {
        Type::Int(bits) => Ok(u64::from(*bits)),
        Type::Float(kind) => Ok(8 * store_bytes(*kind)),
        Type::Ptr(_) => Ok(64),
        Type::Vector(lanes, element) if !lanes.scalable => Ok(u64::from(lanes.count) * bits(element)?),
        Type::Array(..) | Type::Struct { .. } => Ok(8 * size(ty)?),
        Type::Vector(..) | Type::Void | Type::Label | Type::Token | Type::Metadata | Type::Other(_) => {
            Err(Fault::Unsupported(format!("the size of {ty:?}")))
        }
    }
}

pub fn align(ty: &Type) -> Result<u64, Fault> {
    match ty {
        Type::Int(bits) => Ok(u64::from(bits.div_ceil(8)).next_power_of_two().min(16)),
        Type::Float(FloatKind::X87) => Ok(16),
        Type::Float(kind) => Ok(store_bytes(*kind)),
        Type::Ptr(_) => Ok(8),
        Type::Vector(..) => Ok(bits(ty)?.div_ceil(8).next_power_of_two()),
        Type::Array(_, element) => align(element),
        Type::Struct { packed: true, .. } => Ok(1),
        Type::Struct { fields, packed: false } => {
            fields.iter().try_fold(1, |most, field| Ok(most.max(align(field)?)))
        }
        Type::Void | Type::Label | Type::Token | Type::Metadata | Type::Other(_) => {
            Err(Fault::Unsupported(format!("the alignment of {ty:?}")))
        }
    }
}

/// Bytes from one element of an array of the type to the next.
pub fn size(ty: &Type) -> Result<u64, Fault> {
    match ty {
        Type::Array(count, element) => Ok(count * size(element)?),
        Type::Struct { fields, packed } => {
            let end = offsets(fields, *packed)?.last().copied().unwrap_or(0);
            Ok(if *packed { end } else { end.next_multiple_of(align(ty)?) })
        }
        Type::Int(_)
        | Type::Float(_)
        | Type::Ptr(_)
        | Type::Vector(..)
        | Type::Void
        | Type::Label
        | Type::Token
        | Type::Metadata
        | Type::Other(_) => Ok(bits(ty)?.div_ceil(8).next_multiple_of(align(ty)?)),
    }
}

/// The offset of each field, and then the end of the last one.
pub fn offsets(fields: &[Type], packed: bool) -> Result<Vec<u64>, Fault> {
    let mut offsets = Vec::with_capacity(fields.len() + 1);
    let mut end = 0u64;
    for field in fields {
        if !packed {
            end = end.next_multiple_of(align(field)?);
        }
        offsets.push(end);
        end += size(field)?;
    }
    offsets.push(end);
    Ok(offsets)
}

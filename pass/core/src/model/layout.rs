//! How large types are and where their parts lie: the answers of LLVM's data layout string.
//!
//! Data layout string → sizes, alignments and offsets in bytes. `None` where the program alone cannot tell:
//! scalable vectors, opaque types, sizes beyond 64 bits.
//! Invariant: agrees with LLVM's `DataLayout` (ABI alignments, never preferred ones).

use std::collections::BTreeMap;

use super::types::{FloatKind, Type};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Alignment in bytes by width in bits.
    integers: BTreeMap<u32, u64>,
    floats: BTreeMap<u32, u64>,
    vectors: BTreeMap<u64, u64>,
    aggregate: u64,
    /// By address space; 0 is always there and stands in for those not listed.
    pointers: BTreeMap<u32, Pointer>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pointer {
    bits: u32,
    align: u64,
}

impl Default for Layout {
    /// What LLVM assumes of an empty string.
    fn default() -> Layout {
        Layout {
            integers: BTreeMap::from([(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)]),
            floats: BTreeMap::from([(16, 2), (32, 4), (64, 8), (128, 16)]),
            vectors: BTreeMap::from([(64, 8), (128, 16)]),
            aggregate: 1,
            pointers: BTreeMap::from([(0, Pointer { bits: 64, align: 8 })]),
        }
    }
}

impl Layout {
    /// Reads a data layout string. Parts that say nothing about sizes (mangling, native widths) are passed over.
    pub fn parse(text: &str) -> Layout {
        let mut layout = Layout::default();
        for part in text.split('-') {
            layout.read(part);
        }
        layout
    }

    /// Bytes from one element of an array to the next.
    pub fn size_of(&self, ty: &Type) -> Option<u64> {
        self.store_size(ty)?.checked_next_multiple_of(self.align_of(ty)?)
    }

    /// Bytes that a store of the type overwrites.
    pub fn store_size(&self, ty: &Type) -> Option<u64> {
        Some(self.size_in_bits(ty)?.div_ceil(8))
    }

    pub fn size_in_bits(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::Int(bits) => Some(u64::from(*bits)),
            Type::Float(kind) => Some(u64::from(kind.bits())),
            Type::Ptr(space) => Some(u64::from(self.pointer_bits(*space))),
            Type::Vector(lanes, _) if lanes.scalable => None,
            Type::Vector(lanes, element) => self.size_in_bits(element)?.checked_mul(u64::from(lanes.count)),
            Type::Array(count, element) => self.size_of(element)?.checked_mul(*count)?.checked_mul(8),
            Type::Struct { fields, packed } => self.place(fields, *packed, fields.len())?.checked_mul(8),
            Type::Void | Type::Label | Type::Token | Type::Metadata | Type::Other(_) => None,
        }
    }

    /// The ABI alignment in bytes, a power of two.
    pub fn align_of(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::Int(bits) => self.integer_align(*bits),
            Type::Float(kind) => Some(self.float_align(*kind)),
            Type::Ptr(space) => Some(self.pointer(*space).align),
            Type::Vector(lanes, _) if lanes.scalable => None,
            Type::Vector(..) => {
                let bits = self.size_in_bits(ty)?;
                let listed = self.vectors.get(&bits).copied();
                listed.or_else(|| bits.div_ceil(8).checked_next_power_of_two())
            }
            Type::Array(_, element) => self.align_of(element),
            Type::Struct { packed: true, .. } => Some(1),
            Type::Struct { fields, .. } => {
                fields.iter().try_fold(self.aggregate, |align, field| Some(align.max(self.align_of(field)?)))
            }
            Type::Void | Type::Label | Type::Token | Type::Metadata | Type::Other(_) => None,
        }
    }

    /// Bytes from the start of an aggregate or vector to its part of that number.
    pub fn field_offset(&self, ty: &Type, index: u64) -> Option<u64> {
        match ty {
            Type::Struct { fields, packed } => {
                let index = usize::try_from(index).ok().filter(|index| *index < fields.len())?;
                self.place(fields, *packed, index)
            }
            Type::Array(_, element) => self.size_of(element)?.checked_mul(index),
            // Lanes lie without gaps; one that starts inside a byte has no offset.
            Type::Vector(lanes, element) if !lanes.scalable => {
                let bits = self.size_in_bits(element)?.checked_mul(index)?;
                bits.is_multiple_of(8).then_some(bits / 8)
            }
            _ => None,
        }
    }

    pub fn pointer_bits(&self, space: u32) -> u32 {
        self.pointer(space).bits
    }

    /// Where field `index` starts; for the number one past the last, the size of the struct.
    fn place(&self, fields: &[Type], packed: bool, index: usize) -> Option<u64> {
        let mut end = 0u64;
        let mut widest = if packed { 1 } else { self.aggregate };
        for (number, field) in fields.iter().enumerate() {
            let align = if packed { 1 } else { self.align_of(field)? };
            end = end.checked_next_multiple_of(align)?;
            if number == index {
                return Some(end);
            }
            widest = widest.max(align);
            end = end.checked_add(self.size_of(field)?)?;
        }
        end.checked_next_multiple_of(widest)
    }

    fn pointer(&self, space: u32) -> Pointer {
        self.pointers.get(&space).copied().unwrap_or(self.pointers[&0])
    }

    /// The listed width, else the next larger, else the largest.
    fn integer_align(&self, bits: u32) -> Option<u64> {
        let larger = self.integers.range(bits..).next();
        larger.or_else(|| self.integers.last_key_value()).map(|(_, align)| *align)
    }

    fn float_align(&self, kind: FloatKind) -> u64 {
        let listed = self.floats.get(&kind.bits()).copied();
        listed.unwrap_or_else(|| u64::from(kind.bits().div_ceil(8)).next_power_of_two())
    }

    /// One part of the string, such as `p1:32:32`, `i64:64` or `a:0:64`.
    fn read(&mut self, part: &str) -> Option<()> {
        let mut pieces = part.split(':');
        let (kind, width) = split_kind(pieces.next()?)?;
        let numbers: Vec<u64> = pieces.map_while(|piece| piece.parse().ok()).collect();
        let first = *numbers.first()?;
        let align = |bits: u64| (bits / 8).max(1);
        match kind {
            'p' => {
                let bits = u32::try_from(first).ok()?;
                let align = align(*numbers.get(1).unwrap_or(&first));
                self.pointers.insert(width.unwrap_or(0), Pointer { bits, align });
            }
            'i' => drop(self.integers.insert(width?, align(first))),
            'f' => drop(self.floats.insert(width?, align(first))),
            'v' => drop(self.vectors.insert(u64::from(width?), align(first))),
            'a' => self.aggregate = align(first),
            _ => {}
        }
        Some(())
    }
}

/// `p270` is a pointer of space 270, `pu7(fat)` one of space 7 with flags and a name, `i64` an integer of 64 bits.
fn split_kind(head: &str) -> Option<(char, Option<u32>)> {
    let kind = head.chars().next()?;
    let digits: String =
        head.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    Some((kind, digits.parse().ok()))
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;

//! Loads and stores of typed values.
//!
//! Invariant: what is stored as one type and loaded as another keeps its bits, and keeps its tangents
//! wherever the loaded type can carry them.

use backsweep_core::model::{FloatKind, Type};

use crate::dual::{Dual, NO_TANGENT};
use crate::format::{from_bits, store_bytes, to_bits};
use crate::layout::{bits, offsets, size};
use crate::memory::{Memory, PLAIN, UNWRITTEN, float_mark};
use crate::trap::Fault;
use crate::value::{Byte, Int, Pointer, Value, mask};

impl Memory {
    pub fn load(&self, ty: &Type, at: Pointer) -> Result<Value, Fault> {
        match ty {
            Type::Float(kind) => self.load_float(*kind, at),
            Type::Int(bits) => self.load_int(*bits, at),
            Type::Ptr(_) => self.load_pointer(at),
            Type::Vector(_, element) if bits(element)? % 8 != 0 => self.load_bits(ty, at),
            Type::Vector(..) | Type::Array(..) | Type::Struct { .. } => {
                let parts = parts(ty)?.into_iter();
                let values = parts.map(|(part, offset)| self.load(part, at.plus(offset as i64)));
                Ok(Value::Aggregate(values.collect::<Result<_, _>>()?))
            }
            Type::Void | Type::Label | Type::Token | Type::Metadata | Type::Other(_) => {
                Err(Fault::Unsupported(format!("a load of {ty:?}")))
            }
        }
    }

    pub fn store(&mut self, ty: &Type, at: Pointer, value: &Value) -> Result<(), Fault> {
        match (ty, value) {
            (Type::Void | Type::Label | Type::Token | Type::Metadata | Type::Other(_), _) => {
                Err(Fault::Unsupported(format!("a store of {ty:?}")))
            }
            (Type::Float(kind), Value::Float(dual)) => self.store_float(*kind, at, dual),
            (Type::Int(bits), Value::Int(int)) => self.store_int(*bits, at, int),
            (Type::Ptr(_), Value::Pointer(pointer)) => {
                self.write(at, &pointer.address().to_le_bytes(), PLAIN)
            }
            (Type::Vector(_, element), _) if bits(element)? % 8 != 0 => self.store_bits(ty, at, value),
            (_, Value::Undef) => self.write(at, &vec![0; bits(ty)?.div_ceil(8) as usize], UNWRITTEN),
            (_, _) => {
                let (parts, values) = (parts(ty)?, value.as_parts()?);
                for ((part, offset), value) in parts.into_iter().zip(values) {
                    self.store(part, at.plus(offset as i64), value)?;
                }
                Ok(())
            }
        }
    }

    #[inline]
    fn load_float(&self, kind: FloatKind, at: Pointer) -> Result<Value, Fault> {
        let bytes = store_bytes(kind);
        let (content, marks) = self.read(at, bytes)?;
        let primal = match kind {
            FloatKind::Double => f64::from_le_bytes(content.try_into().unwrap_or_default()),
            _ => from_bits(kind, little_endian(content)),
        };
        let first = float_mark(bytes);
        let tangent = if marks.iter().all(|mark| *mark == PLAIN) {
            NO_TANGENT
        } else if marks.contains(&UNWRITTEN) {
            return Ok(Value::Undef);
        } else if marks.iter().enumerate().all(|(index, mark)| *mark == first + index as u8) {
            self.tangent(at)
        } else {
            NO_TANGENT
        };
        Ok(Value::Float(Dual { kind, primal, tangent }))
    }

    #[inline]
    fn store_float(&mut self, kind: FloatKind, at: Pointer, dual: &Dual) -> Result<(), Fault> {
        let bytes = store_bytes(kind);
        match kind {
            FloatKind::Double => self.write(at, &dual.primal.to_le_bytes(), PLAIN)?,
            _ => {
                let content = to_bits(kind, dual.primal).to_le_bytes();
                self.write(at, &content[..bytes as usize], PLAIN)?;
            }
        }
        if dual.tangent == NO_TANGENT { Ok(()) } else { self.attach(at, bytes, dual.tangent) }
    }

    fn load_int(&self, bits: u32, at: Pointer) -> Result<Value, Fault> {
        let bytes = u64::from(bits.div_ceil(8));
        let (content, marks) = self.read(at, bytes)?;
        if bits > 128 {
            return Err(Fault::Unsupported(format!("an integer of {bits} bits")));
        }
        let mut int = Int::new(bits, little_endian(content));
        if marks.iter().all(|mark| *mark == PLAIN) {
            return Ok(Value::Int(int));
        }
        if marks.iter().all(|mark| *mark == UNWRITTEN) {
            return Ok(Value::Undef);
        }
        int.carried = Some(self.inspect(at, bytes)?.into());
        Ok(Value::Int(int))
    }

    fn store_int(&mut self, bits: u32, at: Pointer, int: &Int) -> Result<(), Fault> {
        let bytes = bits.div_ceil(8) as usize;
        self.write(at, &int.value.to_le_bytes()[..bytes], PLAIN)?;
        int.carried.as_ref().map_or(Ok(()), |known| self.annotate(at, known))
    }

    fn load_pointer(&self, at: Pointer) -> Result<Value, Fault> {
        let (content, marks) = self.read(at, 8)?;
        if marks.contains(&UNWRITTEN) {
            return Ok(Value::Undef);
        }
        Ok(Value::Pointer(Pointer::from_address(little_endian(content) as u64)))
    }

    /// A vector whose elements are no whole bytes: lane `i` at bit `i · width`.
    fn load_bits(&self, ty: &Type, at: Pointer) -> Result<Value, Fault> {
        let (count, width) = bit_lanes(ty)?;
        let whole = self.load_int(count * width, at)?;
        let Value::Int(whole) = whole else { return Ok(Value::undef(ty)) };
        let lane = |index| Value::Int(Int::new(width, whole.value >> (index * width)));
        Ok(Value::Aggregate((0..count).map(lane).collect()))
    }

    fn store_bits(&mut self, ty: &Type, at: Pointer, value: &Value) -> Result<(), Fault> {
        let (count, width) = bit_lanes(ty)?;
        let mut whole = 0u128;
        let mut known = vec![Byte { mark: PLAIN, tangent: NO_TANGENT }; (count * width).div_ceil(8) as usize];
        for index in 0..count {
            match value.as_parts().ok().map(|parts| &parts[index as usize]) {
                Some(Value::Int(int)) => whole |= (int.value & mask(width)) << (index * width),
                // A byte with one unknown bit counts as unknown.
                _ => known[(index * width / 8) as usize].mark = UNWRITTEN,
            }
        }
        let carried = Some(known.into());
        self.store_int(count * width, at, &Int { bits: count * width, value: whole, carried })
    }
}

/// The parts of an aggregate or vector, each with its offset in bytes.
pub fn parts(ty: &Type) -> Result<Vec<(&Type, u64)>, Fault> {
    match ty {
        Type::Struct { fields, packed } => Ok(fields.iter().zip(offsets(fields, *packed)?).collect()),
        Type::Array(count, element) => {
            let stride = size(element)?;
            Ok((0..*count).map(|index| (&**element, index * stride)).collect())
        }
        Type::Vector(lanes, element) => {
            let stride = bits(element)? / 8;
            Ok((0..u64::from(lanes.count)).map(|index| (&**element, index * stride)).collect())
        }
        Type::Void
        | Type::Int(_)
        | Type::Float(_)
        | Type::Ptr(_)
        | Type::Label
        | Type::Token
        | Type::Metadata
        | Type::Other(_) => Err(Fault::Malformed(format!("{ty:?} has no parts"))),
    }
}

fn bit_lanes(ty: &Type) -> Result<(u32, u32), Fault> {
    let Type::Vector(lanes, element) = ty else {
        return Err(Fault::Malformed(format!("{ty:?} is no vector")));
    };
    let width = bits(element)? as u32;
    if lanes.count * width > 128 {
        return Err(Fault::Unsupported(format!("the bits of {ty:?} in memory")));
    }
    Ok((lanes.count, width))
}

fn little_endian(content: &[u8]) -> u128 {
    let mut whole = [0; 16];
    whole[..content.len()].copy_from_slice(content);
    u128::from_le_bytes(whole)
}

//! What a value of the model is while it runs.

use backsweep_core::model::{FloatKind, Type};

use crate::dual::{Dual, NO_TANGENT, Tangent};
use crate::trap::Fault;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Float(Dual),
    Int(Int),
    Pointer(Pointer),
    /// The parts of a struct, array or vector.
    Aggregate(Vec<Value>),
    /// Undef, poison, or the result of `void`.
    Undef,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Int {
    pub bits: u32,
    /// Below `2^bits`.
    pub value: u128,
    /// What memory knew of each byte, where the integer is a copy of more than plain bytes.
    pub carried: Option<Box<[Byte]>>,
}

/// What is known of one byte beside its content.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Byte {
    /// See `memory::Mark`.
    pub mark: u8,
    /// Meaningful at the first byte of a float.
    pub tangent: Tangent,
}

/// An address: object zero is null, and integers that are no address are offsets from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pointer {
    pub object: u32,
    pub offset: i64,
}

impl Pointer {
    pub const NULL: Pointer = Pointer { object: 0, offset: 0 };

    /// Objects lie four gigabytes apart, so that an address is arithmetic on both parts.
    pub fn address(self) -> u64 {
        (u64::from(self.object) << 32).wrapping_add(self.offset as u64)
    }

    pub fn from_address(address: u64) -> Pointer {
        let object = (address.wrapping_add(1 << 31) >> 32) as u32;
        Pointer { object, offset: address.wrapping_sub(u64::from(object) << 32) as i64 }
    }

    pub fn plus(self, bytes: i64) -> Pointer {
        Pointer::from_address(self.address().wrapping_add(bytes as u64))
    }
}

impl Int {
    pub fn new(bits: u32, value: u128) -> Int {
        Int { bits, value: value & mask(bits), carried: None }
    }

    pub fn signed(&self) -> i128 {
        sign_extend(self.bits, self.value)
    }
}

/// The lowest `bits` bits set.
pub fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1u128 << bits) - 1 }
}

pub fn sign_extend(bits: u32, value: u128) -> i128 {
    let shift = 128 - bits.clamp(1, 128);
    ((value << shift) as i128) >> shift
}

impl Value {
    pub fn double(primal: f64) -> Value {
        Value::float(FloatKind::Double, primal, NO_TANGENT)
    }

    /// A double with its tangent.
    pub fn dual(primal: f64, tangent: Tangent) -> Value {
        Value::float(FloatKind::Double, primal, tangent)
    }

    pub fn float(kind: FloatKind, primal: f64, tangent: Tangent) -> Value {
        Value::Float(Dual::new(kind, primal, tangent))
    }

    pub fn int(bits: u32, value: i128) -> Value {
        Value::Int(Int::new(bits, value as u128))
    }

    pub fn bool(value: bool) -> Value {
        Value::int(1, i128::from(value))
    }

    /// The zero of a type: what `zeroinitializer` and `null` mean.
    pub fn zero(ty: &Type) -> Value {
        match ty {
            Type::Int(bits) => Value::int(*bits, 0),
            Type::Float(kind) => Value::float(*kind, 0.0, NO_TANGENT),
            Type::Ptr(_) => Value::Pointer(Pointer::NULL),
            Type::Vector(lanes, element) => {
                Value::Aggregate(vec![Value::zero(element); lanes.count as usize])
            }
            Type::Array(count, element) => Value::Aggregate(vec![Value::zero(element); *count as usize]),
            Type::Struct { fields, .. } => Value::Aggregate(fields.iter().map(Value::zero).collect()),
            Type::Void | Type::Label | Type::Token | Type::Metadata | Type::Other(_) => Value::Undef,
        }
    }

    /// Undef with the shape of the type, so that parts can be put in.
    pub fn undef(ty: &Type) -> Value {
        match ty {
            Type::Vector(lanes, element) => {
                Value::Aggregate(vec![Value::undef(element); lanes.count as usize])
            }
            Type::Array(count, element) => Value::Aggregate(vec![Value::undef(element); *count as usize]),
            Type::Struct { fields, .. } => Value::Aggregate(fields.iter().map(Value::undef).collect()),
            Type::Int(_)
            | Type::Float(_)
            | Type::Ptr(_)
            | Type::Void
            | Type::Label
            | Type::Token
            | Type::Metadata
            | Type::Other(_) => Value::Undef,
        }
    }

    pub fn as_float(&self) -> Result<Dual, Fault> {
        match self {
            Value::Float(dual) => Ok(*dual),
            Value::Undef => Err(Fault::UndefUsed("float arithmetic")),
            Value::Int(_) | Value::Pointer(_) | Value::Aggregate(_) => Err(self.misfit("a float")),
        }
    }

    pub fn as_int(&self) -> Result<&Int, Fault> {
        match self {
            Value::Int(int) => Ok(int),
            Value::Undef => Err(Fault::UndefUsed("an integer operand")),
            Value::Float(_) | Value::Pointer(_) | Value::Aggregate(_) => Err(self.misfit("an integer")),
        }
    }

    pub fn as_pointer(&self) -> Result<Pointer, Fault> {
        match self {
            Value::Pointer(pointer) => Ok(*pointer),
            Value::Undef => Err(Fault::UndefUsed("an address")),
            Value::Float(_) | Value::Int(_) | Value::Aggregate(_) => Err(self.misfit("a pointer")),
        }
    }

    pub fn as_parts(&self) -> Result<&[Value], Fault> {
        match self {
            Value::Aggregate(parts) => Ok(parts),
            Value::Undef => Err(Fault::UndefUsed("an aggregate")),
            Value::Float(_) | Value::Int(_) | Value::Pointer(_) => Err(self.misfit("an aggregate")),
        }
    }

    pub fn is_undef(&self) -> bool {
        matches!(self, Value::Undef)
    }

    fn misfit(&self, wanted: &str) -> Fault {
        Fault::Malformed(format!("{wanted} expected, found {self:?}"))
    }
}

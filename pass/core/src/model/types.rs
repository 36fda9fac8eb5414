//! Types as LLVM has them, with opaque pointers and without names: two types are equal when their shapes are.

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    Void,
    /// An integer of that many bits; `Int(1)` is a truth value.
    Int(u32),
    Float(FloatKind),
    /// A pointer into the numbered address space.
    Ptr(u32),
    Vector(Lanes, Box<Type>),
    Array(u64, Box<Type>),
    Struct {
        fields: Vec<Type>,
        packed: bool,
    },
    Label,
    Token,
    Metadata,
    /// A type with no meaning for derivatives (x86_amx, target extension types, unsized structs), by its LLVM spelling.
    Other(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    Half,
    BFloat,
    Single,
    Double,
    /// The 80-bit format of x87, `long double` on x86.
    X87,
    Quad,
    /// The pair of doubles of PowerPC.
    DoubleDouble,
}

/// The number of lanes of a vector; a scalable vector has a multiple of `count` known at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lanes {
    pub count: u32,
    pub scalable: bool,
}

impl FloatKind {
    /// The width of its bit pattern.
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Single => 32,
            FloatKind::Double => 64,
            FloatKind::X87 => 80,
            FloatKind::Quad | FloatKind::DoubleDouble => 128,
        }
    }
}

impl Type {
    pub const BOOL: Type = Type::Int(1);
    pub const I32: Type = Type::Int(32);
    pub const I64: Type = Type::Int(64);
    pub const DOUBLE: Type = Type::Float(FloatKind::Double);
    pub const PTR: Type = Type::Ptr(0);

    pub fn structure(fields: Vec<Type>) -> Type {
        Type::Struct { fields, packed: false }
    }

    pub fn is_float(&self) -> bool {
        matches!(self, Type::Float(_))
    }

    /// The element of a vector, or the type itself.
    pub fn scalar(&self) -> &Type {
        match self {
            Type::Vector(_, element) => element,
            other => other,
        }
    }

    /// Whether rules apply to it lane by lane: a float or a vector of floats.
    pub fn is_real(&self) -> bool {
        self.scalar().is_float()
    }

    pub fn is_pointer(&self) -> bool {
        matches!(self, Type::Ptr(_))
    }

    /// Whether a float stands anywhere in it, so that it could carry a derivative.
    pub fn holds_float(&self) -> bool {
        self.any(&Type::is_float)
    }

    pub fn holds_pointer(&self) -> bool {
        self.any(&Type::is_pointer)
    }

    /// A struct or an array in which nothing but integers stands.
    pub fn holds_numbers_only(&self) -> bool {
        self.parts().is_some() && !self.holds_float() && !self.holds_pointer()
    }

    /// The parts of an aggregate, or `None` where the type is not one.
    pub fn parts(&self) -> Option<Vec<&Type>> {
        match self {
            Type::Struct { fields, .. } => Some(fields.iter().collect()),
            Type::Array(count, element) => Some((0..*count).map(|_| &**element).collect()),
            _ => None,
        }
    }

    fn any(&self, test: &dyn Fn(&Type) -> bool) -> bool {
        test(self)
            || match self {
                Type::Vector(_, element) | Type::Array(_, element) => element.any(test),
                Type::Struct { fields, .. } => fields.iter().any(|field| field.any(test)),
                _ => false,
            }
    }
}

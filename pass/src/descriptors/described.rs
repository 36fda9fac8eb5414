//! What flang says of a derived type: the constants `_QM…EXdtX…` (the type) and `_QM…EXcX…` (its components), laid out as
//! in `type-info.h` of flang 22.

use std::collections::BTreeMap;

use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;

use crate::llvm::{Value, llvm};

/// A derived type, by its description.
#[derive(Clone, Copy)]
pub struct DerivedType(pub Value);

/// One component of it.
#[derive(Clone, Copy)]
pub struct Component(pub Value);

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Genre {
    Data,
    Pointer,
    Allocatable,
}

/// A component that is a pointer to a procedure.
#[derive(Clone, Copy)]
pub struct Procedure {
    pub offset: u64,
    /// The function it begins as, or null.
    pub initial: Value,
}

/// A type that is no derived one: flang's code for it, and its bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Intrinsic {
    pub code: u8,
    pub bytes: u64,
}

impl Intrinsic {
    /// Integers, logicals and characters.
    pub fn is_integer(self) -> bool {
        !matches!(self.code, 27 | 28 | 34 | 35)
    }
}

/// A number that is known when the program is compiled, among the values in descriptions.
const EXPLICIT: u64 = 2;

// Which FINAL procedure one is: for each element, for arrays of any rank, for objects, and above for arrays of one rank.
const ELEMENTAL: u64 = 7;
const OF_ANY_RANK: u64 = 8;
const OF_SCALARS: u64 = 9;

impl DerivedType {
    /// From a pointer to the description.
    pub fn read(pointer: Value) -> Option<DerivedType> {
        constant_at(pointer).map(DerivedType)
    }

    pub fn bytes(self) -> Option<u64> {
        int_at(self.0, 2)
    }

    pub fn components(self) -> Option<Vec<Component>> {
        listed(element(self.0, 6)?).map(|all| all.into_iter().map(Component).collect())
    }

    /// The description of the type that this one extends.
    pub fn parent(self) -> Option<Value> {
        let extends = int_at(self.0, 10) == Some(1);
        self.components().filter(|_| extends)?.first()?.derived()
    }

    pub fn extends_none(self) -> bool {
        int_at(self.0, 10) == Some(0)
    }

    /// The components that are pointers to procedures, which are listed apart.
    pub fn procedures(self) -> Option<Vec<Procedure>> {
        listed(element(self.0, 7)?)?.into_iter().map(Procedure::read).collect()
    }

    pub fn needs_initialization(self) -> bool {
        int_at(self.0, 11) != Some(1)
    }

    pub fn needs_destruction(self) -> bool {
        int_at(self.0, 12) != Some(1)
    }

    /// Whether there are procedures to be called where an object goes, its own or those of its components.
    pub fn needs_finalization(self) -> bool {
        int_at(self.0, 13) != Some(1)
    }

    /// Whether it has such procedures of its own: there is a bit for each special procedure that it has.
    pub fn has_finalizer(self) -> bool {
        int_at(self.0, 9).is_none_or(|specials| specials >> ELEMENTAL != 0)
    }

    /// The procedure of its own that is called for an object, or for each element of an array; nothing is said where one may be
    /// that takes the array as a whole, or a descriptor.
    pub fn finalizer(self, is_scalar: bool) -> Option<Option<Value>> {
        let mut found = BTreeMap::new();
        for special in listed(element(self.0, 8)?)? {
            found.insert(int_at(special, 0)?, special);
        }
        let takes_whole = found.keys().any(|which| match is_scalar {
            true => *which == OF_ANY_RANK && !found.contains_key(&OF_SCALARS),
            false => *which == OF_ANY_RANK || *which > OF_SCALARS,
        });
        if takes_whole {
            return None;
        }
        let scalar = found.get(&OF_SCALARS).filter(|_| is_scalar);
        let Some(special) = scalar.or_else(|| found.get(&ELEMENTAL)) else { return Some(None) };
        let takes_address = int_at(*special, 1)? == 0;
        let number = element(*special, 5).and_then(|pointer| element(pointer, 0))?;
        let is_function = number.is_constant_expr() && number.opcode() == LLVMOpcode::LLVMPtrToInt;
        (takes_address && is_function).then(|| Some(number.operand(0)))
    }

    pub fn has_defined_assignment(self) -> bool {
        int_at(self.0, 14) != Some(1) && self.has_procedures()
    }

    /// Whether assignment, input and output or the end of an object are defined by procedures of this type itself.
    fn has_procedures(self) -> bool {
        element(self.0, 8).and_then(listed).is_none_or(|all| !all.is_empty())
    }
}

impl Procedure {
    /// The description has a name, the offset and the address of the function as a number.
    fn read(description: Value) -> Option<Procedure> {
        let (offset, number) = (int_at(description, 1)?, element(element(description, 2)?, 0)?);
        let pointer = llvm!(LLVMPointerTypeInContext(LLVMGetTypeContext(number.ty().0), 0));
        let initial = match number.is_constant_expr() {
            true if number.opcode() == LLVMOpcode::LLVMPtrToInt => number.operand(0),
            false if llvm!(LLVMIsNull(number.0)) != 0 => Value(llvm!(LLVMConstNull(pointer))),
            _ => return None,
        };
        Some(Procedure { offset, initial })
    }
}

impl Component {
    pub fn genre(self) -> Option<Genre> {
        match int_at(self.0, 1)? {
            1 => Some(Genre::Data),
            2 => Some(Genre::Pointer),
            3 => Some(Genre::Allocatable),
            _ => None,
        }
    }

    pub fn rank(self) -> Option<u64> {
        int_at(self.0, 4)
    }

    pub fn offset(self) -> Option<u64> {
        int_at(self.0, 6)
    }

    /// The description of its type, where that is a derived one.
    pub fn derived(self) -> Option<Value> {
        const DERIVED: u64 = 6;
        let of = element(self.0, 8).and_then(|descriptor| element(descriptor, 0))?;
        (int_at(self.0, 2)? == DERIVED).then_some(of)
    }

    pub fn intrinsic(self) -> Option<Intrinsic> {
        const INTEGERS: u64 = 0;
        const REALS: u64 = 2;
        const COMPLEX: u64 = 3;
        const LOGICALS: u64 = 5;
        let kind = int_at(self.0, 3)?;
        let (code, bytes) = match (int_at(self.0, 2)?, kind) {
            (INTEGERS, 1) => (7, 1),
            (INTEGERS, 2) => (8, 2),
            (INTEGERS, 4) => (9, 4),
            (INTEGERS, 8) => (10, 8),
            (REALS, 4) => (27, 4),
            (REALS, 8) => (28, 8),
            (COMPLEX, 4) => (34, 8),
            (COMPLEX, 8) => (35, 16),
            (LOGICALS, 1) => (39, 1),
            (LOGICALS, 4) => (14, 4),
            (LOGICALS, 8) => (15, 8),
            _ => return None,
        };
        Some(Intrinsic { code, bytes })
    }

    pub fn is_of_intrinsic_type(self) -> bool {
        self.intrinsic().is_some() || self.text_length().is_some()
    }

    /// Of text with characters of one byte the length, which is 0 where it is known only when the program runs.
    pub fn text_length(self) -> Option<u64> {
        const CHARACTERS: u64 = 4;
        let length = element(self.0, 7)?;
        let is_text = int_at(self.0, 2)? == CHARACTERS && int_at(self.0, 3)? == 1;
        is_text.then(|| if int_at(length, 0) == Some(EXPLICIT) { int_at(length, 2) } else { Some(0) })?
    }

    /// What stands in the object, and how often: a text is so many characters.
    pub fn stored(self) -> Option<(Intrinsic, u64)> {
        const CHARACTERS: u64 = 4;
        let count = self.count()?;
        if int_at(self.0, 2)? != CHARACTERS {
            return Some((self.intrinsic()?, count));
        }
        let code = match int_at(self.0, 3)? {
            1 => 7,
            2 => 8,
            4 => 9,
            _ => return None,
        };
        let length = element(self.0, 7)?;
        let explicit = int_at(length, 0)? == EXPLICIT;
        let characters = int_at(length, 2).filter(|_| explicit)?;
        Some((Intrinsic { code, bytes: int_at(self.0, 3)? }, count.checked_mul(characters)?))
    }

    /// How many elements stand in the object itself.
    pub fn count(self) -> Option<u64> {
        let rank = self.rank()?;
        if rank == 0 {
            return Some(1);
        }
        let bounds = constant_at(element(element(self.0, 10)?, 0)?)?;
        // Of each dimension the lower and the upper bound.
        let bound = |dim: u64, which: u32| {
            let value = element(element(bounds, dim as u32)?, which)?;
            (int_at(value, 0)? == EXPLICIT).then(|| int_at(value, 2)).flatten().map(u64::cast_signed)
        };
        (0..rank).try_fold(1, |count: u64, dim| {
            let extent = bound(dim, 1)? - bound(dim, 0)? + 1;
            count.checked_mul(extent.max(0).cast_unsigned())
        })
    }

    /// The constant it begins as.
    pub fn initial(self) -> Option<Value> {
        let address = element(element(self.0, 11)?, 0)?;
        let is_address = address.is_constant_expr() && address.opcode() == LLVMOpcode::LLVMPtrToInt;
        is_address.then(|| constant_at(address.operand(0))).flatten()
    }

    /// Whether `initial` says all there is to know.
    pub fn is_without_initial(self) -> bool {
        element(self.0, 11)
            .and_then(|initial| element(initial, 0))
            .is_some_and(|address| llvm!(LLVMIsNull(address.0)) != 0)
    }
}

/// The elements of the array that a descriptor leads to; none where it leads nowhere.
fn listed(descriptor: Value) -> Option<Vec<Value>> {
    let base = element(descriptor, 0)?;
    if llvm!(LLVMIsNull(base.0)) != 0 {
        return Some(Vec::new());
    }
    let all = constant_at(base)?;
    (0..all.ty().array_length() as u32).map(|index| element(all, index)).collect()
}

/// What stands at an address that never changes.
fn constant_at(pointer: Value) -> Option<Value> {
    let global = pointer.as_global().filter(|global| llvm!(LLVMIsGlobalConstant(global.0)) != 0)?;
    global.initializer()
}

pub fn element(constant: Value, index: u32) -> Option<Value> {
    Value::from_raw(llvm!(LLVMGetAggregateElement(constant.0, index)))
}

pub fn int_at(constant: Value, index: u32) -> Option<u64> {
    let value = element(constant, index)?;
    (!llvm!(LLVMIsAConstantInt(value.0)).is_null()).then(|| llvm!(LLVMConstIntGetZExtValue(value.0)))
}

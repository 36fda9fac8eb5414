//! Which bytes of a descriptor its declaration fixes.
//!
//! A descriptor is found by where it stands: in a global, in a stack slot, or in an object of a derived type, whose
//! components flang describes in constants of the module. Type, rank and attribute of a variable that is allocatable or a
//! pointer never change; those of polymorphic ones and the length of characters may, and are left alone.

use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;
use llvm_sys::target::{LLVMABISizeOfType, LLVMOffsetOfElement, LLVMTargetDataRef};

use super::described::{Component, Genre, Intrinsic, int_at, element};
use super::{described_rank, is_int, is_named};
use crate::llvm::{Module, Ty, Value, llvm};

pub struct Declared {
    pub module: Module,
    pub layout: LLVMTargetDataRef,
}

/// The bytes before the dimensions.
const HEAD: usize = 24;
/// What is known of them.
type Head = [Option<u8>; HEAD];

// Where the members of the head begin, and where it ends.
const LENGTH: usize = 8;
const VERSION: usize = 16;
const RANK: usize = 20;
const TYPE: usize = 21;
const ATTRIBUTE: usize = 22;

const POINTER: u64 = 1;
const ALLOCATABLE: u64 = 2;
const CHARACTER: u64 = 40;
const DERIVED: u64 = 42;

impl Declared {
    /// What this load reads, where that is fixed.
    pub fn find_constant(&self, load: Value) -> Option<Value> {
        let ty = load.ty();
        if ![8, 16, 32, 64].into_iter().any(|bits| is_int(ty, bits)) {
            return None;
        }
        let (head, offset) = self.find_head(load.operand(0))?;
        let bytes = head.get(offset..offset.checked_add(ty.int_bits() as usize / 8)?)?;
        let number = bytes.iter().rev().try_fold(0u64, |number, byte| Some(number << 8 | u64::from((*byte)?)))?;
        Some(Value(llvm!(LLVMConstInt(ty.0, number, 0))))
    }

    /// What is known of the descriptor that a pointer leads into, and how far into it.
    fn find_head(&self, place: Value) -> Option<(Head, usize)> {
        let (mut place, mut offset) = (place, 0u64);
        loop {
            if place.as_global().is_some() {
                let here = usize::try_from(offset).ok()?;
                return read_initial(place.initializer()?).map(|head| (head, here));
            }
            if !(place.is_instruction() || place.is_constant_expr()) {
                return None;
            }
            match place.opcode() {
                LLVMOpcode::LLVMAlloca => {
                    let ty = Ty(llvm!(LLVMGetAllocatedType(place.0)));
                    return match described_rank(ty) {
                        Some(rank) => rank_of_slot(rank).map(|head| (head, offset as usize)),
                        None => self.find_component(ty, offset),
                    };
                }
                LLVMOpcode::LLVMGetElementPtr => {
                    let ty = Ty(llvm!(LLVMGetGEPSourceElementType(place.0)));
                    let indices: Vec<Value> = (1..place.operand_count()).map(|index| place.operand(index)).collect();
                    match self.walk(ty, &indices, offset) {
                        Walked::Component(found) => return found,
                        Walked::Bytes(bytes) => offset = offset.checked_add(bytes)?,
                        Walked::Unknown => return None,
                    }
                    place = place.operand(0);
                }
                _ => return None,
            }
        }
    }

    /// The largest object of a derived type on the way of an address, from where on all is constant.
    fn walk(&self, ty: Ty, indices: &[Value], behind: u64) -> Walked {
        use llvm_sys::LLVMTypeKind::{LLVMArrayTypeKind, LLVMStructTypeKind};
        let [first, inner @ ..] = indices else { return Walked::Unknown };
        let number = |value: &Value| {
            (!llvm!(LLVMIsAConstantInt(value.0)).is_null()).then(|| llvm!(LLVMConstIntGetSExtValue(value.0)))
        };
        let size = |ty: Ty| llvm!(LLVMABISizeOfType(self.layout, ty.0));
        // Bytes from the beginning of each type on the way, as far back as all is constant.
        let mut starts = vec![(ty, 0u64)];
        let mut known = number(first).and_then(|index| u64::try_from(index).ok()).map(|index| index * size(ty));
        let mut current = ty;
        for index in inner {
            let constant = number(index).and_then(|index| u64::try_from(index).ok());
            let step = match (current.kind(), constant) {
                (LLVMStructTypeKind, Some(field)) => {
                    let offset = llvm!(LLVMOffsetOfElement(self.layout, current.0, field as u32));
                    current = Ty(llvm!(LLVMStructGetTypeAtIndex(current.0, field as u32)));
                    Some(offset)
                }
                (LLVMArrayTypeKind, constant) => {
                    current = current.element();
                    constant.map(|index| index * size(current))
                }
                _ => return Walked::Unknown,
            };
            match step {
                Some(step) => {
                    starts.iter_mut().for_each(|(_, bytes)| *bytes += step);
                    known = known.map(|bytes| bytes + step);
                }
                None => (starts, known) = (Vec::new(), None),
            }
            starts.push((current, 0));
        }
        for (ty, bytes) in starts {
            if let Some(found) = self.find_component(ty, bytes + behind) {
                return Walked::Component(Some(found));
            }
        }
        known.map_or(Walked::Unknown, Walked::Bytes)
    }

    /// The descriptor of the component that stands there in an object of a derived type.
    fn find_component(&self, ty: Ty, offset: u64) -> Option<(Head, usize)> {
        if !matches!(ty.kind(), llvm_sys::LLVMTypeKind::LLVMStructTypeKind) || !is_named(ty) {
            return None;
        }
        let size = llvm!(LLVMABISizeOfType(self.layout, ty.0));
        let components = self.components_of(ty).filter(|_| offset < size)?;
        for component in components {
            let start = component.offset()?;
            let end = start + HEAD as u64;
            if (start..end).contains(&offset) {
                return read_component(component).map(|head| (head, (offset - start) as usize));
            }
        }
        // A component may be an object itself.
        let fields = ty.fields();
        let field = (0..fields.len()).rev().find(|index| {
            llvm!(LLVMOffsetOfElement(self.layout, ty.0, *index as u32)) <= offset
        })?;
        let start = llvm!(LLVMOffsetOfElement(self.layout, ty.0, field as u32));
        self.find_component(fields[field], offset - start)
    }

    /// The descriptions of the components of `_QM…T…`, which stand in the constant `_QM…EXcX…`.
    fn components_of(&self, ty: Ty) -> Option<Vec<Component>> {
        let name = crate::llvm::c_text(llvm!(LLVMGetStructName(ty.0)))?;
        let at = name.rfind('T').filter(|_| name.starts_with("_Q"))?;
        let global = crate::llvm::c_string(&format!("{}EXcX{}", &name[..at], &name[at + 1..]));
        let global = Value::from_raw(llvm!(LLVMGetNamedGlobal(self.module.0, global.as_ptr())))?;
        let all = global.initializer().filter(|_| llvm!(LLVMIsGlobalConstant(global.0)) != 0)?;
        let count = all.ty().array_length();
        (0..count as u32).map(|index| element(all, index).map(Component)).collect()
    }
}

enum Walked {
    Component(Option<(Head, usize)>),
    /// No object of a derived type, but a constant number of bytes.
    Bytes(u64),
    Unknown,
}

fn rank_of_slot(rank: u8) -> Option<Head> {
    // Fifteen stand for any number of dimensions, and none for a scalar or for what is not known.
    let mut head = [None; HEAD];
    head[RANK] = Some(rank);
    (1..15).contains(&rank).then_some(head)
}

/// The head of a global, from its initial value.
fn read_initial(initial: Value) -> Option<Head> {
    let rank = described_rank(initial.ty())?;
    let attribute = int_at(initial, 5).filter(|attribute| [POINTER, ALLOCATABLE].contains(attribute))?;
    let (ty, extra) = (int_at(initial, 4)?, int_at(initial, 6)?);
    let length = int_at(initial, 1)?;
    let version = int_at(initial, 2)?;
    if int_at(initial, 3)? != u64::from(rank) {
        return None;
    }
    let mut head = known_head(u64::from(rank), attribute);
    if extra == 0 && ty != DERIVED {
        head[TYPE] = Some(ty as u8);
        if ty != CHARACTER {
            write(&mut head[LENGTH..VERSION], length);
            write(&mut head[VERSION..RANK], version);
        }
    }
    Some(head)
}

/// The head of a component.
fn read_component(component: Component) -> Option<Head> {
    let attribute = match component.genre()? {
        Genre::Pointer => POINTER,
        Genre::Allocatable => ALLOCATABLE,
        Genre::Data => return None,
    };
    let mut head = known_head(component.rank()?, attribute);
    if let Some(Intrinsic { code, bytes }) = component.intrinsic() {
        head[TYPE] = Some(code);
        write(&mut head[LENGTH..VERSION], bytes);
    }
    if component.derived().is_some_and(|of| llvm!(LLVMIsNull(of.0)) == 0) {
        head[TYPE] = Some(DERIVED as u8);
    }
    Some(head)
}

fn known_head(rank: u64, attribute: u64) -> Head {
    let mut head = [None; HEAD];
    head[RANK] = Some(rank as u8);
    head[ATTRIBUTE] = Some(attribute as u8);
    head
}

fn write(bytes: &mut [Option<u8>], number: u64) {
    for (byte, value) in bytes.iter_mut().zip(number.to_le_bytes()) {
        *byte = Some(value);
    }
}

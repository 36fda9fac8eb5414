//! Which bytes of a descriptor its declaration fixes.
//!
//! A descriptor is found by where it stands: in a global, in a stack slot, or in an object of a derived type, whose
//! components flang describes in constants of the module. Type, rank and attribute of a variable that is allocatable or a
//! pointer never change; those of polymorphic ones and the length of characters may, and are left alone.

use backsweep_core::analyses::offsets::gcd;
use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;
use llvm_sys::target::{LLVMABISizeOfType, LLVMOffsetOfElement, LLVMTargetDataRef};

use super::described::{Component, DerivedType, Genre, Intrinsic, element, int_at};
use super::{described_rank, is_int, is_named, is_of_derived_type};
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

/// flang's descriptor for any number of dimensions has room for so many.
const ANY_RANK: u8 = 15;

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
        let number =
            bytes.iter().rev().try_fold(0u64, |number, byte| Some(number << 8 | u64::from((*byte)?)))?;
        Some(Value(llvm!(LLVMConstInt(ty.0, number, 0))))
    }

    /// The derived type of what the descriptor there was declared for, which stands so far behind its beginning, where that is known
    /// already: it follows from the rank, which may have been kept in registers.
    pub fn find_type(&self, descriptor: Value, offset: Option<u64>) -> Option<Value> {
        // A component of an object in a slot is what its declaration says: what is written there may be the type of what it happens
        // to hold, and in an array of objects elements are also reached by steps.
        let component = || match self.find_place(descriptor, 0)? {
            Place::Component(component, 0) => component.derived().filter(|of| of.as_global().is_some()),
            _ => None,
        };
        if descriptor.is_instruction() && descriptor.opcode() == LLVMOpcode::LLVMAlloca {
            return component().or_else(|| self.type_in_slot(descriptor, offset?));
        }
        if let Some(global) = descriptor.as_global() {
            let initial = global.initializer().filter(|initial| described_rank(initial.ty()).is_some())?;
            let fields = initial.ty().fields().len() as u32;
            return element(initial, fields.checked_sub(2)?).filter(|of| of.as_global().is_some());
        }
        component()
    }

    /// Whether a descriptor so far behind a pointer is that of a component of an object, as its address says.
    pub fn finds_component(&self, object: Value, offset: u64) -> bool {
        matches!(self.find_place(object, offset), Some(Place::Component(_, 0) | Place::Global(..)))
    }

    /// The only type that is ever written into a stack slot. What else is written there, and is not known, is of that type as well where
    /// it extends none: a class would hold what it was declared with.
    fn type_in_slot(&self, slot: Value, offset: u64) -> Option<Value> {
        let written = self.types_in_slot(slot, offset);
        let mut known = written.iter().copied().filter(|ty| ty.as_global().is_some());
        let first = known.next()?;
        let is_alone = || DerivedType::read(first).is_some_and(DerivedType::extends_none);
        let is_complete = written.iter().all(|ty| ty.as_global().is_some());
        (known.all(|ty| ty == first) && (is_complete || is_alone())).then_some(first)
    }

    /// What is written there, so far behind the beginning of a stack slot; nothing where something is also written at a place that is
    /// not known.
    pub fn types_in_slot(&self, slot: Value, offset: u64) -> Vec<Value> {
        let mut found = Vec::new();
        let mut waiting = vec![(slot, 0)];
        while let Some((place, at)) = waiting.pop() {
            for user in place.users().into_iter().filter(|user| user.is_instruction()) {
                if user.opcode() == LLVMOpcode::LLVMGetElementPtr {
                    match self.walk_plainly(user) {
                        Some(bytes) => waiting.push((user, at + bytes)),
                        None if is_only_read(user) => {}
                        None => return Vec::new(),
                    }
                } else if user.opcode() == LLVMOpcode::LLVMStore && user.operand(1) == place && at == offset {
                    found.push(user.operand(0));
                }
            }
        }
        found
    }

    /// What is known of the descriptor that a pointer leads into, and how far into it.
    fn find_head(&self, place: Value) -> Option<(Head, usize)> {
        let (head, offset) = match self.find_place(place, 0)? {
            Place::Global(global, offset) if described_rank(global.function_type()).is_none() => {
                let described = self.element_at(global.function_type(), offset);
                match described.and_then(|(ty, offset)| self.find_component(ty, offset)) {
                    Some((component, offset)) => (read_component(component)?, offset),
                    // An optimiser drops descriptions that no object names when the program runs.
                    None => {
                        let (initial, offset) = self.descriptor_in(global.initializer()?, offset)?;
                        (read_initial(initial)?, offset)
                    }
                }
            }
            Place::Global(global, offset) => (read_initial(global.initializer()?)?, offset),
            Place::Slot(rank, offset) => (rank_of_slot(rank)?, offset),
            Place::Component(component, offset) => (read_component(component)?, offset),
        };
        Some((head, usize::try_from(offset).ok()?))
    }

    /// Where a pointer leads, and how far behind the beginning of what stands there.
    fn find_place(&self, mut place: Value, offset: u64) -> Option<Place> {
        let mut shift = Shift { bytes: i64::try_from(offset).ok()?, step: 0 };
        loop {
            if place.as_global().is_some() {
                return Some(Place::Global(place, self.settle(place.function_type(), shift)?));
            }
            if place.is_argument() {
                let offset = shift.constant()?;
                return rank_seen(place).map(|rank| Place::Slot(rank, offset));
            }
            if !(place.is_instruction() || place.is_constant_expr()) {
                return None;
            }
            match place.opcode() {
                LLVMOpcode::LLVMAlloca => {
                    let ty = Ty(llvm!(LLVMGetAllocatedType(place.0)));
                    let offset = self.settle(ty, shift)?;
                    if let Some(rank) = shown_rank(ty) {
                        return Some(Place::Slot(rank, offset));
                    }
                    let (ty, offset) = self.element_at(ty, offset)?;
                    let component = self.find_component(ty, offset).map(|(of, at)| Place::Component(of, at));
                    return component.or_else(|| self.find_descriptor(ty, offset));
                }
                LLVMOpcode::LLVMGetElementPtr => {
                    match self.walk(place, shift) {
                        Walked::Component(of, at) => return Some(Place::Component(of, at)),
                        Walked::Shifted(by) => shift = shift.moved(by)?,
                        Walked::Unknown => return None,
                    }
                    place = place.operand(0);
                }
                _ => return None,
            }
        }
    }

    /// How far behind the beginning of an object something stands, counted in the first of the elements that steps may lead to.
    fn settle(&self, mut ty: Ty, shift: Shift) -> Option<u64> {
        if shift.step == 0 {
            return shift.constant();
        }
        while ty.kind() == llvm_sys::LLVMTypeKind::LLVMArrayTypeKind {
            ty = ty.element();
            let size = llvm!(LLVMABISizeOfType(self.layout, ty.0)).max(1);
            if shift.step.is_multiple_of(size) {
                return Some(shift.bytes.rem_euclid(i64::try_from(size).ok()?) as u64);
            }
        }
        None
    }

    /// The descriptor that stands there in what a global begins as, and how far into it that is.
    fn descriptor_in(&self, mut constant: Value, mut offset: u64) -> Option<(Value, u64)> {
        use llvm_sys::LLVMTypeKind::{LLVMArrayTypeKind, LLVMStructTypeKind};
        while described_rank(constant.ty()).is_none() {
            let ty = constant.ty();
            let (index, start) = match ty.kind() {
                LLVMArrayTypeKind => {
                    let size = llvm!(LLVMABISizeOfType(self.layout, ty.element().0)).max(1);
                    (offset / size, offset / size * size)
                }
                LLVMStructTypeKind if !ty.fields().is_empty() => {
                    let starts = |index: &usize| llvm!(LLVMOffsetOfElement(self.layout, ty.0, *index as u32));
                    let index = (0..ty.fields().len()).rev().find(|index| starts(index) <= offset)?;
                    (index as u64, starts(&index))
                }
                _ => return None,
            };
            constant = element(constant, u32::try_from(index).ok()?)?;
            offset -= start;
        }
        Some((constant, offset))
    }

    /// The element of an array that stands there, or what is no array.
    fn element_at(&self, mut ty: Ty, mut offset: u64) -> Option<(Ty, u64)> {
        while ty.kind() == llvm_sys::LLVMTypeKind::LLVMArrayTypeKind {
            if offset >= llvm!(LLVMABISizeOfType(self.layout, ty.0)) {
                return None;
            }
            ty = ty.element();
            offset %= llvm!(LLVMABISizeOfType(self.layout, ty.0)).max(1);
        }
        Some((ty, offset))
    }

    /// The largest object of a derived type on the way of an address, from where on all is constant.
    fn walk(&self, address: Value, behind: Shift) -> Walked {
        let (starts, known) = self.starts_of(address);
        for start in starts {
            let offset = self.offset_in(&start, behind);
            if let Some((component, at)) = offset.and_then(|offset| self.find_component(start.ty, offset)) {
                return Walked::Component(component, at);
            }
        }
        known.map_or(Walked::Unknown, Walked::Shifted)
    }

    /// How far into an object on the way of an address something stands so far behind that address. Steps from one element of an
    /// array to another lead to the same place in each.
    fn offset_in(&self, start: &Start, behind: Shift) -> Option<u64> {
        let bytes = behind.bytes.checked_add(i64::try_from(start.bytes).ok()?)?;
        let size = llvm!(LLVMABISizeOfType(self.layout, start.ty.0)).max(1);
        if start.is_element && behind.step.is_multiple_of(size) {
            return Some(bytes.rem_euclid(i64::try_from(size).ok()?) as u64);
        }
        Shift { bytes, step: behind.step }.constant()
    }

    /// How many bytes an address adds, where that is constant.
    fn walk_plainly(&self, address: Value) -> Option<u64> {
        self.starts_of(address).1?.constant()
    }

    /// The types on the way of an address, each with the bytes from its beginning, as far back as all is constant; and what
    /// the whole way adds.
    fn starts_of(&self, address: Value) -> (Vec<Start>, Option<Shift>) {
        let ty = Ty(llvm!(LLVMGetGEPSourceElementType(address.0)));
        let indices: Vec<Value> = (1..address.operand_count()).map(|index| address.operand(index)).collect();
        use llvm_sys::LLVMTypeKind::{LLVMArrayTypeKind, LLVMStructTypeKind};
        let [first, inner @ ..] = indices.as_slice() else { return (Vec::new(), None) };
        let number = |value: &Value| {
            (!llvm!(LLVMIsAConstantInt(value.0)).is_null()).then(|| llvm!(LLVMConstIntGetSExtValue(value.0)))
        };
        let size = |ty: Ty| llvm!(LLVMABISizeOfType(self.layout, ty.0));
        let step = |index: Option<i64>, ty: Ty| match index {
            Some(index) => Some(Shift { bytes: index.checked_mul(i64::try_from(size(ty)).ok()?)?, step: 0 }),
            None => Some(Shift { bytes: 0, step: size(ty) }),
        };
        let mut starts = vec![Start { ty, bytes: 0, is_element: number(first).is_none() }];
        let mut known = step(number(first), ty);
        let mut current = ty;
        for index in inner {
            let constant = number(index).filter(|index| *index >= 0);
            let by = match (current.kind(), constant) {
                (LLVMStructTypeKind, Some(field)) => {
                    let offset = llvm!(LLVMOffsetOfElement(self.layout, current.0, field as u32));
                    current = Ty(llvm!(LLVMStructGetTypeAtIndex(current.0, field as u32)));
                    i64::try_from(offset).ok().map(|bytes| Shift { bytes, step: 0 })
                }
                (LLVMArrayTypeKind, constant) => {
                    current = current.element();
                    step(constant, current)
                }
                _ => return (Vec::new(), None),
            };
            known = known.zip(by).and_then(|(known, by)| known.moved(by));
            match by.and_then(Shift::constant) {
                Some(bytes) => starts.iter_mut().for_each(|start| start.bytes += bytes),
                None => starts.clear(),
            }
            starts.push(Start { ty: current, bytes: 0, is_element: constant.is_none() });
        }
        (starts, known)
    }

    /// The component that stands there in an object of a derived type, and how far into it that is.
    fn find_component(&self, ty: Ty, offset: u64) -> Option<(Component, u64)> {
        if !matches!(ty.kind(), llvm_sys::LLVMTypeKind::LLVMStructTypeKind) || !is_named(ty) {
            return None;
        }
        let size = llvm!(LLVMABISizeOfType(self.layout, ty.0));
        if offset >= size {
            return None;
        }
        // An optimiser drops the description of a type that nobody names when the program runs, and keeps those of its components' types.
        for component in self.components_of(ty).unwrap_or_default() {
            let start = component.offset()?;
            let is_descriptor = matches!(component.genre(), Some(Genre::Pointer | Genre::Allocatable));
            if is_descriptor && (start..start + HEAD as u64).contains(&offset) {
                return Some((component, offset - start));
            }
        }
        // A component may be an object itself, or an array of them.
        let (field, offset) = self.field_at(ty, offset)?;
        let (field, offset) = self.element_at(field, offset)?;
        self.find_component(field, offset)
    }

    /// The field of a struct that stands there, and how far into it that is.
    fn field_at(&self, ty: Ty, offset: u64) -> Option<(Ty, u64)> {
        let start = |index: usize| llvm!(LLVMOffsetOfElement(self.layout, ty.0, index as u32));
        let fields = ty.fields();
        let field = (0..fields.len()).rev().find(|index| start(*index) <= offset)?;
        Some((fields[field], offset - start(field)))
    }

    /// The descriptor that stands there in an object of a derived type, by that type alone: how many dimensions it has.
    fn find_descriptor(&self, ty: Ty, offset: u64) -> Option<Place> {
        let (ty, offset) = self.element_at(ty, offset)?;
        if let Some(rank) = shown_rank(ty) {
            return Some(Place::Slot(rank, offset));
        }
        let size = llvm!(LLVMABISizeOfType(self.layout, ty.0));
        let (field, offset) = Some(offset)
            .filter(|offset| is_of_derived_type(ty) && *offset < size)
            .and_then(|offset| self.field_at(ty, offset))?;
        self.find_descriptor(field, offset)
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

/// Where a descriptor stands, and how far into it.
enum Place {
    Global(Value, u64),
    Slot(u8, u64),
    Component(Component, u64),
}

enum Walked {
    Component(Component, u64),
    /// No object of a derived type.
    Shifted(Shift),
    Unknown,
}

/// What an address adds: so many bytes, and any number of steps of one length; of none where that is 0.
#[derive(Clone, Copy)]
struct Shift {
    bytes: i64,
    step: u64,
}

impl Shift {
    fn constant(self) -> Option<u64> {
        u64::try_from(self.bytes).ok().filter(|_| self.step == 0)
    }

    fn moved(self, by: Shift) -> Option<Shift> {
        let step = u64::try_from(gcd(self.step.into(), by.step.into())).ok()?;
        Some(Shift { bytes: self.bytes.checked_add(by.bytes)?, step })
    }
}

/// A type on the way of an address, with the bytes from its beginning to where the address leads.
struct Start {
    ty: Ty,
    bytes: u64,
    /// One element of an array, and any of it.
    is_element: bool,
}

fn is_only_read(address: Value) -> bool {
    address.users().into_iter().all(|user| user.is_instruction() && user.opcode() == LLVMOpcode::LLVMLoad)
}

/// The rank of the descriptor that a parameter leads to, by how the function itself reads it.
fn rank_seen(parameter: Value) -> Option<u8> {
    let described = |user: Value| {
        let is_address = user.is_instruction() && user.opcode() == LLVMOpcode::LLVMGetElementPtr;
        let ty = is_address.then(|| Ty(llvm!(LLVMGetGEPSourceElementType(user.0))))?;
        shown_rank(ty)
    };
    let mut ranks = parameter.users().into_iter().filter_map(described);
    let first = ranks.next()?;
    ranks.all(|rank| rank == first).then_some(first)
}

/// A descriptor without dimensions stands for a scalar or for what is not known; one that tells the type of an object, for one
/// object.
fn shown_rank(ty: Ty) -> Option<u8> {
    const MEMBERS_OF_HEAD: usize = 7;
    let is_object = || ty.fields().len() == MEMBERS_OF_HEAD + 2;
    described_rank(ty).map(|rank| if rank == 0 && !is_object() { ANY_RANK } else { rank })
}

fn rank_of_slot(rank: u8) -> Option<Head> {
    let mut head = [None; HEAD];
    head[RANK] = Some(rank);
    (rank < ANY_RANK).then_some(head)
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
    if component.text_length().is_some() {
        head[TYPE] = Some(CHARACTER as u8);
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

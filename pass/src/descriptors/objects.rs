//! What has to be done with an object of a derived type, component by component, in the place of the marks that bodies of
//! the runtime library leave (`pass/bodies/fortran/derived.rs`).
//!
//! Invariant: a mark is replaced as a whole or stays. What stays is refused.

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::target::{LLVMGetModuleDataLayout, LLVMTargetDataRef};

use super::choices::is_extended;
use super::declared::Declared;
use super::described::{Component, DerivedType, Genre, Intrinsic};
use super::integers::{OF_FLANG, build_mark};
use crate::aggregates::{MOST_MEMBERS, Member, list_members, member_place};
use crate::llvm::{Builder, Module, Ty, Value, llvm, shim};

const INITIALIZE: &str = "backsweep.fortran.initialize";
const DESTROY: &str = "backsweep.fortran.destroy";
const ASSIGN: &str = "backsweep.fortran.assign";
const SHARE: &str = "backsweep.fortran.share";
/// Asks of what type an object is: the descriptor, where in it that stands, and what was read there.
pub const DECLARED: &str = "backsweep.fortran.declared";
/// Asks for the one of two equal numbers that is a constant.
const EITHER: [&str; 2] = ["backsweep.fortran.either.type", "backsweep.fortran.either.size"];
const UNKNOWN: &str = "backsweep.fortran.unknown";

const DESTROY_COMPONENT: &str = "_Fortran.component.destroy";
const ASSIGN_COMPONENT: &str = "_Fortran.component.assign";
const COPY_COMPONENT: &str = "_Fortran.component.copy";

/// Beyond so many elements an array inside an object is copied by a loop, or is refused.
const MOST_ELEMENTS: u64 = 16;

/// Replaces every mark whose type is known by now; whether there was one.
pub fn open_marks(module: Module, function: Value) -> bool {
    let writer = Writer {
        module,
        layout: llvm!(LLVMGetModuleDataLayout(module.0)),
        builder: Builder::new(module.context()),
    };
    let declared = Declared { module, layout: writer.layout };
    let mut opened = false;
    for mark in marks_in(function) {
        if is_question(mark) {
            let answer = match mark.argument_count() {
                2 => (0..2).map(|index| mark.operand(index)).find(|number| is_number(*number)),
                _ => known_type(&declared, mark).filter(|ty| is_constant(mark, *ty) || !is_extended(module, *ty)),
            };
            if let Some(answer) = answer {
                mark.replace_all_uses(answer);
                mark.erase();
                opened = true;
            }
        } else if let Some(steps) = steps_of(mark) {
            writer.builder.before(mark);
            writer.builder.locate_like(mark);
            steps.iter().for_each(|step| writer.write(step));
            mark.erase();
            opened = true;
        }
    }
    opened
}

/// What no description was found for is not known, and the names of marks are nobody's.
pub fn refuse_marks(module: Module, function: Value) {
    for mark in marks_in(function) {
        if is_question(mark) {
            mark.replace_all_uses(mark.operand(mark.argument_count() - 1));
            mark.erase();
            continue;
        }
        let ty = Ty::function(Ty(llvm!(LLVMVoidTypeInContext(module.context()))), &[], false);
        let unknown = module.function(UNKNOWN).unwrap_or_else(|| module.add_function(UNKNOWN, ty));
        let builder = Builder::new(module.context());
        builder.before(mark);
        builder.locate_like(mark);
        llvm!(LLVMBuildCall2(builder.0, ty.0, unknown.0, std::ptr::null_mut(), 0, c"".as_ptr()));
        mark.erase();
    }
}

pub fn has_marks(function: Value) -> bool {
    !marks_in(function).is_empty()
}

pub fn marks_in(function: Value) -> Vec<Value> {
    let insts = function.blocks().into_iter().flat_map(|block| block.instructions());
    let names = [&[INITIALIZE, DESTROY, ASSIGN, SHARE, DECLARED], EITHER.as_slice()].concat();
    insts.filter(|inst| inst.is_call() && names.contains(&inst.callee().name().as_str())).collect()
}

pub fn is_question(mark: Value) -> bool {
    let name = mark.callee().name();
    name == DECLARED || EITHER.contains(&name.as_str())
}

/// Whether what was read is known when the program is compiled.
fn is_constant(mark: Value, ty: Value) -> bool {
    mark.operand(2) == ty
}

pub fn is_number(value: Value) -> bool {
    !llvm!(LLVMIsAConstantInt(value.0)).is_null()
}

/// What was read, where it is a constant; else what a declaration says.
pub fn known_type(declared: &Declared, mark: Value) -> Option<Value> {
    let (descriptor, place, read) = (mark.operand(0), mark.operand(1), mark.operand(2));
    if read.as_global().is_some() {
        return Some(read);
    }
    // What an object was declared with may stand in the place of its descriptor.
    if DerivedType::read(descriptor).is_some() {
        return Some(descriptor);
    }
    is_number(place)
        .then(|| declared.find_type(descriptor, llvm!(LLVMConstIntGetZExtValue(place.0))))
        .flatten()
}

/// The functions that marks call: none of them keeps what it is given, and a question changes nothing.
pub fn describe_marks(module: Module) {
    let attribute = |name: &str| {
        let kind = llvm!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        llvm!(LLVMCreateEnumAttribute(module.context(), kind, 0))
    };
    for name in [&[INITIALIZE, DESTROY, ASSIGN, SHARE, DECLARED], EITHER.as_slice()].concat() {
        let Some(function) = module.function(name) else { continue };
        for (index, param) in (0..).zip(function.params()) {
            if param.ty().kind() != llvm_sys::LLVMTypeKind::LLVMPointerTypeKind {
                continue;
            }
            llvm!(LLVMAddAttributeAtIndex(function.0, index + 1, attribute("captures")));
        }
        let of_function = llvm_sys::LLVMAttributeFunctionIndex;
        for promise in ["nounwind", "willreturn"] {
            llvm!(LLVMAddAttributeAtIndex(function.0, of_function, attribute(promise)));
        }
        if name == DECLARED || EITHER.contains(&name) {
            llvm!(LLVMAddAttributeAtIndex(function.0, of_function, attribute("memory")));
        }
    }
}

/// One edit of an object. Places are bytes behind its beginning.
pub enum Step {
    /// Stores a constant, member by member, and whether these are integers that are no addresses.
    Store { object: Value, offset: u64, constant: Value, counted: bool },
    /// An array that is not allocated, or a pointer that leads nowhere.
    Nothing { object: Value, offset: u64, component: Component },
    /// A mark for an object inside of this one.
    Mark { name: &'static str, objects: Vec<Value>, offset: u64, ty: Value },
    /// A body for a component that is allocatable.
    Call { name: &'static str, objects: Vec<Value>, offset: u64, component: Component },
    /// Elements of an intrinsic type, and whether they are integers that are no addresses.
    Copy { objects: [Value; 2], offset: u64, of: Intrinsic, count: u64, counted: bool },
    /// The descriptor of a component that is a pointer.
    Point { objects: [Value; 2], offset: u64, component: Component },
}

fn steps_of(mark: Value) -> Option<Vec<Step>> {
    let last = mark.argument_count() - 1;
    let objects: Vec<Value> = (0..last).map(|index| mark.operand(index)).collect();
    steps_for(&mark.callee().name(), &objects, mark.operand(last))
}

/// What a mark of that name wants for objects of that type.
pub fn steps_for(name: &str, objects: &[Value], of: Value) -> Option<Vec<Step>> {
    let ty = DerivedType::read(of)?;
    let refused = match name {
        INITIALIZE | SHARE => false,
        DESTROY => ty.has_finalizer(),
        _ => ty.has_defined_assignment(),
    };
    let idle = match name {
        INITIALIZE => !ty.needs_initialization(),
        DESTROY => !ty.needs_destruction(),
        _ => false,
    };
    if idle && !refused {
        return Some(Vec::new());
    }
    if refused || ty.has_procedure_pointers() {
        return None;
    }
    let is_address = of.name().starts_with(OF_FLANG);
    let mut steps = Vec::new();
    for component in ty.components()? {
        steps.extend(match name {
            INITIALIZE => initialize(objects[0], component, is_address)?,
            DESTROY => destroy(objects[0], component)?,
            copy => assign(copy == SHARE, [objects[0], objects[1]], component, is_address)?,
        });
    }
    Some(steps)
}

fn initialize(object: Value, component: Component, is_address: bool) -> Option<Vec<Step>> {
    let offset = component.offset()?;
    if let Some(constant) = component.initial() {
        let counted = !is_address && component.stored().is_some_and(|(of, _)| of.is_integer());
        return Some(vec![Step::Store { object, offset, constant, counted }]);
    }
    if !component.is_without_initial() {
        return None;
    }
    match (component.genre()?, component.derived()) {
        (Genre::Data, Some(ty)) => mark_elements(INITIALIZE, &[object], component, ty),
        (Genre::Data, None) => Some(Vec::new()),
        (Genre::Allocatable | Genre::Pointer, of) => {
            let known =
                of.is_some_and(|of| DerivedType::read(of).is_some()) || component.intrinsic().is_some();
            known.then(|| vec![Step::Nothing { object, offset, component }])
        }
    }
}

fn destroy(object: Value, component: Component) -> Option<Vec<Step>> {
    match (component.genre()?, component.derived()) {
        (Genre::Data, Some(ty)) => mark_elements(DESTROY, &[object], component, ty),
        (Genre::Data, None) | (Genre::Pointer, _) => Some(Vec::new()),
        (Genre::Allocatable, _) => Some(vec![Step::Call {
            name: DESTROY_COMPONENT,
            objects: vec![object],
            offset: component.offset()?,
            component,
        }]),
    }
}

fn assign(shares: bool, objects: [Value; 2], component: Component, is_address: bool) -> Option<Vec<Step>> {
    let offset = component.offset()?;
    match (component.genre()?, component.derived()) {
        (Genre::Data, Some(ty)) => {
            mark_elements(if shares { SHARE } else { ASSIGN }, &objects, component, ty)
        }
        (Genre::Data, None) => {
            let (of, count) = component.stored()?;
            let counted = of.is_integer() && !is_address;
            Some(vec![Step::Copy { objects, offset, of, count, counted }])
        }
        (Genre::Pointer, _) => Some(vec![Step::Point { objects, offset, component }]),
        (Genre::Allocatable, _) if shares => Some(vec![Step::Point { objects, offset, component }]),
        (Genre::Allocatable, _) => {
            Some(vec![Step::Call { name: ASSIGN_COMPONENT, objects: objects.to_vec(), offset, component }])
        }
    }
}

/// The same for every element of a component that is made of objects itself.
fn mark_elements(
    name: &'static str,
    objects: &[Value],
    component: Component,
    ty: Value,
) -> Option<Vec<Step>> {
    let (bytes, count) = (DerivedType::read(ty)?.bytes()?, component.count()?);
    let start = component.offset()?;
    let mark = |index: u64| Step::Mark { name, objects: objects.to_vec(), offset: start + index * bytes, ty };
    (count <= MOST_ELEMENTS).then(|| (0..count).map(mark).collect())
}

pub struct Writer {
    pub module: Module,
    pub layout: LLVMTargetDataRef,
    pub builder: Builder,
}

impl Writer {
    fn write(&self, step: &Step) {
        match step {
            Step::Store { object, offset, constant, counted } => {
                self.store(*object, *offset, *constant, *counted);
            }
            Step::Nothing { object, offset, component } => self.write_nothing(*object, *offset, *component),
            Step::Mark { name, objects, offset, ty } => {
                let places = objects.iter().map(|object| self.place(*object, *offset)).chain([ty.0]);
                self.call(name, &places.collect::<Vec<_>>());
            }
            Step::Call { name, objects, offset, component }
                if component.intrinsic().is_some() || !self.is_described(objects, *offset) =>
            {
                let slots: Vec<LLVMValueRef> =
                    objects.iter().map(|object| self.slot_for(*object, *offset, *component)).collect();
                self.call(name, &slots);
                // Only the first is changed.
                for (member, ty, fixed) in self.head_of(*component) {
                    if fixed.is_none() {
                        let value = self.load_member(ty, Value(slots[0]), member);
                        self.put_member(value, objects[0], offset + member);
                    }
                }
            }
            Step::Call { name, objects, offset, .. } => {
                let places = objects.iter().map(|object| self.place(*object, *offset));
                self.call(name, &places.collect::<Vec<_>>());
            }
            Step::Copy { objects, offset, of, count, counted } => {
                self.copy(*objects, *offset, (*of, *count, *counted));
            }
            Step::Point { objects: [to, from], offset, component } => {
                for (member, ty) in self.members_of_descriptor(*component) {
                    let value = self.load_member(ty, *from, offset + member);
                    self.put_member(value, *to, offset + member);
                }
            }
        }
    }

    fn store(&self, object: Value, offset: u64, constant: Value, counted: bool) {
        let mut members: Vec<Member> = Vec::new();
        list_members(self.layout, constant.ty(), &[], 0, &mut members);
        if members.len() > MOST_MEMBERS {
            llvm!(LLVMBuildStore(self.builder.0, constant.0, self.place(object, offset)));
            return;
        }
        for member in members {
            let element = |whole, index: &u32| llvm!(LLVMGetAggregateElement(whole, *index));
            let value = member.path.iter().fold(constant.0, element);
            match counted {
                true => self.put_integer(value, object, offset + member.offset),
                false => drop(self.put(value, object, offset + member.offset)),
            }
        }
    }

    fn write_nothing(&self, object: Value, offset: u64, component: Component) {
        for (member, ty, fixed) in self.head_of(component) {
            let rank = component.rank().unwrap_or_default();
            let is_type = component.derived().is_some() && member == 24 + 24 * rank;
            let nothing = fixed.unwrap_or_else(|| llvm!(LLVMConstNull(ty.0)));
            let value = component.derived().filter(|_| is_type).map_or(nothing, |of| of.0);
            self.put_member(value, object, offset + member);
        }
    }

    /// The type that was read of an object that is of one or extends it.
    fn ask_type(&self, of: Value, read: LLVMValueRef) -> LLVMValueRef {
        let place = llvm!(LLVMConstInt(self.int(64).0, 0, 0));
        self.ask(DECLARED, self.pointer(), &[of.0, place, read])
    }

    /// Whether the descriptor that stands there is seen as that of a component, by how its address is made.
    fn is_described(&self, objects: &[Value], offset: u64) -> bool {
        let declared = Declared { module: self.module, layout: self.layout };
        objects.iter().all(|object| declared.finds_component(*object, offset))
    }

    /// The descriptor of a component in a stack slot, where it is seen what the declaration fixes of it.
    fn slot_for(&self, object: Value, offset: u64, component: Component) -> LLVMValueRef {
        let head = self.head_of(component);
        let bytes = head.iter().map(|(member, ..)| member + 8).max().unwrap_or_default();
        let ty = llvm!(LLVMArrayType2(self.int(64).0, bytes / 8));
        let here = llvm!(LLVMGetInsertBlock(self.builder.0));
        let entry = llvm!(LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here)));
        let at_entry = Builder::new(self.module.context());
        at_entry.before(Value(llvm!(LLVMGetFirstInstruction(entry))));
        let slot = llvm!(LLVMBuildAlloca(at_entry.0, ty, c"".as_ptr()));
        for (member, ty, fixed) in head {
            let value = fixed.unwrap_or_else(|| self.load_member(ty, object, offset + member));
            let is_type = member == 24 + 24 * component.rank().unwrap_or_default();
            let value = match component.derived().filter(|_| is_type && fixed.is_none()) {
                Some(of) => self.ask_type(of, value),
                None => value,
            };
            self.put_member(value, Value(slot), member);
        }
        slot
    }

    /// The members of a component's descriptor, with the values that its declaration fixes.
    fn head_of(&self, component: Component) -> Vec<(u64, Ty, Option<LLVMValueRef>)> {
        const VERSION: u64 = 20_240_719;
        let derived = component.derived().and_then(DerivedType::read);
        let (code, bytes, extra) = match (component.intrinsic(), derived) {
            (Some(of), _) => (of.code, of.bytes, 0),
            (None, of) => (42, of.and_then(DerivedType::bytes).unwrap_or_default(), 1),
        };
        // What an object is that may be of another type than declared is read.
        let of = component.derived().filter(|of| !is_extended(self.module, *of));
        let attribute = if component.genre() == Some(Genre::Pointer) { 1 } else { 2 };
        let rank = component.rank().unwrap_or_default();
        let numbers = [bytes, VERSION, rank, u64::from(code), attribute, extra];
        let members = self.members_of_descriptor(component).into_iter().enumerate();
        let with_value = members.map(|(index, (member, ty))| {
            let number = index.checked_sub(1).and_then(|index| numbers.get(index));
            let number = number.map(|number| llvm!(LLVMConstInt(ty.0, *number, 0)));
            let of = of.filter(|_| member == 24 + 24 * rank).map(|of| of.0);
            (member, ty, number.or(of))
        });
        with_value.collect()
    }

    /// Where the members of a component's descriptor stand, and of what type they are.
    fn members_of_descriptor(&self, component: Component) -> Vec<(u64, Ty)> {
        let (pointer, int) = (self.pointer(), |bits| self.int(bits));
        let head = [
            (0, pointer),
            (8, int(64)),
            (16, int(32)),
            (20, int(8)),
            (21, int(8)),
            (22, int(8)),
            (23, int(8)),
        ];
        let rank = component.rank().unwrap_or_default();
        let end = 24 + 24 * rank;
        let dims = (24..end).step_by(8).map(|offset| (offset, int(64)));
        let addendum = [(end, pointer), (end + 8, int(64))];
        let behind = addendum.into_iter().filter(|_| component.derived().is_some());
        head.into_iter().chain(dims).chain(behind).collect()
    }

    fn copy(&self, [to, from]: [Value; 2], offset: u64, (of, count, counted): (Intrinsic, u64, bool)) {
        if count > MOST_ELEMENTS {
            let number = |bits, value| llvm!(LLVMConstInt(self.int(bits).0, value, 0));
            let sizes = [number(8, u64::from(of.code)), number(64, of.bytes), number(64, count)];
            let places = [self.place(to, offset), self.place(from, offset)];
            self.call(COPY_COMPONENT, &[places.as_slice(), &sizes].concat());
            return;
        }
        let (ty, parts) = self.parts_of(of);
        let bytes = of.bytes / parts;
        for index in 0..count * parts {
            let read = self.load(ty, from, offset + index * bytes);
            let place = offset + index * bytes;
            match counted {
                true => self.put_integer(build_mark(self.module, &self.builder, Value(read)), to, place),
                false => drop(self.put(read, to, place)),
            }
        }
    }

    /// The scalars that a value is made of, and how many.
    fn parts_of(&self, of: Intrinsic) -> (Ty, u64) {
        let context = self.module.context();
        let (single, double) =
            (llvm!(LLVMFloatTypeInContext(context)), llvm!(LLVMDoubleTypeInContext(context)));
        match of.code {
            27 => (Ty(single), 1),
            28 => (Ty(double), 1),
            34 => (Ty(single), 2),
            35 => (Ty(double), 2),
            _ => (self.int(8 * of.bytes as u32), 1),
        }
    }

    fn int(&self, bits: u32) -> Ty {
        Ty(llvm!(LLVMIntTypeInContext(self.module.context(), bits)))
    }

    fn pointer(&self) -> Ty {
        Ty(llvm!(LLVMPointerTypeInContext(self.module.context(), 0)))
    }

    fn place(&self, object: Value, offset: u64) -> LLVMValueRef {
        member_place(&self.builder, object, offset)
    }

    /// A member of a descriptor: an address, or an integer.
    fn load_member(&self, ty: Ty, object: Value, offset: u64) -> LLVMValueRef {
        let value = self.load(ty, object, offset);
        match ty.kind() == llvm_sys::LLVMTypeKind::LLVMIntegerTypeKind {
            true => build_mark(self.module, &self.builder, Value(value)),
            false => value,
        }
    }

    fn load(&self, ty: Ty, object: Value, offset: u64) -> LLVMValueRef {
        llvm!(LLVMBuildLoad2(self.builder.0, ty.0, self.place(object, offset), c"".as_ptr()))
    }

    fn put(&self, value: LLVMValueRef, object: Value, offset: u64) -> Value {
        Value(llvm!(LLVMBuildStore(self.builder.0, value, self.place(object, offset))))
    }

    /// A member of a descriptor: an address, or an integer.
    fn put_member(&self, value: LLVMValueRef, object: Value, offset: u64) {
        match is_integer(value) {
            true => self.put_integer(value, object, offset),
            false => drop(self.put(value, object, offset)),
        }
    }

    /// What is an integer by its declaration, where nobody says otherwise.
    fn put_integer(&self, value: LLVMValueRef, object: Value, offset: u64) {
        let store = self.put(value, object, offset);
        if is_integer(value) {
            llvm!(shim::bs_shim_mark_integer(store.0));
        }
    }

    pub fn call(&self, name: &str, arguments: &[LLVMValueRef]) {
        self.ask(name, Ty(llvm!(LLVMVoidTypeInContext(self.module.context()))), arguments);
    }

    fn ask(&self, name: &str, answer: Ty, arguments: &[LLVMValueRef]) -> LLVMValueRef {
        let types: Vec<Ty> = arguments.iter().map(|argument| Ty(llvm!(LLVMTypeOf(*argument)))).collect();
        let ty = Ty::function(answer, &types, false);
        let callee = self.module.function(name).unwrap_or_else(|| self.module.add_function(name, ty));
        let mut arguments = arguments.to_vec();
        let count = arguments.len() as u32;
        llvm!(LLVMBuildCall2(self.builder.0, ty.0, callee.0, arguments.as_mut_ptr(), count, c"".as_ptr()))
    }
}

fn is_integer(value: LLVMValueRef) -> bool {
    Value(value).ty().kind() == llvm_sys::LLVMTypeKind::LLVMIntegerTypeKind
}

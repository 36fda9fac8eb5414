//! What has to be done with an object of a derived type, component by component, in the place of the marks that bodies of
//! the runtime library leave (`pass/bodies/fortran/derived.rs`).
//!
//! Invariant: a mark is replaced as a whole or stays. What stays is refused.

use llvm_sys::core::*;
use llvm_sys::target::LLVMGetModuleDataLayout;

use super::choices::{is_anything_finalized, is_extended};
use super::declared::Declared;
use super::described::{Component, DerivedType, Genre, Intrinsic, Procedure};
use super::integers::OF_FLANG;
use super::nested::{call_function, contains_itself};
use super::writer::Writer;
use crate::llvm::{Builder, Module, Ty, Value, llvm};

const INITIALIZE: &str = "backsweep.fortran.initialize";
/// Asks whether there are FINAL procedures at all.
const FINALIZES: &str = "backsweep.fortran.finalizes";
const FINALIZE: &str = "backsweep.fortran.finalize";
const FINALIZE_EACH: &str = "backsweep.fortran.finalize_each";
const DESTROY: &str = "backsweep.fortran.destroy";
const ASSIGN: &str = "backsweep.fortran.assign";
const SHARE: &str = "backsweep.fortran.share";
/// Asks of what type an object is: the descriptor, where in it that stands, and what was read there.
pub const DECLARED: &str = "backsweep.fortran.declared";
/// Asks for the one of two equal numbers that is a constant.
const EITHER: [&str; 2] = ["backsweep.fortran.either.type", "backsweep.fortran.either.size"];
const MARKS: [&str; 7] = [INITIALIZE, FINALIZE, FINALIZE_EACH, DESTROY, ASSIGN, SHARE, DECLARED];
const UNKNOWN: &str = "backsweep.fortran.unknown";

const FINALIZE_COMPONENT: &str = "_Fortran.component.finalize";
const DESTROY_COMPONENT: &str = "_Fortran.component.destroy";
const ASSIGN_COMPONENT: &str = "_Fortran.component.assign";
pub const COPY_COMPONENT: &str = "_Fortran.component.copy";

/// Beyond so many elements an array inside an object is copied by a loop, or is refused.
pub const MOST_ELEMENTS: u64 = 16;

/// Replaces every mark whose type is known by now; whether there was one. Functions that were made for it are added to the new
/// ones.
pub fn open_marks(module: Module, function: Value, new: &mut Vec<Value>) -> bool {
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
                _ => known_type(&declared, mark)
                    .filter(|ty| is_constant(mark, *ty) || !is_extended(module, *ty)),
            };
            if let Some(answer) = answer {
                mark.replace_all_uses(answer);
                mark.erase();
                opened = true;
            }
        } else if has_no_end(module, mark) {
            opened |= call_function(&writer, mark, new);
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

/// Answers whether anything is finalized, which is known before anything is of the objects; whether this call asks that.
pub fn answer_early(module: Module, call: Value) -> bool {
    let asks = call.callee().name() == FINALIZES;
    if asks {
        let answer = u64::from(is_anything_finalized(module));
        call.replace_all_uses(Value(llvm!(LLVMConstInt(call.ty().0, answer, 0))));
        call.erase();
    }
    asks
}

/// Whether code for a mark would hold marks for objects of the same type, and so on.
fn has_no_end(module: Module, mark: Value) -> bool {
    [FINALIZE, FINALIZE_EACH, DESTROY, ASSIGN].contains(&mark.callee().name().as_str())
        && contains_itself(module, mark.operand(mark.argument_count() - 1))
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
    let names = [MARKS.as_slice(), EITHER.as_slice()].concat();
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
    let offset = is_number(place).then(|| llvm!(LLVMConstIntGetZExtValue(place.0)));
    declared.find_type(descriptor, offset)
}

/// The functions that marks call: none of them keeps what it is given, and a question changes nothing.
pub fn describe_marks(module: Module) {
    let attribute = |name: &str| {
        let kind = llvm!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        llvm!(LLVMCreateEnumAttribute(module.context(), kind, 0))
    };
    // A procedure of the user's may keep what it is given.
    let own = |name: &&str| ![FINALIZE, FINALIZE_EACH].contains(name);
    for name in MARKS.into_iter().filter(own).chain(EITHER) {
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
    Store {
        object: Value,
        offset: u64,
        constant: Value,
        counted: bool,
    },
    /// An array that is not allocated, or a pointer that leads nowhere.
    Nothing {
        object: Value,
        offset: u64,
        component: Component,
    },
    /// A mark for an object inside of this one.
    Mark {
        name: &'static str,
        objects: Vec<Value>,
        offset: u64,
        ty: Value,
    },
    /// A body for a component that is allocatable.
    Call {
        name: &'static str,
        objects: Vec<Value>,
        offset: u64,
        component: Component,
    },
    /// Elements of an intrinsic type, and whether they are integers that are no addresses.
    Copy {
        objects: [Value; 2],
        offset: u64,
        of: Intrinsic,
        count: u64,
        counted: bool,
    },
    /// A procedure of the type's own is called.
    Finish {
        object: Value,
        procedure: Value,
    },
    /// A pointer to a procedure, as it begins, or from another object.
    Name {
        object: Value,
        procedure: Procedure,
    },
    Rename {
        objects: [Value; 2],
        procedure: Procedure,
    },
    /// The descriptor of a component that is a pointer.
    Point {
        objects: [Value; 2],
        offset: u64,
        component: Component,
    },
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
        INITIALIZE | SHARE | DESTROY | FINALIZE | FINALIZE_EACH => false,
        _ => ty.has_defined_assignment(),
    };
    let idle = match name {
        INITIALIZE => !ty.needs_initialization(),
        DESTROY => !ty.needs_destruction(),
        FINALIZE | FINALIZE_EACH => !ty.needs_finalization(),
        _ => false,
    };
    if idle && !refused {
        return Some(Vec::new());
    }
    if refused {
        return None;
    }
    if [FINALIZE, FINALIZE_EACH].contains(&name) {
        return finalize(objects[0], ty, name == FINALIZE);
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
    // Nothing goes where a pointer to a procedure goes.
    steps.extend(ty.procedures()?.into_iter().filter(|_| name != DESTROY).map(|procedure| match name {
        INITIALIZE => Step::Name { object: objects[0], procedure },
        _ => Step::Rename { objects: [objects[0], objects[1]], procedure },
    }));
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
                of.is_some_and(|of| DerivedType::read(of).is_some()) || component.is_of_intrinsic_type();
            known.then(|| vec![Step::Nothing { object, offset, component }])
        }
    }
}

/// First the object itself, then its components, and last what its type extends.
fn finalize(object: Value, ty: DerivedType, is_scalar: bool) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    if let Some(procedure) = ty.finalizer(is_scalar)? {
        steps.push(Step::Finish { object, procedure });
    }
    let parent = ty.parent();
    let mut components = ty.components()?;
    if parent.is_some() {
        components.rotate_left(1);
    }
    let count = components.len();
    for (index, component) in components.into_iter().enumerate() {
        let is_parent = parent.is_some() && index + 1 == count;
        match (component.genre()?, component.derived()) {
            (Genre::Data, Some(of)) => {
                // The part of an element that its type extends is an element as well.
                let alone = if is_parent { is_scalar } else { component.rank()? == 0 };
                let name = if alone { FINALIZE } else { FINALIZE_EACH };
                if DerivedType::read(of)?.needs_finalization() {
                    steps.extend(mark_elements(name, &[object], component, of)?);
                }
            }
            (Genre::Allocatable, Some(_)) => steps.push(Step::Call {
                name: FINALIZE_COMPONENT,
                objects: vec![object],
                offset: component.offset()?,
                component,
            }),
            (Genre::Data | Genre::Allocatable, None) | (Genre::Pointer, _) => {}
        }
    }
    Some(steps)
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

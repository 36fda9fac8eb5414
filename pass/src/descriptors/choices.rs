//! What has to be done with an object whose type is known when the program runs, in the place of the marks that bodies of the
//! runtime library leave: what is to be done with it for each type that it may be of, and the end of the program where it is
//! of none of them.
//!
//! An object that was declared with a type is of that type or of one that extends it; of another object, as one that is
//! passed as an argument, each type of the module may be the type.

use llvm_sys::LLVMIntPredicate::LLVMIntEQ;
use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;
use llvm_sys::target::LLVMGetModuleDataLayout;

use super::declared::Declared;
use super::described::DerivedType;
use super::objects::{DECLARED, is_number, is_question, known_type, marks_in, steps_for};
use super::writer::Writer;
use crate::llvm::{Builder, Module, Value, llvm};

/// Of more types an object is refused.
const MOST_TYPES: usize = 8;

/// What is done with an object where a type is the one that was read.
const IF_OF_TYPE: &str = "_Fortran.object.if.";
/// Ends the program where an object is of none of the types.
const EXPECT: &str = "_Fortran.object.expect";

/// Types of flang's own begin so; nobody extends one, and no object of a program is declared with one.
const OF_FLANG: &str = "_QM__fortran_";
const OF_TYPE: &str = "EXdtX";

/// Whether an object that was declared with a type may be of another.
pub fn is_extended(module: Module, ty: Value) -> bool {
    types_of(module).into_iter().any(|other| other != ty && is_or_extends(other, ty))
}

/// Whether any type has procedures of its own that are to be called where an object goes. A type says that it may need some as soon as
/// it has a component of a class; an object of a type that is described in another file ends the program where it goes.
pub fn is_anything_finalized(module: Module) -> bool {
    let mut types = module.globals().into_iter().filter(is_type).filter_map(DerivedType::read);
    types.any(DerivedType::has_finalizer)
}

/// What an object that was declared with a type may be of.
pub fn extensions_of(module: Module, ty: Value) -> Vec<Value> {
    let others = types_of(module).into_iter().filter(|other| *other != ty && is_or_extends(*other, ty));
    std::iter::once(ty).chain(others).collect()
}

/// Replaces marks whose type is not known when the program is compiled, all of them; whether there was one.
pub fn open_choices(module: Module, function: Value) -> bool {
    let layout = llvm!(LLVMGetModuleDataLayout(module.0));
    let writer = Writer { module, layout, builder: Builder::new(module.context()) };
    let declared = Declared { module, layout };
    let mut opened = false;
    for mark in marks_in(function).into_iter().filter(|mark| !is_question(*mark)) {
        let ty = mark.operand(mark.argument_count() - 1);
        let roots = asked_types(&declared, ty, &mut Vec::new());
        let Some(types) =
            candidates(module, mark, roots.as_deref()).filter(|_| DerivedType::read(ty).is_none())
        else {
            continue;
        };
        writer.builder.before(mark);
        writer.builder.locate_like(mark);
        write_choice(&writer, mark, &types);
        mark.erase();
        opened = true;
    }
    // Who asks for the type is told the one that was read.
    for question in marks_in(function).into_iter().filter(|mark| mark.callee().name() == DECLARED) {
        question.replace_all_uses(question.operand(2));
        question.erase();
        opened = true;
    }
    opened
}

/// What the descriptor was declared with from which a type was read, or all that was written there.
fn asked_types(declared: &Declared, answer: Value, seen: &mut Vec<Value>) -> Option<Vec<Value>> {
    if DerivedType::read(answer).is_some() {
        return Some(vec![answer]);
    }
    let is_question = answer.is_instruction() && answer.is_call() && answer.callee().name() == DECLARED;
    if !is_question || seen.contains(&answer) {
        return None;
    }
    seen.push(answer);
    if let Some(known) = known_type(declared, answer) {
        return Some(vec![known]);
    }
    let (descriptor, place) = (answer.operand(0), answer.operand(1));
    let is_slot = descriptor.is_instruction() && descriptor.opcode() == LLVMOpcode::LLVMAlloca;
    let written = match is_slot && is_number(place) {
        true => declared.types_in_slot(descriptor, llvm!(LLVMConstIntGetZExtValue(place.0))),
        false => Vec::new(),
    };
    if written.is_empty() {
        return asked_types(declared, answer.operand(2), seen);
    }
    let each: Option<Vec<Vec<Value>>> =
        written.into_iter().map(|ty| asked_types(declared, ty, seen)).collect();
    each.map(|each| each.concat())
}

/// The types that an object may be of, where for each of them it is known what to do.
fn candidates(module: Module, mark: Value, roots: Option<&[Value]>) -> Option<Vec<Value>> {
    let name = mark.callee().name();
    let objects: Vec<Value> = (0..mark.argument_count() - 1).map(|index| mark.operand(index)).collect();
    let all = types_of(module).into_iter();
    let fits = |ty: Value, roots: &[Value]| roots.iter().any(|root| is_or_extends(ty, *root));
    let fitting = all.filter(|ty| roots.is_none_or(|roots| fits(*ty, roots)));
    let types: Vec<Value> = fitting.filter(|ty| steps_for(&name, &objects, *ty).is_some()).collect();
    (1..=MOST_TYPES).contains(&types.len()).then_some(types)
}

/// First the question whether the object is of one of the types, then what is to be done if it is of this, of that one.
fn write_choice(writer: &Writer, mark: Value, types: &[Value]) {
    let builder = &writer.builder;
    let count = mark.argument_count();
    let arguments: Vec<_> = (0..count).map(|index| mark.operand(index).0).collect();
    let read = arguments[count as usize - 1];
    let known = types
        .iter()
        .map(|ty| llvm!(LLVMBuildICmp(builder.0, LLVMIntEQ, read, ty.0, c"".as_ptr())))
        .reduce(|one, other| llvm!(LLVMBuildOr(builder.0, one, other, c"".as_ptr())));
    let Some(known) = known else { return };
    writer.call(EXPECT, &[known]);
    let name = mark.callee().name();
    let Some((_, what)) = name.rsplit_once('.') else { return };
    for ty in types {
        writer.call(&format!("{IF_OF_TYPE}{what}"), &[arguments.as_slice(), &[ty.0]].concat());
    }
}

fn is_type(global: &Value) -> bool {
    let name = global.name();
    name.starts_with("_Q") && name.contains(OF_TYPE) && !name.starts_with(OF_FLANG)
}

fn types_of(module: Module) -> Vec<Value> {
    let described = |global: &Value| DerivedType::read(*global).is_some_and(|ty| ty.components().is_some());
    module.globals().into_iter().filter(is_type).filter(described).collect()
}

fn is_or_extends(ty: Value, root: Value) -> bool {
    /// Types that extend one another further than this are none of this family.
    const DEEPEST: usize = 16;
    let parent = |ty: &Value| DerivedType::read(*ty).and_then(DerivedType::parent);
    std::iter::successors(Some(ty), parent).take(DEEPEST).any(|ty| ty == root)
}

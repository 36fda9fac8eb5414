//! Objects of types that contain themselves, as the nodes of a tree whose components are allocatable: what is to be done with
//! one is to be done with all that hang on it, so code for it in the place of a mark would have no end. There it is a call of a
//! function of that type, which calls itself.
//!
//! Invariant: such a function has the name of the mark and the type, and one module has it once.

use std::collections::HashSet;

use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;

use super::choices::extensions_of;
use super::described::{Component, DerivedType, Genre};
use super::integers::write_integers;
use super::objects::steps_for;
use super::writer::Writer;
use crate::llvm::{Builder, Module, Ty, Value, llvm, shim};

/// The names of the functions begin so.
const FUNCTION: &str = "backsweep.object.";

/// Whether an object of a type may hold objects of the same type.
pub fn contains_itself(module: Module, ty: Value) -> bool {
    let (mut met, mut waiting) = (HashSet::new(), vec![ty]);
    while let Some(next) = waiting.pop() {
        let components = DerivedType::read(next).and_then(DerivedType::components).unwrap_or_default();
        for held in components.into_iter().flat_map(|component| held_by(module, component)) {
            if held == ty {
                return true;
            }
            if met.insert(held) {
                waiting.push(held);
            }
        }
    }
    false
}

/// The types of the objects that a component may hold. What is allocated may be of another type than declared.
fn held_by(module: Module, component: Component) -> Vec<Value> {
    match (component.genre(), component.derived()) {
        (Some(Genre::Data), Some(of)) => vec![of],
        (Some(Genre::Allocatable), Some(of)) => extensions_of(module, of),
        _ => Vec::new(),
    }
}

/// Replaces a mark by a call of the function for its type, which is made if there is none yet. Its body is written for one
/// object, with marks for what that holds; it is then among the new ones.
pub fn call_function(writer: &Writer, mark: Value, new: &mut Vec<Value>) -> bool {
    let count = mark.argument_count();
    let (name, ty) = (mark.callee().name(), mark.operand(count - 1));
    let Some((_, what)) = name.rsplit_once('.') else { return false };
    let called = format!("{FUNCTION}{what}.{}", ty.name());
    if writer.module.function(&called).is_none() {
        match write_function(writer, &called, mark) {
            Some(function) => new.push(function),
            None => return false,
        }
    }
    let objects: Vec<_> = (0..count - 1).map(|index| mark.operand(index).0).collect();
    writer.builder.before(mark);
    writer.builder.locate_like(mark);
    writer.call(&called, &objects);
    mark.erase();
    true
}

fn write_function(writer: &Writer, name: &str, mark: Value) -> Option<Value> {
    let (module, context) = (writer.module, writer.module.context());
    let last = mark.argument_count() - 1;
    let ty = mark.operand(last);
    // Whether there is anything to be said of the type is asked before the function is there.
    let objects: Vec<Value> = (0..last).map(|index| mark.operand(index)).collect();
    steps_for(&mark.callee().name(), &objects, ty)?;
    let params: Vec<Ty> = objects.iter().map(|object| object.ty()).collect();
    let function =
        module.add_function(name, Ty::function(Ty(llvm!(LLVMVoidTypeInContext(context))), &params, false));
    llvm!(LLVMSetLinkage(function.0, LLVMLinkage::LLVMInternalLinkage));
    llvm!(shim::bs_shim_adopt_attributes(mark.block().function().0, function.0));
    let promise = |index, name: &str| {
        let kind = llvm!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        llvm!(LLVMAddAttributeAtIndex(function.0, index, LLVMCreateEnumAttribute(context, kind, 0)));
    };
    promise(llvm_sys::LLVMAttributeFunctionIndex, "nounwind");
    // None of them keeps the address of an object.
    (1..=last).for_each(|index| promise(index, "captures"));
    let entry = llvm!(LLVMAppendBasicBlockInContext(context, function.0, c"".as_ptr()));
    let builder = Builder::new(context);
    llvm!(LLVMPositionBuilderAtEnd(builder.0, entry));
    builder.before(Value(llvm!(LLVMBuildRetVoid(builder.0))));
    let inside = Writer { module, layout: writer.layout, builder };
    let steps = steps_for(&mark.callee().name(), &function.params(), ty)?;
    steps.iter().for_each(|step| inside.write(step));
    Some(function)
}

/// Whether it is one of these functions. Their bodies may not be complete yet, so none is inlined.
pub fn is_of_nested_objects(function: Value) -> bool {
    function.as_function().is_some() && function.name().starts_with(FUNCTION)
}

fn functions(module: Module) -> Vec<Value> {
    let all = module.functions().into_iter();
    all.filter(|function| is_of_nested_objects(*function)).collect()
}

/// When all requests are answered, functions that nobody calls but they themselves go, and others become code like any other.
pub fn settle_functions(module: Module, context: *mut shim::Context) {
    let mut left = functions(module);
    let is_among =
        |user: &Value, left: &[Value]| user.is_instruction() && left.contains(&user.block().function());
    // Those that are called from elsewhere need those that they call.
    let mut needed: Vec<Value> = Vec::new();
    while let Some(at) =
        left.iter().position(|function| !function.users().iter().all(|user| is_among(user, &left)))
    {
        needed.push(left.swap_remove(at));
    }
    for function in &left {
        function
            .blocks()
            .into_iter()
            .flat_map(|block| block.instructions())
            .filter(|inst| inst.is_call())
            .for_each(|call| {
                if left.contains(&call.callee()) {
                    call.erase();
                }
            });
    }
    left.into_iter().for_each(|function| function.delete_function(context));
    needed.into_iter().for_each(|function| write_integers(module, function));
}

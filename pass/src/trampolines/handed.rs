//! Internal procedures that are passed to what stays a call: a solver that calls itself, or one that is too large to inline.
//!
//! The called function is copied for each procedure it is given. Where the copy took the address of the instructions on the
//! stack it takes the frame alone, and calls the procedure by name with it.

use std::collections::HashSet;

use llvm_sys::core::*;

use crate::known::Known;
use crate::llvm::{Builder, Module, Value, c_string, llvm, shim};

use super::{arguments_with, asks_presence, call_directly, drop_unused, frame_index, trampoline_at};

/// Functions with a procedure in place of a parameter are called so.
const HANDED: &str = "backsweep.given.";

/// Calls that pass an internal procedure become calls of a function that was made for it.
pub fn hand_frames(module: Module, copy: Value, known: &Known) {
    let mut changed = false;
    for call in calls_in(copy) {
        for index in 0..call.argument_count() {
            let Some(start) = trampoline_at(call.operand(index)) else { continue };
            let (target, frame) = (start.operand(1), start.operand(2));
            if can_take(known, call.callee(), index, target, &mut HashSet::new()) {
                give(module, call, index, target, frame);
                changed = true;
            }
        }
    }
    if changed {
        drop_unused(copy);
    }
}

/// Whether all that a function does with this parameter is to call it, to ask whether it was given, or to pass it to others that do no
/// more with it. A frame is no more null than the address of a procedure, so that the answer stays the same.
fn can_take(
    known: &Known,
    function: Value,
    index: u32,
    target: Value,
    seen: &mut HashSet<(Value, u32)>,
) -> bool {
    if !seen.insert((function, index)) {
        return true;
    }
    if function.as_function().is_none() || !known.is_followed(function) || frame_index(target).is_none() {
        return false;
    }
    let Some(param) = function.params().get(index as usize).copied() else { return false };
    let is_taken_by = |user: Value| {
        if !is_plain_call(user) {
            return asks_presence(user);
        }
        if user.callee() == param {
            return passed_at(user, param).next().is_none() && arguments_with(user, target, param).is_some();
        }
        passed_at(user, param).all(|at| can_take(known, user.callee(), at, target, seen))
    };
    param.users().into_iter().all(is_taken_by)
}

/// Replaces one argument of a call, the address of a procedure, by the procedure's frame.
fn give(module: Module, call: Value, index: u32, target: Value, frame: Value) {
    let function = given(module, call.callee(), index, target);
    call.set_callee(function);
    call.set_operand(index, frame);
    // What was told of the instructions on the stack says nothing about the frame.
    forget_all(call, index);
}

/// The function that calls this procedure where the original calls its parameter.
fn given(module: Module, function: Value, index: u32, target: Value) -> Value {
    let plain = function.name();
    let plain = plain.strip_prefix(HANDED).unwrap_or(&plain);
    let name = c_string(&format!("{HANDED}{plain}.{index}.{}", target.name()));
    let made = llvm!(LLVMGetNamedFunction(module.0, name.as_ptr()));
    if !made.is_null() {
        return Value(made);
    }
    let copy = Value(llvm!(shim::bs_shim_clone_function(function.0, name.as_ptr())));
    forget_all(copy, index);
    let frame = copy.params()[index as usize];
    let builder = Builder::new(module.context());
    for user in frame.users().into_iter().filter(|user| is_plain_call(*user)) {
        if user.callee() == frame {
            call_directly(&builder, user, target, frame);
            continue;
        }
        for at in passed_at(user, frame).collect::<Vec<_>>() {
            give(module, user, at, target, frame);
        }
    }
    copy
}

/// Takes every attribute from a parameter of a function, or from an argument of a call.
fn forget_all(place: Value, index: u32) {
    let at = index + 1;
    let is_call = place.as_function().is_none();
    let count = match is_call {
        true => llvm!(LLVMGetCallSiteAttributeCount(place.0, at)),
        false => llvm!(LLVMGetAttributeCountAtIndex(place.0, at)),
    };
    let mut told = vec![std::ptr::null_mut(); count as usize];
    match is_call {
        true => llvm!(LLVMGetCallSiteAttributes(place.0, at, told.as_mut_ptr())),
        false => llvm!(LLVMGetAttributesAtIndex(place.0, at, told.as_mut_ptr())),
    }
    for kind in told.into_iter().map(|attribute| llvm!(LLVMGetEnumAttributeKind(attribute))) {
        match is_call {
            true => llvm!(LLVMRemoveCallSiteEnumAttribute(place.0, at, kind)),
            false => llvm!(LLVMRemoveEnumAttributeAtIndex(place.0, at, kind)),
        }
    }
}

fn passed_at(call: Value, value: Value) -> impl Iterator<Item = u32> {
    (0..call.argument_count()).filter(move |index| call.operand(*index) == value)
}

fn is_plain_call(user: Value) -> bool {
    user.is_instruction() && user.opcode() == llvm_sys::LLVMOpcode::LLVMCall
}

fn calls_in(function: Value) -> impl Iterator<Item = Value> {
    let insts = function.blocks().into_iter().flat_map(|block| block.instructions());
    insts.filter(|inst| is_plain_call(*inst) && inst.callee().as_function().is_some())
}

//! Hooks that need no derivative: what they stand for is known at once.

use backsweep_core::request::is_type_hint;
use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;

use crate::llvm::{Module, Value, c_string, llvm, shim};
use crate::requests::HookSite;

/// What a caller has to set aside for a tape is a handle, whatever is recorded.
const TAPE_BYTES: u64 = 8;

/// The size of a tape, for callers that keep it in memory of their own.
pub fn answer_size(site: &HookSite) -> Result<(), String> {
    let ty = site.call.ty();
    if ty.kind() != LLVMTypeKind::LLVMIntegerTypeKind {
        return Err("it returns a number of bytes; declare it with an integer type such as size_t".into());
    }
    site.call.replace_all_uses(Value(llvm!(LLVMConstInt(ty.0, TAPE_BYTES, 0))));
    site.erase();
    Ok(())
}

/// What stands for a function where its shadow is expected. Derivatives choose by the primal pointer, so that the shadow
/// of a table of functions is right when it is a copy of the table.
pub fn answer_shadow(site: &HookSite, function: Value) -> Result<(), String> {
    if site.call.ty() != function.ty() {
        return Err("it returns the shadow of a function; declare it with the type void *".into());
    }
    site.call.replace_all_uses(function);
    site.erase();
    Ok(())
}

/// Kinds of memory that the user tells are found out without him: his words go, so that nobody looks for their bodies.
pub fn drop_type_hints(module: Module) -> bool {
    let mut dropped = false;
    for function in module.functions().into_iter().filter(|function| function.is_declaration()) {
        if !is_type_hint(&function.name()) {
            continue;
        }
        for user in function.users() {
            let plain = user.is_call() && user.callee() == function && user.users().is_empty();
            if plain && user.opcode() == llvm_sys::LLVMOpcode::LLVMCall {
                user.erase();
                dropped = true;
            }
        }
    }
    dropped
}

/// The function to differentiate in place of one that returns a struct through memory: it returns the struct itself.
pub fn returning_by_value(module: Module, function: Value) -> Value {
    if !llvm!(shim::bs_shim_returns_in_memory(function.0)) {
        return function;
    }
    let name = format!("{}.by_value", function.name());
    module
        .function(&name)
        .unwrap_or_else(|| Value(llvm!(shim::bs_shim_return_by_value(function.0, c_string(&name).as_ptr()))))
}

/// The same function, where it is handed structs through memory: it takes the structs themselves, so that their derivatives can be
/// returned. Nothing for others.
pub fn taking_by_value(module: Module, function: Value) -> Option<Value> {
    let by_value = |index: u32| llvm!(shim::bs_shim_takes_struct(function.0, index));
    if !(0..function.params().len() as u32).any(by_value) {
        return None;
    }
    let name = format!("{}.given", function.name());
    let result = llvm!(LLVMGetReturnType(function.function_type().0));
    let adapt = || Value(llvm!(shim::bs_shim_adapt_function(function.0, result, c_string(&name).as_ptr())));
    Some(module.function(&name).unwrap_or_else(adapt))
}

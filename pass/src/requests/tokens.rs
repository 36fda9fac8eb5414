//! Marker globals among the operands: direct, loaded, or through casts; or strings.

use backsweep_core::request::{TokenName, find_token};
use llvm_sys::core::*;
use llvm_sys::{LLVMLinkage, LLVMOpcode, LLVMValueKind, LLVMVisibility};

use crate::llvm::{Module, Value, llvm, shim, text_of};

pub fn read_token(operand: Value) -> Option<TokenName> {
    if operand.kind() == LLVMValueKind::LLVMMetadataAsValueValueKind {
        // In LLVM's own language a token may be a string.
        let mut length = 0;
        let bytes = llvm!(LLVMGetMDString(operand.0, &mut length));
        return find_token(&text_of(bytes, length as usize));
    }
    find_token(&marker_of(operand)?.name())
}

/// The marker global that an operand is or was read from.
pub fn marker_of(operand: Value) -> Option<Value> {
    let global = global_behind(operand)?;
    find_token(&global.name()).map(|_| global)
}

fn global_behind(operand: Value) -> Option<Value> {
    if operand.as_global().is_some() || operand.as_function().is_some() {
        return Some(operand);
    }
    if !operand.is_instruction() && !operand.is_constant_expr() {
        return None;
    }
    match operand.opcode() {
        LLVMOpcode::LLVMLoad
        | LLVMOpcode::LLVMPtrToInt
        | LLVMOpcode::LLVMTrunc
        | LLVMOpcode::LLVMSExt
        | LLVMOpcode::LLVMZExt
        // A cast to a narrower type and back, once it is optimised.
        | LLVMOpcode::LLVMShl
        | LLVMOpcode::LLVMAShr
        | LLVMOpcode::LLVMBitCast
        | LLVMOpcode::LLVMAddrSpaceCast => global_behind(operand.operand(0)),
        _ => None,
    }
}

/// Gives a definition to markers that are declared and still named somewhere (a debug build of Rust checks their
/// addresses, debug information tells that a variable holds one, a request may wait for the linker): nothing else defines
/// them.
pub fn define_markers(module: Module) {
    for global in module.globals() {
        let known = find_token(&global.name()).is_some_and(|name| name.token.is_some());
        let is_named = || !global.users().is_empty() || llvm!(shim::bs_shim_is_described(global.0));
        if known && global.is_declaration() && is_named() {
            let ty = global.function_type();
            llvm!(LLVMSetInitializer(global.0, LLVMConstNull(ty.0)));
            llvm!(LLVMSetLinkage(global.0, LLVMLinkage::LLVMWeakAnyLinkage));
            llvm!(LLVMSetVisibility(global.0, LLVMVisibility::LLVMHiddenVisibility));
        }
    }
}

/// The value of an integer constant, and zero for a null pointer.
pub fn constant_of(operand: Value) -> Option<i128> {
    if operand.kind() == LLVMValueKind::LLVMConstantPointerNullValueKind {
        return Some(0);
    }
    if operand.kind() != LLVMValueKind::LLVMConstantIntValueKind {
        return None;
    }
    (operand.ty().int_bits() <= 64).then(|| i128::from(llvm!(LLVMConstIntGetSExtValue(operand.0))))
}

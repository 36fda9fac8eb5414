//! Marker globals among the operands: direct, loaded, or through casts.

use backsweep_core::request::{TokenName, find_token};
use llvm_sys::core::*;
use llvm_sys::{LLVMOpcode, LLVMValueKind};

use crate::llvm::{Value, llvm};

pub fn read_token(operand: Value) -> Option<TokenName> {
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
        | LLVMOpcode::LLVMBitCast
        | LLVMOpcode::LLVMAddrSpaceCast => global_behind(operand.operand(0)),
        _ => None,
    }
}

/// The value of an integer constant, seen through the stack slot that a front end without optimisation puts it in.
pub fn constant_of(operand: Value) -> Option<i128> {
    if operand.kind() != LLVMValueKind::LLVMConstantIntValueKind {
        return None;
    }
    (operand.ty().int_bits() <= 64).then(|| i128::from(llvm!(LLVMConstIntGetSExtValue(operand.0))))
}

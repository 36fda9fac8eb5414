//! Functions of several numbers at once that a library writes out with the bits of floats, in the copy to be differentiated.
//!
//! Eigen computes exponentials of a register by taking exponents from words and putting them together again. What comes out is the
//! exponential of each number but for the last digit, so the copy calls that, whose derivative is known.
//! Invariant: only a function whose body is a library's template, by its mangled name, and whose types fit.

use llvm_sys::core::*;
use llvm_sys::{LLVMOpcode, LLVMTypeKind};

use crate::llvm::{Builder, Module, Ty, Value, llvm, shim};

/// How a name begins, behind `_ZN5Eigen8internal`, up to the list of template arguments; and what the function is of each lane.
const FUNCTIONS: [(&str, &str); 10] = [
    ("11pexp_doubleI", "llvm.exp"),
    ("10pexp_floatI", "llvm.exp"),
    ("11plog_doubleI", "llvm.log"),
    ("10plog_floatI", "llvm.log"),
    ("12plog2_doubleI", "llvm.log2"),
    ("11plog2_floatI", "llvm.log2"),
    ("10psin_floatI", "llvm.sin"),
    ("10pcos_floatI", "llvm.cos"),
    ("5ptanhIDv", "llvm.tanh"),
    ("23generic_fast_tanh_floatI", "llvm.tanh"),
];
const LIBRARY: &str = "_ZN5Eigen8internal";

/// The call, or one of an intrinsic function in its place.
pub fn name_lane_function(module: Module, call: Value) -> Value {
    let Some(callee) = call.callee().as_function() else { return call };
    let name = callee.name();
    let Some(rest) = name.strip_prefix(LIBRARY) else { return call };
    let found = FUNCTIONS.iter().find(|(start, _)| rest.starts_with(start));
    let (Some((_, intrinsic)), 1) = (found, call.argument_count()) else { return call };
    let (ty, given) = (call.ty(), call.operand(0));
    let by_address = given.ty().kind() == LLVMTypeKind::LLVMPointerTypeKind;
    if !is_floats(ty) || !by_address && given.ty() != ty {
        return call;
    }
    // None of them throws.
    let call = match call.opcode() {
        LLVMOpcode::LLVMInvoke => Value(llvm!(shim::bs_shim_invoke_to_call(call.0))),
        _ => call,
    };
    let builder = Builder::new(module.context());
    builder.before(call);
    builder.locate_like(call);
    let lanes =
        if by_address { llvm!(LLVMBuildLoad2(builder.0, ty.0, given.0, c"".as_ptr())) } else { given.0 };
    let function = declare(module, intrinsic, ty);
    let function_type = function.function_type();
    let made =
        llvm!(LLVMBuildCall2(builder.0, function_type.0, function.0, [lanes].as_mut_ptr(), 1, c"".as_ptr()));
    call.replace_all_uses(Value(made));
    call.erase();
    Value(made)
}

fn declare(module: Module, intrinsic: &str, ty: Ty) -> Value {
    let id = llvm!(LLVMLookupIntrinsicID(intrinsic.as_ptr().cast(), intrinsic.len()));
    Value(llvm!(LLVMGetIntrinsicDeclaration(module.0, id, [ty.0].as_mut_ptr(), 1)))
}

fn is_floats(ty: Ty) -> bool {
    let scalar = match ty.kind() {
        LLVMTypeKind::LLVMVectorTypeKind => Ty(llvm!(LLVMGetElementType(ty.0))),
        _ => ty,
    };
    matches!(scalar.kind(), LLVMTypeKind::LLVMFloatTypeKind | LLVMTypeKind::LLVMDoubleTypeKind)
}

//! Structs that the program gives names to.
//!
//! The model drops the names, so each value of derived code has the unnamed type of its shape. An instruction that is
//! cloned from the primal keeps the primal's types: what goes into it gets their names, and what comes out loses them,
//! member by member. LLVM removes these steps again where nobody needs them.

use llvm_sys::LLVMTypeKind::{LLVMArrayTypeKind, LLVMStructTypeKind};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMTypeRef;

use crate::llvm::{Builder, Module, Ty, Value, llvm};

/// The type of the same shape in which nothing has a name.
pub fn unnamed(module: Module, ty: Ty) -> Ty {
    match ty.kind() {
        LLVMStructTypeKind if !ty.is_opaque_struct() => {
            let mut fields: Vec<LLVMTypeRef> =
                ty.fields().into_iter().map(|field| unnamed(module, field).0).collect();
            let (count, packed) = (fields.len() as u32, i32::from(ty.is_packed()));
            Ty(llvm!(LLVMStructTypeInContext(module.context(), fields.as_mut_ptr(), count, packed)))
        }
        LLVMArrayTypeKind => Ty(llvm!(LLVMArrayType2(unnamed(module, ty.element()).0, ty.array_length()))),
        _ => ty,
    }
}

/// The value with the names of `wanted`, which has the same shape. Anything but an aggregate is what it is.
pub fn renamed(builder: &Builder, value: Value, wanted: Ty) -> Value {
    let members: Vec<Ty> = match wanted.kind() {
        _ if value.ty() == wanted => return value,
        LLVMStructTypeKind => wanted.fields(),
        LLVMArrayTypeKind => vec![wanted.element(); wanted.array_length() as usize],
        _ => return value,
    };
    let name = c"".as_ptr();
    let put = |whole, (at, ty)| {
        let member = Value(llvm!(LLVMBuildExtractValue(builder.0, value.0, at, name)));
        llvm!(LLVMBuildInsertValue(builder.0, whole, renamed(builder, member, ty).0, at, name))
    };
    Value((0..).zip(members).fold(llvm!(LLVMGetPoison(wanted.0)), put))
}

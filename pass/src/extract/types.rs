//! Types. Names of structs are dropped: with opaque pointers a shape is finite.

use backsweep_core::model::{FloatKind, Lanes, Type};
use llvm_sys::LLVMTypeKind;

use crate::llvm::Ty;

pub fn read_type(ty: Ty) -> Type {
    match ty.kind() {
        LLVMTypeKind::LLVMVoidTypeKind => Type::Void,
        LLVMTypeKind::LLVMIntegerTypeKind => Type::Int(ty.int_bits()),
        LLVMTypeKind::LLVMHalfTypeKind => Type::Float(FloatKind::Half),
        LLVMTypeKind::LLVMBFloatTypeKind => Type::Float(FloatKind::BFloat),
        LLVMTypeKind::LLVMFloatTypeKind => Type::Float(FloatKind::Single),
        LLVMTypeKind::LLVMDoubleTypeKind => Type::Float(FloatKind::Double),
        LLVMTypeKind::LLVMX86_FP80TypeKind => Type::Float(FloatKind::X87),
        LLVMTypeKind::LLVMFP128TypeKind => Type::Float(FloatKind::Quad),
        LLVMTypeKind::LLVMPPC_FP128TypeKind => Type::Float(FloatKind::DoubleDouble),
        LLVMTypeKind::LLVMPointerTypeKind => Type::Ptr(ty.address_space()),
        LLVMTypeKind::LLVMVectorTypeKind => read_vector(ty, false),
        LLVMTypeKind::LLVMScalableVectorTypeKind => read_vector(ty, true),
        LLVMTypeKind::LLVMArrayTypeKind => Type::Array(ty.array_length(), Box::new(read_type(ty.element()))),
        LLVMTypeKind::LLVMStructTypeKind if !ty.is_opaque_struct() => {
            Type::Struct { fields: ty.fields().into_iter().map(read_type).collect(), packed: ty.is_packed() }
        }
        LLVMTypeKind::LLVMLabelTypeKind => Type::Label,
        LLVMTypeKind::LLVMTokenTypeKind => Type::Token,
        LLVMTypeKind::LLVMMetadataTypeKind => Type::Metadata,
        _ => Type::Other(ty.spelling()),
    }
}

fn read_vector(ty: Ty, scalable: bool) -> Type {
    Type::Vector(Lanes { count: ty.lanes(), scalable }, Box::new(read_type(ty.element())))
}

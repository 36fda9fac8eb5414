//! Types of the model as LLVM's.

use backsweep_core::model::{FloatKind, Type};
use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMContextRef, LLVMTypeRef};

use crate::llvm::{Ty, llvm};

pub fn write_type(context: LLVMContextRef, ty: &Type) -> Ty {
    let inner = |ty: &Type| write_type(context, ty).0;
    Ty(match ty {
        Type::Void => llvm!(LLVMVoidTypeInContext(context)),
        Type::Int(bits) => llvm!(LLVMIntTypeInContext(context, *bits)),
        Type::Float(kind) => write_float(context, *kind),
        Type::Ptr(space) => llvm!(LLVMPointerTypeInContext(context, *space)),
        Type::Vector(lanes, element) if lanes.scalable => {
            llvm!(LLVMScalableVectorType(inner(element), lanes.count))
        }
        Type::Vector(lanes, element) => llvm!(LLVMVectorType(inner(element), lanes.count)),
        Type::Array(count, element) => llvm!(LLVMArrayType2(inner(element), *count)),
        Type::Struct { fields, packed } => {
            let mut raw: Vec<LLVMTypeRef> = fields.iter().map(inner).collect();
            let count = raw.len() as u32;
            llvm!(LLVMStructTypeInContext(context, raw.as_mut_ptr(), count, i32::from(*packed)))
        }
        Type::Label => llvm!(LLVMLabelTypeInContext(context)),
        Type::Token => llvm!(LLVMTokenTypeInContext(context)),
        Type::Metadata => llvm!(LLVMMetadataTypeInContext(context)),
        // Values of such types are only ever copied, with the primal's instruction and its type.
        Type::Other(spelling) => unreachable!("no value of type {spelling} is made anew"),
    })
}

fn write_float(context: LLVMContextRef, kind: FloatKind) -> LLVMTypeRef {
    match kind {
        FloatKind::Half => llvm!(LLVMHalfTypeInContext(context)),
        FloatKind::BFloat => llvm!(LLVMBFloatTypeInContext(context)),
        FloatKind::Single => llvm!(LLVMFloatTypeInContext(context)),
        FloatKind::Double => llvm!(LLVMDoubleTypeInContext(context)),
        FloatKind::X87 => llvm!(LLVMX86FP80TypeInContext(context)),
        FloatKind::Quad => llvm!(LLVMFP128TypeInContext(context)),
        FloatKind::DoubleDouble => llvm!(LLVMPPCFP128TypeInContext(context)),
    }
}

//! A type.

use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMContextRef, LLVMTypeRef};
use llvm_sys::{LLVMTypeKind, prelude::LLVMBool};

use super::{c_text, llvm};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ty(pub LLVMTypeRef);

impl Ty {
    pub fn kind(self) -> LLVMTypeKind {
        llvm!(LLVMGetTypeKind(self.0))
    }

    pub fn context(self) -> LLVMContextRef {
        llvm!(LLVMGetTypeContext(self.0))
    }

    pub fn int_bits(self) -> u32 {
        llvm!(LLVMGetIntTypeWidth(self.0))
    }

    pub fn address_space(self) -> u32 {
        llvm!(LLVMGetPointerAddressSpace(self.0))
    }

    pub fn element(self) -> Ty {
        Ty(llvm!(LLVMGetElementType(self.0)))
    }

    pub fn lanes(self) -> u32 {
        llvm!(LLVMGetVectorSize(self.0))
    }

    pub fn array_length(self) -> u64 {
        llvm!(LLVMGetArrayLength2(self.0))
    }

    pub fn fields(self) -> Vec<Ty> {
        let count = llvm!(LLVMCountStructElementTypes(self.0));
        (0..count).map(|index| Ty(llvm!(LLVMStructGetTypeAtIndex(self.0, index)))).collect()
    }

    pub fn is_packed(self) -> bool {
        llvm!(LLVMIsPackedStruct(self.0)) != 0
    }

    pub fn is_opaque_struct(self) -> bool {
        llvm!(LLVMIsOpaqueStruct(self.0)) != 0
    }

    // Of function types.

    pub fn return_type(self) -> Ty {
        Ty(llvm!(LLVMGetReturnType(self.0)))
    }

    pub fn is_variadic(self) -> bool {
        llvm!(LLVMIsFunctionVarArg(self.0)) != 0
    }

    pub fn function(result: Ty, params: &[Ty], variadic: bool) -> Ty {
        let mut raw: Vec<LLVMTypeRef> = params.iter().map(|ty| ty.0).collect();
        let count = raw.len() as u32;
        Ty(llvm!(LLVMFunctionType(result.0, raw.as_mut_ptr(), count, LLVMBool::from(variadic))))
    }

    /// LLVM's own spelling, for what has no other name.
    pub fn spelling(self) -> String {
        let text = llvm!(LLVMPrintTypeToString(self.0));
        let copy = c_text(text).unwrap_or_default();
        llvm!(LLVMDisposeMessage(text));
        copy
    }
}

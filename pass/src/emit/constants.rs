//! Constants of the model as LLVM's.

use backsweep_core::derive::{RELEASE, TEXT};
use backsweep_core::model::{Constant, FloatKind, Type};
use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMContextRef, LLVMValueRef};

use super::types::write_type;
use crate::extract::Index;
use crate::llvm::{Module, Value, c_string, llvm, shim};

pub struct ConstantWriter<'a> {
    pub module: Module,
    pub index: &'a Index,
}

impl ConstantWriter<'_> {
    fn context(&self) -> LLVMContextRef {
        self.module.context()
    }

    pub fn write(&self, constant: &Constant) -> Value {
        let ty = write_type(self.context(), &constant.ty());
        Value(match constant {
            Constant::Int { value, .. } => {
                let words = [*value as u64, (*value >> 64) as u64];
                llvm!(LLVMConstIntOfArbitraryPrecision(ty.0, 2, words.as_ptr()))
            }
            Constant::Float { kind, bits } => self.write_float(*kind, *bits),
            Constant::Null(_) | Constant::Zero(_) => llvm!(LLVMConstNull(ty.0)),
            Constant::Undef(_) => llvm!(LLVMGetUndef(ty.0)),
            Constant::Poison(_) => llvm!(LLVMGetPoison(ty.0)),
            Constant::Symbol { name, .. } => self.write_symbol(name).0,
            Constant::Offset { base, bytes } => self.write_offset(base, *bytes),
            Constant::Aggregate { ty: model, parts } => self.write_aggregate(model, parts),
            // Extraction remembered the original of what has no spelling of its own.
            Constant::Expr { .. } | Constant::Opaque { .. } => match self.index.constant(constant) {
                Some(original) => original.0,
                None => unreachable!("{constant:?} was never extracted"),
            },
        })
    }

    fn write_float(&self, kind: FloatKind, bits: u128) -> LLVMValueRef {
        let words = [bits as u64, (bits >> 64) as u64];
        let ty = write_type(self.context(), &Type::Float(kind));
        llvm!(shim::bs_shim_float_from_bits(ty.0, words[0], words[1]))
    }

    fn write_symbol(&self, name: &str) -> Value {
        if let Some(symbol) = self.index.symbol(name) {
            return symbol;
        }
        if let Some(symbol) = self.module.function(name).or_else(|| self.module.global(name)) {
            return symbol;
        }
        if let Some(function) = name.strip_prefix(RELEASE) {
            return self.module.function(function).unwrap_or_else(|| self.declare_release(function));
        }
        // The name of a function as text, for the runtime's messages.
        let text = c_string(name.trim_start_matches(TEXT));
        let content =
            llvm!(LLVMConstStringInContext2(self.context(), text.as_ptr(), text.as_bytes().len(), 0));
        let symbol = llvm!(LLVMAddGlobal(self.module.0, LLVMTypeOf(content), c_string(name).as_ptr()));
        llvm!(LLVMSetInitializer(symbol, content));
        llvm!(LLVMSetGlobalConstant(symbol, 1));
        llvm!(LLVMSetLinkage(symbol, llvm_sys::LLVMLinkage::LLVMPrivateLinkage));
        Value(symbol)
    }

    /// What frees memory may not be called in this module, but its address is handed to the runtime.
    fn declare_release(&self, name: &str) -> Value {
        let void = llvm!(LLVMVoidTypeInContext(self.context()));
        let mut pointer = write_type(self.context(), &Type::PTR).0;
        let ty = llvm!(LLVMFunctionType(void, &mut pointer, 1, 0));
        Value(llvm!(LLVMAddFunction(self.module.0, c_string(name).as_ptr(), ty)))
    }

    fn write_offset(&self, base: &Constant, bytes: i64) -> LLVMValueRef {
        let byte = llvm!(LLVMInt8TypeInContext(self.context()));
        let index = llvm!(LLVMConstInt(LLVMInt64TypeInContext(self.context()), bytes.cast_unsigned(), 1));
        let mut indices = [index];
        llvm!(LLVMConstGEP2(byte, self.write(base).0, indices.as_mut_ptr(), 1))
    }

    fn write_aggregate(&self, ty: &Type, parts: &[Constant]) -> LLVMValueRef {
        let mut raw: Vec<LLVMValueRef> = parts.iter().map(|part| self.write(part).0).collect();
        let count = raw.len();
        match ty {
            Type::Array(_, element) => {
                let element = write_type(self.context(), element);
                llvm!(LLVMConstArray2(element.0, raw.as_mut_ptr(), count as u64))
            }
            Type::Vector(..) => llvm!(LLVMConstVector(raw.as_mut_ptr(), count as u32)),
            _ => {
                let packed = matches!(ty, Type::Struct { packed: true, .. });
                llvm!(LLVMConstStructInContext(
                    self.context(),
                    raw.as_mut_ptr(),
                    count as u32,
                    i32::from(packed)
                ))
            }
        }
    }
}

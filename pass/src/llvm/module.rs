//! The module under the pass. It belongs to the host; we never dispose of it.

use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMContextRef, LLVMModuleRef};

use super::{Ty, Value, c_string, c_text, llvm, shim, text_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Module(pub LLVMModuleRef);

impl Module {
    pub fn context(self) -> LLVMContextRef {
        llvm!(LLVMGetModuleContext(self.0))
    }

    pub fn source_name(self) -> String {
        let mut length = 0;
        let bytes = llvm!(LLVMGetSourceFileName(self.0, &mut length));
        text_of(bytes, length)
    }

    pub fn layout(self) -> String {
        c_text(llvm!(LLVMGetDataLayoutStr(self.0))).unwrap_or_default()
    }

    pub fn functions(self) -> Vec<Value> {
        let mut functions = Vec::new();
        let mut next = llvm!(LLVMGetFirstFunction(self.0));
        while !next.is_null() {
            functions.push(Value(next));
            next = llvm!(LLVMGetNextFunction(next));
        }
        functions
    }

    pub fn globals(self) -> Vec<Value> {
        let mut globals = Vec::new();
        let mut next = llvm!(LLVMGetFirstGlobal(self.0));
        while !next.is_null() {
            globals.push(Value(next));
            next = llvm!(LLVMGetNextGlobal(next));
        }
        globals
    }

    pub fn aliases(self) -> Vec<Value> {
        let mut aliases = Vec::new();
        let mut next = llvm!(LLVMGetFirstGlobalAlias(self.0));
        while !next.is_null() {
            aliases.push(Value(next));
            next = llvm!(LLVMGetNextGlobalAlias(next));
        }
        aliases
    }

    /// Functions that a resolver chooses when the program is loaded.
    pub fn ifuncs(self) -> Vec<Value> {
        let mut ifuncs = Vec::new();
        let mut next = llvm!(LLVMGetFirstGlobalIFunc(self.0));
        while !next.is_null() {
            ifuncs.push(Value(next));
            next = llvm!(LLVMGetNextGlobalIFunc(next));
        }
        ifuncs
    }

    pub fn function(self, name: &str) -> Option<Value> {
        Value::from_raw(llvm!(LLVMGetNamedFunction(self.0, c_string(name).as_ptr())))
    }

    pub fn global(self, name: &str) -> Option<Value> {
        Value::from_raw(llvm!(LLVMGetNamedGlobal(self.0, c_string(name).as_ptr())))
    }

    pub fn add_function(self, name: &str, ty: Ty) -> Value {
        Value(llvm!(LLVMAddFunction(self.0, c_string(name).as_ptr(), ty.0)))
    }

    pub fn bytes_of(self, ty: Ty) -> u64 {
        llvm!(shim::bs_shim_type_bytes(self.0, ty.0))
    }

    /// `__attribute__((annotate("…")))` texts with the function or global they stand on.
    pub fn annotations(self) -> Vec<(Value, String)> {
        let raw: Vec<(llvm_sys::prelude::LLVMValueRef, String)> =
            shim::gather(|user| llvm!(shim::bs_shim_annotations(self.0, shim::collect_annotation, user)));
        raw.into_iter().map(|(value, text)| (Value(value), text)).collect()
    }
}

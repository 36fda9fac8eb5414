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

    /// Leaves a word for later passes over this module, as named metadata.
    pub fn add_note(self, name: &str) {
        llvm!(LLVMGetOrInsertNamedMetadata(self.0, name.as_ptr().cast(), name.len()));
    }

    pub fn has_note(self, name: &str) -> bool {
        !llvm!(LLVMGetNamedMetadata(self.0, name.as_ptr().cast(), name.len())).is_null()
    }

    /// Whether rustc or flang made this module, or one that was linked into it.
    pub fn is_from_rust_or_fortran(self) -> bool {
        let name = c"llvm.ident".as_ptr();
        let count = llvm!(LLVMGetNamedMetadataNumOperands(self.0, name));
        let mut notes = vec![std::ptr::null_mut(); count as usize];
        llvm!(LLVMGetNamedMetadataOperands(self.0, name, notes.as_mut_ptr()));
        notes.into_iter().any(|note| {
            let mut length = 0;
            let operands = llvm!(LLVMGetMDNodeNumOperands(note));
            let mut strings = vec![std::ptr::null_mut(); operands as usize];
            llvm!(LLVMGetMDNodeOperands(note, strings.as_mut_ptr()));
            strings.into_iter().any(|string| {
                let bytes = llvm!(LLVMGetMDString(string, &mut length));
                let text = text_of(bytes, length as usize);
                text.starts_with("rustc") || text.contains("flang version")
            })
        })
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

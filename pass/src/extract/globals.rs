//! Names for every global symbol, and the global variables themselves.

use std::collections::HashMap;

use backsweep_core::model::{Global, Linkage};
use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;

use super::Reader;
use super::types::read_type;
use crate::llvm::{Module, Value, llvm};

/// Symbols by name; those without one are numbered in module order.
pub struct Names(HashMap<Value, String>);

impl Names {
    pub fn of(module: Module) -> Names {
        let mut names = HashMap::new();
        let symbols = module.globals().into_iter().chain(module.functions());
        for (number, symbol) in symbols.enumerate() {
            let name = symbol.name();
            names.insert(symbol, if name.is_empty() { format!(".unnamed.{number}") } else { name });
        }
        Names(names)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Value, &String)> {
        self.0.iter()
    }

    /// The symbol's name; aliases and the like go by their own.
    pub fn get(&self, symbol: Value) -> String {
        self.0.get(&symbol).cloned().unwrap_or_else(|| symbol.name())
    }
}

impl Reader {
    pub fn read_globals(&self) -> Vec<Global> {
        self.module.globals().into_iter().map(|global| self.read_global(global)).collect()
    }

    fn read_global(&self, global: Value) -> Global {
        Global {
            name: self.names.get(global),
            ty: read_type(global.function_type()),
            space: global.ty().address_space(),
            constant: llvm!(LLVMIsGlobalConstant(global.0)) != 0,
            linkage: read_linkage(global),
            thread_local: llvm!(LLVMIsThreadLocal(global.0)) != 0,
            initial: global.initializer().map(|value| self.read_constant(value)),
        }
    }
}

pub fn read_linkage(symbol: Value) -> Linkage {
    if symbol.is_declaration() {
        return Linkage::Declared;
    }
    match symbol.linkage() {
        LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage => Linkage::Local,
        LLVMLinkage::LLVMWeakAnyLinkage
        | LLVMLinkage::LLVMLinkOnceAnyLinkage
        | LLVMLinkage::LLVMCommonLinkage => Linkage::Replaceable,
        _ => Linkage::External,
    }
}

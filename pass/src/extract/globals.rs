//! Names for every global symbol, and the global variables themselves.

use std::collections::HashMap;

use backsweep_core::model::{Alias, Global, Linkage, Stands};
use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;

use super::Reader;
use super::address_taken::{Reach, find_reach};
use super::types::read_type;
use crate::llvm::{Module, Value, llvm};

/// Symbols by name; those without one are numbered in module order.
pub struct Names(HashMap<Value, String>);

impl Names {
    pub fn of(module: Module) -> Names {
        let mut names = HashMap::new();
        let symbols = module.globals().into_iter().chain(module.functions());
        let symbols = symbols.chain(module.aliases()).chain(module.ifuncs());
        for (number, symbol) in symbols.enumerate() {
            let name = symbol.name();
            names.insert(symbol, if name.is_empty() { format!(".unnamed.{number}") } else { name });
        }
        Names(names)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Value, &String)> {
        self.0.iter()
    }

    /// The symbol's name.
    pub fn get(&self, symbol: Value) -> String {
        self.0.get(&symbol).cloned().unwrap_or_else(|| symbol.name())
    }
}

impl Reader {
    pub fn read_globals(&self) -> Vec<Global> {
        self.module.globals().into_iter().map(|global| self.read_global(global)).collect()
    }

    pub fn read_aliases(&self) -> Vec<Alias> {
        let read = |symbol: Value, stands, to| Alias {
            name: self.names.get(symbol),
            space: symbol.ty().address_space(),
            linkage: read_linkage(symbol),
            stands,
            to: self.read_constant(Value(to)),
        };
        let aliases = self.module.aliases().into_iter();
        let aliases =
            aliases.map(|alias| read(alias, Stands::ForAddress, llvm!(LLVMAliasGetAliasee(alias.0))));
        let ifuncs = self.module.ifuncs().into_iter();
        let ifuncs =
            ifuncs.map(|ifunc| read(ifunc, Stands::ForResult, llvm!(LLVMGetGlobalIFuncResolver(ifunc.0))));
        aliases.chain(ifuncs).collect()
    }

    fn read_global(&self, global: Value) -> Global {
        let (linkage, constant) = (read_linkage(global), llvm!(LLVMIsGlobalConstant(global.0)) != 0);
        let is_own = linkage == Linkage::Local && !constant;
        let reach = if is_own { find_reach(global) } else { Reach { taken: false, only_named: false } };
        Global {
            name: self.names.get(global),
            ty: read_type(global.function_type()),
            space: global.ty().address_space(),
            constant,
            linkage,
            thread_local: llvm!(LLVMIsThreadLocal(global.0)) != 0,
            address_taken: reach.taken,
            only_named: reach.only_named && !self.of_derivative,
            derivative: self.declared.get(global),
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

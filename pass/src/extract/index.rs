//! The way back from model ids to LLVM values. Extraction fills it; only emission reads it.

use std::cell::RefCell;
use std::collections::HashMap;

use backsweep_core::model::{Constant, ValueId};

use crate::llvm::{Block, Value};

#[derive(Default)]
pub struct Index {
    functions: HashMap<String, FunctionIndex>,
    symbols: HashMap<String, Value>,
    /// The originals of constants that the model only names.
    constants: RefCell<HashMap<Constant, Value>>,
}

#[derive(Clone)]
pub struct FunctionIndex {
    pub function: Value,
    pub values: Vec<Value>,
    pub blocks: Vec<Block>,
}

impl Index {
    pub fn insert(&mut self, name: String, map: FunctionIndex) {
        self.functions.insert(name, map);
    }

    /// Where instructions of a function became several each, its values come from these.
    pub fn renumber(&mut self, name: &str, origins: &[ValueId]) {
        if let Some(map) = self.functions.get_mut(name) {
            map.values = origins.iter().map(|origin| map.value(*origin)).collect();
        }
    }

    pub fn insert_symbol(&mut self, name: String, symbol: Value) {
        self.symbols.insert(name, symbol);
    }

    /// The global or function that the model calls by this name.
    pub fn symbol(&self, name: &str) -> Option<Value> {
        self.symbols.get(name).copied()
    }

    pub fn remember_constant(&self, constant: &Constant, original: Value) {
        self.constants.borrow_mut().insert(constant.clone(), original);
    }

    pub fn constant(&self, constant: &Constant) -> Option<Value> {
        self.constants.borrow().get(constant).copied()
    }

    pub fn function(&self, name: &str) -> Option<&FunctionIndex> {
        self.functions.get(name)
    }
}

impl FunctionIndex {
    pub fn value(&self, id: ValueId) -> Value {
        self.values[id.0 as usize]
    }
}

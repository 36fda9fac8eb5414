//! The way back from model ids to LLVM values. Extraction fills it; only emission reads it.

use std::collections::HashMap;

use backsweep_core::model::{BlockId, ValueId};

use crate::llvm::{Block, Value};

#[derive(Default)]
pub struct Index {
    functions: HashMap<String, FunctionIndex>,
}

pub struct FunctionIndex {
    pub function: Value,
    pub values: Vec<Value>,
    pub blocks: Vec<Block>,
}

impl Index {
    pub fn insert(&mut self, name: String, map: FunctionIndex) {
        self.functions.insert(name, map);
    }

    pub fn function(&self, name: &str) -> Option<&FunctionIndex> {
        self.functions.get(name)
    }
}

impl FunctionIndex {
    pub fn value(&self, id: ValueId) -> Value {
        self.values[id.0 as usize]
    }

    pub fn block(&self, id: BlockId) -> Block {
        self.blocks[id.0 as usize]
    }
}

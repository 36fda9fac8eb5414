//! Functions: parameters, blocks and instructions, then the facts about them.

use std::collections::HashMap;

use llvm_sys::{LLVMOpcode, LLVMTypeKind};

use backsweep_core::model::{Block as ModelBlock, BlockId, Function, Inst, Name, Operand, Param, ValueId};

use super::globals::read_linkage;
use super::index::FunctionIndex;
use super::places::Files;
use super::types::read_type;
use super::{Reader, facts, operations};
use crate::llvm::{Block, Value, c_text, llvm, shim};

/// The numbering of one function, while its instructions are read.
pub struct Numbering {
    pub values: HashMap<Value, ValueId>,
    pub blocks: HashMap<Block, BlockId>,
}

impl Reader {
    /// Reads a function, its body only where wanted.
    pub fn read_function(&self, value: Value, body: bool, files: &mut Files) -> (Function, FunctionIndex) {
        let mut function = self.read_signature(value, files);
        let mut map = FunctionIndex { function: value, values: value.params(), blocks: Vec::new() };
        if !body {
            return (function, map);
        }
        map.blocks = value.blocks();
        for block in &map.blocks {
            map.values.extend(block.instructions());
        }
        let numbering = Numbering {
            values: (0..).map(ValueId).zip(&map.values).map(|(id, value)| (*value, id)).collect(),
            blocks: (0..).map(BlockId).zip(&map.blocks).map(|(id, block)| (*block, id)).collect(),
        };
        let llvm_facts = facts::Facts::new(self.context, value);
        for block in &map.blocks {
            let instructions = block.instructions();
            let insts = instructions.iter().map(|inst| numbering.values[inst]).collect();
            let name = block.name();
            function.blocks.push(ModelBlock { name: (!name.is_empty()).then_some(name), insts });
            for instruction in instructions {
                function.insts.push(self.read_instruction(instruction, &numbering, &llvm_facts, files));
            }
        }
        llvm_facts.write_into(self, &mut function, &map, &numbering);
        let params = function.params.len();
        function.names = (0..)
            .map(ValueId)
            .zip(&map.values)
            .filter(|(id, value)| is_spoken_of(**value, (id.0 as usize) < params))
            .filter_map(|(id, value)| Some((id, read_name(*value)?)))
            // What a parameter is called stands beside it.
            .filter(|(id, name)| (id.0 as usize) >= params || name.first.is_some())
            .collect();
        (function, map)
    }

    fn read_signature(&self, value: Value, files: &mut Files) -> Function {
        let ty = value.function_type();
        let params = (0..).zip(value.params()).map(|(index, param)| Param {
            name: c_text(llvm!(shim::bs_shim_parameter_name(value.0, index))).filter(|name| !name.is_empty()),
            ty: read_type(param.ty()),
            attributes: value.attributes(index.cast_signed() + 1),
        });
        Function {
            name: self.names.get(value),
            linkage: read_linkage(value),
            params: params.collect(),
            variadic: ty.is_variadic(),
            ret: read_type(ty.return_type()),
            attributes: value.attributes(-1),
            blocks: Vec::new(),
            insts: Vec::new(),
            loops: Vec::new(),
            memory: Default::default(),
            aliases: Vec::new(),
            names: Default::default(),
            loc: files.place_of_function(value),
        }
    }

    fn read_instruction(
        &self,
        instruction: Value,
        numbering: &Numbering,
        facts: &facts::Facts,
        files: &mut Files,
    ) -> Inst {
        let operands = operations::operands_of(instruction);
        Inst {
            op: self.read_op(instruction, numbering, facts),
            ty: read_type(instruction.ty()),
            operands: operands.into_iter().map(|operand| self.read_operand(operand, numbering)).collect(),
            flags: operations::read_flags(instruction),
            loc: files.place_of(instruction),
            origin: None,
        }
    }

    pub fn read_operand(&self, operand: Value, numbering: &Numbering) -> Operand {
        if operand.is_instruction() || operand.is_argument() {
            Operand::Value(numbering.values[&operand])
        } else {
            Operand::Const(self.read_constant(operand))
        }
    }
}

/// Other values have a place in the source that tells enough: these are joined, or are memory.
fn is_spoken_of(value: Value, is_param: bool) -> bool {
    is_param
        || value.opcode() == LLVMOpcode::LLVMPHI
        || value.ty().kind() == LLVMTypeKind::LLVMPointerTypeKind
}

fn read_name(value: Value) -> Option<Name> {
    let (mut counted, mut first) = (false, 0);
    let text = c_text(llvm!(shim::bs_shim_variable(value.0, &raw mut counted, &raw mut first)))?;
    Some(Name { text, first: counted.then_some(first) })
}

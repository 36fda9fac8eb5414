//! A function made ready to run: constants evaluated, operands turned into places, phis counted.

use backsweep_core::model::{Block, Function, Inst, Op, Operand, Type, ValueId};

use crate::constant::evaluate;
use crate::value::{Pointer, Value};

#[derive(Debug)]
pub struct Code<'p> {
    pub function: &'p Function,
    /// All instructions, block after block.
    pub steps: Vec<Step<'p>>,
    pub blocks: Vec<BlockCode>,
    pub constants: Vec<Value>,
    /// Parameters and instructions together.
    pub values: usize,
}

#[derive(Debug)]
pub struct Step<'p> {
    pub id: ValueId,
    pub inst: &'p Inst,
    pub slots: Box<[Slot]>,
    /// The type of the value a store writes; void for all else.
    pub stored: Type,
}

#[derive(Clone, Copy, Debug)]
pub enum Slot {
    Value(u32),
    Constant(u32),
}

#[derive(Clone, Copy, Debug)]
pub struct BlockCode {
    pub start: usize,
    /// How many phis lead the block.
    pub phis: usize,
}

/// The operands of one step, looked up when asked for.
#[derive(Clone, Copy)]
pub struct Operands<'a> {
    pub slots: &'a [Slot],
    pub values: &'a [Value],
    pub constants: &'a [Value],
}

impl<'a> Operands<'a> {
    #[inline]
    pub fn get(&self, index: usize) -> &'a Value {
        match self.slots.get(index) {
            Some(Slot::Value(value)) => &self.values[*value as usize],
            Some(Slot::Constant(constant)) => &self.constants[*constant as usize],
            None => &Value::Undef,
        }
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn any_undef(&self) -> bool {
        (0..self.len()).any(|index| self.get(index).is_undef())
    }
}

impl<'p> Code<'p> {
    pub fn new(function: &'p Function, resolve: &mut dyn FnMut(&str) -> Pointer) -> Code<'p> {
        let mut code = Code {
            function,
            steps: Vec::with_capacity(function.insts.len()),
            blocks: Vec::with_capacity(function.blocks.len()),
            constants: Vec::new(),
            values: function.params.len() + function.insts.len(),
        };
        for block in &function.blocks {
            code.add_block(block, resolve);
        }
        code
    }

    fn add_block(&mut self, block: &Block, resolve: &mut dyn FnMut(&str) -> Pointer) {
        let start = self.steps.len();
        for id in &block.insts {
            let Some(inst) = self.function.inst(*id) else { continue };
            let slots = inst.operands.iter().map(|operand| self.slot(operand, resolve)).collect();
            let stored = inst.operands.first().filter(|_| matches!(inst.op, Op::Store(_)));
            let stored = stored.map(|value| self.function.operand_type(value));
            self.steps.push(Step { id: *id, inst, slots, stored: stored.unwrap_or(Type::Void) });
        }
        let is_phi = |step: &&Step| matches!(step.inst.op, Op::Phi { .. });
        let phis = self.steps[start..].iter().take_while(is_phi).count();
        self.blocks.push(BlockCode { start, phis });
    }

    fn slot(&mut self, operand: &Operand, resolve: &mut dyn FnMut(&str) -> Pointer) -> Slot {
        match operand {
            Operand::Value(value) => Slot::Value(value.0),
            Operand::Const(constant) => {
                self.constants.push(evaluate(constant, resolve));
                Slot::Constant(self.constants.len() as u32 - 1)
            }
        }
    }
}

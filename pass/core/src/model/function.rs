//! A function: parameters, blocks, instructions, and the facts that extraction found about them.

use std::collections::BTreeMap;

use super::constant::Constant;
use super::facts::{AliasPair, Loop, MemoryFact};
use super::flags::Flags;
use super::op::Op;
use super::program::GIVES_PARTIALS;
use super::types::Type;

/// A parameter or instruction of one function: parameters first, then instructions in program order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub linkage: Linkage,
    pub params: Vec<Param>,
    pub variadic: bool,
    pub ret: Type,
    /// Attributes by their LLVM spelling, sorted.
    pub attributes: Vec<String>,
    /// Empty for a declaration; the first block is the entry.
    pub blocks: Vec<Block>,
    /// Instruction `i` is value `params.len() + i`.
    pub insts: Vec<Inst>,
    /// Outer loops before the loops inside them.
    pub loops: Vec<Loop>,
    /// What is known of each instruction that touches memory.
    pub memory: BTreeMap<ValueId, MemoryFact>,
    /// Answers other than "may" for pairs within an alias class, up to a cap.
    pub aliases: Vec<AliasPair>,
    /// What the source calls values, for those who read about them. Nothing is decided by it.
    pub names: BTreeMap<ValueId, Name>,
    pub loc: Option<Loc>,
}

/// A variable of the source. Of a parameter, whose name stands beside it, it tells how an array is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    /// The index of the first element, where it is an array of one dimension that is counted in round brackets.
    pub first: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Linkage {
    /// Seen by this module only.
    Local,
    /// The definition here is the one that runs.
    External,
    /// Another definition may replace it at link time.
    Replaceable,
    /// No body here.
    Declared,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// The name the user gave it, where debug information or the IR tells.
    pub name: Option<String>,
    pub ty: Type,
    /// Attributes by their LLVM spelling, sorted (`noalias`, `byval(…)`, `sret(…)`).
    pub attributes: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub name: Option<String>,
    /// In order; the last is the terminator.
    pub insts: Vec<ValueId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst {
    pub op: Op,
    /// `Void` where there is no result.
    pub ty: Type,
    pub operands: Vec<Operand>,
    pub flags: Flags,
    pub loc: Option<Loc>,
    /// In a derived function: the primal instruction this is a copy of, so that emission clones what
    /// it cannot rebuild. `None` in an extracted function and for new instructions.
    pub origin: Option<ValueId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    Value(ValueId),
    Const(Constant),
}

impl Inst {
    /// The operands that the result is computed from, as far as numbers go: of what is attached to one, nothing.
    pub fn number_operands(&self) -> &[Operand] {
        match self.op {
            Op::Attach(_) => &self.operands[..1],
            _ => &self.operands,
        }
    }
}

/// A place in the user's source; `file` indexes the program's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loc {
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

impl Function {
    /// The number that derivatives are attached to, where they are.
    pub fn number_of(&self, value: ValueId) -> ValueId {
        let mut at = value;
        while let Some(inst) = self.inst(at).filter(|inst| matches!(inst.op, Op::Attach(_))) {
            let Some(number) = inst.operands[0].value() else { break };
            at = number;
        }
        at
    }

    pub fn is_declaration(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The instruction that defines a value, or `None` for a parameter.
    pub fn inst(&self, value: ValueId) -> Option<&Inst> {
        let index = (value.0 as usize).checked_sub(self.params.len())?;
        self.insts.get(index)
    }

    pub fn value_type(&self, value: ValueId) -> &Type {
        match self.inst(value) {
            Some(inst) => &inst.ty,
            None => &self.params[value.0 as usize].ty,
        }
    }

    pub fn operand_type(&self, operand: &Operand) -> Type {
        match operand {
            Operand::Value(value) => self.value_type(*value).clone(),
            Operand::Const(constant) => constant.ty(),
        }
    }

    /// The type of an operand, or `None` where it names a value that does not exist.
    pub fn known_type(&self, operand: &Operand) -> Option<Type> {
        match operand {
            Operand::Const(constant) => Some(constant.ty()),
            Operand::Value(value) => match self.params.get(value.0 as usize) {
                Some(param) => Some(param.ty.clone()),
                None => self.inst(*value).map(|inst| inst.ty.clone()),
            },
        }
    }

    /// The type of what an instruction with an [`Access`](super::Access) moves between memory and values.
    pub fn accessed_type(&self, inst: &Inst) -> Option<Type> {
        match &inst.op {
            Op::Load(_) => Some(inst.ty.clone()),
            Op::Store(_) => self.known_type(inst.operands.first()?),
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } => self.known_type(inst.operands.get(1)?),
            _ => None,
        }
    }

    pub fn block(&self, block: BlockId) -> &Block {
        &self.blocks[block.0 as usize]
    }

    pub fn block_ids(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }

    pub fn param_ids(&self) -> impl Iterator<Item = ValueId> + use<> {
        (0..self.params.len() as u32).map(ValueId)
    }

    pub fn inst_ids(&self) -> impl Iterator<Item = ValueId> + use<> {
        let first = self.params.len() as u32;
        (first..first + self.insts.len() as u32).map(ValueId)
    }

    /// Whether a loop has no other in it: by its header, and which blocks are inside.
    pub fn is_innermost(&self, header: BlockId, inside: impl Fn(&BlockId) -> bool) -> bool {
        !self.loops.iter().any(|other| other.header != header && inside(&other.header))
    }

    pub fn terminator(&self, block: BlockId) -> Option<ValueId> {
        self.block(block).insts.last().copied()
    }

    pub fn successors(&self, block: BlockId) -> Vec<BlockId> {
        self.terminator(block)
            .and_then(|id| self.inst(id))
            .map(|inst| inst.op.successors())
            .unwrap_or_default()
    }
}

impl Operand {
    pub fn value(&self) -> Option<ValueId> {
        match self {
            Operand::Value(value) => Some(*value),
            Operand::Const(_) => None,
        }
    }
}

impl Inst {
    /// The callee of a call or invoke: its last operand.
    pub fn callee(&self) -> Option<&Operand> {
        self.op.call().and_then(|_| self.operands.last())
    }

    /// The name of the function called, where the call is direct.
    pub fn callee_name(&self) -> Option<&str> {
        match self.callee()? {
            Operand::Const(Constant::Symbol { name, .. }) => Some(name),
            _ => None,
        }
    }

    /// Whether the runtime is asked how large a block is that is to grow, and may have a shadow.
    pub fn asks_block_size(&self) -> bool {
        self.callee_name() == Some("bs_rt_block_size")
    }

    /// Whether it is a call that gives partial derivatives beside the callee's result.
    pub fn gives_partials(&self) -> bool {
        let attributes = self.op.call().map(|call| call.attributes.as_slice()).unwrap_or_default();
        attributes.iter().any(|text| text == GIVES_PARTIALS)
    }

    /// Whether the lesser or the greater of two integers is taken, as a select would.
    pub fn picks_integer(&self) -> bool {
        let families = ["llvm.smax.", "llvm.smin.", "llvm.umax.", "llvm.umin."];
        self.callee_name().is_some_and(|name| families.iter().any(|family| name.starts_with(family)))
    }

    /// Whether a call adds or subtracts integers and stays at the greatest or least where it would wrap.
    pub fn saturates(&self) -> bool {
        let families = ["llvm.sadd.sat.", "llvm.ssub.sat.", "llvm.uadd.sat.", "llvm.usub.sat."];
        self.callee_name().is_some_and(|name| families.iter().any(|family| name.starts_with(family)))
    }

    /// Whether a call is arithmetic on integers that tells, beside its result, whether it has overflown.
    pub fn checks_overflow(&self) -> bool {
        self.callee_name().is_some_and(|name| name.starts_with("llvm.") && name.contains(".with.overflow."))
    }

    /// Whether a call tells which of two integers is greater.
    pub fn compares_integers(&self) -> bool {
        let families = ["llvm.scmp.", "llvm.ucmp."];
        self.callee_name().is_some_and(|name| families.iter().any(|family| name.starts_with(family)))
    }

    /// Whether a call counts the zeros that come first in an integer.
    pub fn counts_leading(&self) -> bool {
        self.callee_name().is_some_and(|name| name.starts_with("llvm.ctlz."))
    }

    pub fn arguments(&self) -> &[Operand] {
        let count = self.op.call().map_or(0, |call| call.arguments as usize);
        &self.operands[..count]
    }
}

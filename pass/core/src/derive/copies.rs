//! Copies of primal instructions into a derivative function.

use std::collections::{BTreeMap, BTreeSet};

use super::Source;
use super::builder::Builder;
use crate::model::{BlockId, Constant, Function, Inst, Op, Operand, ValueId};

/// Where the primal's values and blocks went.
#[derive(Default)]
pub struct Copies {
    pub values: BTreeMap<ValueId, Operand>,
    pub blocks: BTreeMap<BlockId, BlockId>,
    /// Questions for the sizes of blocks without a shadow.
    bare: BTreeSet<ValueId>,
}

impl Copies {
    pub fn of(source: &Source) -> Copies {
        let is_bare = |id: &ValueId| {
            let asked = source.function.inst(*id).filter(|inst| inst.asks_block_size());
            asked.is_some_and(|inst| !source.plan.activity.is_shadowed(&inst.operands[0]))
        };
        Copies { bare: source.function.inst_ids().filter(is_bare).collect(), ..Copies::default() }
    }

    /// The copy of an operand. Constants stand for themselves.
    pub fn operand(&self, operand: &Operand) -> Operand {
        match operand {
            Operand::Value(value) => self.values[value].clone(),
            Operand::Const(_) => operand.clone(),
        }
    }

    pub fn block(&self, block: BlockId) -> BlockId {
        self.blocks[&block]
    }

    /// Copies an instruction to the builder's place. What derivatives are attached to is its own copy. A phi's operands come later, with [`Copies::fill_phi`].
    pub fn copy(&mut self, builder: &mut Builder, id: ValueId, inst: &Inst) -> Operand {
        if let Op::Attach(_) = inst.op {
            let number = self.operand(&inst.operands[0]);
            self.values.insert(id, number.clone());
            return number;
        }
        let phi = matches!(inst.op, Op::Phi { .. });
        let mut operands: Vec<Operand> =
            if phi { Vec::new() } else { inst.operands.iter().map(|x| self.operand(x)).collect() };
        // Who made such a block may be nobody who tells; how much room there is says enough.
        if let (true, Some(callee)) = (self.bare.contains(&id), operands.last_mut()) {
            *callee = Operand::Const(Constant::Symbol { name: "bs_rt_block_room".into(), space: 0 });
        }
        let copied = Inst {
            op: self.retarget(&inst.op),
            ty: inst.ty.clone(),
            operands,
            flags: inst.flags,
            loc: inst.loc,
            origin: Some(id),
        };
        let copy = builder.push_inst(copied);
        self.values.insert(id, copy.clone());
        copy
    }

    /// Gives the copy of a phi the copies of its operands, leaving out edges that no control takes.
    pub fn fill_phi(&self, builder: &mut Builder, id: ValueId, inst: &Inst) {
        let Op::Phi { from } = &inst.op else { return };
        let edges: Vec<(BlockId, Operand)> = from
            .iter()
            .zip(&inst.operands)
            .filter_map(|(block, operand)| Some((*self.blocks.get(block)?, self.operand(operand))))
            .collect();
        set_phi(builder, &self.values[&id], edges);
    }

    /// The operation with its labels renamed.
    fn retarget(&self, op: &Op) -> Op {
        let to = |block: &BlockId| self.block(*block);
        match op {
            Op::Br { to: target } => Op::Br { to: to(target) },
            Op::CondBr { yes, no } => Op::CondBr { yes: to(yes), no: to(no) },
            Op::Switch { cases, default } => Op::Switch {
                cases: cases.iter().map(|(value, block)| (value.clone(), to(block))).collect(),
                default: to(default),
            },
            Op::Phi { .. } => Op::Phi { from: Vec::new() },
            other => other.clone(),
        }
    }
}

pub fn set_phi(builder: &mut Builder, phi: &Operand, edges: Vec<(BlockId, Operand)>) {
    if let Some(inst) = builder.inst_mut(phi) {
        let (from, operands) = edges.into_iter().unzip();
        inst.op = Op::Phi { from };
        inst.operands = operands;
    }
}

/// The instructions of a block, with their ids.
pub fn insts_of(function: &Function, block: BlockId) -> impl DoubleEndedIterator<Item = (ValueId, &Inst)> {
    function.block(block).insts.iter().filter_map(|id| Some((*id, function.inst(*id)?)))
}

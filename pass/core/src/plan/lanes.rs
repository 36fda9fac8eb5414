//! Which innermost loops LLVM will make vectors of, as far as can be told from what they do to memory and from what goes round.
//!
//! One look for both who ask: forward mode in several directions leaves such loops alone, and what runs again is cheap in them.
//! Safe error: either (costs time, never truth).

use std::collections::BTreeMap;

use super::effort::{CALL, effort_of_function};
use crate::analyses::flow::blocks_of_values;
use crate::analyses::meaning::{Meaning, meaning};
use crate::model::{BlockId, Function, Inst, Layout, Loop, LoopId, Op, Program, Scev, ValueId};
use crate::rules::Rules;

/// How many passes of such a loop run at a time, on processors of today.
pub const LANES: u64 = 4;

/// LLVM makes vectors of loops that go on by so many numbers in each pass, with some turning of lanes.
const NEAR: i128 = 4;

pub struct Lanes<'a> {
    function: &'a Function,
    program: &'a Program,
    rules: &'a Rules,
    layout: Layout,
    homes: BTreeMap<ValueId, BlockId>,
}

impl<'a> Lanes<'a> {
    pub fn of(function: &'a Function, program: &'a Program, rules: &'a Rules) -> Lanes<'a> {
        let layout = Layout::parse(&program.layout);
        Lanes { function, program, rules, layout, homes: blocks_of_values(function) }
    }

    /// Whether every access goes to the next place or stays, nothing is called, and no number goes from pass to pass.
    pub fn fit(&self, around: &Loop) -> bool {
        let innermost = self.function.is_innermost(around.header, |block| around.blocks.contains(block));
        innermost
            && around.back_edges.is_some()
            && self.insts_of(around).all(|(id, inst)| self.fits(id, inst, around))
    }

    fn fits(&self, id: ValueId, inst: &Inst, around: &Loop) -> bool {
        match inst.op {
            Op::Load(_) | Op::Store(_) => self.step(id, around).is_some_and(|step| self.is_near(inst, step)),
            Op::Phi { .. } if self.homes.get(&id) == Some(&around.header) => !inst.ty.holds_float(),
            _ => !self.is_called(inst),
        }
    }

    pub fn insts_of(&self, around: &'a Loop) -> impl Iterator<Item = (ValueId, &'a Inst)> {
        let insts = around.blocks.iter().flat_map(|block| &self.function.block(*block).insts);
        insts.filter_map(|id| Some((*id, self.function.inst(*id)?)))
    }

    /// Whether functions are called that are no single instructions.
    pub fn is_called(&self, inst: &Inst) -> bool {
        match meaning(inst, self.function, self.program, self.rules) {
            Meaning::Row { row, .. } => inst.op.call().is_some() && effort_of_function(row.name) >= CALL,
            Meaning::Call(_) | Meaning::Foreign(_) => true,
            _ => false,
        }
    }

    /// Whether an access is to other places in each pass, and not to the next ones.
    pub fn goes_far(&self, id: ValueId, inst: &Inst, around: &Loop) -> bool {
        self.step(id, around).is_some_and(|step| !self.is_near(inst, step))
    }

    /// By how many bytes an access goes on in each pass, where that is known.
    fn step(&self, id: ValueId, around: &Loop) -> Option<i128> {
        let address = self.function.memory.get(&id).and_then(|fact| fact.address.as_ref())?;
        match address {
            Scev::Rec { step, of, .. } if self.header(*of) == around.header => match **step {
                Scev::Const { value, .. } => Some(value),
                _ => None,
            },
            _ => (!self.moves(address, around)).then_some(0),
        }
    }

    /// Whether an expression may be another in each pass.
    fn moves(&self, scev: &Scev, around: &Loop) -> bool {
        let mut moves = false;
        scev.walk(&mut |inner| {
            moves |= match inner {
                Scev::Rec { of, .. } => self.header(*of) == around.header,
                Scev::Value(operand) => {
                    let home = operand.value().and_then(|value| self.homes.get(&value));
                    home.is_some_and(|home| around.blocks.contains(home))
                }
                Scev::Unknown => true,
                _ => false,
            }
        });
        moves
    }

    fn header(&self, of: LoopId) -> BlockId {
        self.function.loops[of.0 as usize].header
    }

    fn is_near(&self, inst: &Inst, step: i128) -> bool {
        let moved = match inst.op {
            Op::Store(_) => self.function.operand_type(&inst.operands[0]),
            _ => inst.ty.clone(),
        };
        let size = self.layout.store_size(&moved).unwrap_or(1);
        step.abs() <= NEAR * i128::from(size)
    }
}

//! Where the forward sweep copies pointers, it copies those to their shadows, in each direction.

use super::Derivative;
use crate::check::Obligation::Forward;
use crate::check::memory_calls::{MemoryCall, memory_call};
use crate::model::{BlockId, Inst, ValueId};
use crate::request::Mode;

impl<'a> Derivative<'a> {
    pub fn check_copied_pointers(&mut self) {
        if !matches!(self.plan.request.mode, Mode::Gradient | Mode::Augmented) {
            return;
        }
        let copies = self.plan.copies.iter().filter(|(_, moved)| moved.pointers).map(|(id, _)| *id);
        let live = |id: &ValueId| self.paths.home(*id).is_some_and(|block| self.paths.is_live(block));
        let wanted: Vec<ValueId> = copies.filter(live).collect();
        for id in wanted {
            if !self.derived.block_ids().any(|block| self.copies_shadows_in(block, id)) {
                self.report(Forward, format!("%{} copies pointers, and not those to their shadows", id.0));
            }
        }
    }

    /// Whether the primal's copy stands in a block, and those of the shadows, as long as it is, behind it.
    fn copies_shadows_in(&self, block: BlockId, copy: ValueId) -> bool {
        let insts: Vec<&Inst> = self.insts(block).map(|(_, inst)| inst).collect();
        let Some(at) = insts.iter().position(|inst| inst.origin == Some(copy)) else { return false };
        let width = self.plan.width() as usize;
        let behind = insts.get(at + 1..=at + width).unwrap_or_default();
        let primal = insts[at];
        let moves_shadow = |inst: &&Inst| {
            let copies = memory_call(inst) == Some(MemoryCall::Copy) && inst.origin.is_none();
            let apart = || (0..2).all(|end| inst.operands[end] != primal.operands[end]);
            copies && apart() && inst.operands[2] == primal.operands[2]
        };
        behind.len() == width && behind.iter().all(moves_shadow)
    }
}
